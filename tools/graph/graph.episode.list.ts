import { z } from 'zod';
import { episode, episodeStatuses } from '../../contracts/graph/episodes.ts';
import { episodeKinds } from '../../contracts/graph/graph.ts';
import { defineTool } from '../catalogue/define.ts';
import { countedPages } from '../catalogue/pages.ts';

export default defineTool({
  name: 'graph.episode.list',
  title: 'List episodes',
  description: 'What was told to the graph, newest first, with its state: queued (and where), done or failed.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:read'],
  latency: 'L1',
  input: z.object({
    status: z.enum(episodeStatuses).optional(),
    kind: z.enum(episodeKinds).optional(),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ episodes: z.array(episode) }),
  intents: ['list episodes', 'what waits to get into the graph', 'episodes that failed'],
  aliases: [],
  async handler(filter, { caller, services }) {
    return countedPages('episodes', await services.graph.episodes.list(caller.tenant, filter));
  },
});

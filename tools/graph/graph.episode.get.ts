import { z } from 'zod';
import { episode } from '../../contracts/graph/episodes.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'graph.episode.get',
  title: 'Show an episode',
  description: 'One episode with its text: whether it is in the graph yet, its place in the queue, or why it failed.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:read'],
  latency: 'L1',
  input: z.object({ episode_id: words(64) }),
  output: z.object({ episode: episode.extend({ body: z.string() }) }),
  intents: ['is my episode processed', 'show an episode', 'why did an episode fail'],
  aliases: [],
  async handler({ episode_id }, { caller, services }) {
    return { data: { episode: await services.graph.episodes.get(caller.tenant, episode_id.toLowerCase()) } };
  },
});

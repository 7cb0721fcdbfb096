import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ episode_id: words(64).describe('As graph.episode.add answered it') });
const output = z.object({ episode_id: z.string(), status: z.literal('deleted') });

const deleteEpisode: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'delete_episode',
  system: 'agentic-rag',
  description: 'Delete an episode and what only it told the graph.',
  input: z.object({ uuid: words(64) }),
  toInput: ({ uuid }) => ({ episode_id: String(uuid) }),
  toAnswer: ({ episode_id: uuid, status }) => ({ uuid, status }),
  toText: ({ episode_id: uuid }) => `Episode deleted: ${uuid}.`,
};

export default defineTool({
  name: 'graph.episode.delete',
  title: 'Delete an episode',
  description:
    'Deletes an episode, queued or done, for good: facts that only it supports go, what others support stays, and a fact that it had ended holds again.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['graph:write'],
  latency: 'L1',
  input,
  output,
  intents: ['delete an episode', 'take something out of the graph', 'forget what was told to the graph'],
  aliases: [deleteEpisode],
  async handler({ episode_id }, { caller, services }) {
    const id = episode_id.toLowerCase();
    await services.graph.episodes.remove(caller.tenant, id);
    return { data: { episode_id: id, status: 'deleted' as const } };
  },
});

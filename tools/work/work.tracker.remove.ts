import { z } from 'zod';
import { trackerId } from '../../contracts/work/trackers.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.tracker.remove',
  title: 'Remove an issue tracker',
  description: 'Ends the sync with an issue tracker and forgets its token. Its tasks and issues stay as they are.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:admin'],
  latency: 'L2',
  input: z.object({ tracker_id: trackerId }),
  output: z.object({ removed: z.boolean() }),
  intents: ['stop importing issues', 'disconnect an issue tracker'],
  aliases: [],
  async handler({ tracker_id }, { caller, services }) {
    return { data: { removed: await services.work.trackers.remove(caller.tenant, tracker_id) } };
  },
});

import { z } from 'zod';
import { tracker, trackerId } from '../../contracts/work/trackers.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.tracker.sync',
  title: 'Sync an issue tracker now',
  description:
    'Imports changed issues and writes what happened to their tasks, without waiting for the next sync. Answers with what it did; if it takes longer, work.tracker.list shows it later.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L3',
  input: z.object({
    tracker_id: trackerId,
    wait_seconds: z.number().int().min(0).max(25).default(20).describe('Wait so long for its end'),
  }),
  output: z.object({ tracker, finished: z.boolean().describe('False: it is still under way; `last` is the sync before it') }),
  intents: ['fetch new issues now', 'update the issues of our tasks now'],
  aliases: [],
  async handler({ tracker_id, wait_seconds }, { caller, services }) {
    return { data: await services.work.trackers.sync(caller.tenant, tracker_id, wait_seconds * 1_000) };
  },
});

import { z } from 'zod';
import { tracker } from '../../contracts/work/trackers.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.tracker.list',
  title: 'List issue trackers',
  description: 'The trackers whose issues become tasks, by name, with what their last sync did and why it failed. Tokens are never shown.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ trackers: z.array(tracker) }),
  intents: ['which repositories are tasks imported from', 'did the last sync with github work'],
  aliases: [],
  async handler(_input, { caller, services }) {
    return { data: { trackers: await services.work.trackers.list(caller.tenant) } };
  },
});

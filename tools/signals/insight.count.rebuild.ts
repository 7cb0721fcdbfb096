import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'insight.count.rebuild',
  title: 'Count all signals again',
  description:
    'Rebuilds the counts behind heatmaps, trends and profiles from the signals themselves and says how many were wrong. Counts are kept exact as signals come and go: needed only after a repair of the database by hand. Seconds for a hundred thousand signals; whoever writes signals meanwhile waits.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A1' },
  scopes: ['knowledge:write'],
  latency: 'L4',
  input: z.object({}),
  output: z.object({
    /** Counted signals. */
    signals: z.number(),
    /** Rows of counts. */
    counts: z.number(),
    /** Counts that were missing, wrong or surplus. */
    corrected: z.number(),
  }),
  intents: [
    'the numbers in the heatmap look wrong',
    'recount all signals',
    'rebuild the counts',
    'counts do not match the signals',
    'repair insight',
  ],
  aliases: [],
  async handler(_input, { caller, services }) {
    return { data: { ...(await services.insight.recount(caller.tenant)) } };
  },
});

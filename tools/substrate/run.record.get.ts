import { z } from 'zod';
import { runCall, runDetail, runId, runStep, runTotals } from '../../contracts/substrate/runs.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'run.record.get',
  title: 'Look at a run',
  description:
    'A run with what it was given and yielded, a page of its steps in order, totals, and the latest calls that the ledger has of it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['run:read'],
  latency: 'L1',
  input: z.object({
    run_id: runId,
    limit: z.number().int().min(1).max(100).default(50).describe('Steps'),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional()
      .describe('next_cursor of the page of steps before'),
  }),
  output: z.object({ run: runDetail, steps: z.array(runStep), totals: runTotals, calls: z.array(runCall) }),
  intents: ['how far is my run', 'steps of a run', 'what did this run do', 'outcome of a run'],
  aliases: [],
  async handler({ run_id, ...paging }, { caller, services }) {
    const { queries, progress } = services.runs;
    const found = await queries.get(caller.tenant, run_id);
    const page = await progress.steps(caller.tenant, run_id, paging);
    return {
      ...paged('steps', { ...page, total: found.totals.steps }),
      data: { run: found.run, steps: page.items, totals: found.totals, calls: found.calls },
      refs: [{ type: 'run', id: run_id }],
    };
  },
});

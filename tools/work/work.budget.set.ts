import { z } from 'zod';
import { runBudget } from '../../contracts/work/runs.ts';
import { phaseId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.budget.set',
  title: 'Set the budget of runs',
  description:
    'Limits what runs of agents use per day (UTC), in a phase or altogether. When it is spent, runners get no new task until the next day; runs that have begun go on. Without limits the budget is removed.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:admin'],
  latency: 'L1',
  input: z.object({
    phase_id: phaseId.optional().describe('Absent: all phases together'),
    tokens_per_day: z.number().int().min(1).max(1e15).nullable().default(null).describe('Of input and output'),
    usd_per_day: z.number().positive().max(1e9).nullable().default(null),
  }),
  output: z.object({ budgets: z.array(runBudget) }),
  intents: ['limit the cost of the agents per day', 'cap the tokens of a phase'],
  aliases: [],
  async handler({ phase_id, tokens_per_day, usd_per_day }, { caller, services }) {
    const limits = { tokens: tokens_per_day, usd: usd_per_day };
    return { data: { budgets: await services.work.runBudgets.set(caller, phase_id ?? null, limits) } };
  },
});

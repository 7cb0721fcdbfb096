import { z } from 'zod';
import { runBudget } from '../../contracts/work/runs.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.budget.get',
  title: 'Read the budgets of runs',
  description: 'What runs of agents may use per day, of the whole tenant and of phases, and what today’s runs have used.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ budgets: z.array(runBudget) }),
  intents: ['how much may agents spend today', 'is the budget of the runners spent'],
  aliases: [],
  async handler(_args, { caller, services }) {
    return { data: { budgets: await services.work.runBudgets.list(caller.tenant) } };
  },
});

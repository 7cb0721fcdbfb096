import { z } from 'zod';
import { isPerson } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.budget.save',
  title: 'Set the budget of the language model',
  description:
    'What your tenant may use of the language model in a day (UTC), in tokens or USD; null is no limit, 0 switches it off. use_default takes your own budget back. For admins.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['policy:write'],
  latency: 'L1',
  input: z.object({
    tokens_per_day: z.number().int().min(0).max(1e12).nullable().default(null),
    usd_per_day: z.number().min(0).max(1e6).nullable().default(null),
    use_default: z.boolean().default(false).describe('Back to what is configured for everybody; the other two are not looked at'),
  }),
  output: z.object({
    budget: z.object({ tokens_per_day: z.number().nullable(), usd_per_day: z.number().nullable() }),
    today: z.object({ tokens: z.number(), cost_usd: z.number() }),
  }),
  intents: ['limit what the model may cost a day', 'switch the language model off', 'give us more tokens'],
  aliases: [],
  async handler({ tokens_per_day, usd_per_day, use_default }, { caller, services }) {
    if (!isPerson(caller) || caller.role !== 'admin') {
      throw new AppError('FORBIDDEN', 'Only a person with the role admin may set the budget.', { hint: 'Ask one of them.' });
    }
    const budget = use_default ? null : { tokensPerDay: tokens_per_day, usdPerDay: usd_per_day };
    const now = await services.language.setBudget(caller.tenant, budget, caller.principal);
    return {
      data: {
        budget: { tokens_per_day: now.tokensPerDay, usd_per_day: now.usdPerDay },
        today: { tokens: now.tokens, cost_usd: now.costUsd },
      },
    };
  },
});

import { z } from 'zod';
import { modelUse } from '../../contracts/language.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.model.get',
  title: 'Look at the language model',
  description:
    'Which language model is configured, what your tenant has used of it by day and purpose, and what it may use in a day. Without a model, or when the budget is spent, everything is done by extraction.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['policy:read'],
  latency: 'L1',
  input: z.object({ days: z.number().int().min(1).max(366).default(7).describe('How many days back') }),
  output: modelUse,
  intents: ['which model writes our reports', 'how many tokens did we use', 'what does the language model cost us', 'is the budget spent'],
  aliases: [],
  async handler({ days }, { caller, services: { language } }) {
    const [today, usage] = await Promise.all([language.today(caller.tenant), language.usage(caller.tenant, days)]);
    return {
      data: {
        model: language.model,
        budget: { tokens_per_day: today.tokensPerDay, usd_per_day: today.usdPerDay },
        today: { tokens: today.tokens, cost_usd: today.costUsd },
        usage,
      },
      metadata: { result_count: usage.length },
    };
  },
});

import { z } from 'zod';
import { rate } from '../../contracts/governance/keys.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.limit.get',
  title: 'Show the limits',
  description:
    'The calls per minute that your key may make and has made, and the remaining budget of the language model for today; for admins also the busiest keys. Counted over all processes.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: [],
  latency: 'L1',
  input: z.object({ keys: z.number().int().min(0).max(100).default(20).describe('How many of the busiest keys; for admins') }),
  output: z.object({
    own: rate,
    keys: z.array(z.object({ key_id: z.string(), name: z.string(), rate })),
    model: z
      .object({
        name: z.string(),
        today: z.object({ tokens: z.number(), cost_usd: z.number() }),
        budget: z.object({ tokens_per_day: z.number().nullable(), usd_per_day: z.number().nullable() }),
      })
      .nullable()
      .describe('null: none is configured'),
  }),
  intents: ['how many calls do I have left', 'when does my limit reset', 'which key calls most', 'what is left of the model budget'],
  aliases: [],
  async handler({ keys }, { caller, services: { governance, language } }) {
    const [[own], busiest, today] = await Promise.all([
      governance.limits.used(caller.tenant, [caller]),
      caller.role === 'admin' ? governance.keyAdministration.busiest(caller, keys) : [],
      language.today(caller.tenant),
    ]);
    const { model: name } = language;
    return {
      data: {
        own: own!,
        keys: busiest,
        model:
          name === null
            ? null
            : {
                name,
                today: { tokens: today.tokens, cost_usd: today.costUsd },
                budget: { tokens_per_day: today.tokensPerDay, usd_per_day: today.usdPerDay },
              },
      },
    };
  },
});

import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { factorNames, opportunityId, opportunityStatuses } from '../../contracts/signals/opportunities.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'opportunity.factor.set',
  title: 'Set a factor of the score',
  description:
    'Says what one factor of an opportunity is, instead of what the evidence says: effort above all, which evidence does not tell. It stays when signals come and go; null takes it back. The score follows at once.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A1' },
  scopes: ['opportunity:write'],
  latency: 'L1',
  input: z.object({
    opportunity_id: opportunityId,
    factor: z.enum(factorNames),
    value: z.number().min(0).max(10).nullable().describe('0 to 10; confidence 0 to 1; effort at least 0.5; null: as computed'),
    reason: words(2000).optional(),
  }),
  output: z.object({
    opportunity_id: z.string(),
    title: z.string(),
    status: z.enum(opportunityStatuses),
    score: z.number(),
    changed: z.boolean(),
  }),
  intents: [
    'set the effort of an opportunity',
    'override the impact',
    'this is more urgent than it looks',
    'correct a RICE factor',
    'estimate effort',
  ],
  aliases: [],
  async handler({ opportunity_id, factor, value, reason }, { caller, services }) {
    return { data: await services.opportunities.commands.setFactor(caller, opportunity_id, factor, value, reason ?? null) };
  },
});

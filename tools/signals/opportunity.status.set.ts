import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { opportunityId, opportunityStatuses } from '../../contracts/signals/opportunities.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'opportunity.status.set',
  title: 'Decide about an opportunity',
  description:
    'Takes an opportunity on: new, then reviewing, then accepted or rejected; a decided one may be reviewed again. The history keeps who said so and why.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A1' },
  scopes: ['opportunity:write'],
  latency: 'L1',
  input: z.object({
    opportunity_id: opportunityId,
    status: z.enum(opportunityStatuses),
    reason: words(2000).optional().describe('Why, for those who read it later'),
  }),
  output: z.object({
    opportunity_id: z.string(),
    title: z.string(),
    status: z.enum(opportunityStatuses),
    score: z.number(),
    changed: z.boolean(),
  }),
  intents: ['accept this opportunity', 'reject an opportunity', 'start reviewing a request cluster', 'we will not build this'],
  aliases: [],
  async handler({ opportunity_id, status, reason }, { caller, services }) {
    return { data: await services.opportunities.commands.setStatus(caller, opportunity_id, status, reason ?? null) };
  },
});

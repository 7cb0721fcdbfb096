import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { opportunityId, opportunityStatuses } from '../../contracts/signals/opportunities.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'opportunity.title.set',
  title: 'Name an opportunity',
  description: 'Gives an opportunity a better title, which stays whatever signals are added; null has it named by its evidence again.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['opportunity:write'],
  latency: 'L1',
  input: z.object({ opportunity_id: opportunityId, title: words(200).nullable() }),
  output: z.object({
    opportunity_id: z.string(),
    title: z.string(),
    status: z.enum(opportunityStatuses),
    score: z.number(),
    changed: z.boolean(),
  }),
  intents: ['rename an opportunity', 'give this cluster a better title'],
  aliases: [],
  async handler({ opportunity_id, title }, { caller, services }) {
    const done = await services.opportunities.commands.setTitle(caller, opportunity_id, title);
    if (title === null && done.changed) await services.opportunities.wakeSoon(caller.tenant);
    return { data: done };
  },
});

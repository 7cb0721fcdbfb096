import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'opportunity.goal.set',
  title: 'Say what the strategy is about',
  description:
    'Names a product area, feature, issue or theme that the strategy is about, and how much. Opportunities about it get that strategic alignment; with goals set, those about none of them get 3 instead of 5. All scores follow within seconds.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A1' },
  scopes: ['opportunity:write'],
  latency: 'L1',
  input: z.object({
    name: words(200).describe('As the area or entity is called'),
    alignment: z.number().min(0).max(10).nullable().describe('10: what the strategy is all about; null: no goal any more'),
  }),
  output: z.object({
    /** All of them, most important first. */
    goals: z.array(z.object({ name: z.string(), alignment: z.number(), set_by: z.string(), set_at: z.string() })),
  }),
  intents: [
    'set strategic goals',
    'our strategy is enterprise security',
    'focus the roadmap on onboarding',
    'strategic alignment of a product area',
  ],
  aliases: [],
  async handler({ name, alignment }, { caller, services }) {
    await services.opportunities.goals.set(caller, name, alignment);
    await services.opportunities.wakeSoon(caller.tenant);
    return { data: { goals: await services.opportunities.goals.list(caller.tenant) } };
  },
});

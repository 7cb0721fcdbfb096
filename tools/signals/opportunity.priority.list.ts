import { z } from 'zod';
import { breakdown, factorViews, opportunityStatuses } from '../../contracts/signals/opportunities.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  filter: z
    .enum(['all', 'quick_wins', 'strategic', 'emerging', 'high_confidence'])
    .default('all')
    .describe(
      'quick_wins: effort at most 3 and impact at least 3; strategic: alignment at least 7; emerging: 20 % more signals in 28 days than in the 28 before, or new; high_confidence: at least 0.7',
    ),
  limit: z.number().int().min(1).max(100).default(10),
});
const output = z.object({
  priorities: z.array(
    z.object({
      opportunity_id: z.string(),
      title: z.string(),
      status: z.enum(opportunityStatuses),
      /** impact × confidence × strategic_alignment × urgency / effort */
      score: z.number(),
      signal_count: z.number(),
      customer_count: z.number(),
      breakdown,
      factors: factorViews,
    }),
  ),
});

const getRoadmapPriorities: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_roadmap_priorities',
  system: 'pm-intelligence',
  description:
    'Opportunities ranked by a RICE-like score, each with its five factors: impact, confidence, effort, strategic alignment, urgency.',
  input,
  toInput: (args) => args,
};

export default defineTool({
  name: 'opportunity.priority.list',
  title: 'Roadmap priorities',
  description:
    'What to build next: open opportunities by score = impact × confidence × strategic alignment × urgency / effort, each factor with its reason. Rejected ones are left out. Factors are set with opportunity.factor.set, the strategy with opportunity.goal.set.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['opportunity:read'],
  latency: 'L2',
  input,
  output,
  intents: [
    'what should we build next',
    'prioritise the roadmap',
    'quick wins',
    'rank opportunities by RICE',
    'which emerging requests matter most',
    'strategic priorities',
  ],
  aliases: [getRoadmapPriorities],
  async handler({ filter, limit }, { caller, services }) {
    const { priorities, total, open, says } = await services.opportunities.priorities(caller.tenant, filter, limit);
    return {
      data: { priorities },
      metadata: { result_count: priorities.length, total_count: total },
      warnings:
        total > 0
          ? []
          : [
              open === 0
                ? 'No open opportunities: at least two related customer statements make one.'
                : `None of ${open} open opportunities has ${says}.`,
            ],
    };
  },
});

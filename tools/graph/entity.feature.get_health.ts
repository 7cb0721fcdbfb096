import { z } from 'zod';
import { entityName, profiled } from '../../contracts/graph/graph.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { asOf, byMonth, direction, linked, missing, profileAnswer, signalView, totals } from '../signals/insight.shared.ts';

const input = z.object({ feature_name: entityName.describe('Any name of the feature'), as_of: asOf });
const output = z.object({
  feature: profiled,
  /** Customers who use it, from facts or from signals other than requests. */
  adoption_count: z.number(),
  adopters: z.array(linked),
  open_issues: z.array(linked),
  /** Newest first. */
  recent_signals: z.array(signalView),
  customer_sentiment: z.object({ average: z.number().nullable(), signals: z.number(), by_month: byMonth }),
  dependencies: z.array(
    z.object({
      name: z.string(),
      entity_id: z.string(),
      type: z.string(),
      relation: z.string(),
      direction: z.enum(['needs', 'needed_by']),
    }),
  ),
  /** 28 days compared with the 28 before. */
  trend: z.object({ direction, current_count: z.number(), previous_count: z.number(), change_pct: z.number().nullable() }),
  totals,
  missing,
});

const getFeatureHealth: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_feature_health',
  system: 'pm-intelligence',
  description: 'Who uses a feature, its open issues, what was said lately, how customers feel, what it depends on.',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'entity.feature.get_health',
  title: 'Health of a feature',
  description:
    'How a feature does: how many customers use it, its open issues, the latest statements with citations, sentiment by month, dependencies, and whether it is talked of more or less.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L2',
  input,
  output,
  intents: [
    'how is this feature doing',
    'who uses this feature',
    'open issues of a feature',
    'do customers like this feature',
    'feature adoption',
  ],
  aliases: [getFeatureHealth],
  async handler({ feature_name, as_of }, { caller, services }) {
    const profile = await services.insight.feature(caller.tenant, feature_name, as_of);
    return profileAnswer(profile.feature.entity_id, profile);
  },
});

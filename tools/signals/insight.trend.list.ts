import { z } from 'zod';
import { entityRef, entityType, matchedTypes } from '../../contracts/graph/graph.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { asOf, direction } from './insight.shared.ts';

const input = z.object({
  entity_type: entityType.describe('theme, issue, feature, customer, or another type'),
  direction: z.enum([...direction.options, 'all']).default('all'),
  window_days: z.number().int().min(1).max(730).default(28).describe('Days, ending with as_of, compared with as many before'),
  as_of: asOf,
  limit: z.number().int().min(1).max(100).default(15),
});
const output = z.object({
  trends: z.array(
    entityRef.extend({
      entity: z.string(),
      direction,
      current_count: z.number(),
      previous_count: z.number(),
      /** Null: the previous count was zero. */
      change_pct: z.number().nullable(),
      /** Signals per step, oldest first; the last one ends with as_of. */
      series: z.array(z.number()),
      /** The same of the window before. */
      previous_series: z.array(z.number()),
    }),
  ),
  window_days: z.number(),
  /** Days per step. */
  series_days: z.number(),
  /** Days of the window, both inclusive. */
  from: z.string(),
  to: z.string(),
});

const getTrends: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_trends',
  system: 'pm-intelligence',
  description: 'What comes up, grows, stays or goes down among themes, issues, features or customers, compared with the window before.',
  input: input.extend({ entity_type: z.enum(matchedTypes) }),
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'insight.trend.list',
  title: 'Trends',
  description:
    'Signals about each theme, issue, feature or customer in a window beside the window before: emerging (none before), growing (from +20 %), declining (from -20 %) or stable, with a series. What moved most comes first.',
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
    'what is trending',
    'what comes up lately',
    'which issues grow',
    'emerging themes',
    'is this getting better',
    'declining topics',
  ],
  aliases: [getTrends],
  async handler({ entity_type, direction: wanted, window_days, limit, as_of }, { caller, services }) {
    const { trends, total, ...rest } = await services.insight.trends(caller.tenant, {
      type: entity_type,
      direction: wanted === 'all' ? undefined : wanted,
      windowDays: window_days,
      limit,
      asOf: as_of,
    });
    return {
      data: { trends: trends.map((each) => ({ entity: each.name, ...each })), ...rest },
      metadata: { result_count: trends.length, total_count: total },
      warnings:
        total === 0
          ? [
              `Not enough evidence: no ${entity_type}${wanted === 'all' ? '' : ` that is ${wanted}`} has signals in these ${window_days} days or the ${window_days} before. A longer window_days or more ingested statements would show some.`,
            ]
          : [],
    };
  },
});

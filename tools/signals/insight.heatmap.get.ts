import { z } from 'zod';
import { moment } from '../../contracts/times.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { dimension, metric } from './insight.heatmap.shared.ts';
import { asOf } from './insight.shared.ts';

const input = z.object({
  dimension,
  metric,
  limit: z.number().int().min(1).max(100).default(20).describe('Top items'),
  date_from: moment.optional().describe('Only signals from this day (UTC) on'),
  as_of: asOf,
});
const output = z.object({
  summary: z.string(),
  top_items: z.array(
    z.object({
      row: z.string(),
      row_id: z.string(),
      /** Absent: the whole row. */
      column: z.string().optional(),
      column_id: z.string().optional(),
      value: z.number(),
      metric: metric.unwrap(),
      /** If rows are ranked by customers: those with most signals about it. */
      customers: z.array(z.object({ name: z.string(), entity_id: z.string(), signals: z.number() })).optional(),
    }),
  ),
  total_items: z.number(),
  has_more: z.boolean(),
  drill_down_hint: z.string(),
  dimension,
  metric: metric.unwrap(),
  since: z.string().nullable(),
  /** Null: today. */
  as_of: z.string().nullable(),
});

const getHeatmap: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_heatmap',
  system: 'pm-intelligence',
  description: 'Which issues, features or themes hit most: ranked by customers, signals or severity, with totals and where to look next.',
  input: input.extend({ limit: z.number().int().min(1).max(100).default(20), date_from: moment.optional() }),
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'insight.heatmap.get',
  title: 'Heatmap of issues, features and themes',
  description:
    'Ranks issues, features or themes by impact: how many customers, how many signals, or how severe. By customer_count with a customer dimension each row names its customers. Next: entity.issue.get_impact or entity.feature.get_health of a row.',
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
    'which issues hit most customers',
    'top pain points',
    'where does it hurt most',
    'issues by feature',
    'most mentioned themes',
    'what should we fix first',
  ],
  aliases: [getHeatmap],
  async handler({ date_from, as_of, ...args }, { caller, services }) {
    const data = await services.insight.heatmap(caller.tenant, { ...args, dateFrom: date_from, asOf: as_of });
    return {
      data,
      metadata: { result_count: data.top_items.length, total_count: data.total_items },
      warnings:
        data.total_items === 0
          ? [
              `Not enough evidence: no signal${data.since ? ` since ${data.since}` : ''} tells of what this dimension ranks. ${data.drill_down_hint}`,
            ]
          : [],
    };
  },
});

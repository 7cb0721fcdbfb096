import { z } from 'zod';
import { moment } from '../../contracts/times.ts';
import { defineTool } from '../catalogue/define.ts';
import { dimension, metric } from './insight.heatmap.shared.ts';
import { asOf } from './insight.shared.ts';

const axis = { entity_id: z.string(), name: z.string() };

export default defineTool({
  name: 'insight.matrix.get',
  title: 'Get the heatmap as a table',
  description:
    'The rows of a heatmap with the largest counts by their most frequent columns, with every cell, including zeros: issues by feature or customer, features by customer, themes by customer. insight.heatmap.get ranks single cells; signal.record.search with both ids as entity_ids lists what a cell counts.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L2',
  input: z.object({
    dimension,
    metric,
    rows: z.number().int().min(1).max(50).default(15),
    columns: z.number().int().min(1).max(30).default(10),
    date_from: moment.optional().describe('Only signals from this day (UTC) on'),
    as_of: asOf,
  }),
  output: z.object({
    dimension,
    metric: metric.unwrap(),
    cell_metric: metric.unwrap().describe('A cell of one customer counts its signals, not customers'),
    row_type: z.string(),
    column_type: z.string(),
    rows: z.array(z.object({ ...axis, total: z.number().describe('Of the whole row, by the metric'), cells: z.array(z.number()) })),
    columns: z.array(z.object(axis)),
    total_rows: z.number(),
    total_columns: z.number(),
    since: z.string().nullable(),
    as_of: z.string().nullable(),
  }),
  intents: [
    'issues crossed with features',
    'which customer has which issue how often',
    'pivot table of signals',
    'heatmap as rows and columns',
  ],
  aliases: [],
  async handler({ date_from, as_of, ...args }, { caller, services }) {
    const data = await services.insight.matrix(caller.tenant, { ...args, dateFrom: date_from, asOf: as_of });
    return { data, metadata: { result_count: data.rows.length, total_count: data.total_rows } };
  },
});

import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { filtersOf, signalFilters } from './signal.filters.shared.ts';

const values = z.array(z.object({ value: z.string(), count: z.number() }));
const names = z.array(z.object({ value: z.string(), entity_id: z.string(), count: z.number() }));

export default defineTool({
  name: 'signal.facet.list',
  title: 'Count customer signals by facet',
  description:
    'How many signals there are by class, severity, tone, state, source, area, customer, feature, issue, theme and competitor, within filters, in one call. Each facet is counted within all filters but its own. signal.record.search with the same filters lists them.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['knowledge:read'],
  latency: 'L2',
  input: z.object(signalFilters),
  output: z.object({
    total: z.number(),
    groups: z.number().describe('Without near-duplicates'),
    facets: z
      .object({
        class: values,
        severity: values,
        tone: values,
        state: values,
        source: values,
        area: values,
        customer: names,
        feature: names,
        issue: names,
        theme: names,
        competitor: names,
      })
      .describe('The 20 most frequent values of each'),
  }),
  intents: [
    'how many complaints are there',
    'signals by customer and class',
    'counts for the filters',
    'which features are mentioned most',
  ],
  aliases: [],
  async handler(args, { caller, services }) {
    const data = await services.signals.facets(caller.tenant, filtersOf(args));
    return { data, metadata: { result_count: data.total } };
  },
});

import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { opportunityItem, opportunityStatuses, opportunityTrends } from '../../contracts/signals/opportunities.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

const sortBy = z.enum(['score', 'signal_count', 'created_at']).default('score').describe('Highest or latest first');
const limit = z.number().int().min(1).max(100).default(20);
const input = z.object({
  status: z.enum([...opportunityStatuses, 'all']).default('all'),
  trend: z.enum(opportunityTrends).optional(),
  query: words(200).optional().describe('Part of the title'),
  sort_by: sortBy,
  closed: z.boolean().default(false).describe('Instead of the open ones: those that went into others or whose evidence is gone'),
  limit,
  cursor: z.string().max(512).optional(),
});
const output = z.object({
  opportunities: z.array(opportunityItem),
  statuses: z
    .partialRecord(z.enum(opportunityStatuses), z.number())
    .optional()
    .describe('Number of opportunities in each status, within the other filters'),
});

const listOpportunities: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'list_opportunities',
  system: 'pm-intelligence',
  description: 'Clusters of related signals that suggest product work, with signal counts and scores.',
  input: z.object({ status: z.enum([...opportunityStatuses, 'all']).default('all'), sort_by: sortBy, limit }),
  toInput: (args) => args,
};

export default defineTool({
  name: 'opportunity.record.list',
  title: 'List opportunities',
  description:
    'What customers ask for, suffer from or leave for, gathered from their statements, with status, score and how many signals and customers are behind each. opportunity.record.get shows the evidence, opportunity.priority.list the factors of the score.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['opportunity:read'],
  latency: 'L1',
  input,
  output,
  intents: [
    'which opportunities are there',
    'what do customers want',
    'list clusters of feature requests',
    'show accepted opportunities',
    'what product work do signals suggest',
  ],
  aliases: [listOpportunities],
  async handler({ status, sort_by: sort, ...rest }, { caller, services }) {
    const page = await services.opportunities.queries.list(caller.tenant, { status: status === 'all' ? undefined : status, sort, ...rest });
    const none = page.total === 0 && status === 'all' && !rest.closed && rest.query === undefined && rest.trend === undefined;
    const { data, metadata } = paged('opportunities', page);
    return {
      data: { ...data, statuses: page.statuses },
      ...(metadata ? { metadata } : {}),
      warnings: none ? ['No opportunities yet: at least two related customer statements make one.'] : [],
    };
  },
});

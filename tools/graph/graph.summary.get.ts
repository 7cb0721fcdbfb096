import { z } from 'zod';
import { entityRef } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { opportunityItem } from '../../contracts/signals/opportunities.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  scope: z.enum(['product_area', 'full_system']).default('full_system'),
  name: words(200).optional().describe('Of the product area; needed for scope product_area'),
  include_trends: z.boolean().default(true).describe('What moved in 30 days, compared with the 30 before'),
  include_stakeholders: z.boolean().default(true),
  include_opportunities: z.boolean().default(true),
});
const output = z.object({
  scope: z.string(),
  counts: z.object({
    /** By type. */
    entities: z.record(z.string(), z.number()),
    relations: z.number(),
    facts: z.number(),
    signals: z.number(),
  }),
  top_entities: z.array(entityRef),
  trends: z
    .array(
      entityRef.extend({
        entity: z.string(),
        direction: z.enum(['emerging', 'growing', 'declining', 'stable']),
        current_count: z.number(),
        previous_count: z.number(),
        /** Null: the previous count was zero. */
        change_pct: z.number().nullable(),
        /** Documents per day, oldest first; the last one is today. */
        series: z.array(z.number()),
      }),
    )
    .optional(),
  stakeholders: z.array(entityRef).optional(),
  /** The best open opportunities. */
  opportunities: z.array(opportunityItem).optional(),
  health: z.object({
    /** Documents whose entities are not extracted yet. */
    signals_waiting: z.number(),
    reviews_pending: z.number(),
    newest_signal_at: z.string().nullable(),
    oldest_signal_at: z.string().nullable(),
  }),
});

const knowledgeSummary: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_knowledge_summary',
  system: 'pm-intelligence',
  description: 'The landscape of one product area or of everything at a glance: counts, top entities, trends, people, health.',
  input,
  toInput: (args) => args,
};

export default defineTool({
  name: 'graph.summary.get',
  title: 'Summary of what is known',
  description:
    'Counts, top entities, what moved in the last 30 days, often mentioned people and health, for everything or one product area. Start here to get to know the landscape.',
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
    'give me an overview',
    'what is going on in this product area',
    'what are the top issues',
    'who is mentioned most',
    'state of our knowledge',
  ],
  aliases: [knowledgeSummary],
  async handler(args, { caller, services }) {
    const { warnings, trends, ...data } = await services.graph.summary.get(caller.tenant, {
      scope: args.scope,
      name: args.name,
      trends: args.include_trends,
      stakeholders: args.include_stakeholders,
      opportunities: args.include_opportunities,
    });
    return { data: { ...data, ...(trends ? { trends: trends.map((each) => ({ entity: each.name, ...each })) } : {}) }, warnings };
  },
});

import { z } from 'zod';
import { entityType, matchedTypes } from '../../contracts/graph/graph.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const windowDays = z.number().int().min(1).max(400).default(30);
const input = z.object({ window_days: windowDays, entity_type: entityType.optional().describe('Only entities of this type') });

const share = z.number().nullable();
const output = z.object({
  window_days: z.number(),
  /** Share of new names assigned to a known entity without asking; null: there were none. */
  auto_merge_rate: share,
  /** Share of new names that a person is asked about. */
  human_review_rate: share,
  counts: z.object({
    by_name: z.number(),
    automatic: z.number(),
    reviewed: z.number(),
    fresh: z.number(),
    /** Automatic assignments that people undid. */
    undone: z.number(),
  }),
  reviews: z.object({ pending: z.number(), confirmed: z.number(), rejected: z.number() }),
  accuracy_trend: z.array(
    z.object({
      week_of: z.string(),
      decisions: z.number(),
      /** Share of asked matches that people confirmed, and the probability that the matcher gave them. */
      confirmed_rate: share,
      expected_rate: share,
      automatic: z.number(),
      undone: z.number(),
      /** An upper bound: only errors that people noticed count. */
      automatic_precision: share,
    }),
  ),
});

const getEntityResolutionStats: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_entity_resolution_stats',
  system: 'pm-intelligence',
  description: 'Shares merged without asking and sent to people, and how accuracy develops.',
  input: z.object({ window_days: windowDays, entity_type: z.enum([...matchedTypes, 'all']).optional() }),
  toInput: ({ entity_type, ...rest }) => ({
    ...rest,
    ...(entity_type === undefined || entity_type === 'all' ? {} : { entity_type: entity_type as string }),
  }),
};

export default defineTool({
  name: 'entity.resolution.get_stats',
  title: 'How well names find their entities',
  description:
    'How many new names were given to known entities without asking, how many people were asked about, and how right both were, by week, judged by what people confirmed, rejected and undid.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:read'],
  latency: 'L1',
  input,
  output,
  intents: ['how accurate is entity resolution', 'entity matching quality', 'auto merge rate'],
  aliases: [getEntityResolutionStats],
  async handler({ window_days, entity_type: type }, { caller, services }) {
    return { data: await services.graph.stats(caller.tenant, window_days, type ?? null) };
  },
});

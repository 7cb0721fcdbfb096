import { z } from 'zod';
import { entityType, matchedTypes, reviewItem, reviewStatuses } from '../../contracts/graph/graph.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { countedPages } from '../catalogue/pages.ts';

const limit = z.number().int().min(1).max(100).default(10);
const input = z.object({
  entity_type: entityType.optional().describe('Only entities of this type'),
  status: z.enum(reviewStatuses).default('open').describe('Decided ones are listed latest first'),
  limit,
  cursor: z.string().max(512).optional(),
});
const output = z.object({ items: z.array(reviewItem) });

const reviewPendingEntities: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'review_pending_entities',
  system: 'pm-intelligence',
  description: 'Proposed matches that are not certain enough to be merged without asking; decide each by its feedback_id.',
  input: z.object({ entity_type: z.enum([...matchedTypes, 'all']).optional(), limit }),
  toInput: ({ entity_type, ...rest }) => ({
    ...rest,
    ...(entity_type === undefined || entity_type === 'all' ? {} : { entity_type: entity_type as string }),
  }),
};

export default defineTool({
  name: 'entity.review.list',
  title: 'Questions about who is who',
  description:
    'Open reviews of entities, longest waiting first: are two the same (merge), does a name belong to another (split), is this a name of it (alias). Each has its evidence; entity.review.get shows one in full; decide with entity.merge.confirm or entity.merge.reject.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:read'],
  latency: 'L1',
  input,
  output,
  intents: ['which entities may be duplicates', 'review proposed merges', 'pending entity matches', 'what needs my decision'],
  aliases: [reviewPendingEntities],
  async handler({ entity_type: type, ...filter }, { caller, services }) {
    return countedPages('items', await services.graph.reviews.list(caller.tenant, { type, ...filter }));
  },
});

import { z } from 'zod';
import { entityId, fact } from '../../contracts/graph/graph.ts';
import { endOf, moment } from '../../contracts/times.ts';
import { defineTool } from '../catalogue/define.ts';
import { countedPages } from '../catalogue/pages.ts';

export default defineTool({
  name: 'graph.fact.list',
  title: 'List the facts of an entity',
  description:
    'All dated facts of one entity, latest start first: when each was valid, when it was recorded, and its passages. as_of and known_at ask about another time; graph.fact.search finds facts by words.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L1',
  input: z.object({
    entity_id: entityId,
    as_of: moment.optional().describe('Only facts valid at this time; a day means its end'),
    known_at: moment.optional().describe('Only what was known at this time'),
    include_closed: z.boolean().default(true).describe('Include facts that are no longer valid; ignored with as_of'),
    limit: z.number().int().min(1).max(100).default(50),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ facts: z.array(fact.extend({ holds: z.boolean().describe('At the time asked about') })) }),
  intents: ['history of facts about a customer', 'what was true about it and when', 'all facts of an entity', 'timeline of an entity'],
  aliases: [],
  async handler({ entity_id, as_of, known_at, include_closed, ...paging }, { caller, services }) {
    const { entityId: id, page } = await services.graph.entityFacts.list(caller.tenant, entity_id, {
      asOf: as_of && endOf(as_of),
      knownAt: known_at && endOf(known_at),
      includeClosed: include_closed,
      ...paging,
    });
    return { ...countedPages('facts', page), refs: [{ type: 'entity', id }] };
  },
});

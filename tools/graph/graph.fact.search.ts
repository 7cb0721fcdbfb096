import { z } from 'zod';
import { entityId, fact } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { endOf, moment } from '../../contracts/times.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { groupIds, wanted } from './group.ts';

const input = z.object({
  query: words(2_000),
  limit: z.number().int().min(1).max(100).default(10),
  as_of: moment.optional().describe('Only facts valid at this time; a day means its end'),
  known_at: moment.optional().describe('Only what was known at this time'),
  include_closed: z.boolean().default(true).describe('Also facts that are no longer valid, after the valid ones; ignored with as_of'),
  center_entity_id: entityId.optional().describe('What is near to this entity comes first'),
  group_ids: groupIds,
});
const found = fact.extend({
  holds: z.boolean().describe('At the time asked about'),
  score: z.number().describe('0 to 1, comparable within one answer'),
});
const output = z.object({ facts: z.array(found) });
type Found = z.infer<typeof found>;

const searchFacts: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'search_facts',
  system: 'agentic-rag',
  description: 'Find relationships and facts in the knowledge graph, with the time they held.',
  input: z.object({
    query: words(2_000),
    max_facts: wanted(100),
    center_node_uuid: z.string().max(64).optional(),
    group_ids: z.array(z.string().max(256)).max(100).optional().describe('Always your tenant'),
  }),
  toInput: ({ query, max_facts, center_node_uuid, group_ids }) =>
    ({
      query,
      limit: Math.min(100, Number(max_facts)),
      ...(center_node_uuid ? { center_entity_id: center_node_uuid } : {}),
      ...(group_ids ? { group_ids } : {}),
    }) as z.input<typeof input>,
  toAnswer: ({ facts }) => ({
    facts: facts.map((one) => ({
      uuid: one.fact_id,
      name: one.predicate,
      fact: one.fact,
      source_node_uuid: one.subject.entity_id,
      source_name: one.subject.name,
      target_node_uuid: one.object?.entity_id ?? null,
      target_name: one.object?.name ?? one.value,
      valid_at: one.valid_from,
      invalid_at: one.valid_to,
      created_at: one.recorded_from,
      expired_at: one.recorded_to,
      evidence: one.evidence,
    })),
  }),
  toText: ({ facts }) => (facts.length === 0 ? 'No facts were found.' : [`Facts found: ${facts.length}`, ...facts.map(line)].join('\n')),
};

const line = ({ fact: statement, subject, predicate, object, value, valid_from, valid_to }: Found): string =>
  `- ${statement} [${subject.name} → ${predicate} → ${object?.name ?? value}; ${valid_from ?? 'start unknown'} to ${valid_to ?? 'now'}]`;

export default defineTool({
  name: 'graph.fact.search',
  title: 'Find facts',
  description:
    'Finds dated facts of the graph by words and meaning, each with the passages behind it. What holds now comes first; as_of asks about another time, known_at about what was known then.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L2',
  input,
  output,
  intents: ['what do we know about', 'find facts', 'what was true at a date', 'who owned it back then', 'relationships between things'],
  aliases: [searchFacts],
  async handler({ query, limit, as_of, known_at, include_closed, center_entity_id, group_ids }, { caller, services }) {
    const { facts, warnings } = await services.graph.facts.search(caller.tenant, {
      query,
      limit,
      asOf: as_of && endOf(as_of),
      knownAt: known_at && endOf(known_at),
      includeClosed: include_closed,
      center: center_entity_id,
    });
    return {
      data: { facts },
      metadata: { result_count: facts.length },
      warnings: [...warnings, ...services.graph.groupWarnings(caller, group_ids)],
    };
  },
});

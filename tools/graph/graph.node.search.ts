import { z } from 'zod';
import { entityId, entityRef, entityType } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { groupIds, wanted } from './group.ts';

const input = z.object({
  query: words(2_000),
  limit: z.number().int().min(1).max(100).default(10),
  entity_types: z.array(entityType).max(20).optional(),
  center_entity_id: entityId.optional().describe('What is related to this entity comes first'),
  group_ids: groupIds,
});
const node = entityRef.extend({ score: z.number().describe('0 to 1, comparable within one answer') });
const output = z.object({ nodes: z.array(node) });

/** Maximum lines in answers for agentic-rag's clients. */
const shown = 10;

const searchNodes: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'search_nodes',
  system: 'agentic-rag',
  description: 'Find entities in the knowledge graph.',
  input: z.object({
    query: words(2_000),
    max_nodes: wanted(100),
    center_node_uuid: z.string().max(64).optional(),
    entity_types: z.array(z.string().max(64)).max(20).optional(),
    group_ids: z.array(z.string().max(256)).max(100).optional().describe('Always your tenant'),
  }),
  toInput: ({ query, max_nodes, center_node_uuid, entity_types, group_ids }) =>
    ({
      query,
      limit: Math.min(100, Number(max_nodes)),
      ...(center_node_uuid ? { center_entity_id: center_node_uuid } : {}),
      ...(Array.isArray(entity_types) && entity_types.length > 0 ? { entity_types: entity_types.map(typeOf) } : {}),
      ...(group_ids ? { group_ids } : {}),
    }) as z.input<typeof input>,
  toAnswer: ({ nodes }) => ({
    nodes: nodes.map(({ entity_id: uuid, name, type, signal_count, score }) => ({ uuid, name, type, signal_count, score })),
  }),
  toText: ({ nodes }) =>
    nodes.length === 0
      ? 'No entities were found.'
      : [`Entities found: ${nodes.length}`, ...nodes.slice(0, shown).map(({ name, type }) => `- ${name} (${type})`)].join('\n'),
};

/** Graphiti writes types as class names. */
const typeOf = (type: unknown): string =>
  String(type)
    .trim()
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');

export default defineTool({
  name: 'graph.node.search',
  title: 'Find entities',
  description:
    'Finds entities of the graph by their names, in words and in meaning. graph.fact.search finds what is known of them, graph.entity.find_related what hangs together.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L2',
  input,
  output,
  intents: ['find an entity', 'search the graph for nodes', 'which customers or features are called'],
  aliases: [searchNodes],
  async handler({ query, limit, entity_types, center_entity_id, group_ids }, { caller, services }) {
    const { nodes, warnings } = await services.graph.nodes.search(caller.tenant, {
      query,
      limit,
      types: entity_types,
      center: center_entity_id,
    });
    return {
      data: { nodes },
      metadata: { result_count: nodes.length },
      warnings: [...warnings, ...services.graph.groupWarnings(caller, group_ids)],
    };
  },
});

import { z } from 'zod';
import { entityName, entityType, entityTypes } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  root_entity_type: entityType.optional().describe('Where to start; left out: every type'),
  root_entity_name: entityName.optional().describe('Left out: every entity of the type'),
  filter_area: words(200).optional().describe('Product area, e.g. Payments'),
  depth: z.number().int().min(0).max(3).default(1).describe('Steps away from where it starts'),
  include_aliases: z.boolean().default(false),
  include_descriptions: z.boolean().default(false),
  include_signal_counts: z.boolean().default(true),
  limit: z.number().int().min(1).max(100).default(25).describe('Entities'),
});
const output = z.object({
  entities: z.array(
    z.object({
      entity_id: z.string(),
      name: z.string(),
      type: z.string(),
      /** Distance from the start. */
      depth: z.number(),
      area: z.string().optional(),
      aliases: z.array(z.string()).optional(),
      description: z.string().nullable().optional(),
      signal_count: z.number().optional(),
    }),
  ),
  /** Ids of both entities; kind: mentioned_with, or a fact's predicate. */
  relationships: z.array(z.object({ source: z.string(), target: z.string(), kind: z.string(), passages: z.number(), signals: z.number() })),
  signals: z.array(
    z.object({
      signal_id: z.string(),
      title: z.string(),
      source: z.string(),
      url: z.string().nullable(),
      occurred_at: z.string(),
      snippet: z.string(),
      entities: z.array(z.string()),
    }),
  ),
  has_more: z.boolean(),
});

const browseGraph: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'browse_knowledge_graph',
  system: 'pm-intelligence',
  description:
    'Look around without a set question: entities with their relationships and signals, from one entity, a type or a product area on.',
  input: z.object({
    root_entity_type: z.enum([...entityTypes, 'all']).default('all'),
    root_entity_name: entityName.optional().describe('Left out: every entity of the type'),
    filter_area: words(200).optional().describe('Product area, e.g. Payments or API Platform'),
    depth: z.number().int().min(0).max(3).default(1),
    include_aliases: z.boolean().default(false),
    include_descriptions: z.boolean().default(false),
    include_signal_counts: z.boolean().default(true),
    limit: z.number().int().min(1).max(100).default(25),
  }),
  toInput: ({ root_entity_type, ...args }) =>
    ({ ...args, ...(root_entity_type === 'all' ? {} : { root_entity_type }) }) as z.input<typeof input>,
};

export default defineTool({
  name: 'graph.entity.browse',
  title: 'Browse the knowledge graph',
  description:
    'Entities, how they relate and what was said about them, from one entity, a type or a product area on. For looking around; graph.entity.find_related answers what hangs together with one.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L2',
  input,
  output,
  intents: ['look around what we know', 'explore a product area', 'show the graph around a customer', 'onboarding: what is there'],
  aliases: [browseGraph],
  async handler(args, { caller, services }) {
    const { warnings, ...data } = await services.graph.explorer.browse(caller.tenant, {
      rootType: args.root_entity_type,
      rootName: args.root_entity_name,
      area: args.filter_area,
      depth: args.depth,
      includeAliases: args.include_aliases,
      includeDescriptions: args.include_descriptions,
      includeSignalCounts: args.include_signal_counts,
      limit: args.limit,
    });
    return { data, metadata: { result_count: data.entities.length }, warnings };
  },
});

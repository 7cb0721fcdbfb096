import { z } from 'zod';
import { entityId, entityName, entityRef, entityType, matchedTypes } from '../../contracts/graph/graph.ts';
import { AppError } from '../../contracts/errors.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  entity_name: entityName.optional().describe('Where to start: any name of it'),
  entity_id: entityId.optional().describe('Instead of the name'),
  entity_type: entityType.optional().describe('Type of the entity to start at, when its name has several'),
  max_hops: z.number().int().min(1).max(4).default(2),
  related_types: z.array(entityType).min(1).max(20).optional().describe('Only entities of these types; paths lead over all'),
  limit: z.number().int().min(1).max(100).default(25),
});
const output = z.object({
  root: entityRef,
  related: z.array(
    z.object({
      entity: z.string(),
      entity_id: z.string(),
      type: z.string(),
      hops: z.number(),
      /** Names, from the root to the entity. */
      path: z.array(z.string()),
      /** Kinds of the relations between them. */
      relations: z.array(z.string()),
      /** 0 to 1. */
      strength: z.number(),
      signal_count: z.number(),
    }),
  ),
});

const findRelated: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'find_related_entities',
  system: 'pm-intelligence',
  description:
    'What hangs together with a customer, feature, issue or theme, also over several steps, by going through the knowledge graph.',
  input: z.object({
    entity_name: entityName,
    entity_type: z
      .enum([...matchedTypes, 'any'])
      .default('any')
      .describe('Type of the entity'),
    max_hops: z.number().int().min(1).max(4).default(2),
  }),
  toInput: ({ entity_type, ...args }) =>
    ({ ...args, ...(entity_type === 'any' ? {} : { entity_type }), limit: 50 }) as z.input<typeof input>,
};

export default defineTool({
  name: 'graph.entity.find_related',
  title: 'Find what hangs together',
  description:
    'Entities connected with one, nearest and strongest first, each with the path that leads to it. Finds connections that no single document tells. graph.entity.browse shows all relations around one.',
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
    'which customers are connected with this issue',
    'what is related to this feature',
    'how are these two connected',
    'non-obvious connections',
  ],
  aliases: [findRelated],
  async handler({ entity_name, entity_id, entity_type, max_hops, related_types, limit }, { caller, services }) {
    if ((entity_name === undefined) === (entity_id === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either entity_name or entity_id.', { hint: 'entity.record.list shows both.' });
    }
    const found = await services.graph.explorer.related(
      caller.tenant,
      { id: entity_id, name: entity_name, type: entity_type },
      { maxHops: max_hops, types: related_types, limit },
    );
    const { root, related } = found;
    return {
      data: { root, related },
      metadata: { result_count: related.length },
      refs: [{ type: 'entity', id: root.entity_id }],
      warnings: found.more
        ? [`More than ${related.length} are connected within ${max_hops} hops: these are the nearest. Fewer hops or fewer types narrow it.`]
        : [],
    };
  },
});

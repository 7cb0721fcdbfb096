import { z } from 'zod';
import { entity, entityId, entityName, entityType } from '../../contracts/graph/graph.ts';
import { defineTool } from '../catalogue/define.ts';

const detail = entity.extend({
  description: z.string().nullable(),
  area: z.string().nullable(),
  /** As reported by a person or another system: open, fixed, … */
  state: z.string().nullable(),
  state_source: z.string().nullable(),
  mention_count: z.number(),
  first_seen_at: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  created_at: z.string(),
  links: z.array(z.object({ external_system: z.string(), external_id: z.string(), url: z.string().nullable() })),
  /** Newest first. */
  history: z.array(
    z.object({
      event: z.string(),
      at: z.string(),
      by: z.string(),
      change_id: z.string().nullable(),
      /** entity.change.undo takes it back. */
      undoable: z.boolean(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
});

export default defineTool({
  name: 'entity.record.get',
  title: 'Look at an entity',
  description:
    'One entity by id or by any of its names: aliases, counts, state, links to other systems and its history. One that was merged leads to what it was merged into.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L1',
  input: z.object({
    entity_id: entityId.optional(),
    entity_name: entityName.optional().describe('Instead of the id: any name it is known by'),
    entity_type: entityType.optional(),
  }),
  output: z.object({ entity: detail }),
  intents: [
    'what do we know about this customer',
    'aliases of an entity',
    'history of an entity',
    'which entity does this name mean',
    'was this merged',
  ],
  aliases: [],
  async handler({ entity_id, entity_name, entity_type }, { caller, services }) {
    const found = await services.graph.entities.get(caller.tenant, { id: entity_id, name: entity_name, type: entity_type });
    const moved = entity_id !== undefined && found.entity.entity_id !== entity_id;
    const others = found.others.map(({ type, name }) => `${type} "${name}"`);
    return {
      data: { entity: found.entity },
      refs: [{ type: 'entity', id: found.entity.entity_id }],
      warnings: [
        ...(moved ? [`${entity_id} was merged into this one.`] : []),
        ...(others.length > 0 ? [`Names like this have also: ${others.join(', ')}.`] : []),
      ],
    };
  },
});

import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { entityId, entityName, entityType } from '../../contracts/graph/graph.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'entity.type.set',
  title: 'Say what a name is',
  description:
    'Sets or changes the type of an entity: customer, competitor, feature, or any other word for what is none of these. Unknown names become entities. If an entity of that type has the name already, both become one. Documents that use the name are read again, and later ones are read with it.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:write'],
  latency: 'L2',
  input: z.object({
    entity_id: entityId.optional(),
    name: entityName.optional().describe('Instead of entity_id: exactly as it is written'),
    entity_type: entityType,
  }),
  output: z.object({
    entity_id: z.string(),
    name: z.string(),
    type: z.string(),
    previous_type: z.string().nullable().describe('Null: the name was unknown'),
    merged: z.boolean().describe('It is now one with the entity of the type that had the name'),
  }),
  intents: ['this is a competitor, not a feature', 'that is no feature', 'change the type of an entity', 'add a customer by name'],
  aliases: [],
  async handler({ entity_id, name, entity_type }, { caller, services }) {
    if ((entity_id === undefined) === (name === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either entity_id or name.', { hint: 'entity.record.list shows the ids.' });
    }
    const which = entity_id === undefined ? { name: name! } : { id: entity_id };
    const done = await services.graph.commands.setType(caller, which, entity_type);
    return { data: done, refs: [{ type: 'entity', id: done.entity_id }] };
  },
});

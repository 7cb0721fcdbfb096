import { z } from 'zod';
import { entity, entityName, entityType, matchedTypes } from '../../contracts/graph/graph.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  entity_name: entityName.describe('The entity, by any name it has'),
  entity_type: entityType,
  alias: entityName.describe('The further name'),
});
const output = z.object({
  entity,
  alias: z.string(),
  /** False: it was already known. */
  added: z.boolean(),
});

const addEntityAlias: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'add_entity_alias',
  system: 'pm-intelligence',
  description: 'Teaches a further name of an entity, e.g. that "auth" always means "Authentication Service".',
  input: input.extend({ entity_type: z.enum(matchedTypes) }),
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ entity: owner, alias }) => ({ entity: owner, alias }),
};

export default defineTool({
  name: 'entity.alias.add',
  title: 'Teach a name of an entity',
  description:
    'From then on the alias means this entity, in questions and in what is ingested. A name that another entity of the type has is refused.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['graph:write'],
  latency: 'L1',
  input,
  output,
  intents: ['this abbreviation means that feature', 'add an alias', 'both names are the same customer', 'teach a synonym'],
  aliases: [addEntityAlias],
  async handler({ entity_name, entity_type, alias }, { caller, services }) {
    const done = await services.graph.commands.addAlias(caller, entity_name, { type: entity_type }, alias);
    return {
      data: done,
      refs: [{ type: 'entity', id: done.entity.entity_id }],
      warnings: done.added ? [] : [`"${done.alias}" was a name of it already.`],
    };
  },
});

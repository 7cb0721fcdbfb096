import { z } from 'zod';
import { entityType, entityTypes, listedEntity } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  entity_type: entityType.optional(),
  search: words(200).optional().describe('A name, or how one of its words begins'),
  limit: z.number().int().min(1).max(100).default(25),
  cursor: z.string().max(512).optional(),
});
const output = z.object({ entities: z.array(listedEntity) });

const listEntities: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'list_entities',
  system: 'pm-intelligence',
  description: 'The known entities of a type with their aliases, signal counts and metadata: what is covered, and how it is called.',
  input: z.object({
    entity_type: z.enum(entityTypes),
    search: words(200).optional().describe('Only entities whose names fit'),
    limit: z.number().int().min(1).max(100).default(25),
  }),
  toInput: (args) => args,
};

export default defineTool({
  name: 'entity.record.list',
  title: 'List entities',
  description:
    'Customers, features, issues, themes, people and other things the evidence is about, those with most signals first, with aliases and signal counts. With search: those of like names.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['graph:read'],
  latency: 'L1',
  input,
  output,
  intents: [
    'which customers do we know',
    'list all features',
    'find an entity by name',
    'how is this thing called here',
    'which issues are known',
  ],
  aliases: [listEntities],
  async handler({ entity_type, search, limit, cursor }, { caller, services }) {
    const { entities, total, next, cut } = await services.graph.entities.list(caller.tenant, { type: entity_type, search, limit, cursor });
    const warnings = [];
    if (next) warnings.push(`${total} entities match; this page has ${entities.length}. Pass metadata.next_cursor as cursor for the next.`);
    if (cut) warnings.push(`More than ${total} names begin like this: only some were read. Give more of the name.`);
    return {
      data: { entities },
      metadata: { result_count: entities.length, total_count: total, ...(next ? { next_cursor: next } : {}) },
      warnings,
    };
  },
});

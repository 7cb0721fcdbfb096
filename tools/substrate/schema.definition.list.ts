import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { schemaSummary } from '../../contracts/substrate/schemas.ts';
import { pageCursor } from '../../contracts/substrate/substrate.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

const input = z.object({
  prefix: words(128).optional().describe('Beginning of the name'),
  limit: z.number().int().min(1).max(100).default(50),
  cursor: pageCursor.optional(),
});
const output = z.object({ schemas: z.array(schemaSummary) });

const list: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'schema.list',
  system: 'intelli-platform',
  input,
  toInput: (args) => args,
};

export default defineTool({
  name: 'schema.definition.list',
  title: 'List registered schemas',
  description: 'Registered JSON Schemas by name, the newest version of each first.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['schema:read'],
  latency: 'L1',
  input,
  output,
  intents: ['which schemas are registered', 'versions of a schema', 'list data contracts'],
  aliases: [list],
  async handler(args, { caller, services }) {
    return paged('schemas', await services.schemas.list(caller.tenant, args));
  },
});

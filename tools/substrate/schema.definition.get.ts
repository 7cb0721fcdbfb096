import { z } from 'zod';
import { registeredSchema, schemaName, schemaVersion } from '../../contracts/substrate/schemas.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'schema.definition.get',
  title: 'Get a registered schema',
  description: 'A registered JSON Schema by name: the newest version, or a certain one.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['schema:read'],
  latency: 'L1',
  input: z.object({ name: schemaName, version: schemaVersion.optional().describe('Default: the newest') }),
  output: z.object({ schema: registeredSchema }),
  intents: ['show a schema', 'what does this data contract say', 'newest version of a schema'],
  aliases: [],
  async handler({ name, version }, { caller, services }) {
    return { data: { schema: await services.schemas.get(caller.tenant, name, version) } };
  },
});

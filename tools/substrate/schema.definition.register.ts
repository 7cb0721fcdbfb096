import { z } from 'zod';
import { schemaName, schemaVersion } from '../../contracts/substrate/schemas.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  name: schemaName,
  version: schemaVersion,
  json_schema: z
    .record(z.string(), z.unknown())
    .describe('JSON Schema 2020-12; refers to nothing outside of itself')
    .meta({ examples: [{ type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }] }),
});
const output = z.object({ schema_id: z.string(), existed: z.boolean() });

const register: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'schema.register',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ schema_id }) => ({ schema_id }),
};

export default defineTool({
  name: 'schema.definition.register',
  title: 'Register a JSON Schema',
  description:
    'Keeps a JSON Schema under a name and a version, for good: other content needs another version. schema.instance.validate checks data against it.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['schema:write'],
  latency: 'L1',
  input,
  output,
  intents: ['register a schema', 'publish a data contract', 'new version of a schema'],
  aliases: [register],
  async handler({ name, version, json_schema }, { caller, services }) {
    const data = await services.schemas.register(caller, { name, version, schema: json_schema });
    return { data, warnings: data.existed ? ['This version was already registered with the same content.'] : [] };
  },
});

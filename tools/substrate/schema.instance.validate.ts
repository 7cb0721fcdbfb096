import { z } from 'zod';
import { schemaError, schemaInstance, schemaName, schemaVersion } from '../../contracts/substrate/schemas.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  name: schemaName,
  version: schemaVersion.optional().describe('Default: the newest'),
  instance: schemaInstance.describe('What is to be checked; any JSON up to 1 MB'),
});
const output = z.object({ valid: z.boolean(), errors: z.array(schemaError), version: z.string() });

const validate: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'schema.validate',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ valid, errors }) => ({ valid, errors }),
};

export default defineTool({
  name: 'schema.instance.validate',
  title: 'Check data against a schema',
  description: 'Whether an instance is valid under a registered schema, and if not, up to 50 places where it is not and why.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['schema:read'],
  latency: 'L1',
  input,
  output,
  intents: ['validate data', 'does this match the schema', 'check JSON against a contract'],
  aliases: [validate],
  async handler({ name, version, instance }, { caller, services }) {
    return { data: await services.schemas.validate(caller.tenant, name, version, instance) };
  },
});

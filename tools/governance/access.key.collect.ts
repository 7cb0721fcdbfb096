import { z } from 'zod';
import { keyId, madeKey } from '../../contracts/governance/keys.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'access.key.collect',
  title: 'Collect the secret of your new key',
  description:
    'Another secret for a key that you made within a day and that nobody has used: after an approval, which keeps no secret, or when the answer with the first one was lost. The former secret ends.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  roles: ['admin'],
  toldOnce: 'api_key',
  scopes: ['key:write'],
  latency: 'L1',
  input: z.object({ key_id: keyId }),
  output: madeKey,
  intents: ['the secret of the key that was approved', 'I lost the answer with the new key'],
  aliases: [],
  async handler({ key_id }, { caller, services }) {
    const key = await services.governance.keyAdministration.collect(caller, key_id);
    return { data: key, refs: [{ type: 'key', id: key.key_id }] };
  },
});

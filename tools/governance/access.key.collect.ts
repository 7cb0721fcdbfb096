import { z } from 'zod';
import { keyId, madeKey } from '../../contracts/governance/keys.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'access.key.collect',
  title: 'Collect the secret of your new key',
  description:
    'Makes another secret for a key that you created less than a day ago and that was never used. Use it after an approval, which stores no secret, or if the answer with the first secret was lost. The former secret becomes invalid.',
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

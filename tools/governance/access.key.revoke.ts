import { z } from 'zod';
import { keyId, keyView } from '../../contracts/governance/keys.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'access.key.revoke',
  title: 'Revoke a key',
  description: 'Revokes a key: within two seconds its calls are refused; its streams and console sessions end. For admins.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  roles: ['admin'],
  scopes: ['key:write'],
  latency: 'L1',
  input: z.object({ key_id: keyId }),
  output: z.object({ key: keyView.omit({ rate: true }) }),
  intents: ['revoke an API key', 'shut an agent out', 'a key has leaked, end it'],
  aliases: [],
  async handler({ key_id }, { caller, services }) {
    const key = await services.governance.keyAdministration.revoke(caller, key_id);
    return {
      data: { key },
      refs: [{ type: 'key', id: key.key_id }],
      ...(key_id === caller.keyId ? { warnings: ['This was the key of this call.'] } : {}),
    };
  },
});

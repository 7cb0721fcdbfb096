import { z } from 'zod';
import { keyId, madeKey } from '../../contracts/governance/keys.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'access.key.rotate',
  title: 'Rotate a key',
  description:
    'Makes a new secret with the same name, rights and limits; the old one works until the grace period ends. The new secret is shown once, in this answer. For admins, and for keys with no more rights than yours; an agent needs approval.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  roles: ['admin'],
  toldOnce: 'api_key',
  scopes: ['key:write'],
  latency: 'L1',
  input: z.object({
    key_id: keyId,
    grace_hours: z.number().min(0).max(8_760).default(24).describe('Grace period of the old secret'),
    expires_in_days: z.number().int().min(1).max(3_650).optional().describe('Absent: the lifetime of the old key'),
  }),
  output: madeKey.extend({ old_expires_at: z.string() }),
  intents: ['rotate an API key', 'a key has leaked, replace it', 'renew a key before it ends'],
  aliases: [],
  async handler({ key_id, grace_hours, expires_in_days: days }, { caller, services, callKey }) {
    const { keyAdministration } = services.governance;
    const key = await keyAdministration.rotate(caller, key_id, { graceMs: grace_hours * 3_600_000, days }, callKey);
    return {
      data: key,
      refs: [{ type: 'key', id: key.key_id }],
      ...(key_id === caller.keyId ? { warnings: ['This is the key of this call: it ends, too, when the grace is over.'] } : {}),
    };
  },
});

import { z } from 'zod';
import { keyWish, madeKey } from '../../contracts/governance/keys.ts';
import { defineTool } from '../catalogue/define.ts';
import { profiles } from '../catalogue/catalogue.ts';

export default defineTool({
  name: 'access.key.create',
  title: 'Create a key',
  description:
    'Creates an API key for an agent or a person, never with more rights than yours. Its secret is shown once, in this answer, and stored nowhere. For admins; an agent needs approval and then gets the secret with access.key.collect.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  roles: ['admin'],
  toldOnce: 'api_key',
  scopes: ['key:write'],
  latency: 'L1',
  input: keyWish.extend({ profile: z.enum(profiles).optional().describe('Tools that its client lists at first') }),
  output: madeKey,
  intents: ['make an API key', 'give a new agent access', 'create credentials for a worker'],
  aliases: [],
  async handler(wish, { caller, services, callKey }) {
    const key = await services.governance.keyAdministration.create(caller, wish, callKey);
    return { data: key, refs: [{ type: 'key', id: key.key_id }] };
  },
});

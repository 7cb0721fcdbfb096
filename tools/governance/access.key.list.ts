import { z } from 'zod';
import { principalKinds } from '../../contracts/caller.ts';
import { keyStates, keyView } from '../../contracts/governance/keys.ts';
import { paged } from '../catalogue/pages.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'access.key.list',
  title: 'List keys',
  description:
    'The keys of your tenant, newest first: role, kind, scopes, last use, expiry, calls in this minute; never their secrets. For admins.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  roles: ['admin'],
  scopes: ['key:read'],
  latency: 'L1',
  input: z.object({
    search: z.string().trim().min(1).max(128).optional().describe('Part of the name, or the id'),
    state: z.enum(keyStates).optional(),
    kind: z.enum(principalKinds).optional(),
    line: z.string().min(1).max(64).optional().describe('A key and its rotations'),
    limit: z.number().int().min(1).max(200).default(50),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ keys: z.array(keyView) }),
  intents: ['which API keys are there', 'when was this key last used', 'which keys end soon'],
  aliases: [],
  async handler({ limit, cursor, ...filter }, { caller, services }) {
    return paged('keys', await services.governance.keyAdministration.list(caller, filter, { limit, cursor }));
  },
});

import { z } from 'zod';
import { principalKinds, roles } from '../caller.ts';
import { policyName } from './policy.ts';

export const keyStates = ['valid', 'ended', 'revoked'] as const;

export const keyId = z.string().min(1).max(64).describe('From access.key.list');
export const keyScope = z
  .string()
  .regex(/^(\*|[a-z]{2,32}:(\*|[a-z]{2,32}))$/, 'area:right, area:* or *')
  .meta({ examples: ['work:read'] });
export const keyCapability = z
  .string()
  .regex(/^cap:[a-z0-9][a-z0-9_.:-]{0,62}$/, 'e.g. cap:index, cap:work')
  .meta({ examples: ['cap:work'] });

/** What a new key may do. */
export const keyWish = z.object({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:@/ -]{0,127}$/, 'letters, digits and . _ : @ / - and spaces, at most 128')
    .describe('Name to which its calls are attributed')
    .meta({ examples: ['builder-1'] }),
  role: z.enum(roles).default('agent'),
  kind: z.enum(principalKinds).optional().describe('Default: agent for the role agent, else human'),
  scopes: z.array(keyScope).max(50).default([]).describe('Only these; none: what the role allows'),
  capabilities: z.array(keyCapability).max(50).default([]).describe('What its agent declares; none: what role and scopes allow'),
  team: z.string().trim().min(1).max(64).optional().describe('Stakeholder team whose scope limits its reads'),
  policy: policyName.optional().describe('Default: the policy of your own key'),
  profile: z.string().trim().min(1).max(32).optional().describe('Tools that its client lists at first'),
  rpm: z.number().int().min(1).max(1_000_000).optional().describe('Calls per minute'),
  burst: z.number().int().min(0).max(1_000_000).optional().describe('Calls tolerated above that'),
  expires_in_days: z.number().int().min(1).max(3_650).optional().describe('Absent: it does not expire'),
});
export type KeyWish = z.output<typeof keyWish>;

/** A key's calls in the current minute, at all apis. */
export const rate = z.object({
  limit: z.number().describe('Calls per minute'),
  burst: z.number(),
  used: z.number().describe('In this minute; calls that a process has reserved count as made'),
  resets_in_seconds: z.number(),
});
export type Rate = z.infer<typeof rate>;

/** A key without its secret. */
export const keyView = z.object({
  key_id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  kind: z.enum(principalKinds),
  state: z.enum(keyStates),
  scopes: z.array(z.string()),
  capabilities: z.array(z.string()),
  profile: z.string().nullable(),
  policy: z.string(),
  team: z.string().nullable(),
  line: z.string().describe('Id of its first key: rotations keep it'),
  replaces: z.string().nullable(),
  made_by: z.string().nullable().describe('null: by the command line, or signed in by an issuer'),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable().describe('To the minute'),
  revoked_at: z.string().nullable(),
  rate,
});
export type KeyView = z.infer<typeof keyView>;

/** A key with the secret that is shown once. */
export const madeKey = keyView.omit({ rate: true }).extend({
  api_key: z.string().nullable().describe('Shown once and stored nowhere; null in a repeated or approved answer: use access.key.collect'),
});

/** Sets of scopes for common uses. */
export const keyPresets = [
  { name: 'everything', title: 'Everything that the role allows', role: 'agent', scopes: [] },
  { name: 'worker', title: 'Take tasks and report on them', role: 'agent', scopes: ['work:*', 'agent:*', 'memory:*', 'index:read'] },
  { name: 'reader', title: 'Search and read', role: 'readonly', scopes: [] },
  {
    name: 'ingester',
    title: 'Bring documents in',
    role: 'agent',
    scopes: ['knowledge:*', 'index:read', 'substrate:*'],
  },
  {
    name: 'operator',
    title: 'Run agents and decide what waits',
    role: 'pm',
    scopes: ['work:*', 'agent:*', 'event:*', 'ledger:read', 'knowledge:*', 'approval:decide'],
  },
] as const;

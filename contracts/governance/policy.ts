import { z } from 'zod';

export const careLevels = ['open', 'standard', 'careful', 'strict'] as const;
/** How many calls need approval. open: only those that always do; strict: every write of an agent. */
export type CareLevel = (typeof careLevels)[number];

export const policyEffects = ['allow', 'ask', 'deny'] as const;
export type PolicyEffect = (typeof policyEffects)[number];

export const policyRule = z.object({
  when: z
    .string()
    .min(1)
    .max(2_000)
    .describe('CEL over tool, caller and session, e.g. tool.domain == "connector" && caller.kind == "agent"')
    .meta({ examples: ['tool.domain == "connector" && caller.kind == "agent"'] }),
  effect: z.enum(policyEffects),
  reason: z.string().min(1).max(300).describe('Told to whoever is refused or has to wait'),
});

export const policyName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'lower-case letters, digits, _ and -, at most 63')
  .describe('A level of care (open, standard, careful, strict) or a name of your own');

export const policyDefinition = z.object({
  base: z.enum(careLevels).describe('What holds where no rule fits'),
  rules: z
    .array(policyRule)
    .max(100)
    .default([])
    .describe('In order; the first that fits decides, but what always needs a person still does'),
  four_eyes: z.boolean().optional().describe('The requester of a call may not approve it, whatever their role'),
});
export type PolicyDefinition = z.infer<typeof policyDefinition>;

export const policyVersion = z.object({
  name: z.string(),
  version: z.number().describe('0: built in'),
  definition: policyDefinition,
  note: z.string().nullable(),
  created_by: z.string().nullable(),
  created_at: z.string().nullable(),
});

/** What rules can read about a call; never its arguments. */
export interface PolicySubject {
  tool: { name: string; domain: string; resource: string; action: string; effect: string; approval: string; external: boolean };
  caller: { name: string; kind: string; role: string; team: string; front: string };
  session: { id: string; mounts: string[] };
}

/** A policy as it is applied: rules compiled. */
export interface Policy {
  name: string;
  /** Changes with the content of the policy; an approval is bound to it. */
  version: string;
  level: CareLevel;
  /** The requester may not decide. */
  fourEyes: boolean;
  /** A second policy that also applies: the stricter verdict counts. */
  and?: Policy;
  rules: { when: string; effect: PolicyEffect; reason: string; matches(subject: PolicySubject): boolean }[];
}

/** Rights of a caller beside role and scopes; refreshed every few seconds. */
export interface Access {
  policy: Policy;
  /** Whether its declared capabilities cover a tool; null: it declares none, and its role and scopes decide. */
  covers: ((tool: string, effect: string) => boolean) | null;
  session: { id: string; mounts: ReadonlySet<string> | null; tools: readonly string[] } | null;
  /** The scope of the key's stakeholder team; null: the key has none. */
  scope: StakeholderScope | null;
}

export const freshness = ['realtime', 'daily', 'weekly'] as const;
export type Freshness = (typeof freshness)[number];

export interface StakeholderScope {
  team: string;
  /** Empty: all. */
  product_areas: string[];
  entity_types: string[];
  /** Minimum age of a visible record: 0, 24 hours, 7 days. */
  data_freshness: Freshness;
  /** False: no scope was configured for the team, so it sees nothing. */
  configured: boolean;
}

export const capabilityName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9:_-]{0,62}$/, 'lower-case letters, digits, :, _ and -, at most 63')
  .describe('cap:index stands for a domain, cap:index:read for its reading tools, cap:index:write for the others; or a name of your own');

export const approvalStatuses = [
  'pending',
  'approved',
  'rejected',
  'expired',
  'cancelled',
  'started',
  'completed',
  'failed',
  'ambiguous',
] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export const approval = z.object({
  approval_id: z.string(),
  status: z.enum(approvalStatuses),
  tool: z.string(),
  called_as: z.string(),
  requested_by: z.string(),
  requester_kind: z.string(),
  requested_by_me: z.boolean(),
  four_eyes: z.boolean().describe('The requester may not decide'),
  you_may_decide: z.boolean().describe('It waits, and this caller may approve or reject it'),
  reason: z.string().describe('Why it asks'),
  arguments: z.unknown().describe('What the call is about, without secrets'),
  input_hash: z.string(),
  tool_call_id: z.string().describe('The call that asked'),
  key_id: z.string(),
  policy: z.string(),
  policy_version: z.string(),
  requested_at: z.string(),
  expires_at: z.string(),
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
  note: z.string().nullable(),
  finished_at: z.string().nullable(),
  answer: z.unknown().nullable().describe("The call's own answer, once it has run"),
});
export type Approval = z.infer<typeof approval>;

/** An approved call, as its process passes it on. */
export interface Asked {
  id: string;
  /** Hash of the arguments that were shown. */
  inputHash: string;
  policyVersion: string;
  sessionId: string | null;
  worker: string | null;
  mcpSession: string | null;
}

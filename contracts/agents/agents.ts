import { z } from 'zod';

export const agentKinds = ['managed', 'worker', 'peer'] as const;
export type AgentKind = (typeof agentKinds)[number];
/** none: not monitored. unhealthy: one missed timeout. offline: two missed timeouts; its leases are freed. */
export const healths = ['none', 'healthy', 'unhealthy', 'offline'] as const;
export type Health = (typeof healths)[number];
export const adminStatuses = ['active', 'paused'] as const;
export type AdminStatus = (typeof adminStatuses)[number];

/** Orders of the registry. */
export const registryOrders = ['registered', 'name', 'gravity'] as const;

/** Service objectives, each from 0 to 1: error_rate is a maximum, the others are minimums. */
export const sloNames = ['acceptance_rate', 'error_rate', 'coherence'] as const;
export type SloName = (typeof sloNames)[number];

/** Judgements of an agent's output, and the resulting status. */
export const verdicts = ['accept', 'correct', 'reject'] as const;
export type Verdict = (typeof verdicts)[number];
export const outputStatuses = ['pending', 'accepted', 'corrected', 'rejected'] as const;
export type OutputStatus = (typeof outputStatuses)[number];

/** Current activity of an agent. */
export const activityStatuses = ['working', 'idle', 'unhealthy', 'paused'] as const;
export type ActivityStatus = (typeof activityStatuses)[number];

/** The tenant of the platform's own agent: visible to all tenants, writable by none. */
export const systemTenant = 'system';

export const agentId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/, 'letters, digits and . _ : @ / -, starting with a letter or digit, at most 128')
  .describe('Agent id, e.g. acme-researcher-1f2e3d4c');
export const agentType = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'lower-case letters, digits, _ and -, at most 63')
  .describe('What sort of agent it is, e.g. researcher');

/** A JSON Schema as peers send it; checked by Ajv where it is used. */
export const jsonSchema = z.record(z.string(), z.unknown());

/** What a peer says it can do (`PeerCapability`; not the rights of a key). */
export const capability = z.object({
  name: z.string().min(1).max(128),
  description: z.string().max(4_000).default(''),
  parameters_schema: jsonSchema.default({}),
  returns_schema: jsonSchema.default({}),
  estimated_duration_ms: z.number().int().positive().optional(),
});
export type Capability = z.infer<typeof capability>;

/** agentic-rag's agent registration, in the form of peers and lists. */
export const peer = z.object({
  agent_id: z.string(),
  agent_type: z.string(),
  endpoint_url: z.string().nullable(),
  capabilities: z.array(capability.omit({ estimated_duration_ms: true })),
  tenant_id: z.string(),
  registered_at: z.string(),
  last_heartbeat: z.string().nullable(),
  health_status: z.enum(healths),
  metadata: z.record(z.string(), z.unknown()),
  kind: z.enum(agentKinds),
  protocol: z.string().nullable(),
  status: z.enum(adminStatuses),
});
export type Peer = z.infer<typeof peer>;

export const delegatedStatuses = ['pending', 'accepted', 'running', 'completed', 'failed', 'cancelled'] as const;
export type DelegatedStatus = (typeof delegatedStatuses)[number];
export const isOver = (status: DelegatedStatus): boolean => status === 'completed' || status === 'failed' || status === 'cancelled';

export const sessionMessageTypes = [
  'capability_query',
  'capability_response',
  'task_request',
  'task_progress',
  'task_result',
  'heartbeat',
  'error',
] as const;

/** Capability under which a peer's task becomes a kanban task for this platform's agents. */
export const workCapability = 'work';

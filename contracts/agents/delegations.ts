import { z } from 'zod';
import { agentId, delegatedStatuses, jsonSchema, sessionMessageTypes } from './agents.ts';
import { headerText } from '../headers.ts';
import type { Outcome } from '../outbound/connectors.ts';

export const delegatedTaskId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/, 'letters, digits and . _ : -, starting with a letter or digit, at most 128')
  .describe('The task id that its sender gave it');

export const correlationId = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'printable characters without spaces, at most 128')
  .describe('Follows a task through all systems; made when absent');

export const taskPriority = z.number().int().min(1).max(10).describe('1 to 10, higher is more urgent');
export const taskTimeout = z.number().int().min(1).max(3600).describe('Seconds from now until it counts as failed');
export const httpUrl = z.url({ protocol: /^https?$/ }).max(2_000);
/** Sent to the callback's address for authentication; stored sealed. */
export const callbackToken = headerText(8, 512);

/** The result of a delegated task, in the form of agentic-rag's clients. */
export const taskResult = z.object({
  task_id: z.string(),
  status: z.enum(delegatedStatuses),
  result: z.unknown().optional(),
  error: z.string().optional(),
  error_code: z.string().optional(),
  execution_time_ms: z.number().optional(),
  completed_at: z.string().nullable(),
});
export type TaskResult = z.infer<typeof taskResult>;

export const progressOf = z.object({
  done: z.number().nonnegative().optional(),
  total: z.number().nonnegative().optional(),
  message: z.string().max(2_000).optional(),
});

/** A task handed to a peer, or received from one, as lists show it. */
export const delegatedTask = z.object({
  task_id: z.string(),
  direction: z.enum(['sent', 'received']),
  source_agent: z.string(),
  target_agent: z.string(),
  capability_name: z.string(),
  priority: z.number(),
  timeout_seconds: z.number(),
  correlation_id: z.string(),
  status: z.enum(delegatedStatuses),
  progress: progressOf.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  session_id: z.string().nullable(),
  work_task_id: z.string().nullable(),
  remote_id: z.string().nullable(),
  created_at: z.string(),
  deadline: z.string(),
  completed_at: z.string().nullable(),
});
export type DelegatedTask = z.infer<typeof delegatedTask>;

const task = z.object({ task_id: delegatedTaskId });

/** Fields of each message type. Further fields are kept. */
export const sessionBodies = {
  capability_query: z.looseObject({ capability: z.string().min(1).max(128).optional() }),
  capability_response: z.looseObject({ capabilities: z.union([z.record(z.string(), z.array(z.string())), z.array(jsonSchema)]) }),
  task_request: z.looseObject({ ...task.shape, capability_name: z.string().min(1).max(128), parameters: jsonSchema.default({}) }),
  task_progress: z.looseObject({ ...task.shape, ...progressOf.shape }),
  task_result: z.looseObject({
    ...task.shape,
    status: z.enum(['completed', 'failed', 'cancelled']),
    result: z.unknown().optional(),
    error: z.unknown().optional(),
  }),
  heartbeat: z.looseObject({ agent_id: agentId.optional() }),
  error: z.looseObject({ message: z.string().min(1).max(4_000), code: z.string().max(64).optional(), task_id: delegatedTaskId.optional() }),
} satisfies Record<(typeof sessionMessageTypes)[number], z.ZodType>;

export const sessionMessage = z.object({
  id: z.string(),
  seq: z.number(),
  type: z.enum(sessionMessageTypes),
  sender: z.string(),
  recipient: z.string().nullable(),
  body: z.record(z.string(), z.unknown()),
  created_at: z.string(),
});
export type SessionMessage = z.infer<typeof sessionMessage>;

export const session = z.object({
  session_id: z.string(),
  participants: z.array(z.string()),
  task_references: z.array(z.string()),
  status: z.enum(['open', 'closed']),
  closed_reason: z.string().nullable(),
  created_at: z.string(),
  last_active_at: z.string(),
  expires_at: z.string(),
});
export type Session = z.infer<typeof session>;

/** A request to another agent that came to nothing. */
export class PeerFailure extends Error {
  /** Whether the agent may have taken it: `unknown`, too, when its answer makes no sense. */
  readonly kind: Outcome;
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: Outcome, message: string, more: { status?: number; retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'PeerFailure';
    this.kind = kind;
    this.status = more.status;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** Authentication headers for an agent: `Header-Name: value`, or a bare key in both usual headers. */
export function credentialHeaders(credential: string | null): Record<string, string> {
  if (credential === null || credential === '') return {};
  const named = /^([A-Za-z][A-Za-z0-9-]{0,63}):\s*(\S.*)$/s.exec(credential);
  if (named) return { [named[1]!.toLowerCase()]: named[2]! };
  return { 'x-api-key': credential, authorization: `Bearer ${credential}` };
}

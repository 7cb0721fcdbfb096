import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Envelope } from '../../contracts/envelope.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { CallAnswer } from '../../tools/catalogue/pipeline.ts';
import type { ServerParts } from '../parts.ts';
import { exchangeIn, type Exchange } from './exchange.ts';
import type { SignalboxMcpServer } from './server.ts';

/** The identifier under which clients and servers declare the Tasks extension (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

interface TaskHead {
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** Milliseconds since `createdAt` for which the task is available; null: no limit. */
  ttlMs: number | null;
  pollIntervalMs: number;
}

/** Answer of `tasks/get`: a task, with its result when it has one. */
export interface DetailedTask extends TaskHead {
  result?: CallToolResult;
  error?: { code: number; message: string };
  inputRequests?: Record<string, unknown>;
}

/** Finished approvals are removed after 30 days; jobs are kept. */
const approvalTtlMs = 30 * 24 * 3_600_000;

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

/** Whether this request declares the extension; in 2026-07-28 each request declares it separately. */
export function takesTasks(ctx: Pick<ServerContext, 'mcpReq'>): boolean {
  const envelope = ctx.mcpReq.envelope as Record<string, { extensions?: Record<string, unknown> }> | undefined;
  return envelope?.[capabilitiesKey]?.extensions?.[tasksExtension] !== undefined;
}

/** @throws MissingRequiredClientCapabilityError −32021 */
export function requireTasks(ctx: Pick<ServerContext, 'mcpReq'>): void {
  if (takesTasks(ctx)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

/** The job or approval behind this answer: its row exists before the answer. */
function handleIn(envelope: Envelope): string | undefined {
  const type = { accepted: 'job', pending_approval: 'approval' }[envelope.status as string];
  return envelope.refs.find((ref) => ref.type === type)?.id;
}

/**
 * For clients that declare the extension, a call that continues after its answer becomes a task with the id of the
 * job or the approval. Other answers are unchanged.
 */
export async function taskOf<R extends CallToolResult | InputRequiredResult>(
  mcp: SignalboxMcpServer,
  ctx: ServerContext,
  answered: R,
): Promise<R | CallToolResult> {
  const envelope = answered['structuredContent'] as Envelope | undefined;
  const id = envelope && takesTasks(ctx) ? handleIn(envelope) : undefined;
  if (id === undefined) return answered;
  const { result: _, error: __, ...head } = await look(mcp.parts, exchangeIn(ctx.http?.authInfo), id, ctx);
  return { ...head, resultType: 'task' } as unknown as CallToolResult;
}

const taskParams = z.looseObject({ taskId: z.string().min(1).max(64) });

/**
 * `tasks/get`, `tasks/cancel` and `tasks/update` over the tools for jobs and approvals: the same rights, limits and
 * ledger. Our calls never ask the client for input, so an update is acknowledged and changes nothing.
 */
export function installTasks(mcp: SignalboxMcpServer): void {
  const { parts, server } = mcp;
  server.setRequestHandler('tasks/get', { params: taskParams }, async ({ taskId }, ctx) => {
    requireTasks(ctx);
    return { ...(parts.fixtures?.jobs.get(taskId) ?? (await look(parts, exchangeIn(ctx.http?.authInfo), taskId, ctx))) };
  });
  server.setRequestHandler('tasks/cancel', { params: taskParams }, async ({ taskId }, ctx) => {
    requireTasks(ctx);
    if (parts.fixtures?.jobs.cancel(taskId)) return {};
    const exchange = exchangeIn(ctx.http?.authInfo);
    const answer = await (taskId.startsWith('apr_')
      ? ask(parts, exchange, 'approval.request.cancel', { approval_id: taskId }, ctx)
      : ask(parts, exchange, 'system.job.cancel', { job_id: taskId }, ctx));
    // A task that has ended, or that cannot be cancelled, is acknowledged anyway: tasks/get shows how it ended.
    if (answer.error && answer.error.code !== 'CONFLICT') throw protocolError(exchange, answer);
    return {};
  });
  server.setRequestHandler('tasks/update', { params: taskParams }, async ({ taskId }, ctx) => {
    requireTasks(ctx);
    if (!parts.fixtures?.jobs.update(taskId, ctx.mcpReq.inputResponses ?? {}))
      await look(parts, exchangeIn(ctx.http?.authInfo), taskId, ctx);
    return {};
  });
}

async function ask(parts: ServerParts, exchange: Exchange, name: string, args: object, ctx: ServerContext): Promise<CallAnswer> {
  const { caller, front } = exchange;
  const answer = await parts.pipeline.call({
    name,
    arguments: args,
    caller,
    front,
    requestId: String(ctx.mcpReq.id),
    signal: ctx.mcpReq.signal,
  });
  if (answer.limit) exchange.limit = answer.limit;
  return answer;
}

/** The extension reserves −32602 for unknown tasks. */
function protocolError(exchange: Exchange, { error, envelope }: CallAnswer): ProtocolError {
  if (error?.code === 'RATE_LIMIT_EXCEEDED') exchange.refusal = error;
  const code = error?.code === 'NOT_FOUND' || error?.code === 'VALIDATION_ERROR' ? -32602 : -32000;
  return new ProtocolError(code, error?.message ?? 'The task cannot be read.', envelope.error);
}

/** @throws ProtocolError −32602 for an unknown task */
async function look(parts: ServerParts, exchange: Exchange, id: string, ctx: ServerContext): Promise<DetailedTask> {
  const answer = await ask(parts, exchange, 'system.job.get', { job_id: id }, ctx);
  if (answer.error) throw protocolError(exchange, answer);
  return detailed((answer.envelope.data as { job: Job }).job, answer.envelope);
}

function detailed(job: Job, envelope: Envelope): DetailedTask {
  const approval = job.kind === 'approval';
  const stage = job.progress.stage;
  const head: Omit<DetailedTask, 'status'> = {
    taskId: job.job_id,
    statusMessage: typeof stage === 'string' ? `${job.title}: ${stage}` : job.title,
    createdAt: job.created_at,
    lastUpdatedAt: job.updated_at,
    ttlMs: approval ? approvalTtlMs : null,
    pollIntervalMs: approval ? 5_000 : 1_000,
  };
  if (job.status === 'cancelled') return { ...head, status: 'cancelled' };
  // A failed tool call has a result; "failed" is for protocol errors.
  if (job.status === 'completed' || job.status === 'failed') return { ...head, status: 'completed', result: resultOf(job, envelope) };
  return { ...head, status: 'working' };
}

/** The answer of an approved call; otherwise the job, as in `system.job.get`. */
function resultOf(job: Job, envelope: Envelope): CallToolResult {
  const error = job.error && { code: job.error.code, message: job.error.message, retryable: false };
  const own = job.kind === 'approval' && job.result;
  const whole = own || { ...envelope, ...(error ? { status: 'error', error } : {}) };
  return {
    content: [{ type: 'text', text: JSON.stringify(whole) }],
    structuredContent: whole,
    ...(error ? { isError: true } : {}),
  };
}

import { ProtocolError, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import { AppError } from '../../contracts/errors.ts';
import type { CallAnswer, CallRequest } from '../../tools/catalogue/pipeline.ts';
import { throttled } from '../calls.ts';
import type { ServerParts } from '../parts.ts';
import { checkIdempotencyKey, withWorker } from '../plugins/auth.ts';
import { askThrough, type Elicitor } from './elicit.ts';
import { nameStyle, type Exchange } from './exchange.ts';
import { isRecord } from './jsonrpc.ts';

/** Channel back to the client during a call. */
export interface CallChannel {
  requestId: string | number | null;
  signal: AbortSignal;
  notify(method: string, params: Record<string, unknown>): void;
  /** Absent: the client does not support elicitation. */
  elicitor?: Elicitor | undefined;
}

/**
 * `tools/call` for every revision and transport. A failure inside a tool is a result with `isError`; other failures
 * are JSON-RPC errors.
 * @throws ProtocolError −32602 unknown tool or bad metadata, −32000 rate limit.
 */
export async function mcpCall(
  parts: ServerParts,
  exchange: Exchange,
  params: unknown,
  channel: CallChannel,
): Promise<CallToolResult | InputRequiredResult> {
  if (!isRecord(params) || typeof params.name !== 'string') throw new ProtocolError(-32602, 'tools/call needs params.name, a string.');
  const fixture = await parts.fixtures?.plain(params, channel);
  if (fixture) return fixture;
  const meta = isRecord(params._meta) ? params._meta : {};
  const token = meta.progressToken;
  const request: CallRequest = {
    name: params.name,
    arguments: params.arguments,
    front: exchange.front,
    audience: { style: nameStyle(parts, exchange.client), profile: exchange.profile },
    ...named(exchange, meta),
    requestId: channel.requestId === null ? undefined : String(channel.requestId),
    signal: channel.signal,
    onProgress:
      typeof token === 'string' || typeof token === 'number'
        ? throttled((progress, total, message) =>
            channel.notify('notifications/progress', {
              progressToken: token,
              progress,
              ...(total === undefined ? {} : { total }),
              ...(message ? { message } : {}),
            }),
          )
        : undefined,
  };
  const { elicitor } = channel;
  const again = (key: string, more: Partial<CallRequest>): Promise<CallAnswer> =>
    parts.pipeline.call({ ...request, idempotencyKey: request.idempotencyKey ?? key, ...more });
  // With elicitation, ask the person immediately instead of waiting for a decision elsewhere.
  const first = elicitor ? { ...request, waitMs: 0 } : request;
  let answer = elicitor?.brought ? await again(elicitor.brought.key, { waitMs: 0 }) : await parts.pipeline.call(first);
  if (answer.limit) exchange.limit = answer.limit;
  if (elicitor && answer.envelope.status === 'pending_approval') {
    const asked = await askThrough(answer, { parts, exchange, caller: request.caller, elicitor, again });
    if (!isAnswer(asked)) return asked;
    const waits = request.waitMs !== undefined || request.onProgress !== undefined;
    answer = asked === answer && waits ? await again(answer.envelope.tool_call_id, { counted: true }) : asked;
  }
  const { error } = answer;
  if (error?.code === 'RATE_LIMIT_EXCEEDED') {
    exchange.refusal = error;
    throw new ProtocolError(-32000, error.message, answer.envelope.error);
  }
  // If the inner tool of system.tool.call is unknown, answer with a result, so that the model reads it.
  if (error?.code === 'NOT_FOUND' && !answer.resolved && !parts.pipeline.catalogue.find(params.name)) {
    const { message, suggestion } = answer.envelope.error!;
    throw new ProtocolError(-32602, [message, suggestion].filter(Boolean).join(' '), answer.envelope.error);
  }
  return {
    content: [{ type: 'text', text: answer.text }],
    structuredContent: answer.envelope as unknown as Record<string, unknown>,
    ...(error ? { isError: true } : {}),
  };
}

const isAnswer = (asked: CallAnswer | InputRequiredResult): asked is CallAnswer => 'envelope' in asked;

/**
 * The caller's worker and idempotency key: `_meta` takes precedence over headers, because one connection may serve
 * many workers.
 */
function named(exchange: Exchange, meta: Record<string, unknown>): Pick<CallRequest, 'caller' | 'idempotencyKey' | 'sessionId' | 'waitMs'> {
  try {
    return {
      caller: withWorker(exchange.caller, meta['signalbox/agent_id']),
      sessionId: textOf(meta['signalbox/session_id']),
      waitMs: waitOf(meta['signalbox/wait_seconds']),
      idempotencyKey: checkIdempotencyKey(meta.idempotency_key ?? meta['signalbox/idempotency_key']) ?? exchange.idempotencyKey,
    };
  } catch (caught) {
    if (caught instanceof AppError) throw new ProtocolError(-32602, `${caught.message} ${caught.hint ?? ''}`);
    throw caught;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, 64) : undefined);

/** How long the client waits for approval. */
const waitOf = (value: unknown): number | undefined => (typeof value === 'number' && value >= 0 ? Math.min(value, 300) * 1_000 : undefined);

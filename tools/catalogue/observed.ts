import type { Logger } from 'pino';
import type { AppError } from '../../contracts/errors.ts';
import { printable } from '../../contracts/json.ts';
import type { Resolved } from './catalogue.ts';
import type { CallRequest } from './pipeline.ts';

/**
 * Attributes of a call: span attributes in OpenTelemetry's spelling, `{thing}.{what}`. Ids, addresses without their
 * queries, and counts; never content.
 */
export type Observed = Record<string, string | number>;

/** perception's log spells this count differently from its spans. */
const logNames: Record<string, string> = { 'articles.count': 'article_count' };

/** The same values as log fields: `feed.id` becomes `feed_id`. Addresses are only in the trace. */
export const logFieldsOf = (observed: Observed): Observed =>
  Object.fromEntries(
    Object.entries(observed)
      .filter(([name]) => !name.endsWith('.url'))
      .map(([name, value]) => [logNames[name] ?? name.replaceAll('.', '_'), value]),
  );

/** Replaces an unknown tool name in logs, spans and metrics, because it is the caller's text. Only the ledger keeps it. */
export const unknownTool = 'unknown';

/** A finished call. */
export interface Ended {
  request: CallRequest;
  resolved: Resolved | undefined;
  durationMs: number;
  toolCallId: string;
  observed: Observed;
  error?: AppError;
}

/** Logs one line per call: caller, tool, outcome and duration. */
export function logCall(log: Logger, { request, resolved, durationMs, toolCallId, observed, error }: Ended): void {
  const deprecated = resolved?.alias?.deprecated;
  const worth = deprecated || (error && (error.retryable || error.httpStatus >= 500));
  // Frequent calls, such as heartbeats, would hide the others.
  const level = worth ? 'warn' : resolved?.tool.ledger === 'batched' && !error ? 'debug' : 'info';
  log[level](
    {
      mcp_tool: resolved?.name ?? unknownTool,
      tenant: request.caller.tenant,
      principal: request.caller.principal,
      front: request.front,
      tool_call_id: toolCallId,
      // Text of the client.
      request_id: request.requestId === undefined ? undefined : printable(request.requestId),
      ...logFieldsOf(observed),
      latency_ms: Math.round(durationMs * 10) / 10,
      ...(error ? { code: error.code } : {}),
    },
    deprecated ? `deprecated tool called: use ${deprecated.replacement}` : error ? 'tool call refused' : 'tool call',
  );
}

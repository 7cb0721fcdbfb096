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

/** perception spells this count in its log another way than in its spans. */
const logNames: Record<string, string> = { 'articles.count': 'article_count' };

/** The same as fields of a line in the log: `feed.id` as `feed_id`. Addresses stay in the trace. */
export const logFieldsOf = (observed: Observed): Observed =>
  Object.fromEntries(
    Object.entries(observed)
      .filter(([name]) => !name.endsWith('.url'))
      .map(([name, value]) => [logNames[name] ?? name.replaceAll('.', '_'), value]),
  );

/** In log, spans and metrics for a name that is none of ours: that is the caller's text, and stands in the ledger alone. */
export const unknownTool = 'unknown';

/** A call at its end. */
export interface Ended {
  request: CallRequest;
  resolved: Resolved | undefined;
  durationMs: number;
  toolCallId: string;
  observed: Observed;
  error?: AppError;
}

/** A line in the log for each call: who called what, how it ended and how long it took. */
export function logCall(log: Logger, { request, resolved, durationMs, toolCallId, observed, error }: Ended): void {
  const deprecated = resolved?.alias?.deprecated;
  const worth = deprecated || (error && (error.retryable || error.httpStatus >= 500));
  // What comes every few seconds from everybody would hide the rest.
  const level = worth ? 'warn' : resolved?.tool.ledger === 'batched' && !error ? 'debug' : 'info';
  log[level](
    {
      mcp_tool: resolved?.name ?? unknownTool,
      tenant: request.caller.tenant,
      principal: request.caller.principal,
      front: request.front,
      tool_call_id: toolCallId,
      // The client's own words.
      request_id: request.requestId === undefined ? undefined : printable(request.requestId),
      ...logFieldsOf(observed),
      latency_ms: Math.round(durationMs * 10) / 10,
      ...(error ? { code: error.code } : {}),
    },
    deprecated ? `deprecated tool called: use ${deprecated.replacement}` : error ? 'tool call refused' : 'tool call',
  );
}

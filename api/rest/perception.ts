import type { ErrorCode } from '../../contracts/errors.ts';
import type { CallAnswer } from '../../tools/pipeline.ts';
import { isRecord } from '../mcp/jsonrpc.ts';

/** S4's own code for "it did not work" of each of its tools (SPEC 5.2). */
const failedCodes: Record<string, string> = {
  fetch_rss_feed: 'FEED_FETCH_FAILED',
  fetch_api_feed: 'API_FETCH_FAILED',
  fetch_webpage: 'WEBPAGE_FETCH_FAILED',
  store_articles: 'STORAGE_FAILED',
  generate_brief: 'BRIEF_GENERATION_FAILED',
  log_ingestion_run: 'LOGGING_FAILED',
  send_notification: 'NOTIFICATION_FAILED',
};

const broken: ReadonlySet<ErrorCode> = new Set(['SERVICE_UNAVAILABLE', 'TIMEOUT', 'INTERNAL']);
/** The field of the request that S4 repeats in its error, the first that was sent. */
const identifying = ['feed_id', 'url', 'run_id', 'channel'] as const;

/** A failure as S4's clients read it: `{error: {code, message, <identifying field>, details}}`. */
export function perceptionError(
  answer: CallAnswer,
  name: string,
  body: unknown,
): { status: number; body: { error: Record<string, unknown> } } {
  const error = answer.error!;
  const called = answer.resolved?.name ?? name;
  const failed = failedCodes[called];
  const [code, status] = ((): [string, number] => {
    if (error.code === 'VALIDATION_ERROR') return ['INVALID_REQUEST', 400];
    if (error.code === 'NOT_FOUND' && answer.resolved && isRecord(body) && 'feed_id' in body) return ['FEED_NOT_FOUND', 404];
    if (failed && broken.has(error.code)) return [failed, upstreamTimeout(error.details) ? 504 : 500];
    return [error.code, error.httpStatus];
  })();
  const field = isRecord(body) ? identifying.find((key) => typeof body[key] === 'string') : undefined;
  return {
    status,
    body: {
      error: {
        code,
        message: error.message,
        ...(field ? { [field]: (body as Record<string, unknown>)[field] } : {}),
        details: {
          ...error.details,
          ...(error.hint === undefined ? {} : { suggestion: error.hint }),
          ...(error.alternatives?.length ? { alternatives: error.alternatives } : {}),
          ...(error.retryAfterSeconds === undefined ? {} : { retry_after_seconds: error.retryAfterSeconds }),
          tool_call_id: answer.envelope.tool_call_id,
        },
      },
    },
  };
}

const upstreamTimeout = (details: Record<string, unknown> | undefined): boolean => details?.http_status === 504;

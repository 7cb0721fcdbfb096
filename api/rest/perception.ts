import type { AppError, ErrorCode } from '../../contracts/errors.ts';
import type { CallAnswer } from '../../tools/catalogue/pipeline.ts';
import { isRecord } from '../mcp/jsonrpc.ts';

interface Contract {
  /** perception's code for a failed call. */
  failed: string;
  /** Statuses in perception's documentation, beside 200, 400 and 500. */
  statuses: readonly number[];
  /** The field of `details` that contains the error text of the store or the model. */
  said?: 'firestore_error' | 'gemini_error';
}

/** perception's tools. */
const contracts: Record<string, Contract> = {
  fetch_rss_feed: { failed: 'FEED_FETCH_FAILED', statuses: [404, 504] },
  fetch_api_feed: { failed: 'API_FETCH_FAILED', statuses: [401, 404, 429] },
  fetch_webpage: { failed: 'WEBPAGE_FETCH_FAILED', statuses: [404] },
  store_articles: { failed: 'STORAGE_FAILED', statuses: [], said: 'firestore_error' },
  generate_brief: { failed: 'BRIEF_GENERATION_FAILED', statuses: [429], said: 'gemini_error' },
  log_ingestion_run: { failed: 'LOGGING_FAILED', statuses: [], said: 'firestore_error' },
  send_notification: { failed: 'NOTIFICATION_FAILED', statuses: [429] },
};

/** perception repeats one field of the request in its errors: the first of these that was sent. */
const identifying = ['feed_id', 'url', 'run_id', 'channel'] as const;

/** Refusals caused by the source, not by the request. */
const ofSource: ReadonlySet<unknown> = new Set(['settings', 'credential_missing', 'none_stored']);

interface PerceptionFailure {
  status: number;
  body: { error: Record<string, unknown> };
}

/** A failure as perception's clients read it: `{error: {code, message, <identifying field>, details}}`. */
export function perceptionError(answer: CallAnswer, name: string, body: unknown): PerceptionFailure {
  const error = answer.error!;
  const contract = contracts[answer.resolved?.name ?? name];
  const { code, status } = contract && answer.resolved ? read(error, contract) : common(error);
  const details = {
    ...error.details,
    ...(status === 500 && contract?.said ? { [contract.said]: saidOf(error) } : {}),
    ...(status === 429 && contract?.said === 'gemini_error' ? { gemini_error: saidOf(error) } : {}),
    tool_call_id: answer.envelope.tool_call_id,
  };
  return { status, body: failureBody(error, code, body, details) };
}

/** The same before a tool is called: no valid key, or an unreadable body. */
export const perceptionRefusal = (error: AppError, body: unknown): PerceptionFailure['body'] =>
  failureBody(error, common(error).code, body, { ...error.details });

function failureBody(error: AppError, code: string, body: unknown, details: Record<string, unknown>): PerceptionFailure['body'] {
  const field = isRecord(body) ? identifying.find((key) => typeof body[key] === 'string') : undefined;
  return {
    error: {
      code,
      message: error.message,
      ...(field ? { [field]: (body as Record<string, unknown>)[field] } : {}),
      details: {
        ...details,
        ...(error.hint === undefined ? {} : { suggestion: error.hint }),
        ...(error.alternatives?.length ? { alternatives: error.alternatives } : {}),
        ...(error.retryAfterSeconds === undefined ? {} : { retry_after_seconds: error.retryAfterSeconds }),
      },
    },
  };
}

const common = (error: AppError): { code: string; status: number } => ({
  code: error.code === 'VALIDATION_ERROR' ? 'INVALID_REQUEST' : error.code,
  status: error.httpStatus,
});

/** Errors of the request and refusals by the platform have common codes; all others are the tool's failure. */
function read(error: AppError, contract: Contract): { code: string; status: number } {
  const upstream = upstreamStatus(error);
  if (upstream === undefined && !saysOther(error)) {
    const reason = error.details?.['reason'];
    if (error.code === 'VALIDATION_ERROR' && !ofSource.has(reason)) return { code: 'INVALID_REQUEST', status: 400 };
    if (error.code === 'NOT_FOUND') return contract.statuses.includes(404) ? { code: 'FEED_NOT_FOUND', status: 404 } : common(error);
    // A rate limit of the source, not ours, has a reason.
    if (error.code === 'RATE_LIMIT_EXCEEDED' && reason === undefined) return common(error);
    if (error.code === 'FORBIDDEN' || error.code === 'UNAUTHORIZED') return common(error);
  }
  const wanted = error.code === 'RATE_LIMIT_EXCEEDED' ? 429 : error.code === 'TIMEOUT' ? 504 : upstream === 403 ? 401 : (upstream ?? 500);
  // For feeds, a 404 from the source is a fetch failure, not FEED_NOT_FOUND.
  const known = contract.statuses.includes(wanted) && (wanted !== 404 || contract.failed === 'WEBPAGE_FETCH_FAILED');
  return { code: contract.failed, status: known ? wanted : 500 };
}

function upstreamStatus({ details }: AppError): number | undefined {
  const status = details?.['http_status'];
  return typeof status === 'number' ? status : undefined;
}

/** The source answered with its own error. */
const saysOther = ({ details }: AppError): boolean => details?.['slack_error'] !== undefined || details?.['smtp_error'] !== undefined;

const grpcCodes: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'INVALID_ARGUMENT',
  UNAUTHORIZED: 'UNAUTHENTICATED',
  FORBIDDEN: 'PERMISSION_DENIED',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'ABORTED',
  TIMEOUT: 'DEADLINE_EXCEEDED',
  PAYLOAD_TOO_LARGE: 'INVALID_ARGUMENT',
  RATE_LIMIT_EXCEEDED: 'RESOURCE_EXHAUSTED',
  SERVICE_UNAVAILABLE: 'UNAVAILABLE',
};
const saidOf = (error: AppError): string => grpcCodes[error.code] ?? 'INTERNAL';

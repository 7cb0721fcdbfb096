import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { AppError, type ErrorCode } from '../../contracts/errors.ts';
import { storable } from '../../contracts/json.ts';

export type Reason = 'not_sent' | 'unknown_outcome' | 'refused' | 'auth' | 'protocol' | 'busy' | 'session' | 'no_endpoint';

/** A failed request to another server. */
export class McpFailure extends Error {
  readonly reason: Reason;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: Reason, message: string, more: { status?: number; retryAfterSeconds?: number | undefined; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'McpFailure';
    this.reason = reason;
    this.status = more.status;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENODATA',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENOENT',
  'EACCES',
]);
const tls = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/;

/** The system's error code, however deeply the libraries have wrapped it. */
function codeOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return '';
  const { code } = error as NodeJS.ErrnoException;
  if (
    typeof code === 'string' &&
    /^(E[A-Z]+|UND_ERR_|CERT_|ERR_|UNABLE_|DEPTH_|SELF_|HOSTNAME_)/.test(code) &&
    !(error instanceof SdkError)
  )
    return code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth + 1);
}

/**
 * Meaning of an HTTP status other than 2xx.
 * @param text of the answer
 * @param inSession a session id was sent
 */
export function statusFailure(status: number, text: string, inSession: boolean, retryAfter?: number): McpFailure {
  const said = text.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  const more = { status, retryAfterSeconds: retryAfter };
  if (inSession && (status === 404 || (status === 400 && /session/i.test(said))))
    return new McpFailure('session', 'Its session has expired.', more);
  if (status === 401 || status === 403) return new McpFailure('auth', `It refuses these credentials (HTTP ${status}).`, more);
  if (status === 404 || status === 405) return new McpFailure('no_endpoint', `No MCP endpoint stands there (HTTP ${status}).`, more);
  if (status === 429 || status === 503) return new McpFailure('busy', `It asks for a pause (HTTP ${status}).`, more);
  if (status >= 500) return new McpFailure('unknown_outcome', `It failed (HTTP ${status}). ${said}`.trim(), more);
  return new McpFailure('refused', `It refuses the request (HTTP ${status}). ${said}`.trim(), more);
}

/** Any error of a request as a failure; other errors (a caller's abort) are rethrown. */
export function failureOf(error: unknown, inSession: boolean): McpFailure | AppError {
  if (error instanceof McpFailure || error instanceof AppError) return error;
  if (error instanceof SdkHttpError) {
    const text = typeof error.data['text'] === 'string' ? error.data['text'] : '';
    return statusFailure(error.status, text, inSession);
  }
  if (error instanceof ProtocolError) return protocolFailure(error.code, error.message);
  const code = codeOf(error);
  // A guard's refusal (private address, redirect) is inside the SDK's error.
  const refused = appErrorIn(error);
  if (refused && !['TIMEOUT', 'SERVICE_UNAVAILABLE'].includes(refused.code)) return refused;
  if (neverSent.has(code) || tls.test(code)) return new McpFailure('not_sent', `It cannot be reached (${code}).`, { cause: error });
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout)
      return new McpFailure('unknown_outcome', 'It did not answer in time.', { cause: error });
    if (error.code === SdkErrorCode.NotConnected) return new McpFailure('not_sent', 'It is not connected.', { cause: error });
    if (error.code === SdkErrorCode.ConnectionClosed)
      return new McpFailure('unknown_outcome', 'It closed the connection.', { cause: error });
    if (error.code === SdkErrorCode.UnsupportedResultType) {
      return new McpFailure('refused', 'It asks for input in the middle of a call, which is not passed on.', { cause: error });
    }
    return new McpFailure('protocol', `It does not speak MCP as expected: ${error.message.slice(0, 300)}`, { cause: error });
  }
  if (code !== '' || refused)
    return new McpFailure('unknown_outcome', `The connection was lost (${code || refused?.code}).`, { cause: error });
  return new McpFailure(
    'protocol',
    `It does not speak MCP as expected: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`,
    {
      cause: error,
    },
  );
}

/** A JSON-RPC error. */
export function protocolFailure(code: number, message: string): McpFailure {
  const said = message.replaceAll(/\s+/g, ' ').slice(0, 1_000);
  if (code === -32001 && /session/i.test(said)) return new McpFailure('session', 'Its session has expired.');
  return new McpFailure('refused', said, { status: code });
}

function appErrorIn(error: unknown, depth = 0): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error) || depth > 5) return null;
  return appErrorIn(error.cause, depth + 1);
}

const codes: Record<Reason, ErrorCode> = {
  not_sent: 'SERVICE_UNAVAILABLE',
  unknown_outcome: 'SERVICE_UNAVAILABLE',
  refused: 'VALIDATION_ERROR',
  auth: 'FORBIDDEN',
  protocol: 'SERVICE_UNAVAILABLE',
  busy: 'SERVICE_UNAVAILABLE',
  session: 'SERVICE_UNAVAILABLE',
  no_endpoint: 'SERVICE_UNAVAILABLE',
};
const hints: Record<Reason, string> = {
  not_sent: 'Nothing was sent. external.server.test tries it again and says more.',
  unknown_outcome: 'It may have been done nevertheless: look before you repeat a call that changes something.',
  refused: 'external.tool.list shows what the server offers, system.tool.describe the arguments of a tool.',
  auth: 'external.server.update gives it other credentials.',
  protocol: 'Check address and transport of the server.',
  busy: 'Try again after the pause it asks for.',
  session: 'Try again.',
  no_endpoint: 'Check the address of the server.',
};

/** The caller left before the request was sent. */
export const neverBegun = (who: string): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `The call of ${who} was given up by its caller before it was sent.`, {
    hint: 'Nothing was sent. Repeat it.',
    details: { reason: 'not_sent', server: who },
  });

/**
 * A failure as callers see it, and as it is stored.
 * @param who the server's name
 */
export function explained(who: string, error: McpFailure | AppError): AppError {
  if (error instanceof AppError) return error;
  const { reason, status, retryAfterSeconds } = error;
  const missing = reason === 'refused' && (status === -32601 || status === -32002);
  const code = missing ? 'NOT_FOUND' : reason === 'unknown_outcome' && /in time/.test(error.message) ? 'TIMEOUT' : codes[reason];
  return new AppError(code, storable(`${who}: ${error.message}`), {
    hint: hints[reason],
    details: { reason, server: who, ...(status === undefined ? {} : { status }) },
    ...(retryAfterSeconds === undefined ? (reason === 'not_sent' ? { retryAfterSeconds: 5 } : {}) : { retryAfterSeconds }),
    cause: error,
  });
}

import {
  A2AError,
  A2A_ERROR_CODE,
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  restStatusFor,
  toJsonRpcError,
  toRestErrorBody,
} from '@a2a-js/sdk/errors';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { translate } from '../../adapters/postgres/errors.ts';
import { AppError } from '../../contracts/errors.ts';
import { understandHttp } from '../plugins/errors.ts';

/** Errors that the protocol has no code for: limits, rights, outages. Has no cause. */
class PlainError extends Error {
  readonly status: number;
  readonly app: AppError;

  constructor(app: AppError, status: number) {
    super(worded(app));
    this.status = status;
    this.app = app;
  }
}

const worded = ({ message, hint }: AppError): string => (hint === undefined ? message : `${message} ${hint}`);

/** Maps our errors to the protocol's. Defects are logged here, once, and answered without details. */
export function a2aError(caught: unknown, log: Logger): Error {
  if (caught instanceof A2AError || caught instanceof PlainError) return caught;
  const known = translate(caught);
  if (!(known instanceof AppError)) {
    log.error({ err: caught }, 'an A2A request failed unexpectedly');
    return new PlainError(new AppError('INTERNAL', 'Something went wrong inside Signalbox.'), 500);
  }
  const message = worded(known);
  const reason = known.details?.['reason'];
  if (reason === 'not_cancelable') return new TaskNotCancelableError(message);
  if (reason === 'unsupported') return new UnsupportedOperationError(message);
  if (reason === 'input_mode') return new ContentTypeNotSupportedError(message);
  // The protocol has no error for a missing callback, so it uses the one for a missing task.
  if (known.code === 'NOT_FOUND' && (reason === 'task' || reason === 'callback')) return new TaskNotFoundError(message);
  if (known.code === 'VALIDATION_ERROR') return new RequestMalformedError(message);
  return new PlainError(known, known.httpStatus);
}

/** A refusal by Fastify or a hook before the request was read. */
export function refusal(caught: unknown, request: FastifyRequest): { error: Error; app: AppError; status: number } {
  const { error: app, status } = understandHttp(caught, request);
  const error =
    status === 415 ? new ContentTypeNotSupportedError('Send application/json or application/a2a+json.') : new PlainError(app, status);
  return { error, app, status };
}

export const statusOf = (error: Error): number => (error instanceof PlainError ? error.status : restStatusFor(error));

/** `google.rpc.Status` as JSON. */
export function restError(error: Error): { status: number; body: object } {
  const status = statusOf(error);
  const body = toRestErrorBody(error, status);
  if (error instanceof PlainError) body.error.status = statusNames[error.app.code] ?? body.error.status;
  return { status, body };
}

const statusNames: Partial<Record<AppError['code'], string>> = {
  UNAUTHORIZED: 'UNAUTHENTICATED',
  FORBIDDEN: 'PERMISSION_DENIED',
  NOT_FOUND: 'NOT_FOUND',
  RATE_LIMIT_EXCEEDED: 'RESOURCE_EXHAUSTED',
  SERVICE_UNAVAILABLE: 'UNAVAILABLE',
  PAYLOAD_TOO_LARGE: 'INVALID_ARGUMENT',
  VALIDATION_ERROR: 'INVALID_ARGUMENT',
  INTERNAL: 'INTERNAL',
};

export interface RpcError {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string; data?: unknown };
}

export function rpcError(id: string | number | null, error: Error): RpcError {
  if (!(error instanceof PlainError)) return { jsonrpc: '2.0', id, error: toJsonRpcError(error) };
  const { app, status } = error;
  const malformed = status === 400 && /JSON/.test(app.message);
  const code = malformed
    ? A2A_ERROR_CODE.PARSE_ERROR
    : status === 413
      ? A2A_ERROR_CODE.INVALID_REQUEST
      : status >= 500
        ? A2A_ERROR_CODE.INTERNAL_ERROR
        : -32000;
  return { jsonrpc: '2.0', id, error: { code, message: error.message } };
}

export const invalidRequest = (id: string | number | null, message: string): RpcError => ({
  jsonrpc: '2.0',
  id,
  error: { code: A2A_ERROR_CODE.INVALID_REQUEST, message },
});

export const malformed = (message: string): Error => new RequestMalformedError(message);

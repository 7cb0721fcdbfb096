import type { APICallError } from 'ai';
import { AppError, type ErrorDetails } from '../../contracts/errors.ts';
import { modelFailure, type ModelFailureReason, type ModelUsage } from '../../contracts/language.ts';
import { header, readRetryAfter } from '../web/headers.ts';

/** Why one attempt failed. Contains no part of the request: the SDK's own errors contain all of it. */
export interface Failure {
  reason: ModelFailureReason;
  message: string;
  hint?: string;
  /** In ms, as requested by the provider. */
  pauseMs?: number;
  /** The model may have used tokens. */
  spent: boolean;
  /** Another attempt may succeed. */
  again: boolean;
}

const fail = (reason: ModelFailureReason, message: string, extra: Partial<Failure> = {}): Failure => ({
  reason,
  message,
  spent: false,
  again: false,
  ...extra,
});

/**
 * @param error of the SDK.
 * @returns errors that are not the model's unchanged
 */
export function failureOf(error: unknown, name: string, apiKey: string | undefined): Failure | null {
  if (isCallError(error)) {
    if (error.statusCode === undefined) return ofConnection(error, name);
    return ofStatus(error, error.statusCode, name, apiKey);
  }
  return ofConnection(error, name);
}

/** By its name, because the SDK is loaded only when a model is used. */
const isCallError = (error: unknown): error is APICallError => error instanceof Error && error.name === 'AI_APICallError';

export function asAppError(failure: Failure, usage: ModelUsage): AppError {
  const extra: ErrorDetails = { hint: failure.hint ?? hints[failure.reason] };
  if (failure.pauseMs !== undefined) extra.retryAfterSeconds = Math.max(1, Math.ceil(failure.pauseMs / 1_000));
  return modelFailure(failure.reason, failure.message, usage, extra);
}

const hints: Record<ModelFailureReason, string> = {
  garbage: 'Try again, or configure a model that keeps to a structure: `signalbox models test` shows.',
  refused: 'The content may be the reason; without the model the same works by extraction.',
  too_long: 'Ask for less at once.',
  timeout: 'Try again later, or raise LLM_TIMEOUT_SECONDS.',
  rate_limited: 'Try again after the pause.',
  unavailable: 'Try again later; `signalbox models test` shows whether it is back.',
  credentials: 'Whoever runs this checks LLM_API_KEY.',
  rejected: 'Whoever runs this checks LLM_MODEL and LLM_BASE_URL with `signalbox models test`.',
};

/** Pause after a 429 without a duration, in ms. */
const defaultPauseMs = 5_000;

function ofStatus(error: APICallError, status: number, name: string, apiKey: string | undefined): Failure {
  const pauseMs = pauseOf(error.responseHeaders);
  const pause = pauseMs === undefined ? {} : { pauseMs };
  if (status < 300) {
    // Paid for, but invalid in the provider's protocol.
    return fail('unavailable', `${name} gave an answer that is not understood.`, { spent: true, again: true });
  }
  if (status < 400)
    return fail('rejected', `${name} redirects (HTTP ${status}); the key does not follow.`, {
      hint: 'Set LLM_BASE_URL to where it leads.',
    });
  if (status === 401 || status === 403) return fail('credentials', `${name} does not accept the key (HTTP ${status}).`);
  if (status === 404) return fail('rejected', `${name} does not know the model or the address (HTTP 404).`);
  if (status === 413) return fail('too_long', `${name} finds the question too long.`);
  if (status === 429)
    return fail('rate_limited', `${name} limits how often it is asked.`, { pauseMs: pauseMs ?? defaultPauseMs, again: true });
  if (status === 408 || status === 409 || status >= 500) {
    return fail('unavailable', `${name} failed (HTTP ${status}).`, { ...pause, again: true });
  }
  const said = withoutKey(error.message, apiKey).replaceAll(/\s+/g, ' ').trim().slice(0, 200);
  return fail('rejected', `${name} refuses the request (HTTP ${status}): ${said}`);
}

/** `retry-after-ms` is sent by OpenAI and compatible servers. */
function pauseOf(headers: Record<string, string> | undefined): number | undefined {
  const ms = Number(header(headers ?? {}, 'retry-after-ms') ?? NaN);
  if (ms >= 0) return ms;
  const seconds = readRetryAfter(header(headers ?? {}, 'retry-after'));
  return seconds === undefined ? undefined : seconds * 1_000;
}

const withoutKey = (text: string, apiKey: string | undefined): string => (apiKey ? text.replaceAll(apiKey, '…') : text);

/** Nothing was sent. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** A request without an answer: `guardedFetch` has the cause, which the SDK wraps. */
function ofConnection(error: unknown, name: string): Failure | null {
  let told: AppError | undefined;
  let code = '';
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 6; depth += 1) {
    if (inner instanceof AppError) told ??= inner;
    const { code: own } = inner as { code?: unknown };
    if (typeof own === 'string' && /^E|^UND_/.test(own)) code = own;
    inner = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
  }
  if (told === undefined && code === '') {
    // The SDK rejects the answer after the model has worked.
    const own = error instanceof Error && (error.name.startsWith('AI_') || error instanceof TypeError);
    return own ? fail('unavailable', `${name} gave an answer that is not understood.`, { spent: true, again: true }) : null;
  }
  const spent = !neverSent.has(code) && told?.details?.['reason'] !== 'tls';
  const hint = told?.hint === undefined ? {} : { hint: `LLM_BASE_URL: ${told.hint}` };
  if (told?.code === 'VALIDATION_ERROR') return fail('rejected', `${name} cannot be asked: ${told.message}`, hint);
  if (told?.code === 'PAYLOAD_TOO_LARGE') return fail('unavailable', `${name} answers without end.`, { spent: true });
  if (told?.code === 'TIMEOUT' && spent) return fail('timeout', `${name} did not answer in time.`, { spent });
  return fail('unavailable', spent ? `The connection to ${name} was lost.` : `${name} is not reachable.`, { spent, again: true });
}

import type { ErrorCode } from './tools.ts';

/**
 * A code of the server, or one of this client:
 * `UNREACHABLE`: no answer came within the time for retries; `PENDING_APPROVAL`: a person has to approve the call first;
 * `LEASE_LOST`: the task is no longer this worker's.
 */
export type Code = ErrorCode | 'UNREACHABLE' | 'PENDING_APPROVAL' | 'LEASE_LOST';

export interface ErrorParts {
  hint?: string | undefined;
  retryable?: boolean | undefined;
  retryAfterSeconds?: number | undefined;
  details?: Record<string, unknown> | undefined;
  toolCallId?: string | undefined;
  cause?: unknown;
}

/** Every failure of this package. */
export class SignalboxError extends Error {
  readonly code: Code;
  /** What to do next, in a sentence. */
  readonly hint: string | undefined;
  /** Whether the same call may succeed later. This client has already repeated it for as long as its options allow. */
  readonly retryable: boolean;
  /** When the server wants to be asked again, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** Facts for programs: ids, limits, fields. With `PENDING_APPROVAL`: `approval_id`. */
  readonly details: Record<string, unknown>;
  /** The server's id of the call, as in its ledger and its log. */
  readonly toolCallId: string | undefined;

  constructor(code: Code, message: string, parts: ErrorParts = {}) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = 'SignalboxError';
    this.code = code;
    this.hint = parts.hint;
    this.retryable = parts.retryable ?? false;
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.details = parts.details ?? {};
    this.toolCallId = parts.toolCallId;
  }
}

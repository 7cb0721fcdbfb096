import type { Envelope } from '../../../contracts/envelope.ts';

/** A failed call, as the server tells it; or that it could not be asked. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly suggestion: string | undefined;
  readonly toolCallId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly details: Record<string, unknown>;

  constructor(status: number, envelope: Partial<Envelope> | null, retryAfter?: number) {
    const error = envelope?.error;
    super(error?.message ?? (status === 0 ? 'The server does not answer.' : `The server answered with status ${status}.`));
    this.status = status;
    this.code = error?.code ?? (status === 0 ? 'AWAY' : 'UNKNOWN');
    this.suggestion = error?.suggestion;
    this.toolCallId = status === 0 ? undefined : envelope?.tool_call_id;
    this.retryAfter = retryAfter;
    this.details = error?.details ?? {};
  }

  /** A repeat may succeed. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

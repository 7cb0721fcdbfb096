import { SignalboxError } from './errors.ts';
import type { ErrorCode, Ref } from './tools.ts';

export interface Envelope<Data = unknown> {
  status: 'success' | 'accepted' | 'partial' | 'pending_approval' | 'error';
  data: Data;
  metadata: { next_cursor?: string; total_count?: number; result_count?: number; [more: string]: unknown };
  refs: Ref[];
  warnings: string[];
  tool_call_id: string;
  error?: {
    code: ErrorCode;
    message: string;
    suggestion?: string;
    details?: Record<string, unknown>;
    retryable: boolean;
    retry_after_seconds?: number;
  };
}

export interface Connection {
  /** E.g. http://127.0.0.1:8080 */
  url: string;
  /** A key, or an access token. */
  apiKey: string;
  /**
   * The worker on whose behalf calls are made: 1 to 128 letters, digits and . _ : @ / -. A worker holds one task at a time,
   * so two programs need two names. Default: a new name for each client. Empty: the key's own name.
   */
  agentId?: string;
  /** How long a failed call is repeated, in ms. Default 60 000. */
  retryForMs?: number;
  /** How long one attempt may take, in ms. Default 90 000: tools that wait do so for at most 60 s. */
  timeoutMs?: number;
  /** Default: the platform's own. */
  fetch?: typeof fetch;
}

export interface Attempt {
  /** null: none is sent. */
  idempotencyKey: string | null;
  signal?: AbortSignal | undefined;
  /** Instead of the connection's `retryForMs`. */
  retryForMs?: number | undefined;
}

const firstPauseMs = 200;
const longestPauseMs = 10_000;

/** Calls tools. Each call is repeated, under the same idempotency key, while repeating makes sense. */
export class Http {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #retryForMs: number;
  readonly #timeoutMs: number;
  readonly #fetch: typeof fetch;

  constructor({ url, apiKey, agentId, retryForMs = 60_000, timeoutMs = 90_000, fetch: send = fetch }: Connection) {
    if (!/^https?:\/\//.test(url)) throw new TypeError(`The address of a Signalbox begins with http:// or https://: ${url}`);
    this.#url = url.replace(/\/+$/, '');
    this.#headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(agentId ? { 'x-agent-id': agentId } : {}),
    };
    this.#retryForMs = retryForMs;
    this.#timeoutMs = timeoutMs;
    this.#fetch = send;
  }

  /** @throws SignalboxError; the reason of `signal` when it is aborted */
  async call(tool: string, input: object, attempt: Attempt): Promise<Envelope> {
    const until = performance.now() + (attempt.retryForMs ?? this.#retryForMs);
    for (let tries = 0; ; tries += 1) {
      attempt.signal?.throwIfAborted();
      let error: SignalboxError;
      try {
        return await this.#once(tool, input, attempt);
      } catch (caught) {
        attempt.signal?.throwIfAborted();
        if (!(caught instanceof SignalboxError)) throw caught;
        error = caught;
      }
      // A pause with a random part: clients that failed together come back one by one.
      const grown = Math.min(longestPauseMs, firstPauseMs * 2 ** tries) * (0.5 + Math.random() / 2);
      const pause = error.retryAfterSeconds === undefined ? grown : Math.max(error.retryAfterSeconds * 1000, grown);
      if (!worthRepeating(error) || performance.now() + pause > until) throw error;
      await sleep(pause, attempt.signal);
    }
  }

  async #once(tool: string, input: object, { idempotencyKey, signal }: Attempt): Promise<Envelope> {
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    let status: number;
    let text: string;
    let retryAfter: string | null;
    try {
      const answer = await this.#fetch(`${this.#url}/api/tools/${encodeURIComponent(tool)}`, {
        method: 'POST',
        headers: { ...this.#headers, ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }) },
        body: JSON.stringify(input),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      status = answer.status;
      retryAfter = answer.headers.get('retry-after');
      text = await answer.text();
    } catch (cause) {
      throw new SignalboxError('UNREACHABLE', `Signalbox at ${this.#url} did not answer ${tool}.`, {
        hint: 'Check the address, and whether the server runs. Whether the call was made is not known; a repeat under the same idempotency key acts once.',
        retryable: true,
        cause,
      });
    }
    const envelope = envelopeIn(text);
    if (!envelope) throw this.#noEnvelope(tool, status, retryAfter);
    if (envelope.status !== 'error') return envelope;
    const { code = 'INTERNAL', message = 'The call failed.', suggestion, details, retryable, retry_after_seconds } = envelope.error ?? {};
    throw new SignalboxError(code, message, {
      hint: suggestion,
      details,
      retryable,
      retryAfterSeconds: retry_after_seconds,
      toolCallId: envelope.tool_call_id,
    });
  }

  /** The answer of a proxy, or of something else. */
  #noEnvelope(tool: string, status: number, retryAfter: string | null): SignalboxError {
    const message = `${this.#url} answered ${tool} with HTTP ${status} and no envelope.`;
    if (status === 429 || (status >= 502 && status <= 504)) {
      const seconds = Number(retryAfter ?? Number.NaN);
      return new SignalboxError(status === 429 ? 'RATE_LIMIT_EXCEEDED' : 'SERVICE_UNAVAILABLE', message, {
        hint: 'A proxy before the server refuses the call for now.',
        retryable: true,
        retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
      });
    }
    return new SignalboxError('INTERNAL', message, { hint: 'Is this the address of a Signalbox?' });
  }
}

/** An earlier attempt may still run: the server then answers CONFLICT and says when to ask again. */
const worthRepeating = (error: SignalboxError): boolean =>
  error.retryable || (error.code === 'CONFLICT' && error.retryAfterSeconds !== undefined);

function envelopeIn(text: string): Envelope | null {
  try {
    const found = JSON.parse(text) as Partial<Envelope> | null;
    return typeof found === 'object' && found !== null && typeof found.status === 'string' && typeof found.tool_call_id === 'string'
      ? (found as Envelope)
      : null;
  } catch {
    return null;
  }
}

/** @throws the reason of the signal */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason is the caller's
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      done();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

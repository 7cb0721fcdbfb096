/**
 * `fetch` for libraries with their own protocol (A2A): the same guards as `webClient`, but every answer is returned,
 * whatever its status, and bodies are streamed.
 */
import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { outgoingHeaders } from '../../contracts/headers.ts';
import { explainFailure, timedOut } from './failures.ts';
import { tooLarge } from './body.ts';
import { header } from './headers.ts';
import { checkedLookup, displayUrl, parseTarget, refusedUrl, systemResolver } from './targets.ts';
import type { WebClientOptions } from './types.ts';
import { undici } from './undici.ts';

export interface GuardedFetchLimits {
  /** For a normal answer. */
  maxBytes: number;
  /** For a whole event stream. */
  maxStreamBytes: number;
  connectTimeoutMs: number;
  headersTimeoutMs: number;
  /** The longest pause within a normal answer. */
  idleTimeoutMs: number;
  /** The longest pause within an event stream; its reader reconnects afterwards. */
  streamIdleTimeoutMs: number;
}

export interface GuardedFetch {
  /**
   * Accepts a URL, and a body as text or bytes. Redirects are refused, because a post must only go to the requested
   * address. The answer's body fails with PAYLOAD_TOO_LARGE, TIMEOUT or SERVICE_UNAVAILABLE while it is read.
   * @throws {AppError} as `WebClient.fetch`, except that no status is an error
   */
  fetch: typeof fetch;
  /** Closes all connections, also those in use. */
  close(): Promise<void>;
}

const defaults: GuardedFetchLimits = {
  maxBytes: 8_000_000,
  maxStreamBytes: 64_000_000,
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  streamIdleTimeoutMs: 60_000,
};

export function guardedFetch(options: Omit<WebClientOptions, 'limits'> & { limits?: Partial<GuardedFetchLimits> }): GuardedFetch {
  const { allowPrivate, userAgent } = options;
  const limits = { ...defaults, ...options.limits };
  let made: Agent | undefined;
  const agent = (): Agent =>
    (made ??= new (undici().Agent)({
      connect: { timeout: limits.connectTimeoutMs, lookup: checkedLookup(options.resolve ?? systemResolver, allowPrivate) },
      headersTimeout: limits.headersTimeoutMs,
    }));

  async function guarded(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = parseTarget(input instanceof Request ? input.url : String(input), allowPrivate);
    const { body, signal } = init;
    if (input instanceof Request || (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array))) {
      throw new TypeError('guardedFetch takes a URL, and a body as text or bytes');
    }
    const headers = outgoingHeaders(Object.fromEntries(new Headers(init.headers)));
    const streams = (headers['accept'] ?? '').includes('text/event-stream');
    try {
      const answer = await undici().request(url, {
        dispatcher: agent(),
        method: (init.method ?? (body ? 'POST' : 'GET')) as 'GET' | 'POST',
        headers: { 'user-agent': userAgent, ...headers, 'accept-encoding': 'identity' },
        body: body ?? null,
        signal: signal ?? null,
        bodyTimeout: streams ? limits.streamIdleTimeoutMs : limits.idleTimeoutMs,
      });
      // Without a listener, aborting a body would be an unhandled error.
      answer.body.on('error', () => {});
      const { statusCode: status } = answer;
      if ([301, 302, 303, 307, 308].includes(status)) {
        answer.body.destroy();
        throw refusedUrl('redirect', `${displayUrl(url)} redirects to another address.`, 'Give the address it leads to.', { status });
      }
      const coding = header(answer.headers, 'content-encoding') ?? 'identity';
      if (coding !== 'identity') {
        answer.body.destroy();
        throw refusedUrl('encoding', `${displayUrl(url)} answers packed although it was asked not to.`, 'The agent must correct it.');
      }
      const maxBytes = streams && status === 200 ? limits.maxStreamBytes : limits.maxBytes;
      const empty = status === 204 || status === 205 || status === 304;
      if (empty) answer.body.destroy();
      return new Response(empty ? null : bounded(answer.body, maxBytes, url, signal ?? undefined), {
        status,
        headers: pairsOf(answer.headers),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw explainFailure(error, url);
    }
  }

  return { fetch: guarded, close: async () => await made?.destroy() };
}

/** The body as a web stream of at most `maxBytes`, with explained failures. */
function bounded(body: Readable, maxBytes: number, url: URL, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let size = 0;
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength;
        if (size > maxBytes) throw tooLarge(maxBytes);
        yield chunk;
      }
    } catch (error) {
      signal?.throwIfAborted();
      const idle = (error as NodeJS.ErrnoException).code === 'UND_ERR_BODY_TIMEOUT';
      throw idle ? timedOut(url, 'fell silent', error) : explainFailure(error, url);
    }
  }
  // When the reader stops early, the generator ends the body and with it the connection.
  return ReadableStream.from(chunks());
}

const pairsOf = (headers: Record<string, string | string[] | undefined>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, each]),
  );

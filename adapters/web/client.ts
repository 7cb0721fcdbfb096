/**
 * All user-supplied URLs (pages, feeds, callbacks) are fetched through this client. It reaches public addresses only,
 * follows redirects itself, and limits size and time.
 */
import type { Agent, Dispatcher } from 'undici';
import { AppError } from '../../contracts/errors.ts';
import { readBody, tooLarge } from './body.ts';
import { explainFailure, statusError, timedOut } from './failures.ts';
import { header, readContentType, readFilename, readRetryAfter } from './headers.ts';
import { firstHop, nextHop, type Hop } from './hops.ts';
import { slotsPerKey } from './slots.ts';
import { checkedLookup, displayUrl, parseTarget, refusedUrl, systemResolver } from './targets.ts';
import type { Fetched, FetchOptions, WebClient, WebClientOptions, WebLimits } from './types.ts';
import { undici } from './undici.ts';

type Redirect = { to: URL; status: number };
type Document = Omit<Fetched, 'redirects'>;

const defaults: WebLimits = {
  maxBytes: 20_000_000,
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 15_000,
  idleTimeoutMs: 10_000,
  maxRedirects: 5,
  perHost: 2,
};

/** An abandoned connection attempt continues at most this long. */
const longestConnectMs = 60_000;

/** An unneeded body is read to its end if it is this short (bytes, ms): the connection can then be reused. */
const unwanted = { bytes: 64 * 1024, ms: 500 };

export function webClient(options: WebClientOptions): WebClient {
  const { allowPrivate, userAgent, log } = options;
  const limits = { ...defaults, ...options.limits };
  const withSlot = slotsPerKey(limits.perHost);
  const agentWith = (connectMs: number, headersMs: number, idleMs: number): Agent =>
    new (undici().Agent)({
      connections: limits.perHost,
      connect: { timeout: connectMs, lookup: checkedLookup(options.resolve ?? systemResolver, allowPrivate) },
      headersTimeout: headersMs,
      bodyTimeout: idleMs,
    });
  let agents: { bounded: Agent; oneTimeout: Agent } | undefined;
  const agent = (oneTimeout = false): Agent => {
    agents ??= {
      bounded: agentWith(limits.connectTimeoutMs, limits.headersTimeoutMs, limits.idleTimeoutMs),
      // No timeouts of single phases, because the caller sets one for the whole request; only connecting has a long one.
      oneTimeout: agentWith(longestConnectMs, 0, 0),
    };
    return oneTimeout ? agents.oneTimeout : agents.bounded;
  };

  /** One request: the document, or a redirect. */
  async function once(hop: Hop, asked: FetchOptions, maxBytes: number, signal: AbortSignal): Promise<Redirect | Document> {
    const { url } = hop;
    const answer = await undici().request(url, {
      dispatcher: agent(asked.oneTimeout),
      method: hop.method,
      headers: hop.headers,
      body: hop.body ?? null,
      signal,
    });
    // Without a listener, aborting a body would be an unhandled error.
    answer.body.on('error', () => {});
    try {
      return await read(url, answer, asked, maxBytes, hop.method === 'HEAD');
    } finally {
      if (!answer.body.readableEnded) answer.body.destroy();
    }
  }

  async function read(
    url: URL,
    answer: Dispatcher.ResponseData,
    asked: FetchOptions,
    maxBytes: number,
    headOnly: boolean,
  ): Promise<Redirect | Document> {
    const { statusCode: status, headers } = answer;
    const location = header(headers, 'location');
    if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
      return { to: parseTarget(location, allowPrivate, url), status };
    }

    const retryAfterSeconds = readRetryAfter(header(headers, 'retry-after'));
    const unchanged = status === 304 && (asked.etag !== undefined || asked.lastModified !== undefined);
    if (!unchanged && (status < 200 || status > 299)) throw statusError(url, status, retryAfterSeconds);

    if (asked.ignoreBody) await answer.body.dump({ limit: unwanted.bytes, signal: AbortSignal.timeout(unwanted.ms) }).catch(() => {});
    const { mediaType, charset } = readContentType(header(headers, 'content-type'));
    const filename = readFilename(header(headers, 'content-disposition'), url);
    const hasBody = !asked.ignoreBody && !unchanged && !headOnly && status !== 204;
    if (hasBody && asked.acceptsType?.(mediaType, filename) === false) {
      throw refusedUrl('media_type', `${displayUrl(url)} is ${mediaType}, which is not read here.`, 'Give the address of a document.', {
        mediaType,
      });
    }
    if (hasBody && Number(header(headers, 'content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const bytes = hasBody ? await readBody(answer.body, header(headers, 'content-encoding'), maxBytes) : new Uint8Array();
    const etag = header(headers, 'etag');
    const lastModified = header(headers, 'last-modified');
    const robotsTag = header(headers, 'x-robots-tag');
    const contentLanguage = header(headers, 'content-language');
    return {
      url: url.href,
      status,
      mediaType,
      bytes,
      ...(charset === undefined ? {} : { charset }),
      ...(contentLanguage === undefined ? {} : { contentLanguage }),
      ...(filename === undefined ? {} : { filename }),
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { lastModified }),
      ...(robotsTag === undefined ? {} : { robotsTag }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }

  const client: WebClient = {
    userAgent,

    check: (text) => parseTarget(text, allowPrivate).href,

    async fetch(text, asked = {}) {
      const maxBytes = asked.maxBytes ?? limits.maxBytes;
      let hop = firstHop(parseTarget(text, allowPrivate), asked, userAgent);
      const watch = stopwatch(asked.timeoutMs ?? limits.timeoutMs, asked.signal);
      const redirects: string[] = [];
      try {
        for (;;) {
          const current = hop;
          const result = await withSlot(current.url.hostname, watch.signal, () => {
            // Time spent waiting for other requests to the same host does not count.
            watch.start();
            return once(current, asked, maxBytes, watch.signal);
          });
          if (!('to' in result)) {
            log?.debug({ host: current.url.host, status: result.status, bytes: result.bytes.byteLength }, 'fetched');
            return { ...result, redirects };
          }
          if (redirects.length >= limits.maxRedirects) {
            throw refusedUrl('redirect', `${displayUrl(current.url)} redirects too often.`, 'Give the address where the redirects end.');
          }
          await asked.onRedirect?.(result.to, result.status);
          redirects.push(result.to.href);
          hop = nextHop(current, result.to, result.status);
        }
      } catch (error) {
        asked.signal?.throwIfAborted();
        const known = watch.expired() ? timedOut(hop.url, 'took too long', error) : explainFailure(error, hop.url);
        if (known instanceof AppError)
          log?.debug({ host: hop.url.host, code: known.code, reason: known.details?.['reason'] }, 'not fetched');
        throw known;
      } finally {
        watch.stop();
      }
    },

    async post(text, { receiver, headers, ...posting }) {
      await client.fetch(text, {
        ...posting,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ignoreBody: true,
        onRedirect: () => {
          throw refusedUrl('redirect', `The ${receiver} redirects.`, 'Give the address itself.');
        },
      });
    },

    close: async () => void (await Promise.all([agents?.bounded.destroy(), agents?.oneTimeout.destroy()])),
  };
  return client;
}

/** A signal that aborts with the caller's, or `timeoutMs` after `start`. */
function stopwatch(timeoutMs: number, caller: AbortSignal | undefined) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let expired = false;
  const follow = (): void => controller.abort(caller?.reason);
  if (caller?.aborted === true) follow();
  caller?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    expired: () => expired,
    start: () => {
      timer ??= setTimeout(() => {
        expired = true;
        controller.abort(new Error('time is up'));
      }, timeoutMs);
    },
    stop: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}

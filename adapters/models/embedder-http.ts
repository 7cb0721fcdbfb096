import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../contracts/errors.ts';
import { userAgent } from '../../platform/version.ts';
import { guardedFetch } from '../web/guarded-fetch.ts';
import { readRetryAfter } from '../web/headers.ts';
import { slotsPerKey } from '../web/slots.ts';
import { dialects, type Dialect } from './embedder-dialects.ts';
import type { EmbedOptions, Embedder } from './embedder.ts';

export interface HttpEmbedderOptions {
  /** The full URL, e.g. `http://localhost:11434/v1/embeddings`. */
  url: string;
  apiKey?: string | undefined;
  /** The server's name of the model. */
  model: string;
  dialect: Dialect;
  /** Length of the vectors. */
  dimensions: number;
  /** Ask the server for vectors of this length; only some models can shorten theirs. */
  shorten?: boolean;
  /** Put before queries, and before texts that are searched. */
  queryPrefix?: string;
  passagePrefix?: string;
  /** Per request including retries, in ms. */
  timeoutMs?: number;
  maxRetries?: number;
  /** Texts per request. */
  batch?: number;
  /** Characters that are read of a text. */
  maxCharacters?: number;
  /** Concurrent requests for queries, and as many for other texts; the others wait. */
  concurrency?: number;
  /** First pause between attempts, in ms; doubles. */
  pauseMs?: number;
  /** After two failures in a row nothing is asked for this time, in ms. */
  restMs?: number;
}

/** Longest pause that is waited for; a longer one is passed on to the caller. */
const longestPauseMs = 30_000;
/** A text of this length is not halved again. */
const shortest = 200;

/** One attempt failed. `again`: another one may succeed. */
class Failed extends Error {
  readonly status: number | null;
  readonly again: boolean;
  readonly pauseMs: number | undefined;

  constructor(why: string, { status = null, again = false, pauseMs }: { status?: number | null; again?: boolean; pauseMs?: number } = {}) {
    super(why);
    this.status = status;
    this.again = again;
    this.pauseMs = pauseMs;
  }
}

/**
 * A server with the embeddings API of OpenAI or Cohere: a provider, or Ollama, vLLM, Text Embeddings Inference and others.
 * The operator chooses the address, so it may be private. Redirects are refused, because they would receive the key.
 * Errors contain no part of a request or an answer, which may repeat it.
 */
export function createHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { url, apiKey, model, dimensions, queryPrefix = '', passagePrefix = '', timeoutMs = 30_000, maxRetries = 3 } = options;
  const { batch = 32, maxCharacters = 8_000, concurrency = 4, pauseMs = 500, restMs = 5_000 } = options;
  const dialect = dialects[options.dialect];
  // Not the address: the same model behind another one makes the same vectors.
  const how = [options.dialect, model, dimensions, options.shorten ?? false, passagePrefix];
  const id = `${model}@${createHash('sha256').update(JSON.stringify(how)).digest('hex').slice(0, 12)}`;
  const name = `The embedding model ${model} at EMBEDDING_URL`;
  const guarded = guardedFetch({
    allowPrivate: true,
    userAgent,
    limits: { headersTimeoutMs: timeoutMs + 1_000, idleTimeoutMs: timeoutMs + 1_000, maxBytes: 64_000_000 },
  });
  const slots = slotsPerKey(concurrency);
  const closing = new AbortController();
  let failures = 0;
  let restingUntil = 0;

  const unavailable = (why: string, hint?: string, retryAfterSeconds?: number): AppError =>
    new AppError('SERVICE_UNAVAILABLE', `${name} cannot be used: ${why}`, {
      hint: hint ?? 'Check EMBEDDING_URL, EMBEDDING_API_KEY and EMBEDDING_MODEL. Searches go by words meanwhile.',
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });

  /** @throws Failed; AppError when repeating is useless */
  async function attempt(texts: readonly string[], as: 'query' | 'passage', signal: AbortSignal): Promise<unknown> {
    let response: Response;
    try {
      response = await guarded.fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        },
        body: JSON.stringify(dialect.request({ model, texts, as, dimensions: options.shorten ? dimensions : undefined })),
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError && error.code === 'VALIDATION_ERROR') throw unavailable(error.message, error.hint);
      throw new Failed('it cannot be reached', { again: true });
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw failureOf(response);
    }
    try {
      return await response.json();
    } catch (error) {
      signal.throwIfAborted();
      throw new Failed(error instanceof AppError ? 'its answer ended early or is too large' : 'its answer is no JSON', { again: true });
    }
  }

  /** One request with its retries. */
  async function asked(texts: readonly string[], as: 'query' | 'passage', signal: AbortSignal): Promise<Float32Array[]> {
    if (Date.now() < restingUntil)
      throw unavailable('it did not answer of late', undefined, Math.ceil((restingUntil - Date.now()) / 1_000));
    const deadline = AbortSignal.timeout(timeoutMs);
    const either = AbortSignal.any([signal, deadline, closing.signal]);
    for (let tries = 0; ; tries += 1) {
      try {
        const vectors = read(await attempt(texts, as, either), texts.length);
        failures = 0;
        return vectors;
      } catch (error) {
        if (!(error instanceof Failed)) {
          if (closing.signal.aborted) throw unavailable('it is closed');
          signal.throwIfAborted();
          if (!deadline.aborted) throw error;
          failed();
          throw unavailable(`it did not answer within ${timeoutMs / 1_000} s`);
        }
        const pause = error.pauseMs ?? pauseMs * 2 ** tries;
        if (!error.again || tries >= maxRetries || pause > longestPauseMs) {
          if (isTooLong(error.status) && (texts.length > 1 || texts[0]!.length > shortest)) throw error;
          if (error.again && error.status !== 429) failed();
          throw unavailable(error.message, hintOf(error.status), error.again ? Math.ceil(pause / 1_000) : undefined);
        }
        await sleep(pause, undefined, { signal: either }).catch(() => {
          signal.throwIfAborted();
          throw unavailable(error.message, hintOf(error.status), Math.ceil(pause / 1_000));
        });
      }
    }
  }

  function failed(): void {
    failures += 1;
    if (failures >= 2) restingUntil = Date.now() + restMs;
  }

  function read(body: unknown, count: number): Float32Array[] {
    let vectors: number[][];
    try {
      vectors = dialect.vectors(body, count);
    } catch {
      throw new Failed(`its answer is none of the API "${options.dialect}" (EMBEDDING_DIALECT)`);
    }
    for (const { length } of vectors) {
      if (length === dimensions) continue;
      throw unavailable(
        `its vectors have ${length} dimensions, EMBEDDING_DIMENSIONS is ${dimensions}`,
        options.shorten
          ? 'The model cannot make vectors of this length: set EMBEDDING_DIMENSIONS to the length that it makes.'
          : `Set EMBEDDING_DIMENSIONS to ${length}, or EMBEDDING_SHORTEN to true if the model can shorten its vectors.`,
      );
    }
    return vectors.map(normalised);
  }

  /** Halves what the server finds too long, until the text is found, and then that text. */
  async function within(texts: readonly string[], as: 'query' | 'passage', signal: AbortSignal): Promise<Float32Array[]> {
    try {
      return await asked(texts, as, signal);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      if (texts.length === 1) return await within([texts[0]!.slice(0, texts[0]!.length / 2)], as, signal);
      const half = Math.ceil(texts.length / 2);
      return [...(await within(texts.slice(0, half), as, signal)), ...(await within(texts.slice(half), as, signal))];
    }
  }

  return {
    id,
    dimensions,
    get resting() {
      return Date.now() < restingUntil;
    },
    async embed(texts, { priority = texts.length === 1 ? 'query' : 'batch', as = 'passage', signal }: EmbedOptions = {}) {
      const prefix = as === 'query' ? queryPrefix : passagePrefix;
      // Some servers refuse an empty text.
      const given = texts.map((text) => (prefix + (text.trim() === '' ? '.' : text)).slice(0, maxCharacters).toWellFormed());
      const vectors: Float32Array[] = [];
      const either = signal ?? closing.signal;
      for (let from = 0; from < given.length; from += batch) {
        const some = given.slice(from, from + batch);
        // Queries have slots of their own, so none waits for ingestion.
        vectors.push(...(await slots(priority, either, () => within(some, as, either))));
      }
      return vectors;
    },
    async close() {
      closing.abort();
      await guarded.close();
    },
  };
}

/** Some servers say "too long" with a status that has other meanings, too: then the halves fail in the same way. */
const isTooLong = (status: number | null): boolean => status === 400 || status === 413 || status === 422;

function failureOf({ status, headers }: Response): Failed {
  const ms = Number(headers.get('retry-after-ms') ?? NaN);
  const seconds = readRetryAfter(headers.get('retry-after') ?? undefined);
  const pauseMs = ms >= 0 ? ms : seconds === undefined ? undefined : seconds * 1_000;
  const again = status === 408 || status === 409 || status === 429 || status >= 500;
  const why = status === 429 ? 'it limits how often it is asked (HTTP 429)' : `it answered HTTP ${status}`;
  return new Failed(why, { status, again, ...(pauseMs === undefined ? {} : { pauseMs }) });
}

function hintOf(status: number | null): string | undefined {
  if (status === 401 || status === 403) return 'It does not accept the key: check EMBEDDING_API_KEY.';
  if (status === 404) return 'It knows no such address or model: check EMBEDDING_URL, which is the whole address, and EMBEDDING_MODEL.';
  if (status === 429) return 'It is asked again by itself; a lower EMBEDDING_CONCURRENCY or a larger EMBEDDING_BATCH needs fewer requests.';
  return undefined;
}

function normalised(vector: readonly number[]): Float32Array {
  const norm = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / norm);
}

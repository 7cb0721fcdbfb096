import { fork, type ChildProcess } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contracts/errors.ts';
import { currentTenant } from '../postgres/tenancy.ts';
import type { HostReply, HostSettings } from './embedder-host.ts';
import { poolOf } from './embedder-pool.ts';
import { EmbeddingQueue, type EmbedPriority, type EmbedRequest } from './embedding-queue.ts';

/** Turns texts into unit vectors whose dot product is their cosine similarity. */
export interface Embedder {
  /** Model name and hash prefix. Store it beside vectors: only vectors of the same id may be compared. */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * One L2-normalised vector per text, in order; tenants take turns. Text beyond the model's window (512 tokens) is ignored.
   * @throws {AppError} SERVICE_UNAVAILABLE when the model cannot be used; the signal's reason when aborted.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Frees the model and refuses what still waits. Idempotent. */
  close(): Promise<void>;
}

export interface EmbedOptions {
  /** Default: `query` for a single text, `batch` for more. */
  priority?: EmbedPriority;
  signal?: AbortSignal;
}

export interface LocalEmbedderOptions {
  /** Folder with `model.onnx` and `tokenizer.json`. */
  dir: string;
  /** Milliseconds without work after which the model's process ends and gives its memory back. Default 5 minutes. */
  idleMs?: number;
  /** Threads within one text. Default 1: a second one gains little (processes do). */
  threads?: number;
  /** Unix nice value of the model's process. Default 5. */
  niceness?: number;
  /** Length of the model's vectors. Default 384. */
  dimensions?: number;
  /** Milliseconds after which a silent model process is ended. Default 60,000. */
  stallMs?: number;
}

/** What a model file needs to be told about itself, by the SHA-256 of its model.onnx. Others count as `onnx`, CLS. */
const knownModels: Record<string, { name: string; pooling: 'cls' | 'mean' }> = {
  '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4': { name: 'bge-small-en-v1.5-int8', pooling: 'cls' },
  afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1: { name: 'all-minilm-l6-v2-int8', pooling: 'mean' },
};

const maxTokens = 512;
/** Far more than 512 tokens of any language; keeps tokenising and message passing bounded. */
const maxCharacters = 16_384;

/** The embedder the configuration asks for, or null (`none` or unset): search then runs on words alone. */
export function createEmbedder(config: { EMBEDDING_MODEL_DIR?: string | undefined; EMBEDDING_PROCESSES?: number }): Embedder | null {
  const dir = config.EMBEDDING_MODEL_DIR?.trim();
  if (dir === undefined || dir === '' || dir === 'none') return null;
  return createEmbedders(dir, config.EMBEDDING_PROCESSES);
}

/** As many processes of a model as wanted, but no more than there are processors. */
export function createEmbedders(dir: string, processes = 1): Embedder {
  const count = Math.min(processes, availableParallelism());
  // The further ones work for ingestion first of all, and give way to everything else.
  return poolOf(Array.from({ length: count }, (_, i) => createLocalEmbedder({ dir, niceness: i === 0 ? 5 : 10 })));
}

/**
 * An embedder over a local ONNX model, in a process of its own that starts with the first text and ends when idle.
 * Creating it touches nothing. `id` hashes the model's files when first read (some 100 ms) and throws
 * SERVICE_UNAVAILABLE, as `embed` does, when they cannot be read.
 */
export function createLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  const { dir, idleMs = 300_000, threads = 1, niceness = 5, dimensions = 384, stallMs = 60_000 } = options;
  const queue = new EmbeddingQueue();
  let identity: { id: string; pooling: 'cls' | 'mean' } | undefined;
  let host: { child: ChildProcess; ready: boolean } | undefined;
  /** The text the host is working on. One at a time: batches change int8 vectors and save nothing. */
  let working: { request: EmbedRequest; index: number; id: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  let closed = false;

  const unavailable = (why: string, cause?: unknown): AppError =>
    new AppError('SERVICE_UNAVAILABLE', `The embedding model in EMBEDDING_MODEL_DIR (${dir}) cannot be used: ${why}`, {
      hint: 'Point EMBEDDING_MODEL_DIR at a folder with model.onnx and tokenizer.json, or set it to "none" to search by words only.',
      ...(cause === undefined ? {} : { cause }),
    });

  function identify(): { id: string; pooling: 'cls' | 'mean' } {
    if (identity !== undefined) return identity;
    try {
      const hash = hashFile(createHash('sha256'), join(dir, 'model.onnx'));
      const known = knownModels[hash.copy().digest('hex')];
      // The tokenizer is part of the identity: with another one the same model gives other vectors.
      const prefix = hashFile(hash, join(dir, 'tokenizer.json')).digest('hex').slice(0, 12);
      identity = { id: `${known?.name ?? 'onnx'}@${prefix}`, pooling: known?.pooling ?? 'cls' };
      return identity;
    } catch (error) {
      throw unavailable(error instanceof Error ? error.message : String(error), error);
    }
  }

  function setTimer(milliseconds: number, then: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds).unref();
  }

  /** Ends the host at once: it holds no state worth a goodbye. */
  function stop(): Promise<void> {
    clearTimeout(timer);
    const ending = host?.child;
    host = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      ending.ref();
      ending.once('exit', () => resolve());
      ending.kill('SIGKILL');
    });
  }

  function failAll(reason: AppError): void {
    const waiting = new Set(queue.drain());
    if (working !== undefined) waiting.add(working.request);
    working = undefined;
    for (const request of waiting) request.reject(reason);
  }

  /** The host died or hangs. Only the text it had in hand is to blame; the others get a new host. */
  function lost(why: string): void {
    if (working === undefined) return;
    const { request } = working;
    working = undefined;
    queue.remove(request);
    request.reject(unavailable(why));
    advance();
  }

  function start(): void {
    const { pooling } = identify();
    for (const name of ['model.onnx', 'tokenizer.json']) {
      try {
        accessSync(join(dir, name), constants.R_OK);
      } catch (error) {
        throw unavailable(`${name} is not readable`, error);
      }
    }
    const settings: HostSettings = { dir, threads, niceness, pooling, maxTokens };
    const child = fork(fileURLToPath(new URL('./embedder-host.ts', import.meta.url)), [JSON.stringify(settings)], {
      serialization: 'advanced',
      execArgv: [],
      // Nothing of our environment is its business, secrets least of all.
      env: { NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const current = { child, ready: false };
    host = current;
    child.on('message', (message) => {
      if (host === current) onReply(message as HostReply);
    });
    child.on('error', (error) => onGone(error.message));
    child.on('exit', (code, signal) => onGone(`its process ended (${signal ?? code})`));
    const onGone = (why: string): void => {
      if (host !== current) return;
      host = undefined;
      clearTimeout(timer);
      // Dying while loading is the model's fault, not a text's: trying again at once would only repeat it.
      if (current.ready) lost(why);
      else failAll(unavailable(why));
    };
    setTimer(stallMs, () => {
      void stop();
      failAll(unavailable(`it did not load within ${stallMs} ms`));
    });
  }

  function onReply(message: HostReply): void {
    if (message.type === 'unreadable') {
      void stop();
      failAll(unavailable(message.message));
      return;
    }
    if (message.type === 'ready') {
      if (host !== undefined) host.ready = true;
    } else if (working?.id === message.id) {
      settle(working, message);
      working = undefined;
    }
    advance();
  }

  function settle(done: { request: EmbedRequest; index: number }, message: HostReply): void {
    const { request, index } = done;
    if (message.type === 'vector' && message.vector.length === dimensions) {
      request.vectors[index] = message.vector;
      if (index === request.texts.length - 1) request.resolve(request.vectors);
      return;
    }
    queue.remove(request);
    const why =
      message.type === 'vector'
        ? `its vectors have ${message.vector.length} dimensions, ${dimensions} were expected`
        : message.type === 'failed'
          ? message.message
          : 'unexpected answer';
    request.reject(unavailable(why));
  }

  /** Gives the host its next text, starts it if need be, or lets it idle. */
  function advance(): void {
    if (working !== undefined) return;
    if (queue.empty) {
      if (host === undefined || !host.ready) return;
      // An idle model must not keep the process alive.
      host.child.unref();
      host.child.channel?.unref();
      setTimer(idleMs, () => void stop());
      return;
    }
    if (host === undefined) {
      try {
        start();
      } catch (error) {
        failAll(error as AppError);
      }
      return;
    }
    if (!host.ready) return;
    const next = queue.take();
    if (next === undefined) return;
    working = { request: next.request, index: next.index, id: ++lastId };
    host.child.ref();
    host.child.channel?.ref();
    host.child.send({ id: lastId, text: next.text.slice(0, maxCharacters) });
    setTimer(stallMs, () => {
      void stop();
      lost(`a text took longer than ${stallMs} ms`);
    });
  }

  return {
    get id() {
      return identify().id;
    },
    dimensions,
    embed(texts, { priority = texts.length === 1 ? 'query' : 'batch', signal } = {}) {
      if (closed) return Promise.reject(unavailable('it was closed'));
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      if (texts.length === 0) return Promise.resolve([]);
      return new Promise<Float32Array[]>((resolve, reject) => {
        const onAbort = (): void => {
          queue.remove(request);
          request.reject(signal?.reason as Error);
        };
        const request: EmbedRequest = {
          texts,
          priority,
          tenant: currentTenant(),
          vectors: [],
          next: 0,
          resolve: (vectors) => {
            signal?.removeEventListener('abort', onAbort);
            resolve(vectors);
          },
          reject: (reason) => {
            signal?.removeEventListener('abort', onAbort);
            reject(reason);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.add(request);
        advance();
      });
    },
    async close() {
      closed = true;
      failAll(unavailable('it was closed'));
      await stop();
    },
  };
}

/** In pieces, so that a model of any size costs one megabyte here. */
function hashFile(hash: Hash, path: string): Hash {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(1 << 20);
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read));
    return hash;
  } finally {
    closeSync(file);
  }
}

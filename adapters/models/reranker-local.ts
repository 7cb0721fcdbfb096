import { fork, type ChildProcess } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contracts/errors.ts';
import type { RerankHostReply, RerankHostRequest, RerankHostSettings } from './reranker-host.ts';
import type { Reranker } from './reranker.ts';

export interface LocalRerankerOptions {
  /** Folder with `model.onnx` and `tokenizer.json` of a cross-encoder. */
  dir: string;
  /** Milliseconds without work after which the model's process ends. Default 5 minutes. */
  idleMs?: number;
  /** Threads within one pair. Default 1. */
  threads?: number;
  /** Unix nice value. Default 5. */
  niceness?: number;
  /** Milliseconds after which a silent model process is ended. Default 60,000. */
  stallMs?: number;
  /** For a whole call, loading the model included, in ms. Default 20,000. */
  timeoutMs?: number;
}

const maxTokens = 512;
/** Far more than 512 tokens; keeps tokenising bounded. A query is cut so that room is left for the document. */
const maxDocument = 16_384;
const maxQuery = 1_000;

interface Host {
  child: ChildProcess;
  ready: Promise<void>;
  /** Sends one pair and waits for its score. One at a time. */
  score(query: string, document: string): Promise<number>;
}

/**
 * A cross-encoder in a process of its own, which starts with the first call and ends when idle. Creating it touches
 * nothing. Calls go one after the other: a pair costs some 10 to 50 CPU-ms, so side by side they would all be late.
 */
export function createLocalReranker(options: LocalRerankerOptions): Reranker {
  const { dir, idleMs = 300_000, threads = 1, niceness = 5, stallMs = 60_000, timeoutMs = 20_000 } = options;
  let host: Host | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const unavailable = (why: string, cause?: unknown): AppError =>
    new AppError('SERVICE_UNAVAILABLE', `The reranker in RERANKER_MODEL_DIR (${dir}) cannot be used: ${why}`, {
      hint: 'Point RERANKER_MODEL_DIR at a folder with model.onnx and tokenizer.json of a cross-encoder, or unset it.',
      ...(cause === undefined ? {} : { cause }),
    });

  function start(): Host {
    for (const name of ['model.onnx', 'tokenizer.json']) {
      try {
        accessSync(join(dir, name), constants.R_OK);
      } catch (error) {
        throw unavailable(`${name} is not readable`, error);
      }
    }
    const settings: RerankHostSettings = { dir, threads, niceness, maxTokens };
    const child = fork(fileURLToPath(new URL('./reranker-host.ts', import.meta.url)), [JSON.stringify(settings)], {
      serialization: 'advanced',
      execArgv: [],
      // Nothing of our environment is its business, secrets least of all.
      env: { NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    let lastId = 0;
    /** The next message that `wanted` takes; whatever ends the process, or its silence, ends the wait. */
    const next = <T>(wanted: (message: RerankHostReply) => T | undefined): Promise<T> =>
      new Promise((resolve, reject) => {
        const onMessage = (message: unknown): void => {
          const found = wanted(message as RerankHostReply);
          if (found === undefined) return;
          done();
          resolve(found);
        };
        const onExit = (code: number | null, signal: string | null): void => fail(`its process ended (${signal ?? code})`);
        const onError = (error: Error): void => fail(error.message);
        const silence = setTimeout(() => fail(`it was silent for ${stallMs} ms`), stallMs);
        const done = (): void => {
          clearTimeout(silence);
          child.off('message', onMessage).off('exit', onExit).off('error', onError);
        };
        const fail = (why: string): void => {
          done();
          stop(child);
          reject(unavailable(why));
        };
        child.on('message', onMessage).on('exit', onExit).on('error', onError);
      });
    const ready = next((message) => (message.type === 'ready' || message.type === 'unreadable' ? message : undefined)).then((message) => {
      if (message.type === 'ready') return;
      stop(child);
      throw unavailable(message.message);
    });
    // Awaited by the call that started it; an error event between calls must not end this process.
    ready.catch(() => {});
    child.on('error', () => {});
    child.on('exit', () => {
      if (host?.child === child) host = undefined;
    });
    return {
      child,
      ready,
      async score(query, document) {
        const id = ++lastId;
        const answer = next((message) => ('id' in message && message.id === id ? message : undefined));
        child.send({ id, query, document } satisfies RerankHostRequest, () => {});
        const message = await answer;
        if (message.type === 'score') return message.score;
        throw unavailable(message.type === 'failed' ? message.message : 'unexpected answer');
      },
    };
  }

  function stop(child: ChildProcess): void {
    if (host?.child === child) host = undefined;
    child.kill('SIGKILL');
  }

  /** An idle model must not keep our process alive, a working one must. */
  function hold(child: ChildProcess, held: boolean): void {
    clearTimeout(idle);
    if (held) {
      child.ref();
      child.channel?.ref();
      return;
    }
    child.unref();
    child.channel?.unref();
    idle = setTimeout(() => stop(child), idleMs).unref();
  }

  async function run(query: string, documents: readonly string[], signal: AbortSignal): Promise<number[]> {
    signal.throwIfAborted();
    if (closed) throw unavailable('it was closed');
    const current = (host ??= start());
    hold(current.child, true);
    try {
      await current.ready;
      const scores: number[] = [];
      for (const document of documents) {
        signal.throwIfAborted();
        scores.push(await current.score(query.slice(0, maxQuery), document.slice(0, maxDocument)));
      }
      return scores;
    } finally {
      hold(current.child, false);
    }
  }

  return {
    get id() {
      // Time and size tell one model from another well enough for a cache that lives some minutes.
      const stat = statSync(join(dir, 'model.onnx'), { throwIfNoEntry: false });
      return `${basename(dir)}@${stat ? `${stat.size}-${Math.trunc(stat.mtimeMs)}` : 'absent'}`;
    },
    async rerank(query, documents, { signal } = {}) {
      if (documents.length === 0) return [];
      const deadline = AbortSignal.timeout(timeoutMs);
      const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
      const mine = last.then(() => run(query, documents, either));
      last = mine.catch(() => {});
      const late = new Promise<never>((_, reject) =>
        either.addEventListener('abort', () => reject(either.reason as Error), { once: true }),
      );
      late.catch(() => {});
      try {
        // Also while others are being served.
        return await Promise.race([mine, late]);
      } catch (error) {
        if (signal?.aborted) throw signal.reason as Error;
        if (deadline.aborted) throw unavailable(`${documents.length} passages took longer than ${timeoutMs} ms`);
        throw error;
      }
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      const child = host?.child;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      stop(child);
      await gone;
    },
  };
}

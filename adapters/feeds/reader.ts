import { Worker } from 'node:worker_threads';
import { AppError } from '../../contracts/errors.ts';
import { articlesOf } from './articles.ts';
import { readFeed } from './read.ts';
import type { ReaderReply, ReaderTask } from './reader-thread.ts';
import type { FeedArticles, FeedReader } from './types.ts';

export interface FeedReaderSettings {
  /** Longer feeds are read in a thread of their own: this one has others to serve. In bytes. */
  cheapBytes?: number;
  /** For such a thread. */
  timeoutMs?: number;
  memoryMb?: number;
}

const mostThreads = 2;

/** Reads small feeds at once and large ones in threads with bounds on time and memory. */
export function openFeedReader({ cheapBytes = 512 * 1024, timeoutMs = 15_000, memoryMb = 512 }: FeedReaderSettings = {}): FeedReader {
  const threads = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let closed = false;

  async function inThread(task: ReaderTask): Promise<FeedArticles> {
    if (threads.size >= mostThreads) await new Promise<void>((go) => waiting.push(go));
    if (closed) throw unavailable();
    const thread = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      workerData: task,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    threads.add(thread);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(tooMuch('timeout', `it takes longer than ${timeoutMs / 1000} seconds`)), timeoutMs);
        thread.once('message', (reply: ReaderReply) => {
          if ('feed' in reply) resolve(reply.feed);
          else reject(new AppError(reply.code, reply.message, reply.extra));
        });
        thread.once('error', (error: NodeJS.ErrnoException) =>
          reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('out_of_memory', `it needs more than ${memoryMb} MB`) : error),
        );
        thread.once('exit', () => reject(unavailable()));
      });
    } finally {
      clearTimeout(timer);
      await thread.terminate();
      threads.delete(thread);
      waiting.shift()?.();
    }
  }

  return {
    async articles(input, max) {
      if (input.bytes.byteLength <= cheapBytes) return articlesOf(readFeed(input), max);
      // Without what else its owner has there: only plain data goes to a thread.
      const { bytes, url, charset, contentLanguage } = input;
      return await inThread({ input: { bytes, url, charset, contentLanguage }, max });
    },
    async close() {
      closed = true;
      for (const go of waiting.splice(0)) go();
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

const tooMuch = (reason: string, why: string): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The feed cannot be read: ${why}.`, {
    hint: 'Ask its publisher for a shorter feed.',
    details: { reason },
  });

const unavailable = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The feed was not read: this process is ending.', { hint: 'Try again in a few seconds.' });

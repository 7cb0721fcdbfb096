import { AppError } from '../../contracts/errors.ts';
import { BoundedPool } from '../../platform/pool/pool.ts';
import { articlesOf } from './articles.ts';
import { readFeed } from './read.ts';
import type { FeedArticles, FeedInput, FeedReader } from './types.ts';

export interface FeedReaderSettings {
  /** Longer feeds are read in a thread of their own: this one has others to serve. In bytes. */
  cheapBytes?: number;
  /** For such a thread. */
  timeoutMs?: number;
  memoryMb?: number;
}

/** Reads small feeds at once and large ones in threads with bounds on time and memory. */
export function openFeedReader({ cheapBytes = 512 * 1024, timeoutMs = 15_000, memoryMb = 512 }: FeedReaderSettings = {}): FeedReader {
  const pool = new BoundedPool<{ input: FeedInput; max: number }, FeedArticles>({
    kind: 'thread',
    file: new URL('./reader-thread.ts', import.meta.url),
    size: 2,
    memoryMb,
    jobMs: timeoutMs,
    // Large feeds are rare: between two of them a thread would hold memory for nothing.
    jobsEach: 1,
    refuse({ why, said, cause }) {
      if (why === 'late') return tooMuch('timeout', `it takes longer than ${timeoutMs / 1000} seconds`);
      if (why === 'memory') return tooMuch('out_of_memory', `it needs more than ${memoryMb} MB`);
      return why === 'failed' || why === 'crashed' ? (cause ?? new Error(said)) : unavailable();
    },
  });
  return {
    async articles(input, max) {
      if (input.bytes.byteLength <= cheapBytes) return articlesOf(readFeed(input), max);
      // Without what else its owner has there: only plain data goes to a thread.
      const { bytes, url, charset, contentLanguage } = input;
      return await pool.run({ input: { bytes, url, charset, contentLanguage }, max });
    },
    close: () => pool.close(),
  };
}

const tooMuch = (reason: string, why: string): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The feed cannot be read: ${why}.`, {
    hint: 'Ask its publisher for a shorter feed.',
    details: { reason },
  });

const unavailable = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The feed was not read: this process is ending.', { hint: 'Try again in a few seconds.' });

/** The thread that parses one large feed (started by reader.ts) and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError, type ErrorCode, type ErrorDetails } from '../../contracts/errors.ts';
import { articlesOf } from './articles.ts';
import { readFeed } from './read.ts';
import type { FeedArticles, FeedInput } from './types.ts';

export interface ReaderTask {
  input: FeedInput;
  max: number;
}

export type ReaderReply = { feed: FeedArticles } | { code: ErrorCode; message: string; extra: ErrorDetails };

const { input, max } = workerData as ReaderTask;
const reply = (message: ReaderReply): void => parentPort!.postMessage(message);
try {
  reply({ feed: articlesOf(readFeed(input), max) });
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  const { code, message, hint, alternatives, details } = error;
  reply({
    code,
    message,
    extra: { ...(hint === undefined ? {} : { hint }), ...(alternatives ? { alternatives } : {}), ...(details ? { details } : {}) },
  });
}

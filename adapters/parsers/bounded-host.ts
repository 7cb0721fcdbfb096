/**
 * The process that reads files (forked by bounded.ts; one argument: the megabytes it may hold at most).
 *
 * V8's own limit covers objects only; buffers, where unpacked archives are, do not count. And while a file is being
 * read, this thread answers to nothing. So a second thread watches: over the memory, and whether the parent still lives.
 */
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../contracts/errors.ts';
import { parse } from './index.ts';
import type { Parsed, ParseInput, ParseLimits } from './types.ts';

export interface HostRequest extends ParseInput {
  limits: ParseLimits;
}

export type HostReply = { rssMb: number } & (
  | { type: 'ready' }
  | { type: 'parsed'; parsed: Parsed }
  | { type: 'refused'; code: ErrorCode; message: string; extra: { hint?: string; details?: Record<string, unknown> } }
  | { type: 'failed'; message: string }
);

const watch = `
  const { workerData } = require('node:worker_threads');
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGUSR2');
  }, 25);
`;
const maxMb = Number(process.argv[2] ?? '1024');
new Worker(watch, { eval: true, workerData: maxMb * 1024 * 1024, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();

process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => {});
try {
  setPriority(0, 5);
} catch {
  // Not permitted here: only a courtesy.
}

const rssMb = (): number => process.memoryUsage.rss() / (1024 * 1024);
const reply = (message: HostReply): void => void process.send?.(message, () => {});

reply({ type: 'ready', rssMb: rssMb() });
process.on('message', ({ limits, ...input }: HostRequest) => {
  parse(input, limits).then(
    (parsed) => reply({ type: 'parsed', parsed, rssMb: rssMb() }),
    (error: unknown) => {
      if (!(error instanceof AppError)) return reply({ type: 'failed', message: String(error), rssMb: rssMb() });
      const extra = {
        ...(error.hint === undefined ? {} : { hint: error.hint }),
        ...(error.details === undefined ? {} : { details: error.details }),
      };
      return reply({ type: 'refused', code: error.code, message: error.message, extra, rssMb: rssMb() });
    },
  );
});

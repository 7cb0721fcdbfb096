/**
 * The process that links tables (forked by child.ts; one argument: the megabytes it may hold at most). While it computes
 * this thread answers to nothing, so a second one watches: over the memory, and whether the parent still lives.
 */
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../contracts/errors.ts';
import { linkSources, type LinkFigures, type LinkRequest } from './run.ts';

export type HostReply =
  | { type: 'linked'; figures: LinkFigures; lines: Uint8Array; peakMb: number }
  | { type: 'refused'; code: ErrorCode; message: string; hint: string | undefined }
  | { type: 'failed'; message: string };

const watch = `
  const { workerData } = require('node:worker_threads');
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGUSR2');
  }, 50);
`;
new Worker(watch, {
  eval: true,
  workerData: Number(process.argv[2] ?? '1024') * 1024 * 1024,
  resourceLimits: { maxOldGenerationSizeMb: 16 },
}).unref();

process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => {});
try {
  // Claims come first.
  setPriority(0, 5);
} catch {
  // Not permitted here: only a courtesy.
}

process.on('message', (request: LinkRequest) => {
  process.send?.(answer(request), () => {});
});

function answer(request: LinkRequest): HostReply {
  try {
    return { type: 'linked', ...linkSources(request), peakMb: Math.round(process.resourceUsage().maxRSS / 1024) };
  } catch (error) {
    if (error instanceof AppError) return { type: 'refused', code: error.code, message: error.message, hint: error.hint };
    return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

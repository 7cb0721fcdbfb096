import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contracts/errors.ts';
import type { HostReply } from './host.ts';
import type { LinkFigures, LinkRequest } from './run.ts';

export interface ChildLimits {
  signal?: AbortSignal;
  memoryMb?: number;
  timeoutMs?: number;
}

export interface ChildResult {
  figures: LinkFigures;
  /** The figures and then the links, as JSON lines. */
  lines: Uint8Array;
  /** Memory that the process held at most. */
  peakMb: number;
}

/** Enough for a million rows of an ordinary table. */
const defaultMemoryMb = 3_000;
const defaultTimeoutMs = 20 * 60_000;
/** What Node itself needs. */
const baseMb = 160;

/**
 * Links tables in a process of its own: it computes for minutes, and nobody may wait for it. Nothing in the tables can
 * harm this process.
 * @throws AppError VALIDATION_ERROR for tables that cannot be read; PAYLOAD_TOO_LARGE beyond the memory or time allowed;
 *   SERVICE_UNAVAILABLE when the process was ended from outside
 */
export async function linkInChild(request: LinkRequest, limits: ChildLimits = {}): Promise<ChildResult> {
  const { signal, memoryMb = defaultMemoryMb, timeoutMs = defaultTimeoutMs } = limits;
  signal?.throwIfAborted();
  const child = fork(fileURLToPath(new URL('./host.ts', import.meta.url)), [String(memoryMb + baseMb)], {
    serialization: 'advanced',
    execArgv: ['--permission', '--allow-fs-read=*', '--allow-worker', `--max-old-space-size=${memoryMb}`],
    // Nothing of our environment is its business, secrets least of all.
    env: { NODE_NO_WARNINGS: '1', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  const stop = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const reply = await new Promise<HostReply>((resolve, reject) => {
      child.once('message', (message) => resolve(message as HostReply));
      child.once('error', (error) => reject(unavailable(error.message)));
      child.once('exit', (code, died) => reject(late ? tooLong(timeoutMs) : whyGone(code, died, memoryMb)));
      child.send(request, (error) => {
        if (error) reject(unavailable(error.message));
      });
    });
    if (reply.type === 'linked') return { figures: reply.figures, lines: reply.lines, peakMb: reply.peakMb };
    if (reply.type === 'refused') throw new AppError(reply.code, reply.message, reply.hint === undefined ? {} : { hint: reply.hint });
    throw new Error(`table linkage failed: ${reply.message}`);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    child.kill('SIGKILL');
  }
}

const unavailable = (why: string): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `The tables could not be linked now: ${why}.`, { hint: 'Try again in a moment.' });

const tooLong = (timeoutMs: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `Linking the tables took longer than ${timeoutMs / 60_000} minutes.`, {
    hint: 'Link parts of them, e.g. by country.',
    details: { reason: 'timeout' },
  });

/** The tables' fault when memory ran out, nobody's when it was killed from outside. SIGUSR2 is its own watch over its memory. */
function whyGone(code: number | null, signal: NodeJS.Signals | null, memoryMb: number): AppError {
  if (signal === 'SIGUSR2' || signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134 || code === 133) {
    return new AppError('PAYLOAD_TOO_LARGE', `Linking the tables needs more than ${memoryMb} MB of memory.`, {
      hint: 'Link parts of them, e.g. by country, or leave columns out.',
      details: { reason: 'out_of_memory', memory_mb: memoryMb },
    });
  }
  return unavailable(`its process was ended (${signal ?? code})`);
}

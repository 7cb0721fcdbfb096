import { AppError } from '../../contracts/errors.ts';
import { BoundedPool, type Trouble } from '../../platform/pool/pool.ts';
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

/**
 * Links tables in a process of its own: it computes for minutes, and nobody may wait for it. Nothing in the tables can
 * harm this process.
 * @throws AppError VALIDATION_ERROR for tables that cannot be read; PAYLOAD_TOO_LARGE beyond the memory or time allowed;
 *   SERVICE_UNAVAILABLE when the process was ended from outside
 */
export async function linkInChild(request: LinkRequest, limits: ChildLimits = {}): Promise<ChildResult> {
  const { signal, memoryMb = defaultMemoryMb, timeoutMs = defaultTimeoutMs } = limits;
  const pool = new BoundedPool<LinkRequest, ChildResult>({
    kind: 'process',
    file: new URL('./host.ts', import.meta.url),
    size: 1,
    memoryMb,
    jobMs: timeoutMs,
    refuse: (trouble) => whyNot(trouble, memoryMb, timeoutMs),
  });
  try {
    return await pool.run(request, signal);
  } finally {
    await pool.close();
  }
}

/** The tables are at fault when memory or time ran out, but not when something else ended the process. */
function whyNot({ why, ready, said, cause }: Trouble, memoryMb: number, timeoutMs: number): Error {
  if (why === 'failed') return new Error(`table linkage failed: ${said}`, { cause });
  if (ready && why === 'late') {
    return new AppError('PAYLOAD_TOO_LARGE', `Linking the tables took longer than ${timeoutMs / 60_000} minutes.`, {
      hint: 'Link parts of them, e.g. by country.',
      details: { reason: 'timeout' },
    });
  }
  if (ready && why === 'memory') {
    return new AppError('PAYLOAD_TOO_LARGE', `Linking the tables needs more than ${memoryMb} MB of memory.`, {
      hint: 'Link parts of them, e.g. by country, or leave columns out.',
      details: { reason: 'out_of_memory', memory_mb: memoryMb },
    });
  }
  const ended = why === 'late' ? 'did not start in time' : `was ended (${said})`;
  return new AppError('SERVICE_UNAVAILABLE', `The tables could not be linked now: its process ${ended}.`, {
    hint: 'Try again in a moment.',
  });
}

import type { Logger } from 'pino';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { AppError } from '../../contracts/errors.ts';

/** One row, or one step of a tenant. */
export interface Place {
  tenant: string;
  step: string;
  /** Of a row, or of its process. */
  id?: string;
}

/** What was passed over. It goes into answers and histories: the error's text stays in the log. */
export interface Skipped extends Place {
  code: string;
}

/** Runs one piece of a job over many tenants as its tenant. @returns undefined when it was passed over */
export type Apart = <T>(place: Place, work: () => Promise<T>) => Promise<T | undefined>;

/** For callers that want the first failure. */
export const together: Apart = (place, work) => asTenant(place.tenant, work);

interface Bounds {
  log: Pick<Logger, 'warn'>;
  /** For the whole job, in ms: what is left then is passed over. */
  totalMs: number;
  /** For all pieces of one step of a tenant, in ms. One that takes longer goes on by itself, and the job without it. */
  stepMs: number;
  /** Ends the whole job. */
  signal?: AbortSignal;
  now?: () => number;
}

/** Each is logged on its own up to here; the others are counted. */
const logged = 20;

/**
 * Keeps the pieces of a periodic job apart: one that fails or hangs is passed over, told, and tried again by the next
 * run, and all others get their turn.
 */
export class Isolation {
  /** The first of them. */
  readonly skipped: Skipped[] = [];
  count = 0;
  private readonly bounds: Bounds;
  private readonly now: () => number;
  private readonly until: number;
  private readonly spent = new Map<string, number>();

  constructor(bounds: Bounds) {
    this.bounds = bounds;
    this.now = bounds.now ?? Date.now;
    this.until = this.now() + bounds.totalMs;
  }

  readonly run: Apart = async <T>(place: Place, work: () => Promise<T>) => {
    const { signal, stepMs, log } = this.bounds;
    signal?.throwIfAborted();
    const began = this.now();
    const share = JSON.stringify([place.tenant, place.step]);
    const spent = this.spent.get(share) ?? 0;
    try {
      const left = Math.min(stepMs - spent, this.until - began);
      if (left <= 0) throw new AppError('SERVICE_UNAVAILABLE', 'The time for it is over in this run.');
      return await within(left, asTenant(place.tenant, work));
    } catch (error) {
      if (signal?.aborted) throw error;
      this.count += 1;
      if (this.count > logged) return undefined;
      log.warn({ err: error, ...place }, 'passed over, so that others get their turn: it is tried again by the next run');
      this.skipped.push({ ...place, code: error instanceof AppError ? error.code : 'INTERNAL' });
      return undefined;
    } finally {
      this.spent.set(share, spent + this.now() - began);
    }
  };
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new AppError('SERVICE_UNAVAILABLE', `It took longer than ${Math.round(milliseconds / 1000)} s.`);
    timer = setTimeout(() => reject(error), milliseconds);
  });
  // Whatever becomes of it later is nobody's concern any more.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** In another order each time: where the time runs out, it does not run out for the same ones. */
export function shuffled<T>(items: readonly T[]): T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}

/** Each has its turn, whatever becomes of the others. @throws the only failure, or an AggregateError, when all have had theirs */
export async function eachInTurn<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} failed, the first: ${String(failures[0])}`);
}

import type { Logger } from 'pino';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { AppError } from '../../contracts/errors.ts';

/** One row, or one step of a tenant. */
export interface Place {
  tenant: string;
  step: string;
  /** Id of a row or its process. */
  id?: string;
}

/** A skipped piece. It goes into answers and histories, so the error's text stays in the log. */
export interface Skipped extends Place {
  code: string;
}

/**
 * Runs one piece of a job over many tenants, as its tenant.
 * @returns undefined when it was skipped
 */
export type Apart = <T>(place: Place, work: () => Promise<T>) => Promise<T | undefined>;

/** For callers that stop at the first failure. */
export const together: Apart = (place, work) => asTenant(place.tenant, work);

interface Bounds {
  log: Pick<Logger, 'warn'>;
  /** Timeout of the whole job, in ms: remaining pieces are skipped. */
  totalMs: number;
  /**
   * Timeout of one step of a tenant, in ms. A step that takes longer continues in the background, and the job goes
   * on.
   */
  stepMs: number;
  /** Aborts the whole job. */
  signal?: AbortSignal;
  now?: () => number;
}

/** Up to this number each is logged separately; the others are counted. */
const logged = 20;

/**
 * Isolates the pieces of a periodic job: one that fails or hangs is skipped, reported, and retried by the next run;
 * all others run.
 */
export class Isolation {
  /** The first skipped pieces. */
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
      if (left <= 0) throw new AppError('SERVICE_UNAVAILABLE', 'The time of this run is over.');
      return await within(left, asTenant(place.tenant, work));
    } catch (error) {
      if (signal?.aborted) throw error;
      this.count += 1;
      if (this.count > logged) return undefined;
      log.warn({ err: error, ...place }, 'skipped, so that others can run: the next run retries it');
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
  // Its later result is ignored.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Random order, so that a timeout does not always skip the same ones. */
export function shuffled<T>(items: readonly T[]): T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}

/**
 * Runs the work for each item, even if others fail.
 * @throws the only failure, or an AggregateError, after all have run
 */
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

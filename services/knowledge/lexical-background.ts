import type { Logger } from 'pino';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';

export interface BackgroundOptions {
  /** Connections that it may use at once. */
  atOnce: number;
  /** Pause after a failure before a retry, in ms. */
  retryMs: number;
  log: Pick<Logger, 'warn'> | undefined;
}

/** Reads in the background: few at a time, each as its tenant and in its own snapshot. */
export class Background {
  private readonly db: Database;
  private readonly options: BackgroundOptions;
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly notBefore = new Map<string, number>();
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(db: Database, options: BackgroundOptions) {
    this.db = db;
    this.options = options;
    this.free = options.atOnce;
  }

  /**
   * Starts the work, or joins running work of this name. A failure is logged.
   * @returns whether it succeeded; null when it is not retried yet after a failure
   */
  run(name: string, tenant: string, work: (query: Database['query']) => Promise<void>): Promise<boolean> | null {
    if ((this.notBefore.get(name) ?? 0) > Date.now()) return null;
    this.notBefore.delete(name);
    const started = this.running.get(name);
    if (started) return started;
    const run = this.attempt(name, tenant, work).finally(() => this.running.delete(name));
    this.running.set(name, run);
    return run;
  }

  /** Delays the next attempt of this work. */
  postpone(name: string, ms: number): void {
    this.notBefore.set(name, Date.now() + ms);
  }

  private async attempt(name: string, tenant: string, work: (query: Database['query']) => Promise<void>): Promise<boolean> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((next) => this.waiting.push(next));
    try {
      await asTenant(tenant, () => this.db.transaction(work, { snapshot: true }));
      return true;
    } catch (error) {
      this.postpone(name, this.options.retryMs);
      this.options.log?.warn({ err: error, tenant }, 'a word index could not be loaded; Postgres is searched instead');
      return false;
    } finally {
      // A waiter takes over immediately.
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}

/** @returns null on timeout after `ms` */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  if (ms === Infinity) return await work;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([work, new Promise<null>((done) => (timer = setTimeout(done, Math.max(0, ms), null)))]);
  } finally {
    clearTimeout(timer);
  }
}

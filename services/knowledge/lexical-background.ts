import type { Logger } from 'pino';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';

export interface BackgroundOptions {
  /** Connections that it may take from requests. */
  atOnce: number;
  /** How long nothing is tried again after it failed, in ms. */
  retryMs: number;
  log: Pick<Logger, 'warn'> | undefined;
}

/** Reading apart from requests: few at a time, each as its tenant and in a snapshot of its own. */
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
   * Starts the work, unless work of this name is under way: then that is waited for. A failure is logged.
   * @returns whether it succeeded; null when it is not to be tried now, soon after a failure
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

  /** Lets work of this name not be tried for a while. */
  postpone(name: string, ms: number): void {
    this.notBefore.set(name, Date.now() + ms);
  }

  private async attempt(name: string, tenant: string, work: (query: Database['query']) => Promise<void>): Promise<boolean> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((next) => this.waiting.push(next));
    try {
      await asTenant(tenant, () =>
        this.db.transaction(async (query) => {
          await query('set transaction isolation level repeatable read, read only');
          await work(query);
        }),
      );
      return true;
    } catch (error) {
      this.postpone(name, this.options.retryMs);
      this.options.log?.warn({ err: error, tenant }, 'a word index could not be read; Postgres is searched instead');
      return false;
    } finally {
      // Who waits takes over at once.
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}

/** @returns null when it takes longer than `ms` */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  if (ms === Infinity) return await work;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([work, new Promise<null>((done) => (timer = setTimeout(done, Math.max(0, ms), null)))]);
  } finally {
    clearTimeout(timer);
  }
}

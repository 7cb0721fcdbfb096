import { Service } from './service.ts';

/** What waits in the whole installation: for a person, for a worker, or for a subscriber. */
export interface WhatWaits {
  kinds: { kind: string; count: number; oldestSeconds: number }[];
  databaseBytes: number;
}

/** Age of a count, in seconds: it reads every tenant's rows, and each api of an installation is scraped. */
const freshForSeconds = 30;

/** Counts of all tenants together, for metrics. One process counts, and all of them show it. */
export class WaitingCounts extends Service<'duties'> {
  private last: { at: number; found: Promise<WhatWaits | null> } | null = null;

  /** @returns null: nothing has been counted yet */
  get(): Promise<WhatWaits | null> {
    if (!this.last || this.last.at < Date.now() - freshForSeconds * 1_000) {
      const mine = (this.last = { at: Date.now(), found: this.count() });
      mine.found.catch(() => {
        if (this.last === mine) this.last = null;
      });
    }
    return this.last.found;
  }

  private async count(): Promise<WhatWaits | null> {
    const { duties } = this.deps;
    if (!(await duties.take('waiting', freshForSeconds))) return (await duties.last<WhatWaits>('waiting')).report;
    const [kinds, [size]] = await Promise.all([
      this.db.query<{ kind: string; count: string; oldest_seconds: number }>('select * from what_waits()'),
      this.db.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes'),
    ]);
    const report = {
      kinds: kinds.map(({ kind, count, oldest_seconds }) => ({ kind, count: Number(count), oldestSeconds: Math.round(oldest_seconds) })),
      databaseBytes: Number(size!.bytes),
    };
    await duties.done('waiting', report);
    return report;
  }
}

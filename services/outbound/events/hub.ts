import { asScoped } from '../../../adapters/postgres/tenancy.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Event } from '../../../contracts/outbound/events.ts';
import { topics } from '../../../contracts/notices.ts';
import { everything, numberedAfter, wants, type Filter, type Numbered } from './read.ts';
import { standing } from './places.ts';
import { Service } from '../../kernel/service.ts';

/** Poll interval when no notice arrives, in ms. */
const lookEvery = 1_000;
const pageSize = 500;
/** Events kept in memory for followers that are nearly up to date. */
const remembered = 2_000;
/** How long a reader waits after a failed query, in ms. */
const pauseAfterError = 500;

/** The events since the last batch. */
export interface Batch {
  /** Events that match the filter. */
  events: Event[];
  /** The position to continue from, also when no event matched. */
  next: string;
}

/** One tenant's events: this process reads them once for all its followers. */
class Line {
  followers = 0;
  /** Whether the head is known. */
  begun = false;
  /** Contiguous, oldest first. The first event has the number `from` + 1. */
  recent: Numbered[] = [];
  from = 0;
  readonly ended = new AbortController();
  private readonly waiting = new Set<() => void>();

  get head(): number {
    return this.from + this.recent.length;
  }

  after(seq: number, limit: number): Numbered[] {
    return this.begun ? this.recent.slice(seq - this.from, seq - this.from + limit) : [];
  }

  begin(head: number): void {
    this.from = head;
    this.begun = true;
    this.wake();
  }

  add(page: Numbered[]): void {
    this.recent.push(...page);
    const surplus = this.recent.length - remembered;
    if (surplus > 0) {
      this.recent.splice(0, surplus);
      this.from += surplus;
    }
    this.wake();
  }

  /** Resolves when there are new events, or when the follower or the line has ended. */
  news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || this.ended.signal.aborted) return resolve();
      const done = (): void => {
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  end(): void {
    this.ended.abort();
    this.wake();
  }

  private wake(): void {
    for (const done of this.waiting) done();
  }
}

/**
 * Hands committed events to all followers in this process. While a tenant has followers, one reader reads its events
 * once. Each follower takes them at its own speed, a slow one from the database, so that it does not delay the others.
 */
export class EventHub extends Service<'notices' | 'log'> {
  private readonly lines = new Map<string, Line>();

  /**
   * Events after a place, in order, without end; stops when `signal` fires.
   * @param from number of the last event before the first wanted one (`placeAfter`)
   * @throws AppError GONE when the follower is so slow that its next event was pruned
   */
  async *follow(tenant: string, filter: Filter, from: number, signal: AbortSignal): AsyncGenerator<Batch, void, undefined> {
    const line = this.join(tenant);
    let at = from;
    try {
      while (!signal.aborted && !line.ended.signal.aborted) {
        const behind = line.begun && at < line.from;
        const page = behind ? await this.older(tenant, at) : line.after(at, pageSize);
        const last = page.at(-1);
        if (last) {
          at = last.seq;
          yield { events: page.filter(({ event }) => wants(filter, event)).map(({ event }) => event), next: last.event.id };
        } else if (behind) await new Promise((resolve) => setTimeout(resolve, pauseAfterError));
        // There is no await between the check and this wait, so no event is missed.
        else await line.news(signal);
      }
    } finally {
      this.leave(tenant, line);
    }
  }

  /** Ends all followers. */
  close(): void {
    for (const line of this.lines.values()) line.end();
    this.lines.clear();
  }

  /** @returns an empty list when the query fails */
  private async older(tenant: string, at: number): Promise<Numbered[]> {
    const page = await this.ask(tenant, () => numberedAfter(this.db.query, tenant, at, everything, pageSize));
    if (page === null || page[0]?.seq === at + 1) return page ?? [];
    throw new AppError('GONE', 'Some of the events since then are no longer kept.', { details: { reason: 'expired' } });
  }

  private join(tenant: string): Line {
    let line = this.lines.get(tenant);
    if (!line) {
      line = new Line();
      this.lines.set(tenant, line);
      void this.read(tenant, line);
    }
    line.followers += 1;
    return line;
  }

  private leave(tenant: string, line: Line): void {
    line.followers -= 1;
    if (line.followers > 0) return;
    line.end();
    if (this.lines.get(tenant) === line) this.lines.delete(tenant);
  }

  /** Reads from the head on, as long as there are followers. */
  private async read(tenant: string, line: Line): Promise<void> {
    const { signal } = line.ended;
    while (!signal.aborted) {
      // Starts listening before it reads, so that no notice is missed.
      const heard = this.deps.notices.wait(topics.events(tenant), lookEvery, signal);
      if (!line.begun) {
        const there = await this.ask(tenant, async () => {
          await this.db.query('select follow_events($1)', [tenant]);
          return await standing(this.db.query, tenant);
        });
        if (there) line.begin(there.head.seq);
      } else for (let more = true; more && !signal.aborted;) more = await this.readPage(tenant, line);
      await (line.begun ? heard : Promise.race([heard, new Promise((resolve) => setTimeout(resolve, pauseAfterError))]));
    }
  }

  /** @returns whether there may be more */
  private async readPage(tenant: string, line: Line): Promise<boolean> {
    const page = await this.ask(tenant, async () => {
      await this.db.query('select follow_events($1), number_events($1)', [tenant]);
      return await numberedAfter(this.db.query, tenant, line.head, everything, pageSize);
    });
    if (page && page.length > 0) line.add(page);
    return page?.length === pageSize;
  }

  /** @returns null when the query fails */
  private async ask<T>(tenant: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await asScoped(tenant, null, work);
    } catch (error) {
      this.deps.log[error instanceof AppError && error.retryable ? 'debug' : 'error']({ err: error, tenant }, 'events are read later');
      return null;
    }
  }
}

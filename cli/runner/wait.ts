/** Waits until a task of the phase may be ready, without asking again and again: the server's events tell. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAway, Refused } from './api.ts';
import type { Shop } from './shop.ts';

interface Page {
  events: { data: Record<string, unknown> }[];
  next: string;
}

/** One for all slots of a runner. */
export class Bell {
  private place: string | undefined;
  private waiting: Promise<void> | undefined;
  private readonly shop: Shop;
  private readonly signal: AbortSignal;

  constructor(shop: Shop, signal: AbortSignal) {
    this.shop = shop;
    this.signal = signal;
  }

  /** Notes where events begin. To be called before a claim, so that what becomes ready meanwhile is heard. */
  async ready(): Promise<void> {
    try {
      this.place ??= (await this.next(0)).next;
    } catch (error) {
      if (!isDeaf(error)) throw error;
    }
  }

  /** Returns when something has changed, after a while anyhow, and when the runner ends. */
  async heard(): Promise<void> {
    await (this.waiting ??= this.listen().finally(() => (this.waiting = undefined)));
  }

  private async listen(): Promise<void> {
    const { pace, phase } = this.shop.settings;
    const until = performance.now() + pace.approved;
    while (!this.signal.aborted && performance.now() < until) {
      try {
        const page = await this.next(Math.max(0, Math.min(until - performance.now(), pace.wait)) / 1_000);
        this.place = page.next;
        if (page.events.some(({ data }) => data['phase_id'] === phase && data['status'] !== 'in_progress')) return;
        // A key has a limit per minute.
        await this.pause(pace.retry);
      } catch (error) {
        if (this.signal.aborted) return;
        // Without the right to hear events, the next claim tells.
        if (isDeaf(error)) return await this.pause(pace.approved);
        if (!isAway(error)) throw error;
        await this.pause(pace.retryMost / 4);
      }
    }
  }

  private async next(waitSeconds: number): Promise<Page> {
    const args = {
      types: ['work.task_changed', 'work.run_approved'],
      wait_seconds: Math.floor(waitSeconds),
      ...(this.place === undefined ? {} : { after: this.place }),
    };
    return await this.shop.api.call<Page>('event.stream.subscribe', args, { signal: this.signal });
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal }).catch(() => {});
  }
}

/** The key has no right to events. */
const isDeaf = (error: unknown): boolean => error instanceof Refused && error.code === 'FORBIDDEN';

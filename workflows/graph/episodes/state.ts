import type { EpisodesTaken } from '../../../contracts/activities/graph/episodes.ts';

/** Seconds that an idle process waits for more before it ends. */
const idle = 10;

export interface EpisodesCarried {
  taken: number;
  failed: number;
}

/** A tenant's queue of episodes as plain state; the rows are the queue. */
export class EpisodesState {
  private sums: EpisodesCarried;
  private woken = false;
  private last: EpisodesTaken['state'] = 'more';
  private backOff = 0;

  constructor(carried?: EpisodesCarried) {
    this.sums = carried ?? { taken: 0, failed: 0 };
  }

  get carried(): EpisodesCarried {
    return this.sums;
  }

  wake(): void {
    this.woken = true;
  }

  /** Signals from here on request another look. */
  looking(): void {
    this.woken = false;
  }

  took({ state, taken, failed, pause }: EpisodesTaken): void {
    this.last = state;
    this.backOff = pause;
    this.sums = { taken: this.sums.taken + taken, failed: this.sums.failed + failed };
  }

  /** Seconds until the first episode in the queue is retried; the later ones wait for it. */
  get pause(): number {
    return this.last === 'again' ? this.backOff : 0;
  }

  /** Whether there is, or may be, something to process. */
  get busy(): boolean {
    return this.woken || this.last !== 'empty';
  }

  get idle(): number {
    return idle;
  }

  describe(): string {
    const { taken, failed } = this.sums;
    const waits = this.last === 'again' ? ` The first in the queue failed and is tried again in ${this.backOff} s.` : '';
    return `${taken} episodes ingested, ${failed} failed.${waits}`;
  }
}

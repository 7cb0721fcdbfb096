import type { Reread } from '../../../contracts/activities/signals/rereading.ts';

/** Seconds that an idle process waits before it ends, and seconds that it collects changes. */
const idle = 10;
const gathering = 1;

export interface RereadingCarried {
  compared: number;
  read: number;
}

/** State of a tenant's rereading; the rows say what is left to do. */
export class RereadingState {
  private sums: RereadingCarried;
  private woken = false;
  private more = true;
  private first = true;

  constructor(carried?: RereadingCarried) {
    this.sums = carried ?? { compared: 0, read: 0 };
  }

  get carried(): RereadingCarried {
    return this.sums;
  }

  wake(): void {
    this.woken = true;
  }

  /** Signals from here on request another look. */
  looking(): void {
    this.woken = false;
  }

  did({ state, compared, read }: Reread): void {
    this.first = false;
    this.more = state === 'more';
    this.sums = { compared: this.sums.compared + compared, read: this.sums.read + read };
  }

  /** Whether there is, or may be, something to process. */
  get busy(): boolean {
    return this.woken || this.more;
  }

  /** Seconds until the next look: documents arrive together, and each may change the directory. */
  get gathering(): number {
    return this.more && !this.first ? 0 : gathering;
  }

  get idle(): number {
    return idle;
  }

  describe(): string {
    return `${this.sums.compared} documents compared with the directory of names, ${this.sums.read} read again.`;
  }
}

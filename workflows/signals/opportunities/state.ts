import type { OpportunitiesWorked } from '../../../contracts/activities/signals/opportunities.ts';

/** Seconds that an idle process waits before it ends, and seconds that it collects changes. */
const idle = 10;
const gathering = 2;

export interface OpportunitiesCarried {
  changes: number;
  refined: number;
  counted: number;
}

/** State of a tenant's clustering; the rows say what is left to do. */
export class OpportunitiesState {
  private sums: OpportunitiesCarried;
  private woken = false;
  private more = true;

  constructor(carried?: OpportunitiesCarried) {
    this.sums = carried ?? { changes: 0, refined: 0, counted: 0 };
  }

  get carried(): OpportunitiesCarried {
    return this.sums;
  }

  wake(): void {
    this.woken = true;
  }

  /** Signals from here on request another look. */
  looking(): void {
    this.woken = false;
  }

  worked({ state, changes, refined, counted }: OpportunitiesWorked): void {
    this.more = state === 'more';
    this.sums = {
      changes: this.sums.changes + changes,
      refined: this.sums.refined + refined,
      counted: this.sums.counted + counted,
    };
  }

  /** Whether there is, or may be, something to process. */
  get busy(): boolean {
    return this.woken || this.more;
  }

  /** Seconds until the next look: many signals arrive at once and are processed together. */
  get gathering(): number {
    return this.more ? 0 : gathering;
  }

  get idle(): number {
    return idle;
  }

  describe(): string {
    const { changes, refined, counted } = this.sums;
    return `${changes} changes of signals processed, ${refined} clusters recomputed, ${counted} counted.`;
  }
}

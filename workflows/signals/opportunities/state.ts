import type { OpportunitiesWorked } from '../../../contracts/activities/opportunities.ts';

/** How long an idle process waits for more before it ends, and how long it lets changes gather, in seconds. */
const idle = 10;
const gathering = 2;

export interface OpportunitiesCarried {
  changes: number;
  refined: number;
  counted: number;
}

/** The course of a tenant's clustering as plain state; the rows say what is to be done. */
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

  /** What is signalled from here on asks for another look. */
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

  /** Whether there is something to look at, or may be. */
  get busy(): boolean {
    return this.woken || this.more;
  }

  /** Seconds to wait before the next look: many signals come at once, and are better taken together. */
  get gathering(): number {
    return this.more ? 0 : gathering;
  }

  get idle(): number {
    return idle;
  }

  describe(): string {
    const { changes, refined, counted } = this.sums;
    return `${changes} changes of signals taken up, ${refined} clusters drawn anew, ${counted} counted.`;
  }
}

import type { ClearPlace, Cleared } from '../../../contracts/activities/graph/episodes.ts';
import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { JobState } from '../../kernel/job.ts';

/** Activities per history. */
const stepsPerRun = 300;

export interface ClearCarried {
  place: ClearPlace;
  rows: number;
}

/** Progress of a clearing as plain state; the workflow does the waiting. */
export class ClearState extends JobState {
  private place: ClearPlace | null;
  private rows: number;
  private steps = 0;
  private counts: Cleared['counts'] | undefined;

  constructor(rev: number, carried: ClearCarried = { place: { stage: 'episodes', after: null }, rows: 0 }) {
    super(rev, carried.place.stage);
    this.place = carried.place;
    this.rows = carried.rows;
  }

  /** The next place; null: everything is deleted. */
  get next(): ClearPlace | null {
    return this.place;
  }

  get full(): boolean {
    return this.steps >= stepsPerRun;
  }

  get carried(): ClearCarried {
    return { place: this.place!, rows: this.rows };
  }

  protected progress(): { done: number } {
    return { done: this.rows };
  }

  protected result(): JobSnapshot['result'] {
    return this.status === 'completed' && this.counts ? { ...this.counts } : undefined;
  }

  cleared({ place, rows, counts }: Cleared): void {
    this.place = place;
    this.rows += rows;
    this.steps += 1;
    this.counts = counts;
    this.enter(place?.stage ?? 'survivors');
  }

  completed(): void {
    this.status = 'completed';
    this.enter('done');
  }
}

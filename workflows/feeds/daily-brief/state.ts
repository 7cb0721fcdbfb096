import type { BriefMade, StoredCounts } from '../../../contracts/activities/feeds/brief.ts';
import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { JobState } from '../../kernel/job.ts';

type Stage = 'begin' | 'harvest' | 'pages' | 'score' | 'store' | 'write' | 'tell';

/** State of a daily brief: counts, never articles. */
export class DailyBriefState extends JobState {
  private counted: { done: number; total: number } | null = null;
  private sources: { checked: number; failed: number } | null = null;
  private outcome: Record<string, unknown> = {};

  constructor(rev: number) {
    super(rev, 'begin');
  }

  protected progress(): { done?: number; total?: number } {
    return this.counted ?? {};
  }

  protected result(): JobSnapshot['result'] {
    return this.sources ? { sources: this.sources, ...this.outcome } : undefined;
  }

  begin(stage: Stage, total?: number): void {
    this.counted = total === undefined ? null : { done: 0, total };
    this.enter(stage);
  }

  /** @returns the number of finished sources */
  advanced(): number {
    if (!this.counted) return 0;
    this.counted.done += 1;
    this.changed();
    return this.counted.done;
  }

  harvested(checked: number, failed: number): void {
    this.sources = { checked, failed };
    this.changed();
  }

  note(outcome: { relevant?: number; articles?: StoredCounts; brief?: BriefMade; readers?: { told: number; failed: number } }): void {
    Object.assign(this.outcome, outcome);
    this.changed();
  }

  completed(): void {
    this.counted = null;
    this.status = 'completed';
    this.enter('done');
  }
}

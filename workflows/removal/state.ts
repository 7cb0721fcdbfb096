import type { JobSnapshot, JobStatus } from '../../contracts/activities/jobs.ts';
import type { Left, RemovalCounts } from '../../contracts/activities/removal.ts';

/** The course of one removal as plain state; the workflow around it does the waiting. */
export class RemovalState {
  private rev: number;
  private status: JobStatus = 'running';
  private stage = 'delete';
  private left = 0;
  private total = 0;
  private counts: RemovalCounts | undefined;

  constructor(rev: number) {
    this.rev = rev;
  }

  snapshot(): JobSnapshot {
    return {
      rev: this.rev,
      status: this.status,
      progress: { stage: this.stage, ...(this.counts ? { done: this.total - this.left, total: this.total } : {}) },
      ...(this.status === 'completed' && this.counts ? { result: { ...this.counts } } : {}),
    };
  }

  started(): void {
    this.status = 'running';
    this.enter('delete');
  }

  removed({ chunks, counts }: Left): void {
    this.counts = counts;
    // What former versions left is deleted, too: there may be more than was counted.
    this.total = Math.max(this.total, counts.chunks, chunks);
    this.left = chunks;
    this.rev += 1;
  }

  /** All is gone; an ingestion that was called off has not ended yet. */
  waiting(): void {
    if (this.stage !== 'wait') this.enter('wait');
  }

  completed(): void {
    this.status = 'completed';
    this.enter('done');
  }

  /** The row was found ahead of us (a former run, or a write that outlived its workflow task): go beyond it. */
  overtake(rev: number): void {
    this.rev = Math.max(this.rev, rev) + 1;
  }

  private enter(stage: string): void {
    this.stage = stage;
    this.rev += 1;
  }
}

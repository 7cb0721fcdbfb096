import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import type { Left, RemovalCounts } from '../../../contracts/activities/knowledge/removal.ts';
import { JobState } from '../../kernel/job.ts';

/** State of one removal; the workflow does the waiting. */
export class RemovalState extends JobState {
  private left = 0;
  private total = 0;
  private counts: RemovalCounts | undefined;

  constructor(rev: number) {
    super(rev, 'delete');
  }

  protected progress(): { done?: number; total?: number } {
    return this.counts ? { done: this.total - this.left, total: this.total } : {};
  }

  protected result(): JobSnapshot['result'] {
    return this.status === 'completed' && this.counts ? { ...this.counts } : undefined;
  }

  override started(): void {
    this.status = 'running';
    this.enter('delete');
  }

  removed({ chunks, counts }: Left): void {
    this.counts = counts;
    // Remains of former versions are deleted, too, so there may be more than was counted.
    this.total = Math.max(this.total, counts.chunks, chunks);
    this.left = chunks;
    this.changed();
  }

  /** Everything is deleted, but a cancelled ingestion has not ended yet. */
  waiting(): void {
    if (this.stage !== 'wait') this.enter('wait');
  }

  completed(): void {
    this.status = 'completed';
    this.enter('done');
  }
}

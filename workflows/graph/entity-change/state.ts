import type { Applied } from '../../../contracts/activities/kernel/review.ts';
import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { JobState } from '../../kernel/job.ts';

/** Progress of a merge or split as plain state; the workflow does the waiting. */
export class ChangeState extends JobState {
  applied: Applied | undefined;

  constructor(rev: number) {
    super(rev, 'records');
  }

  protected progress(): Record<string, never> {
    return {};
  }

  protected result(): JobSnapshot['result'] {
    return this.status === 'completed' ? this.applied?.outcome : undefined;
  }

  recorded(applied: Applied): void {
    this.applied = applied;
    this.enter('copies');
  }

  undoing(): void {
    this.enter('undo');
  }

  completed(): void {
    this.status = 'completed';
    this.enter('done');
  }
}

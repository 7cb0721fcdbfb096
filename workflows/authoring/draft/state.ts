import type { DraftMade } from '../../../contracts/activities/authoring/draft.ts';
import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { JobState } from '../../kernel/job.ts';

const stages = ['gather', 'write', 'check', 'done'] as const;

/** State of a draft. */
export class DraftState extends JobState {
  private made: DraftMade | undefined;

  constructor(rev: number) {
    super(rev, stages[0]);
  }

  protected progress(): { done: number; total: number } {
    return { done: stages.indexOf(this.stage as (typeof stages)[number]), total: stages.length - 1 };
  }

  protected result(): JobSnapshot['result'] {
    return this.made ? { ...this.made } : undefined;
  }

  begin(stage: 'write' | 'check'): void {
    this.enter(stage);
  }

  completed(made: DraftMade): void {
    this.made = made;
    this.status = 'completed';
    this.enter('done');
  }
}

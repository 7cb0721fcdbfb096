import type { BriefMade } from '../../../contracts/activities/brief.ts';
import type { JobSnapshot } from '../../../contracts/activities/jobs.ts';
import { JobState } from '../../kernel/job.ts';

/** The course of a brief of given articles as plain state. */
export class RequestState extends JobState {
  private told: Record<string, unknown> | undefined;

  constructor(rev: number) {
    super(rev, 'write');
  }

  protected progress(): { done?: number; total?: number } {
    return {};
  }

  protected result(): JobSnapshot['result'] {
    return this.told;
  }

  /** What its caller is told of a failure beside the words. */
  explain(details: Record<string, unknown> | null): void {
    if (details) this.told = details;
  }

  completed(made: BriefMade): void {
    this.told = { ...made };
    this.status = 'completed';
    this.enter('done');
  }
}

import type { BriefMade } from '../../../contracts/activities/feeds/brief.ts';
import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { JobState } from '../../kernel/job.ts';

/** State of a brief of given articles. */
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

  /** Details of a failure for the caller. */
  explain(details: Record<string, unknown> | null): void {
    if (details) this.told = details;
  }

  completed(made: BriefMade): void {
    this.told = { ...made };
    this.status = 'completed';
    this.enter('done');
  }
}

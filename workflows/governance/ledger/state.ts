import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import type { LedgerCourse } from '../../../contracts/activities/governance/ledger.ts';
import { JobState } from '../../kernel/job.ts';

/** State of a verification of the ledger. */
export class VerifyState extends JobState {
  course: LedgerCourse | null;

  constructor(rev: number, course: LedgerCourse | null) {
    super(rev, 'verify');
    this.course = course;
  }

  read(course: LedgerCourse): void {
    this.course = course;
    if (course.done) this.status = 'completed';
    this.enter(course.done ? 'done' : 'verify');
  }

  protected progress(): { done?: number; total?: number } {
    return this.course ? { done: this.course.check.events, total: this.course.total } : {};
  }

  protected result(): JobSnapshot['result'] {
    return this.course?.done ? { ...this.course.check } : undefined;
  }
}

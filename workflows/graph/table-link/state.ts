import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import type { TablesLinked } from '../../../contracts/activities/graph/table-link.ts';
import { JobState } from '../../kernel/job.ts';

/** State of linking tables. */
export class TableLinkState extends JobState {
  private linked: TablesLinked | undefined;

  constructor(rev: number) {
    super(rev, 'link');
  }

  protected progress(): { done?: number; total?: number } {
    return this.linked ? { done: this.linked.rows, total: this.linked.rows } : {};
  }

  protected result(): JobSnapshot['result'] {
    return this.linked ? { ...this.linked } : undefined;
  }

  completed(linked: TablesLinked): void {
    this.linked = linked;
    this.status = 'completed';
    this.enter('done');
  }
}

import type { ExportWritten } from '../../../contracts/activities/governance/export.ts';
import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { JobState } from '../../kernel/job.ts';

/** State of an export. */
export class ExportState extends JobState {
  private rows: { done: number; total: number } | undefined;
  private written: ExportWritten | undefined;

  constructor(rev: number) {
    super(rev, 'write');
  }

  /** Progress reported by the activity. May arrive late, and be lower after a retry. */
  advanced(rows: { done: number; total: number }): void {
    if (this.status !== 'running' || this.written) return;
    this.rows = rows;
    this.changed();
  }

  completed(written: ExportWritten): void {
    this.written = written;
    const total = Object.values(written.row_counts).reduce((sum, rows) => sum + rows, 0);
    this.rows = { done: total, total };
    this.status = 'completed';
    this.enter('done');
  }

  protected progress(): { done?: number; total?: number } {
    return this.rows ?? {};
  }

  protected result(): JobSnapshot['result'] {
    return this.written ? { ...this.written } : undefined;
  }
}

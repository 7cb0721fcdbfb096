import type { JobSnapshot, JobStatus } from '../../contracts/activities/jobs.ts';
import type { PipelineSlice } from '../../contracts/activities/pipeline.ts';

/** Activities of one history. */
const slicesPerRun = 300;

export interface PipelineCarried {
  total: number;
  after: string | null;
  documents: number;
  passages: number;
}

/** The course of a pipeline run as plain state. */
export class PipelineState {
  private rev: number;
  private status: JobStatus = 'running';
  private at: PipelineCarried;
  private slices = 0;
  private waiting = 0;
  private over = false;
  private error: { code: string; message: string } | undefined;

  constructor(rev: number, carried?: PipelineCarried) {
    this.rev = rev;
    this.at = carried ?? { total: 0, after: null, documents: 0, passages: 0 };
  }

  get revision(): number {
    return this.rev;
  }

  get carried(): PipelineCarried {
    return this.at;
  }

  get finished(): boolean {
    return this.over;
  }

  get full(): boolean {
    return this.slices >= slicesPerRun;
  }

  snapshot(): JobSnapshot {
    const { total, documents, passages } = this.at;
    return {
      rev: this.rev,
      status: this.status,
      progress: { stage: this.waiting > 0 ? 'parked' : this.over ? 'done' : 'index', done: documents, total: Math.max(total, documents) },
      ...(this.status === 'completed' ? { result: { documents, passages } } : {}),
      ...(this.error ? { error: this.error } : {}),
    };
  }

  counted(total: number): void {
    this.at = { ...this.at, total };
    this.rev += 1;
  }

  sliced({ next, documents, passages }: PipelineSlice): void {
    this.at = { ...this.at, after: next, documents: this.at.documents + documents, passages: this.at.passages + passages };
    this.over = next === null;
    this.slices += 1;
    this.rev += 1;
  }

  parked(waiting: number): void {
    this.waiting = waiting;
    this.rev += 1;
  }

  completed(): void {
    this.over = true;
    this.status = 'completed';
    this.rev += 1;
  }

  failed(error: { code: string; message: string }): void {
    this.status = 'failed';
    this.error = error;
    this.rev += 1;
  }

  cancelled(): void {
    this.status = 'cancelled';
    this.rev += 1;
  }

  overtake(rev: number): void {
    this.rev = Math.max(this.rev, rev) + 1;
  }
}

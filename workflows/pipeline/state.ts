import type { JobSnapshot } from '../../contracts/activities/jobs.ts';
import type { PipelineSlice } from '../../contracts/activities/pipeline.ts';
import { JobState } from '../job.ts';

/** Activities of one history. */
const slicesPerRun = 300;

export interface PipelineCarried {
  total: number;
  after: string | null;
  documents: number;
  passages: number;
}

/** The course of a pipeline run as plain state. */
export class PipelineState extends JobState {
  private at: PipelineCarried;
  private slices = 0;
  private over = false;

  constructor(rev: number, carried?: PipelineCarried) {
    super(rev, 'index');
    this.at = carried ?? { total: 0, after: null, documents: 0, passages: 0 };
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

  protected progress(): { done: number; total: number } {
    const { total, documents } = this.at;
    return { done: documents, total: Math.max(total, documents) };
  }

  protected result(): JobSnapshot['result'] {
    const { documents, passages } = this.at;
    return this.status === 'completed' ? { documents, passages } : undefined;
  }

  counted(total: number): void {
    this.at = { ...this.at, total };
    this.changed();
  }

  sliced({ next, documents, passages }: PipelineSlice): void {
    this.at = { ...this.at, after: next, documents: this.at.documents + documents, passages: this.at.passages + passages };
    this.over = next === null;
    this.slices += 1;
    this.changed();
  }

  completed(): void {
    this.over = true;
    this.status = 'completed';
    this.enter('done');
  }
}

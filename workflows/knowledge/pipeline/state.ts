import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import type { GraphSlice, PipelineSlice } from '../../../contracts/activities/knowledge/pipeline.ts';
import { JobState } from '../../kernel/job.ts';

/** Activities per history. */
const slicesPerRun = 300;

export interface PipelineCarried {
  total: number;
  after: string | null;
  documents: number;
  passages: number;
  /** The second half: adding documents to the graph. */
  graph?: { total: number; after: string | null; documents: number; mentions: number; over: boolean };
}

/** State of a pipeline run. */
export class PipelineState extends JobState {
  private at: PipelineCarried;
  private slices = 0;
  private over = false;

  constructor(rev: number, carried?: PipelineCarried) {
    super(rev, carried?.graph ? 'graph' : 'index');
    this.at = carried ?? { total: 0, after: null, documents: 0, passages: 0 };
  }

  get carried(): PipelineCarried {
    return this.at;
  }

  /** Counts of the first half: words and vectors. */
  get finished(): boolean {
    return this.over || this.at.graph !== undefined;
  }

  get graphFinished(): boolean {
    return this.at.graph?.over ?? false;
  }

  get full(): boolean {
    return this.slices >= slicesPerRun;
  }

  protected progress(): { done: number; total: number } {
    const { total, documents } = this.at.graph ?? this.at;
    return { done: documents, total: Math.max(total, documents) };
  }

  protected result(): JobSnapshot['result'] {
    const { documents, passages, graph } = this.at;
    if (this.status !== 'completed') return undefined;
    return { documents, passages, ...(graph ? { graph_documents: graph.documents, mentions: graph.mentions } : {}) };
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

  graphing(total: number): void {
    this.at = { ...this.at, graph: { total, after: null, documents: 0, mentions: 0, over: false } };
    this.enter('graph');
  }

  graphed({ next, documents, mentions }: GraphSlice): void {
    const { graph } = this.at;
    this.at = {
      ...this.at,
      graph: {
        total: graph?.total ?? 0,
        after: next,
        documents: (graph?.documents ?? 0) + documents,
        mentions: (graph?.mentions ?? 0) + mentions,
        over: next === null,
      },
    };
    this.slices += 1;
    this.changed();
  }

  completed(): void {
    this.over = true;
    this.status = 'completed';
    this.enter('done');
  }
}

import type { GraphDone } from '../../../contracts/activities/graph/graph.ts';
import type { IngestRef, Prepared, Published } from '../../../contracts/activities/knowledge/ingest.ts';
import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { JobState } from '../../kernel/job.ts';

/** Chunks per batch; larger for big documents, so that a history has at most `maxBatches` of them. */
const batchSize = 50;
const maxBatches = 120;

export interface IngestResult {
  source_id: string;
  document_id: string;
  chunk_count: number;
  /** Pages, slides or sheets, if the format has them. */
  page_count?: number;
  /** Number of mentions, and number of new entities. */
  mention_count?: number;
  entities_created?: number;
  /** Customer statements, and numbers of texts that were left out, by reason. signal.reading.get tells more. */
  statement_count?: number;
  left_out?: Record<string, number>;
  /** A later submission of the same source was published instead. */
  superseded?: true;
  warnings: string[];
}

/** State of one ingestion; the workflow does the waiting. */
export class IngestState extends JobState {
  vectors = true;
  private readonly ref: IngestRef;
  private done = 0;
  private total = 0;
  private pages: number | undefined;
  private warnings: string[] = [];
  private graph: GraphDone | undefined;
  private outcome: IngestResult | undefined;

  constructor(ref: IngestRef, rev: number) {
    super(rev, 'parse');
    this.ref = ref;
  }

  protected progress(): { done?: number; total?: number } {
    return this.total > 0 && this.stage !== 'parse' ? { done: this.done, total: this.total } : {};
  }

  protected result(): JobSnapshot['result'] {
    return this.outcome && { ...this.outcome };
  }

  parsed({ state, chunks, vectors, warnings, pages }: Prepared): void {
    this.total = chunks;
    this.vectors = vectors;
    this.pages = pages;
    this.warnings = warnings.slice(0, 20);
    if (!vectors && state === 'building') {
      this.warnings = [...this.warnings, 'No embedding model is available: searches find this source by its words, not by meaning.'];
    }
    this.enter('index');
  }

  /** Ordinals of each batch, `to` exclusive. */
  batches(): { from: number; to: number }[] {
    const size = Math.max(batchSize, Math.ceil(this.total / maxBatches));
    return Array.from({ length: Math.ceil(this.total / size) }, (_, i) => ({ from: i * size, to: Math.min(this.total, (i + 1) * size) }));
  }

  indexed(chunks: number): void {
    this.done += chunks;
    this.changed();
  }

  publishing(): void {
    this.enter('publish');
  }

  graphing(): void {
    this.enter('graph');
  }

  /** @param done null: abandoned, cancelled or failed */
  graphed(done: GraphDone | null, problem?: string): void {
    if (done) this.graph = done;
    else {
      const why = problem === undefined ? '' : ` (${problem})`;
      this.warnings = [
        ...this.warnings,
        `Its entities were not extracted${why}: ingest.pipeline.run does that later. Searches find the document anyway.`,
      ];
    }
    this.changed();
  }

  published({ state, chunks }: Published): void {
    if (state === 'superseded') {
      this.warnings = [...this.warnings, 'A later version of this source was ingested meanwhile and replaced this one.'];
    }
    this.status = 'completed';
    this.done = this.total = chunks;
    this.outcome = {
      source_id: this.ref.sourceId,
      document_id: this.ref.documentId,
      chunk_count: chunks,
      ...(this.pages === undefined ? {} : { page_count: this.pages }),
      ...(this.graph ? { mention_count: this.graph.mentions, entities_created: this.graph.created } : {}),
      ...(this.graph?.statements === undefined ? {} : { statement_count: this.graph.statements, left_out: this.graph.left ?? {} }),
      ...(state === 'superseded' ? { superseded: true } : {}),
      warnings: this.warnings,
    };
    this.enter('done');
  }
}

import type { Collected, ItemCounts, ItemRange } from '../../../contracts/activities/knowledge/ingest-run.ts';
import type { GraphDone } from '../../../contracts/activities/graph/graph.ts';
import type { JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { JobState } from '../../kernel/job.ts';

/** Items per activity: large enough that its overhead does not matter, small enough that a killed one loses little. */
const batchSize = 25;
/** Batches per history. */
const batchesPerRun = 150;

/** State that continue-as-new carries over. */
export interface Carried {
  collected: Collected;
  next: number;
  done: number;
  parkedEver: number;
  /** Absent in older histories. */
  read?: { statements: number; left: Record<string, number> };
}

/** State of a run over many contents; the workflow does the waiting. */
export class RunState extends JobState {
  collected: Collected | undefined;
  private next = 0;
  private done = 0;
  private statements: number | undefined;
  private left: Record<string, number> = {};
  private batches = 0;
  private outcome: Record<string, unknown> | undefined;

  constructor(rev: number, carried?: Carried) {
    super(rev, carried ? 'index' : 'collect');
    if (!carried) return;
    this.collected = carried.collected;
    this.next = carried.next;
    this.done = carried.done;
    if (carried.read) ({ statements: this.statements, left: this.left } = carried.read);
  }

  protected progress(): { done?: number; total?: number; left?: number } {
    const total = this.collected?.total;
    if (total === undefined) return {};
    const done = Math.min(this.done, total);
    return { done, total, left: total - done };
  }

  protected result(): JobSnapshot['result'] {
    return this.outcome;
  }

  listed(collected: Collected): void {
    this.collected = collected;
    this.enter('index');
  }

  /** The next items; null when all were handed out, or this history has reached its limit. */
  takeBatch(): ItemRange | null {
    const total = this.collected?.total ?? 0;
    if (this.next >= total || this.batches >= batchesPerRun) return null;
    const from = this.next;
    this.next = Math.min(total, from + batchSize);
    this.batches += 1;
    return { from, to: this.next };
  }

  get exhausted(): boolean {
    return this.next < (this.collected?.total ?? 0);
  }

  /** @param graph null: it was abandoned, or the run does without */
  batchDone({ from, to }: ItemRange, graph: GraphDone | null = null): void {
    this.done += to - from;
    if (graph?.statements !== undefined) {
      this.statements = (this.statements ?? 0) + graph.statements;
      for (const [why, n] of Object.entries(graph.left ?? {})) this.left[why] = (this.left[why] ?? 0) + n;
    }
    this.changed();
  }

  /** Earlier items are pending again. */
  again({ from, to }: ItemRange): void {
    this.next = from;
    this.done = Math.max(0, this.done - (to - from));
    this.changed();
  }

  carried(parkedEver: number): Carried {
    const read = this.statements === undefined ? {} : { read: { statements: this.statements, left: this.left } };
    return { collected: this.collected!, next: this.next, done: this.done, parkedEver, ...read };
  }

  finished(counts: ItemCounts, items: Record<string, unknown>[]): void {
    const { collected } = this;
    this.status = 'completed';
    this.done = counts.total;
    this.outcome = {
      counts,
      chunk_count: counts.chunks,
      ...(this.statements === undefined ? {} : { statement_count: this.statements, left_out: this.left }),
      items,
      ...(collected && collected.skippedCount > 0 ? { skipped: collected.skipped, skipped_count: collected.skippedCount } : {}),
      ...collected?.details,
    };
    this.enter('done');
  }
}

import type { Collected, ItemCounts, ItemRange } from '../../contracts/activities/ingest-run.ts';
import type { JobSnapshot, JobStatus } from '../../contracts/activities/jobs.ts';

/** Items of one activity: large enough that its cost does not count, small enough that a killed one loses little. */
const batchSize = 25;
/** Batches of one history. */
const batchesPerRun = 150;

/** What goes on into the next history. */
export interface Carried {
  collected: Collected;
  next: number;
  done: number;
  parkedEver: number;
}

/** The course of a run over many contents as plain state; the workflow around it does the waiting. */
export class RunState {
  collected: Collected | undefined;
  private rev: number;
  private status: JobStatus = 'running';
  private stage = 'collect';
  private next = 0;
  private done = 0;
  private batches = 0;
  private waiting = 0;
  private result: Record<string, unknown> | undefined;
  private error: { code: string; message: string } | undefined;

  constructor(rev: number, carried?: Carried) {
    this.rev = rev;
    if (carried) {
      this.collected = carried.collected;
      this.next = carried.next;
      this.done = carried.done;
      this.stage = 'index';
    }
  }

  get revision(): number {
    return this.rev;
  }

  snapshot(): JobSnapshot {
    const total = this.collected?.total;
    const done = total === undefined ? 0 : Math.min(this.done, total);
    return {
      rev: this.rev,
      status: this.status,
      progress: {
        stage: this.waiting > 0 ? 'parked' : this.stage,
        ...(total === undefined ? {} : { done, total, left: total - done }),
        ...(this.waiting > 0 ? { waiting: this.waiting } : {}),
      },
      ...(this.result ? { result: this.result } : {}),
      ...(this.error ? { error: this.error } : {}),
    };
  }

  started(): void {
    this.rev += 1;
  }

  collecting(): void {
    this.enter('collect');
  }

  listed(collected: Collected): void {
    this.collected = collected;
    this.enter('index');
  }

  /** The next items to work on; null when all were handed out, or this history has had its share. */
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

  batchDone({ from, to }: ItemRange): void {
    this.done += to - from;
    this.rev += 1;
  }

  /** Something before is pending again. */
  again({ from, to }: ItemRange): void {
    this.next = from;
    this.done = Math.max(0, this.done - (to - from));
    this.rev += 1;
  }

  parked(waiting: number): void {
    this.waiting = waiting;
    this.rev += 1;
  }

  carried(parkedEver: number): Carried {
    return { collected: this.collected!, next: this.next, done: this.done, parkedEver };
  }

  finished(counts: ItemCounts, items: Record<string, unknown>[]): void {
    const { collected } = this;
    this.status = 'completed';
    this.done = counts.total;
    this.result = {
      counts,
      chunk_count: counts.chunks,
      items,
      ...(collected && collected.skippedCount > 0 ? { skipped: collected.skipped, skipped_count: collected.skippedCount } : {}),
      ...collected?.details,
    };
    this.enter('done');
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

  private enter(stage: string): void {
    this.stage = stage;
    this.rev += 1;
  }
}

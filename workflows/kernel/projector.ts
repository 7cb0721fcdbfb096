import { condition, defineQuery, setHandler } from '@temporalio/workflow';
import { writtenQuery } from '../../contracts/temporal.ts';

interface Projection<S extends { rev: number }> {
  snapshot(): S;
  /** Raises the state's revision above the row's. */
  overtake(rev: number): void;
  /**
   * Writes the row.
   * @returns the row's new revision
   */
  write(snapshot: S): Promise<number>;
  written?(snapshot: S): void;
}

/** The revision that the row must have; null while it is being written. The doctor compares it with the row. */
export const written = defineQuery<number | null>(writtenQuery);

/**
 * Keeps a workflow's row in sync with its state. One writer at a time: two local activities in flight in one workflow
 * break its replay. A caller during a write waits for the next write, which includes its change, so ten concurrent
 * updates need two writes.
 */
export class Projector<S extends { rev: number }> {
  private readonly parts: Projection<S>;
  private writtenRev: number;
  private writing = false;

  constructor(parts: Projection<S>) {
    this.parts = parts;
    this.writtenRev = parts.snapshot().rev;
    setHandler(written, () => (this.writing ? null : this.writtenRev));
  }

  /** A write is under way. */
  get busy(): boolean {
    return this.writing;
  }

  /** Resolves when the row has the state of the time of the call. */
  async settle(): Promise<void> {
    const wanted = this.parts.snapshot().rev;
    while (this.writtenRev < wanted) {
      if (this.writing) {
        await condition(() => !this.writing);
        continue;
      }
      this.writing = true;
      try {
        const snapshot = this.parts.snapshot();
        const rowRev = await this.parts.write(snapshot);
        if (rowRev > snapshot.rev) this.parts.overtake(rowRev);
        else {
          this.writtenRev = snapshot.rev;
          this.parts.written?.(snapshot);
        }
      } finally {
        this.writing = false;
      }
    }
  }
}

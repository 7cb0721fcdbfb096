import type { DelegatedStatus } from '../../../contracts/agents/agents.ts';
import type { DelegatedSnapshot, DelegatedStart } from '../../../contracts/activities/agents/delegation.ts';

export interface Refusal {
  code: string;
  message: string;
  hint: string;
}

type Final = 'completed' | 'failed' | 'cancelled';
const order: DelegatedStatus[] = ['pending', 'accepted', 'running'];
const isFinal = (status: DelegatedStatus): status is Final => !order.includes(status);

/** A delegated task, in either direction: its status advances, and it ends once. */
export class DelegatedState {
  private rev: number;
  private status: DelegatedStatus;
  private reported = false;
  private timedOut = false;
  private error: { code: string; message: string } | null = null;

  constructor({ rev, status }: Pick<DelegatedStart, 'rev' | 'status'>) {
    this.rev = rev;
    this.status = status;
  }

  get over(): boolean {
    return isFinal(this.status);
  }

  get current(): DelegatedStatus {
    return this.status;
  }

  /** Ended by our side; the other side has not been informed. */
  get abandoned(): boolean {
    return this.over && !this.reported && (this.status === 'cancelled' || this.timedOut);
  }

  refusal(): Refusal | null {
    if (!this.over) return null;
    return { code: 'CONFLICT', message: `The task is over: ${this.status}.`, hint: 'agent.task.get_result shows how it ended.' };
  }

  /** The status never goes back, and does not change after the end. */
  advance(status: DelegatedStatus): void {
    if (this.over || order.indexOf(status) <= order.indexOf(this.status)) return;
    this.status = status;
    this.rev += 1;
  }

  /** The result is in the row. */
  report(status: DelegatedStatus): void {
    if (!isFinal(status)) return this.advance(status);
    if (this.end(status)) this.reported = true;
  }

  fail(code: string, message: string): void {
    if (this.end('failed')) this.error = { code, message };
  }

  cancel(): void {
    if (this.end('cancelled')) this.error = { code: 'CANCELLED', message: 'Cancelled by the requester.' };
  }

  timeOut(): void {
    if (!this.end('failed')) return;
    this.timedOut = true;
    this.error = { code: 'TIMEOUT', message: 'Timeout waiting for result' };
  }

  private end(status: Final): boolean {
    if (this.over) return false;
    this.status = status;
    this.rev += 1;
    return true;
  }

  /** The row has a higher revision: continue above it. */
  overtake(rev: number): void {
    this.rev = Math.max(this.rev, rev) + 1;
  }

  /** A final status in the row counts: a write may have survived the workflow task that made it. */
  adopt(status: DelegatedStatus): void {
    if (!isFinal(status) || status === this.status) return;
    this.status = status;
    this.reported = true;
  }

  snapshot(): DelegatedSnapshot {
    return { rev: this.rev, status: this.status, reported: this.reported, error: this.error, timedOut: this.timedOut };
  }
}

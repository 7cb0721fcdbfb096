import type { A2aStanding } from '../../../contracts/activities/agents/a2a.ts';

export interface Refusal {
  code: 'CONFLICT' | 'NOT_FOUND';
  message: string;
  reason: string;
  hint: string;
}

const terminal = new Set(['completed', 'failed', 'canceled', 'rejected']);

/** State of an A2A task; messages and artifacts stay in its row. */
export class A2aTaskState {
  private row: A2aStanding | null = null;
  private absent = false;
  private heard = false;
  private cancelling = false;
  private pushDue = false;

  /** The row as loaded. Null: it does not exist. */
  loaded(row: A2aStanding | null): void {
    if (row) this.wrote(row);
    else this.absent = true;
  }

  get known(): boolean {
    return this.row !== null || this.absent;
  }

  wrote(row: A2aStanding): void {
    // Our change lost against a later one: ignore it.
    if (this.row && row.rev < this.row.rev) return;
    this.row = row;
    if (row.pushes) this.pushDue = true;
  }

  get status(): string {
    return this.row?.state ?? 'submitted';
  }

  get rev(): number {
    return this.row?.rev ?? 0;
  }

  /** The revision of the next change. */
  get nextRev(): number {
    return this.rev + 1;
  }

  get workTaskId(): string | null {
    return this.row?.workTaskId ?? null;
  }

  get over(): boolean {
    return this.absent || terminal.has(this.status);
  }

  /** The task has ended, or asked a question. */
  get settled(): boolean {
    return this.over || (this.asked && !this.row?.pending) || this.heard;
  }

  /** The task waits for the client. */
  get waiting(): boolean {
    return this.asked && !this.row?.pending && !this.heard;
  }

  private get asked(): boolean {
    return this.status === 'input_required' || this.status === 'auth_required';
  }

  checkSay(): Refusal | null {
    if (this.absent) return none;
    if (this.over) return { ...closed, message: `The task is ${this.status}: it takes no more messages.` };
    // The process was started for an unanswered message: this update is about that message.
    const unanswered = this.asked && this.row?.pending === true;
    return this.waiting || unanswered
      ? null
      : { ...closed, message: `The task is ${this.status}: it accepts a message only when it asks for one.` };
  }

  /** The client has sent a message; it is in the row. */
  say(): void {
    this.heard = true;
  }

  /** The message is being planned. */
  planning(): void {
    this.heard = false;
  }

  checkCancel(): Refusal | null {
    if (this.absent) return none;
    return this.over
      ? {
          code: 'CONFLICT',
          message: `The task is ${this.status} already: it cannot be cancelled.`,
          reason: 'not_cancelable',
          hint: 'There is nothing to cancel.',
        }
      : null;
  }

  cancel(): void {
    this.cancelling = true;
  }

  /** The client has cancelled the task, and it has not ended. */
  get toCancel(): boolean {
    return this.cancelling && !this.over;
  }

  /** There are events for the callbacks. */
  news(): void {
    this.pushDue = true;
  }

  get toPush(): boolean {
    return this.pushDue;
  }

  pushing(): void {
    this.pushDue = false;
  }
}

const none: Refusal = { code: 'NOT_FOUND', message: 'There is no such task.', reason: 'task', hint: 'ListTasks shows your tasks.' };
const closed = { code: 'CONFLICT' as const, reason: 'unsupported', hint: 'Send the message without a taskId to start a new task.' };

import type { TaskStatus } from './work.ts';

/** What a process that had a kanban task made hears of it. Imports types only, so that workflow code may use it. */
export interface WatchedTask {
  taskId: string;
  status: TaskStatus;
  agent: string | null;
  progress: string | null;
  result: string | null;
  failure: string | null;
}

export interface WatchingActivities {
  /** How the task stands: signals may get lost. Null: there is no such task. */
  watchedTask(ref: { tenant: string; id: string }): Promise<WatchedTask | null>;
  /** Nobody wants the task any more: takes it off the board, from whoever holds it. */
  withdrawTask(ref: { tenant: string; id: string }, reason: string): Promise<void>;
}

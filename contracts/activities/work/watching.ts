import type { TaskStatus } from './work.ts';

/** State of a kanban task, for the process that created it. Imports types only, so that workflow code may use it. */
export interface WatchedTask {
  taskId: string;
  status: TaskStatus;
  agent: string | null;
  progress: string | null;
  result: string | null;
  failure: string | null;
}

export interface WatchingActivities {
  /** Current state of the task, because signals may get lost. Null: no such task. */
  watchedTask(ref: { tenant: string; id: string }): Promise<WatchedTask | null>;
  /** Withdraws a task that is no longer wanted, even from its holder. */
  withdrawTask(ref: { tenant: string; id: string }, reason: string): Promise<void>;
}

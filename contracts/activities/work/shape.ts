/** Activities of edits and ends of tasks. Imports nothing but types, so that workflow code may use it. */
import type { TaskRef } from './work.ts';

/** Marks the entry of the task's history that an edit has opened. */
export interface EditNote {
  key: string;
  fields: { field: string; from: string | null; to: string | null }[];
}

/** What dependants are told about a blocker that nobody will finish. */
export interface Dropped {
  by: string;
  /** cancelled, deleted */
  how: string;
  reason: string;
}

export interface ShapeActivities {
  /** Adds what an edit changed to its entry of the history, once. */
  noteEdit(ref: TaskRef, note: EditNote): Promise<void>;
  /**
   * Takes the task off the blockers of each dependant and comments on the dependant. A repeat frees and comments once.
   * @returns the dependants that became ready
   */
  freeDependants(ref: TaskRef, dropped: Dropped): Promise<string[]>;
  /** Deletes the task's rows, if they are still there. */
  removeTask(ref: TaskRef): Promise<void>;
}

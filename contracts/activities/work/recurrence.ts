/** One run of a recurring task. */
export interface RecurrenceRef {
  tenant: string;
  id: string;
  /** The time of the schedule. */
  firedAt: string;
}

export interface RecurrenceActivities {
  /** Makes the task of this run, once. @returns its id; null: paused, removed, or missed before a later run */
  makeTask(run: RecurrenceRef): Promise<string | null>;
}

/** Housekeeping. Imports nothing, so that workflow code may use it. */
export interface SweepActivities {
  /**
   * Starts processes that were never started, reports those that were lost later (a person may have meant it),
   * and deletes what is past its retention. A row or tenant for which that fails is passed over.
   */
  sweep(): Promise<SweepReport>;
}

export interface SweepReport {
  started: number;
  lost: number;
  expired: number;
  /** Rows, and steps of tenants, that were passed over: the next run tries them again. */
  skipped: number;
  /** Some of them; why stands in the worker's log. */
  skippedSome: { tenant: string; step: string; id?: string; code: string }[];
}

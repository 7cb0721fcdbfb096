/** Housekeeping. Imports nothing, so that workflow code may use it. */
export interface SweepActivities {
  /**
   * Starts processes that were never started, reports lost ones (a person may have terminated them on purpose), and
   * deletes rows past their retention. A row or tenant that fails is skipped.
   */
  sweep(): Promise<SweepReport>;
}

export interface SweepReport {
  started: number;
  lost: number;
  expired: number;
  /** Skipped rows and steps of tenants; the next run retries them. */
  skipped: number;
  /** Some of them; the reason is in the worker's log. */
  skippedSome: { tenant: string; step: string; id?: string; code: string }[];
}

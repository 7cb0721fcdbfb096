/** Housekeeping. Imports nothing, so that workflow code may use it. */
export interface SweepActivities {
  /**
   * Starts processes that were never started, reports those that were lost later (a person may have meant it),
   * and deletes what is past its retention.
   */
  sweep(): Promise<{ started: number; lost: number; expired: number }>;
}

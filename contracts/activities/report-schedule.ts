import type { FireOutcome } from '../authoring/report-schedules.ts';

/** A report by the clock. Imports types only, so that workflow code may use it. */

export interface FireRef {
  tenant: string;
  /** The schedule's. */
  id: string;
  /** For when it was wanted; ISO 8601. Names the report: the same time again is the same report. */
  firedAt: string;
}

export type ReportStage =
  { stage: 'writing'; jobId: string; draftId: string } | { stage: 'ready'; draftId: string } | { stage: 'over'; end: FireEnd };

export interface FireEnd {
  outcome: Exclude<FireOutcome, 'started'>;
  /** In our own words. */
  error: string | null;
  draftId: string | null;
}

export interface ReportScheduleActivities {
  /** Has the report generated, unless it is under way or done. */
  beginReport(fire: FireRef): Promise<ReportStage>;
  /** Waits for it, some seconds. */
  awaitReport(fire: FireRef, jobId: string, draftId: string): Promise<ReportStage>;
  /** Tells each recipient once. */
  tellRecipients(fire: FireRef, draftId: string): Promise<FireEnd>;
  /** Writes how it went; pauses the schedule after too many failures in a row. */
  endFire(fire: FireRef, end: FireEnd): Promise<void>;
}

import type { FireOutcome } from '../../authoring/report-schedules.ts';

/** Activities of a scheduled report. Imports types only, so that workflow code may use it. */

export interface FireRef {
  tenant: string;
  /** Id of the schedule. */
  id: string;
  /** The scheduled time (ISO 8601). It identifies the report: a repeat finds the same report. */
  firedAt: string;
}

export type ReportStage =
  { stage: 'writing'; jobId: string; draftId: string } | { stage: 'ready'; draftId: string } | { stage: 'over'; end: FireEnd };

export interface FireEnd {
  outcome: Exclude<FireOutcome, 'started'>;
  /** In our own words, without the provider's text. */
  error: string | null;
  draftId: string | null;
}

export interface ReportScheduleActivities {
  /** Starts the report, unless it is running or done. */
  beginReport(fire: FireRef): Promise<ReportStage>;
  /** Waits for it for some seconds. */
  awaitReport(fire: FireRef, jobId: string, draftId: string): Promise<ReportStage>;
  /** Notifies each recipient once. */
  tellRecipients(fire: FireRef, draftId: string): Promise<FireEnd>;
  /** Writes the outcome; pauses the schedule after too many consecutive failures. */
  endFire(fire: FireRef, end: FireEnd): Promise<void>;
}

import { z } from 'zod';
import { audiences, reportFormats, reportTypes } from './authoring.ts';
import { channels } from '../outbound/notifications.ts';

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** When it runs: a cron expression, or daily or weekly at a time, in the schedule's time zone. */
export const timing = z.object({
  cron: z.string().optional(),
  every: z.enum(['day', 'week']).optional(),
  /** HH:MM */
  at: z.string().optional(),
  weekday: z.enum(weekdays).optional(),
});
export type Timing = z.infer<typeof timing>;

/** The report to generate, with the arguments of authoring.report.generate. */
export const scheduledReport = z.object({
  report_type: z.enum(reportTypes),
  format: z.enum(reportFormats),
  audience: z.enum(audiences),
  time_window_days: z.number(),
  filter_area: z.string().optional(),
  filter_customer: z.string().optional(),
  for_team: z.string().optional(),
});
export type ScheduledReport = z.infer<typeof scheduledReport>;

export const scheduleId = z
  .string()
  .regex(/^schedule_[0-9a-z]{20}$/)
  .meta({ examples: ['schedule_4tq0zc8m1v6y2k9h5n3w'] });

/** Outcome of a run. `quiet`: nothing to report, no message sent; `partly`: some messages failed; `skipped`: the schedule was paused or removed. */
export const fireOutcomes = ['started', 'sent', 'partly', 'quiet', 'failed', 'skipped'] as const;
export type FireOutcome = (typeof fireOutcomes)[number];

export const reportSchedule = z.object({
  schedule_id: z.string(),
  name: z.string(),
  report: scheduledReport,
  timing,
  timezone: z.string(),
  recipients: z.array(z.object({ channel: z.enum(channels), recipient: z.string().describe('Of a webhook the host alone') })),
  status: z.enum(['active', 'paused']),
  paused_because: z.string().nullable(),
  failures: z.number().describe('In a row; after three it is paused'),
  last: z
    .object({
      fired_at: z.string(),
      outcome: z.enum(fireOutcomes),
      error: z.string().nullable(),
      draft_id: z.string().nullable(),
    })
    .nullable(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type ReportSchedule = z.infer<typeof reportSchedule>;

import { z } from 'zod';
import { reportFormats, reportTypes } from '../../contracts/authoring/authoring.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { recipient } from '../../contracts/outbound/notifications.ts';
import { weekdays } from '../../contracts/authoring/report-schedules.ts';
import { audience } from './authoring.shared.ts';

/** The report, its times and its recipients. */
export const scheduleFields = {
  name: words(120),
  report_type: z.enum(reportTypes),
  time_window_days: z.number().int().min(1).max(3_650).default(90).describe('How far back each report looks'),
  format: z.enum(reportFormats).default('executive_summary'),
  audience: audience.default('general'),
  filter_area: words(128).optional(),
  filter_customer: words(512).optional().describe('Not for roadmap_summary'),
  for_team: words(128).optional().describe('Made within what this stakeholder team may see'),
  every: z.enum(['day', 'week']).optional().describe('With at; or give cron'),
  at: z.string().max(5).optional().describe('Time of day, HH:MM'),
  weekday: z.enum(weekdays).optional().describe('With every: week'),
  cron: z.string().max(100).optional().describe('Five fields, once an hour at most, e.g. 0 8 * * 1-5'),
  timezone: z.string().max(64).default('UTC').describe('IANA name, e.g. Europe/Berlin; summer time is kept'),
  recipients: z.array(recipient).min(1).max(20).optional().describe('Each gets the report once. Left out with schedule_id: as they are'),
  paused: z.boolean().default(false).describe('Kept, but not fired'),
};

import { z } from 'zod';
import { brief, briefSettings, type Brief, type BriefSettings } from '../../contracts/feeds/briefs.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { Given } from '../catalogue/given.ts';

export const runId = z
  .string()
  .min(1)
  .max(128)
  .describe('Id of the run, e.g. run_1731585600')
  .meta({ examples: ['run_1731585600'] });

/** While its job is running, only the job. */
export const briefAnswer = brief.partial().extend({
  run_id: z.string().optional(),
  date: z.string().optional(),
  job_id: z.string(),
  status: z.string(),
});
export type BriefAnswer = z.input<typeof briefAnswer>;

export function briefResult(services: Given, { job, brief: made }: { job: Job; brief: Brief | null }) {
  const data: BriefAnswer = { ...made, job_id: job.job_id, status: job.status };
  const refs = services.jobs.refs(job);
  if (!made) {
    const warnings = ['Still running: system.job.get shows when it is done, authoring.brief.get then returns the brief.'];
    return { data, refs, status: 'accepted' as const, warnings };
  }
  return {
    data,
    refs: [{ type: 'brief' as const, id: made.brief_id }, ...refs],
    warnings: made.warnings,
    metadata: { result_count: made.highlights.length },
    observed: { 'articles.count': made.total_articles_analyzed, 'brief.highlights': made.highlights.length },
  };
}

export const settingsAnswer = briefSettings.extend({
  recipients: z
    .array(z.object({ channel: z.string(), recipient: z.string() }))
    .describe('Webhook addresses without the parts that give access'),
  configured: z.boolean().describe('false: these are the defaults'),
});

/** A webhook's address gives access to it. */
export const shownSettings = (
  services: Given<'authoring'>,
  { settings, saved }: { settings: BriefSettings; saved: boolean },
): z.input<typeof settingsAnswer> => ({
  ...settings,
  recipients: settings.recipients.map(({ channel, recipient }) => ({
    channel,
    recipient: services.notifications.shown(channel, recipient),
  })),
  configured: saved,
});

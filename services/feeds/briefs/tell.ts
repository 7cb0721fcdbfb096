/** Notifies readers of a brief. */
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import type { Brief } from '../../../contracts/feeds/briefs.ts';
import { AppError } from '../../../contracts/errors.ts';
import { hashOf } from '../../../contracts/ids.ts';
import { readableFor, writeToken } from './links.ts';
import type { BriefNotifications } from './ports.ts';
import { briefMarkdown } from './render.ts';
import { settingsOf } from './settings.ts';
import { dailyOf } from './spec.ts';
import type { StageDeps } from './stages.ts';

export interface TellingDeps extends StageDeps {
  notifications: BriefNotifications;
}

/** The link to the brief of a day; deterministic per version. */
export function linkOf({ secrets, a2a }: Pick<TellingDeps, 'secrets' | 'a2a'>, tenant: string, { date, generated_at }: Brief): string {
  const until = Math.floor((Date.parse(generated_at) + readableFor) / 1_000);
  return `${a2a.endpointUrl}/briefs/${date}?token=${writeToken(secrets, tenant, date, until)}`;
}

/**
 * Notifies each recipient once a day, or once per run if requested.
 * @param last false: retryable failures are thrown
 */
export async function tellReaders(
  deps: TellingDeps,
  job: JobRef,
  made: { brief: string; version: number },
  { last }: { last: boolean },
): Promise<{ told: number; failed: number }> {
  const { tenant } = job;
  const { spec, createdBy } = await dailyOf(deps.db, job);
  const { settings } = await settingsOf(deps, tenant);
  if (spec.notify === false || settings.recipients.length === 0) return { told: 0, failed: 0 };
  if (spec.notify === null && (await deps.briefs.wasTold(tenant, made.brief))) return { told: 0, failed: 0 };
  const brief = await deps.briefs.get(tenant, made.brief, made.version);
  // No message for an empty brief.
  if (brief.highlights.length === 0) return { told: 0, failed: 0 };
  const message = {
    title: `Brief of ${brief.date}: ${brief.highlights.length === 1 ? 'one story' : `${brief.highlights.length} stories`}`,
    body: briefMarkdown(brief, false),
    url: linkOf(deps, tenant, brief),
  };
  const once = spec.notify === true ? job.id : spec.date;
  let told = 0;
  let retry: AppError | null = null;
  for (const { channel, recipient } of settings.recipients) {
    const key = `brief:${tenant}:${once}:${hashOf({ channel, recipient }).slice(0, 24)}`;
    try {
      await deps.notifications.send(tenant, { channel, recipient, message, priority: 'normal', createdBy }, key);
      told += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A run that died before recording it had already sent another version.
      if (error.code === 'CONFLICT' && error.details?.['reason'] === undefined) told += 1;
      if (error.retryable) retry = error;
    }
  }
  if (retry && !last) throw retry;
  if (told > 0) await deps.briefs.markTold(tenant, made.brief, made.version);
  return { told, failed: settings.recipients.length - told };
}

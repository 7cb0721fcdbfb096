import type { Brief, BriefSettings, BriefSource } from '../contracts/feeds/briefs.ts';
import { ok } from './client.ts';
import type { ConfigureOptions, RunOptions } from './commands/brief.ts';
import { failedJob, followJob, progressLine } from './jobs.ts';
import { clean, defined, facts, note, say, sayJson, table } from './output.ts';
import { aside } from './tools.ts';

type Shown = Brief & { content: string; link: string; sources: BriefSource[] };

export async function runBrief({ date, notify }: RunOptions, json: boolean): Promise<void> {
  const asked = await ok<Partial<Brief> & { job_id: string; status: string }>('authoring.brief.run', defined({ date, notify }));
  const job = await followJob(asked.data.job_id, json ? undefined : (state) => note(progressLine(state)));
  if (job.status !== 'completed') throw failedJob(job);
  const { brief } = job.result as { brief: { brief: string; version: number } };
  const { data } = await ok<Shown>('authoring.brief.get', { brief_id: brief.brief, version: brief.version });
  if (json) return sayJson({ job, brief: data });
  show(data);
  for (const { feed_id, error } of data.sources) if (error) note(`Not read: ${clean(feed_id)} (${error.code}: ${clean(error.message)})`);
}

export async function showBrief(date: string | undefined, json: boolean): Promise<void> {
  const { data } = await ok<Shown>('authoring.brief.get', defined({ date }));
  if (json) return sayJson(data);
  show(data);
}

function show({ content, link, warnings }: Shown): void {
  say(clean(content));
  say();
  for (const warning of warnings) note(`Note: ${clean(warning)}`);
  note(link);
}

export async function listBriefs(limit: number, json: boolean): Promise<void> {
  const answer = await ok<{
    briefs: { date: string; version: number; titles: string[]; total_articles_analyzed: number; brief_id: string }[];
  }>('authoring.brief.list', { limit });
  if (json) return sayJson(answer.data);
  table(
    ['DATE', 'VERSION', 'ARTICLES', 'ID', 'STORIES'],
    answer.data.briefs.map((each) => [each.date, each.version, each.total_articles_analyzed, each.brief_id, each.titles.join(' · ')]),
  );
  aside(answer);
}

export async function configureBrief(options: ConfigureOptions, json: boolean): Promise<void> {
  const answer = await ok<BriefSettings & { configured: boolean; approval_id?: string }>(
    'authoring.brief.configure',
    defined({
      topics: options.topic,
      time: options.at,
      time_zone: options.timeZone,
      recipients: options.to,
      sources: options.sources,
      max_highlights: options.maxHighlights,
      enabled: options.enabled,
    }),
  );
  const { data } = answer;
  // An agent's key has asked for approval.
  if (data.approval_id !== undefined) aside(answer);
  if (json) return sayJson(data);
  if (data.approval_id !== undefined) return;
  facts([
    ['enabled', String(data.enabled)],
    ['at', `${data.time} ${data.time_zone}`],
    ['topics', data.topics.map(({ name, weight }) => `${name} (${weight})`).join(', ') || '-'],
    ['recipients', data.recipients.map(({ channel, recipient }) => `${channel}:${recipient}`).join(', ') || '-'],
    ['sources', data.sources.join(', ') || 'all that are enabled'],
    ['highlights', data.max_highlights],
    ['least relevance', data.min_relevance],
    ['articles of', `${data.lookback_hours} h`],
  ]);
}

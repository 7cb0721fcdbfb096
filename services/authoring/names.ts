/** Pure: display names. */
import type { ArtifactType, ReportType } from '../../contracts/authoring/authoring.ts';
import { severities, type SignalClass, type SignalSource } from '../../contracts/signals/signals.ts';

export const artifactTitles: Record<ArtifactType, string> = {
  prd: 'Product requirements',
  jira: 'Issues',
  rfc: 'Request for comments',
  one_pager: 'One-pager',
};

export const reportTitles: Record<ReportType, string> = {
  customer_health_summary: 'Customer health summary',
  roadmap_summary: 'Roadmap summary',
  customer_impact_brief: 'Customer impact brief',
  weekly_digest: 'Digest',
  competitive_intel: 'Competitive intelligence',
  product_area_overview: 'Product area overview',
};

/** Singular and plural. */
export const classNames: Record<SignalClass, [string, string]> = {
  request: ['request', 'requests'],
  bug: ['bug report', 'bug reports'],
  complaint: ['complaint', 'complaints'],
  praise: ['word of praise', 'words of praise'],
  question: ['question', 'questions'],
  churn_risk: ['sign of leaving', 'signs of leaving'],
  information: ['neutral statement', 'neutral statements'],
};

export const sourceNames: Record<SignalSource, string> = {
  slack: 'Slack',
  meeting_transcript: 'meeting',
  document: 'document',
  web_scrape: 'web',
  jira: 'Jira',
  wiki: 'wiki',
};

export const severityName = (severity: number): string => severities[severity] ?? 'none';

const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
/** "3 Nov 2026" */
export const dateOf = (iso: string): string => dates.format(new Date(iso));

export const many = (n: number, one: string, more = `${one}s`): string => `${n} ${n === 1 ? one : more}`;

/** Pure: addresses of drafts, and a draft's statements in order. */
import type {
  ArtifactType,
  Audience,
  DraftSummary,
  ReportFormat,
  ReportType,
  Template,
  TracedDraft,
  TracedSource,
  TracedStatement,
} from '../../../../contracts/authoring/authoring.ts';
import type { ReportSchedule } from '../../../../contracts/authoring/report-schedules.ts';
import type { AspectName } from '../../ui/Aspect.tsx';

export const listDefaults = { tab: 'drafts', kind: '', type: '', status: '', q: '' };
export const draftDefaults = { at: '' };

const short: Record<string, string> = { prd: 'PRD', rfc: 'RFC', jira: 'Jira issues', cs_sales: 'success and sales' };
export const worded = (text: string): string => short[text] ?? text.replaceAll('_', ' ');
const choices = <T extends string>(list: readonly T[]) => list.map((value) => [value, worded(value)] as const);
export const options = {
  reports: choices<ReportType>([
    'weekly_digest',
    'customer_health_summary',
    'customer_impact_brief',
    'roadmap_summary',
    'product_area_overview',
    'competitive_intel',
  ]),
  artifacts: choices<ArtifactType>(['prd', 'jira', 'rfc', 'one_pager']),
  audiences: choices<Audience>(['general', 'engineering', 'design', 'leadership', 'cs_sales']),
  formats: choices<ReportFormat>(['executive_summary', 'detailed', 'one_pager']),
  templates: choices<Template>(['standard', 'lightweight', 'detailed']),
};

export const statusAspects: Record<DraftSummary['status'], AspectName> = {
  writing: 'held',
  ready: 'clear',
  failed: 'stop',
  cancelled: 'out',
  withdrawn: 'out',
};

export const statementsOf = ({ blocks }: TracedDraft): TracedStatement[] => blocks.flatMap(({ statements }) => statements);

/** The sources of a statement, in its order. */
export function sourcesOf({ sources }: TracedDraft, statement: TracedStatement): TracedSource[] {
  const known = new Map(sources.map((source) => [source.number, source]));
  return statement.sources.flatMap((number) => known.get(number) ?? []);
}

/** The ordinal that an arrow key leads to. */
export function movedTo(statements: readonly TracedStatement[], at: number, key: string): number | null {
  const by = { ArrowDown: 1, ArrowUp: -1 }[key];
  const here = statements.findIndex(({ ordinal }) => ordinal === at);
  if (key === 'Home') return statements[0]?.ordinal ?? null;
  if (key === 'End') return statements.at(-1)?.ordinal ?? null;
  return by === undefined ? null : (statements[Math.max(0, Math.min(statements.length - 1, here + by))]?.ordinal ?? null);
}

/** A statement in pieces: its figures, each once, are told from the words. */
export function piecesOf({ text, figures }: TracedStatement): { text: string; figure: number | null }[] {
  const pieces: { text: string; figure: number | null }[] = [];
  const open = figures.map(({ n }, i) => ({ n: String(n), i }));
  let rest = text;
  for (;;) {
    const found = open
      .map(({ n, i }) => ({ n, i, at: rest.search(new RegExp(`(?<![\\p{L}\\p{N}.,])${n}(?![\\p{L}\\p{N}]|[.,]\\d)`, 'u')) }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at)[0];
    if (!found) break;
    if (found.at > 0) pieces.push({ text: rest.slice(0, found.at), figure: null });
    pieces.push({ text: found.n, figure: found.i });
    rest = rest.slice(found.at + found.n.length);
    open.splice(
      open.findIndex(({ i }) => i === found.i),
      1,
    );
  }
  if (rest !== '') pieces.push({ text: rest, figure: null });
  return pieces;
}

export const stages = ['gather', 'write', 'check'] as const;
export const stageWords: Record<string, string> = { gather: 'gathers the evidence', write: 'writes', check: 'checks each statement' };

export function whenOf({ timing: { cron, every, at, weekday }, timezone }: Pick<ReportSchedule, 'timing' | 'timezone'>): string {
  const time = cron === undefined ? `every ${every === 'week' ? (weekday ?? 'week') : 'day'} at ${at ?? ''}` : `cron ${cron}`;
  return `${time}, ${timezone}`;
}

/** A schedule as its form has it. */
export const newSchedule = {
  name: '',
  report_type: 'weekly_digest',
  format: 'executive_summary',
  audience: 'general',
  time_window_days: '90',
  filter_area: '',
  filter_customer: '',
  for_team: '',
  every: 'week',
  weekday: 'monday',
  at: '09:00',
  cron: '',
  timezone: 'UTC',
};
export type ScheduleFields = typeof newSchedule;

export const fieldsOf = ({
  name,
  report,
  timing,
  timezone,
}: Pick<ReportSchedule, 'name' | 'report' | 'timing' | 'timezone'>): ScheduleFields => ({
  ...report,
  time_window_days: String(report.time_window_days),
  filter_area: report.filter_area ?? '',
  filter_customer: report.filter_customer ?? '',
  for_team: report.for_team ?? '',
  every: timing.cron === undefined ? (timing.every ?? 'day') : 'cron',
  weekday: timing.weekday ?? newSchedule.weekday,
  at: timing.at ?? newSchedule.at,
  cron: timing.cron ?? '',
  name,
  timezone,
});

/** Arguments of authoring.schedule.save, without recipients and without fields that the chosen timing does not use. */
export function scheduleArgs({ time_window_days, every, weekday, at, cron, ...fields }: ScheduleFields): Record<string, unknown> {
  const given = Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()] as const])),
  );
  return {
    ...given,
    time_window_days: Number(time_window_days),
    ...(every === 'cron' ? { cron: cron.trim() } : { every, at, ...(every === 'week' ? { weekday } : {}) }),
  };
}

/** Why the form cannot be sent; null: it can. */
export function scheduleFault({ name, time_window_days, every, cron, at }: ScheduleFields): string | null {
  if (name.trim() === '') return 'A name is missing.';
  if (!/^[1-9]\d{0,3}$/.test(time_window_days.trim())) return '“Days back” must be a number of days.';
  if (every === 'cron' ? cron.trim() === '' : at === '') return 'The time is missing.';
  return null;
}

/** A name for a file. */
export const fileName = (title: string): string =>
  `${
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 80) || 'draft'
  }.md`;

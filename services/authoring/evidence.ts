import type { ArtifactType, ReportType } from '../../contracts/authoring/authoring.ts';
import { AppError } from '../../contracts/errors.ts';
import { filterOf, daysBefore, type BasisDeps } from './basis.ts';
import { anySignal, cite, newest, overview, rank, samples, telling } from './evidence-sql.ts';
import { factsAbout } from './facts-sql.ts';
import { nameNews } from './news.ts';
import { inPeriod, justBefore } from './period.ts';
import { reportTitles, artifactTitles } from './names.ts';
import { sampleSets, type DraftSpec, type Evidence, type OpportunityView, type Ranked } from './types.ts';

/** Maximum entities per type, and samples per entity. */
const top = 10;
const sampled = 3;
/** Maximum statements per class, from before the period, and that others refer to. */
const most = { perClass: 60, background: 100, linked: 200 };
/** Days to compare in a draft without a window. */
const trendDays = 28;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Reads all evidence of a draft.
 * @throws AppError NOT_FOUND when there is not enough evidence, with what is missing
 */
export async function gather(deps: BasisDeps, tenant: string, spec: DraftSpec): Promise<Evidence> {
  const { query } = deps.db;
  const { filter, opportunity, warning } = await filterOf(deps, tenant, spec);
  const windowDays =
    spec.windowDays ??
    (filter.from === null ? trendDays : Math.max(1, Math.round((Date.parse(filter.until) - Date.parse(filter.from)) / dayMs)));
  const windows = { recentFrom: daysBefore(filter.until, windowDays), previousFrom: daysBefore(filter.until, 2 * windowDays) };
  const found = await overview(query, filter);
  if (found.signals === 0 || found.newest === null || found.oldest === null) throw await lacking(deps, tenant, spec);
  const recent = await overview(query, { ...filter, from: windows.recentFrom });
  const before = await overview(query, { ...filter, from: windows.previousFrom, until: justBefore(windows.recentFrom) });

  const entities = await rank(query, filter, windows, top);
  const sampledBy = await samples(
    query,
    filter,
    entities.map(({ id }) => id),
    sampled,
  );
  const ranked: Record<string, Ranked[]> = {};
  for (const entity of entities) (ranked[entity.type] ??= []).push({ ...entity, samples: sampledBy.get(entity.id) ?? entity.samples });

  const { own, linked } = await telling(query, filter, most);
  const latest = await newest(query, filter, sampled);
  const sample = Object.values(ranked).flat().flatMap(samplesOf);
  const signals = await cite(query, filter, [...new Set([...own, ...linked, ...latest, ...sample])]);

  const about = spec.entity ? [spec.entity.id] : entities.slice(0, 20).map(({ id }) => id);
  const opportunities = opportunity
    ? [opportunity]
    : spec.type === 'roadmap_summary'
      ? await deps.opportunities.top(tenant, top, filter)
      : [];
  return {
    spec,
    title: titleOf(spec, opportunity),
    filter,
    ...windows,
    windowDays,
    newest: found.newest,
    oldest: found.oldest,
    totals: { signals: found.signals, customers: found.customers, recent: recent.signals, previous: before.signals },
    classes: found.classes,
    severe: found.severe,
    ranked,
    whole: filter.from === null || !(await anySignal(query, { ...filter, from: null, until: justBefore(filter.from) })),
    telling: own,
    newestSignals: latest,
    severeSignals: own.filter((id) => (signals[id]?.severity ?? 0) >= 3 && inPeriod(signals[id]!.at, filter)),
    signals,
    news: await nameNews(query, filter),
    facts: await factsAbout(query, filter, about, top),
    opportunities: opportunities.map((each) => ({ ...each, summary: summaryOf(each) })),
    warnings: warning === null ? [] : [warning],
  };
}

const samplesOf = ({ samples: each }: Ranked): string[] => sampleSets.flatMap((set) => each[set]);

export const summaryOf = ({ title, status, score, factors }: Pick<OpportunityView, 'title' | 'status' | 'score' | 'factors'>): string =>
  `${title} (status: ${status}), score ${score}: ${Object.entries(factors)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`)
    .join(', ')}`;

function titleOf(spec: DraftSpec, opportunity: OpportunityView | null): string {
  const of = spec.kind === 'artifact' ? artifactTitles[spec.type as ArtifactType] : reportTitles[spec.type as ReportType];
  const about = [opportunity?.title ?? spec.entity?.name, spec.customer?.name, spec.area].filter(Boolean).join(', ');
  return about === '' ? of : `${of}: ${about}`;
}

/** What is missing; computed only when something is. */
export async function lacking({ db }: BasisDeps, tenant: string, spec: DraftSpec): Promise<AppError> {
  const [row] = await db.query<{ any: boolean; newest: Date | null }>(
    `select exists (select from signals where tenant_id = $1) as any, max(occurred_at) as newest from signals where tenant_id = $1 and occurred_at <= $2`,
    [tenant, spec.until],
  );
  const about = spec.entity?.name ?? spec.customer?.name ?? spec.area;
  const missing: string[] = [];
  const hints: string[] = [];
  if (!row?.any) {
    missing.push('customer statements: none has been ingested, or none that you may see');
    hints.push('Ingest transcripts, tickets or documents first, e.g. with ingest.content.submit.');
  } else {
    if (spec.type === 'competitive_intel') missing.push('statements that compare with or name a competitor');
    else if (spec.type === 'jira' && spec.issueType === 'bug') missing.push('statements of an open problem');
    else if (spec.opportunityId !== null) missing.push('statements that the opportunity rests on');
    else
      missing.push(
        `${about ? `statements about ${about}` : 'statements'}${row.newest === null ? ` said until ${spec.until.slice(0, 10)}` : ''}`,
      );
    if (row.newest !== null && (spec.windowDays !== null || spec.from)) {
      const day = row.newest.toISOString().slice(0, 10);
      missing.push(
        `${spec.windowDays === null ? 'in the period' : `in the last ${spec.windowDays} days`}; the newest statement of all is of ${day}`,
      );
      hints.push('Take a longer time_window_days, or another as_of.');
    }
    if (spec.area !== null || spec.customer !== null) hints.push('Leave a filter out.');
    if (hints.length === 0) hints.push('signal.record.search shows what statements there are.');
  }
  return new AppError('NOT_FOUND', `There is not enough evidence for this draft. Missing: ${missing.join(' ')}.`, {
    hint: hints.join(' '),
    details: { reason: 'not_enough_evidence', missing },
  });
}

/**
 * Checked before the process starts.
 * @throws AppError NOT_FOUND when there is not enough evidence, with what is missing
 */
export async function assertEvidence(deps: BasisDeps, tenant: string, spec: DraftSpec): Promise<void> {
  const { filter } = await filterOf(deps, tenant, spec);
  if (!(await anySignal(deps.db.query, filter))) throw await lacking(deps, tenant, spec);
}

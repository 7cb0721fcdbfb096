import type { ArtifactType, ReportType } from '../../contracts/authoring/authoring.ts';
import type { SignalClass } from '../../contracts/signals/signals.ts';
import { AppError } from '../../contracts/errors.ts';
import { filterOf, daysBefore, type BasisDeps } from './basis.ts';
import { anySignal, cite, factsAbout, newest, overview, quotes, rank, samples } from './evidence-sql.ts';
import { reportTitles, artifactTitles } from './names.ts';
import { sampleSets, type DraftSpec, type Evidence, type OpportunityView, type Ranked } from './types.ts';

/** Maximum entities per type, samples per entity, quotes per class. */
const top = 10;
const sampled = 3;
const quoted = 8;
/** Days to compare in a draft without a window. */
const trendDays = 28;

/**
 * Reads all evidence of a draft.
 * @throws AppError NOT_FOUND when there is not enough evidence, with what is missing
 */
export async function gather(deps: BasisDeps, tenant: string, spec: DraftSpec): Promise<Evidence> {
  const { query } = deps.db;
  const { filter, opportunity, warning } = await filterOf(deps, tenant, spec);
  const windowDays = spec.windowDays ?? trendDays;
  const windows = { recentFrom: daysBefore(spec.until, windowDays), previousFrom: daysBefore(spec.until, 2 * windowDays) };
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

  const telling = await quotes(query, filter, quoted);
  const latest = await newest(query, filter, sampled);
  const severe = telling.filter(({ severity }) => severity >= 3).map(({ id }) => id);
  const cited = new Set([...telling.map(({ id }) => id), ...latest, ...Object.values(ranked).flat().flatMap(samplesOf)]);
  const byClass: Partial<Record<SignalClass, string[]>> = {};
  for (const each of telling) (byClass[each.class] ??= []).push(each.id);

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
    quotes: byClass,
    newestSignals: latest,
    severeSignals: severe,
    signals: await cite(query, filter, [...cited]),
    facts: await factsAbout(query, tenant, about, top),
    opportunities: opportunities.map((each) => ({ ...each, summary: summaryOf(each) })),
    warnings: warning === null ? [] : [warning],
  };
}

/** Windows include their end. */
export const justBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString();

const samplesOf = ({ samples: each }: Ranked): string[] => sampleSets.flatMap((set) => each[set]);

export const summaryOf = ({ title, status, score, factors }: Pick<OpportunityView, 'title' | 'status' | 'score' | 'factors'>): string =>
  `${title} (${status}), score ${score}: ${Object.entries(factors)
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
    `select exists (select from signals where tenant_id = $1) as any, max(occurred_at) as newest from signals where tenant_id = $1`,
    [tenant],
  );
  const about = spec.entity?.name ?? spec.customer?.name ?? spec.area;
  const missing: string[] = [];
  const hints: string[] = [];
  if (!row?.any) {
    missing.push('customer statements: none has been ingested, or none that you may see');
    hints.push('Ingest transcripts, tickets or documents first, e.g. with ingest.content.submit.');
  } else {
    if (spec.type === 'competitive_intel') missing.push('statements that compare with or name a competitor');
    else if (spec.opportunityId !== null) missing.push('statements that the opportunity rests on');
    else missing.push(about ? `statements about ${about}` : 'statements');
    if (spec.windowDays !== null) {
      missing.push(`in the last ${spec.windowDays} days; the newest statement of all is of ${row.newest!.toISOString().slice(0, 10)}`);
      hints.push('Take a longer time_window_days.');
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

import type { GraphStore } from '../../adapters/graph/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { ArtifactType, Audience, IssueType, ReportFormat, ReportType, Template } from '../../contracts/authoring/authoring.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { endOf, startOf } from '../../contracts/times.ts';
import { areaOf } from '../graph/index.ts';
import type { EntityLookup } from '../graph/index.ts';
import type { DraftSpec, Filter, OpportunityView } from './types.ts';

/** Opportunities as authoring needs them. */
export interface OpportunityReader {
  /** Null: it does not exist. */
  get(tenant: string, id: string): Promise<OpportunityView | null>;
  /**
   * Open ones, best score first.
   * @param about only those with signals about one of these entities or this area; both null: all
   */
  top(tenant: string, limit: number, about: Pick<Filter, 'entities' | 'area'>): Promise<OpportunityView[]>;
}

export interface BasisDeps {
  db: Database;
  graph: GraphStore;
  lookup: EntityLookup;
  opportunities: OpportunityReader;
}

export interface WantedArtifact {
  type: ArtifactType;
  opportunityId?: string | undefined;
  entityName?: string | undefined;
  entityType?: string | undefined;
  audience: Audience;
  template: Template;
  issueType: IssueType;
  provenance: boolean;
  asOf?: string | undefined;
}

/** Days (UTC) or instants, ISO 8601. */
export interface Period {
  /** Nothing said later is known. Default: the end of the period, or now. */
  asOf?: string | undefined;
  /** Default: `windowDays` before its end. */
  from?: string | undefined;
  /** Default: `asOf`. */
  to?: string | undefined;
  /** Default: 90. */
  windowDays?: number | undefined;
}

export interface WantedReport extends Period {
  type: ReportType;
  format: ReportFormat;
  audience: Audience;
  area?: string | undefined;
  customer?: string | undefined;
}

const artifactSpec = { format: null, windowDays: null, area: null, customer: null } as const;

/** @throws AppError VALIDATION_ERROR unless it has exactly one basis, NOT_FOUND, AMBIGUOUS_ENTITY */
export async function artifactBasis(
  { lookup, opportunities }: BasisDeps,
  tenant: string,
  wanted: WantedArtifact,
  now = new Date(),
): Promise<DraftSpec> {
  const { type, audience, template, issueType, provenance, opportunityId, entityName, entityType } = wanted;
  if ((opportunityId === undefined) === (entityName === undefined)) {
    throw new AppError('VALIDATION_ERROR', 'Give exactly one of opportunity_id and entity_name.', {
      hint: 'opportunity.record.list shows opportunities, entity.record.list entities.',
    });
  }
  const spec = {
    kind: 'artifact' as const,
    type,
    audience,
    template,
    issueType,
    provenance,
    until: periodOf({ asOf: wanted.asOf }, now).until,
    ...artifactSpec,
  };
  if (opportunityId !== undefined) {
    const found = await opportunities.get(tenant, opportunityId);
    if (!found) throw notFound('opportunity', opportunityId, 'opportunity.record.list shows the opportunities of your tenant.');
    return { ...spec, opportunityId: found.id, entity: null };
  }
  const { entity } = await lookup.resolveName(tenant, entityName!, { type: entityType });
  return { ...spec, opportunityId: null, entity: { id: entity.id, type: entity.type, name: entity.name } };
}

/** @throws AppError VALIDATION_ERROR for incompatible filters, NOT_FOUND, AMBIGUOUS_ENTITY */
export async function reportBasis(
  { db, graph, lookup }: BasisDeps,
  tenant: string,
  wanted: WantedReport,
  now = new Date(),
): Promise<DraftSpec> {
  const { type, format, audience, area, customer } = wanted;
  const period = periodOf(wanted, now);
  if (type === 'roadmap_summary' && customer !== undefined) {
    throw new AppError('VALIDATION_ERROR', 'A roadmap summary is about the whole portfolio or an area, not about one customer.', {
      hint: 'Leave filter_customer out, or take customer_impact_brief or customer_health_summary for the customer.',
    });
  }
  const of = customer === undefined ? null : (await lookup.resolveName(tenant, customer, { type: 'customer' })).entity;
  // Refuse unknown areas immediately, and use the known spelling.
  const known = area === undefined ? null : await knownArea({ db, graph }, tenant, area);
  return {
    kind: 'report',
    type,
    format,
    audience,
    ...period,
    template: 'standard',
    issueType: 'story',
    provenance: true,
    opportunityId: null,
    entity: null,
    area: known,
    customer: of === null ? null : { id: of.id, type: of.type, name: of.name },
  };
}

const day = 24 * 60 * 60 * 1000;
const defaultDays = 90;

/**
 * The period of a report, and the day as of which it is written.
 * @throws AppError VALIDATION_ERROR for a day in the future, an end before the start, a start beside a number of days
 */
export function periodOf({ asOf, from, to, windowDays }: Period, now: Date): Pick<DraftSpec, 'windowDays' | 'from' | 'to' | 'until'> {
  const latest = now.toISOString();
  const today = latest.slice(0, 10);
  for (const [name, given] of Object.entries({ as_of: asOf, from, to })) {
    if (given !== undefined && given.slice(0, 10) > today) {
      throw new AppError('VALIDATION_ERROR', `${name} ${given} lies in the future: nothing can have been said by then.`, {
        hint: `Today is ${today} (UTC). Pass a day until today, or leave ${name} out.`,
      });
    }
  }
  if (from !== undefined && windowDays !== undefined) {
    throw new AppError('VALIDATION_ERROR', 'from and time_window_days both say where the period begins.', { hint: 'Give one of them.' });
  }
  const earliest = (at: string): string => (endOf(at) < latest ? endOf(at) : latest);
  const until = earliest(asOf ?? to ?? latest);
  const end = to === undefined ? until : earliest(to);
  if (end > until) {
    throw new AppError('VALIDATION_ERROR', `The period ends on ${to}, after as_of ${asOf}: that is not known yet.`, {
      hint: 'Pass a to until as_of, or a later as_of.',
    });
  }
  const start = from === undefined ? null : startOf(from);
  if (start !== null && start > end) {
    throw new AppError('VALIDATION_ERROR', `The period begins on ${from}, after its end ${end.slice(0, 10)}.`, {
      hint: 'Pass an earlier from.',
    });
  }
  return { windowDays: start === null ? (windowDays ?? defaultDays) : null, from: start, to: to === undefined ? null : end, until };
}
/** No earlier than the years that Postgres accepts. */
export const daysBefore = (until: string, days: number): string =>
  new Date(Math.max(Date.parse('0001-01-01T00:00:00.000Z'), Date.parse(until) - days * day)).toISOString();

/**
 * Filter for the signals of a draft.
 * @throws AppError NOT_FOUND when its basis was deleted
 */
export async function filterOf(
  deps: BasisDeps,
  tenant: string,
  spec: DraftSpec,
): Promise<{ filter: Filter; opportunity: OpportunityView | null; warning: string | null }> {
  const until = spec.to ?? spec.until;
  const base = {
    tenant,
    from: spec.from ?? (spec.windowDays === null ? null : daysBefore(until, spec.windowDays)),
    until,
    asOf: spec.until,
    known: new Date().toISOString(),
    signals: null,
    entities: null,
    area: null,
    customer: spec.customer?.id ?? null,
    competing: spec.type === 'competitive_intel',
  };
  if (spec.opportunityId !== null) {
    const opportunity = await deps.opportunities.get(tenant, spec.opportunityId);
    if (!opportunity) throw notFound('opportunity', spec.opportunityId);
    return { filter: { ...base, signals: opportunity.signalIds }, opportunity, warning: null };
  }
  if (spec.entity !== null) {
    // It may have been merged meanwhile.
    const { id } = await deps.lookup.byId(tenant, spec.entity.id);
    return { filter: { ...base, entities: [id] }, opportunity: null, warning: null };
  }
  if (spec.area === null) return { filter: base, opportunity: null, warning: null };
  const area = await entitiesOfArea(deps, tenant, spec.area);
  return { filter: { ...base, entities: area.ids, area: spec.area }, opportunity: null, warning: area.warning };
}

const saidOfArea = async ({ db }: Pick<BasisDeps, 'db'>, tenant: string, name: string): Promise<string | null> =>
  (await db.query<{ area: string }>('select area from signals where tenant_id = $1 and area_key = lower($2) limit 1', [tenant, name]))[0]
    ?.area ?? null;

async function knownArea(deps: Pick<BasisDeps, 'db' | 'graph'>, tenant: string, name: string): Promise<string> {
  return (await saidOfArea(deps, tenant, name.trim())) ?? (await areaOf(deps.db, deps.graph, tenant, name)).name;
}

/** Signals may have an area that no entity has. */
async function entitiesOfArea(deps: BasisDeps, tenant: string, name: string): Promise<{ ids: string[]; warning: string | null }> {
  try {
    const { ids, warning } = await areaOf(deps.db, deps.graph, tenant, name);
    return { ids, warning: warning ?? null };
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return { ids: [], warning: null };
    throw error;
  }
}

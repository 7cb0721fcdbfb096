import type { Database } from '../../../adapters/postgres/database.ts';
import type { Profiled } from '../../../contracts/graph/graph.ts';
import type { Severity } from '../../../contracts/signals/signals.ts';
import { profiledView } from '../../graph/index.ts';
import type { Candidate } from '../../graph/index.ts';
import type { EntityLookup } from '../../graph/index.ts';
import type { Trend } from '../../kernel/trends.ts';
import { Service } from '../../kernel/service.ts';
import type { Day } from './days.ts';
import { signalsAbout, type SignalView } from './evidence.ts';
import {
  isOpen,
  joinedWith,
  sentimentByMonth,
  severityLabel,
  toldWith,
  totalsOf,
  trendFor,
  type Joined,
  type MonthOf,
  type Told,
  type Totals,
} from './profile-parts.ts';

/** An entity mentioned together with this one. */
export interface Linked {
  name: string;
  entity_id: string;
  /** Signals about both. */
  signals: number;
  /** Mean over these; null: known from facts only. */
  sentiment: number | null;
  severity: string | null;
  /** As reported by a person or another system. */
  state: string | null;
  last_said_on: Day | null;
  /** Sources of the connection. */
  known_by: ('signals' | 'fact')[];
}

interface Profile {
  others: Candidate[];
  /** Missing data that would improve the answer. */
  missing: string[];
  totals: Totals;
}

export interface CustomerProfile extends Profile {
  customer: Profiled;
  features_used: Linked[];
  features_requested: Linked[];
  issues_reported: Linked[];
  signal_history: SignalView[];
  sentiment_trend: MonthOf[];
}

export interface FeatureHealth extends Profile {
  feature: Profiled;
  adoption_count: number;
  adopters: Linked[];
  open_issues: Linked[];
  recent_signals: SignalView[];
  customer_sentiment: { average: number | null; signals: number; by_month: MonthOf[] };
  dependencies: { name: string; entity_id: string; type: string; relation: string; direction: 'needs' | 'needed_by' }[];
  trend: Trend;
}

export interface IssueImpact extends Profile {
  issue: Profiled;
  state: string | null;
  affected_customer_count: number;
  affected_customers: Linked[];
  severity: Severity;
  frequency: { signals: number; per_week: number; last_28_days: number; previous_28_days: number };
  trend_direction: Trend['direction'];
  change_pct: number | null;
  affected_features: Linked[];
  related_issues: { name: string; entity_id: string; state: string | null; relations: string[]; passages: number }[];
}

const shown = 20;
const shownSignals = 20;
/** Maximum facts considered before the list is cut. */
const looked = 10_000;
const window = 28;

/** Profiles of customers, features and issues. All throw AppError NOT_FOUND, AMBIGUOUS_ENTITY. */
export class Profiles extends Service<never, { lookup: EntityLookup }> {
  /** @param asOf nothing said later counts, and facts, which have no day, are left out; null: now */
  async customer(tenant: string, name: string, asOf: Day | null): Promise<CustomerProfile> {
    const { query } = this.db;
    const { entity, alternatives } = await this.deps.lookup.resolveName(tenant, name, { type: 'customer' });
    const totals = await totalsOf(query, tenant, entity, asOf);
    const features = await toldWith(query, tenant, entity.id, { kind: 'feature/customer', side: 'column', limit: looked, asOf });
    const issues = await toldWith(query, tenant, entity.id, { kind: 'issue/customer', side: 'column', limit: shown, asOf });
    const facts = await this.facts(asOf, tenant, entity.id, { out: ['uses', 'requested', 'reported'], into: ['affects'] });
    const uses = facts.filter(({ kind, type }) => kind === 'uses' && (type === 'feature' || type === 'product'));
    const asked = facts.filter(({ kind, type }) => kind === 'requested' && type === 'feature');
    const hit = facts.filter(({ kind, type }) => (kind === 'reported' || kind === 'affects') && type === 'issue');
    return {
      customer: await profiledView(query, tenant, entity),
      others: alternatives,
      totals,
      features_used: linked(features.told.filter(isUse), uses),
      features_requested: linked(
        features.told.filter(({ requests }) => requests > 0),
        asked,
      ),
      issues_reported: linked(issues.told, hit),
      signal_history: await signalsAbout(query, tenant, entity.id, shownSignals, asOf),
      sentiment_trend: await sentimentByMonth(query, tenant, entity, asOf),
      missing: [
        ...withoutFacts(asOf),
        ...(totals.signals === 0 ? [nothingSaid(entity)] : []),
        ...(totals.signals > 0 && features.total === 0 && uses.length === 0
          ? ['No feature is named together with this customer: what they use is not known.']
          : []),
      ],
    };
  }

  /** @param today the last day of the trend without `asOf` */
  async feature(tenant: string, name: string, today: Day, asOf: Day | null): Promise<FeatureHealth> {
    const { query } = this.db;
    const { entity, alternatives } = await this.deps.lookup.resolveName(tenant, name, { type: 'feature' });
    const totals = await totalsOf(query, tenant, entity, asOf);
    const customers = await toldWith(query, tenant, entity.id, { kind: 'feature/customer', side: 'row', limit: looked, asOf });
    const issues = await toldWith(query, tenant, entity.id, { kind: 'issue/feature', side: 'column', limit: looked, asOf });
    const facts = await this.facts(asOf, tenant, entity.id, {
      out: ['depends_on', 'part_of'],
      into: ['depends_on', 'part_of', 'uses', 'affects', 'blocks'],
    });
    const users = facts.filter(({ kind, type }) => kind === 'uses' && type === 'customer');
    const hits = facts.filter(({ kind, type }) => (kind === 'affects' || kind === 'blocks') && type === 'issue');
    const told = customers.told.filter(isUse);
    return {
      feature: await profiledView(query, tenant, entity),
      others: alternatives,
      totals,
      adoption_count: new Set([...told, ...users].map(({ id }) => id)).size,
      adopters: linked(told, users),
      open_issues: linked(
        issues.told.filter(({ state }) => isOpen(state)),
        hits.filter(({ state }) => isOpen(state)),
      ),
      recent_signals: await signalsAbout(query, tenant, entity.id, shownSignals, asOf),
      customer_sentiment: {
        average: totals.sentiment,
        signals: totals.signals,
        by_month: await sentimentByMonth(query, tenant, entity, asOf),
      },
      dependencies: facts
        .filter(({ kind }) => kind === 'depends_on' || kind === 'part_of')
        .map(({ id, name: other, type, kind, way }) => ({
          name: other,
          entity_id: id,
          type,
          relation: kind,
          direction: way === 'out' ? 'needs' : 'needed_by',
        })),
      trend: await trendFor(query, tenant, entity, { today: asOf ?? today, days: window }),
      missing: [
        ...withoutFacts(asOf),
        ...(totals.signals === 0 ? [nothingSaid(entity)] : []),
        ...(totals.signals > 0 && customers.total === 0 && users.length === 0
          ? ['No customer is named together with this feature: who uses it is not known.']
          : []),
      ],
    };
  }

  async issue(tenant: string, name: string, today: Day, asOf: Day | null): Promise<IssueImpact> {
    const { query } = this.db;
    const { entity, alternatives } = await this.deps.lookup.resolveName(tenant, name, { type: 'issue' });
    const totals = await totalsOf(query, tenant, entity, asOf);
    const customers = await toldWith(query, tenant, entity.id, { kind: 'issue/customer', side: 'row', limit: looked, asOf });
    const features = await toldWith(query, tenant, entity.id, { kind: 'issue/feature', side: 'row', limit: shown, asOf });
    const facts = await this.facts(asOf, tenant, entity.id, { out: ['affects', 'blocks'], into: ['reported'] });
    const hit = facts.filter(({ type }) => type === 'customer');
    const trend = await trendFor(query, tenant, entity, { today: asOf ?? today, days: window });
    const [own] = await query<{ state: string | null }>('select state from entities where tenant_id = $1 and id = $2', [tenant, entity.id]);
    return {
      issue: await profiledView(query, tenant, entity),
      state: asOf === null ? (own?.state ?? null) : null,
      others: alternatives,
      totals,
      affected_customer_count: new Set([...customers.told, ...hit].map(({ id }) => id)).size,
      affected_customers: linked(customers.told, hit),
      severity: severityLabel(totals.severity),
      frequency: {
        signals: totals.signals,
        per_week: Math.round((trend.current_count / window) * 70) / 10,
        last_28_days: trend.current_count,
        previous_28_days: trend.previous_count,
      },
      trend_direction: trend.direction,
      change_pct: trend.change_pct,
      affected_features: linked(
        features.told,
        facts.filter(({ type }) => type === 'feature'),
      ),
      related_issues: asOf === null ? await relatedIssues(query, tenant, entity.id) : [],
      missing: [
        ...withoutFacts(asOf),
        ...(totals.signals === 0 ? [nothingSaid(entity)] : []),
        ...(totals.signals > 0 && customers.total === 0 && hit.length === 0
          ? ['No customer is named together with this issue: who is hit is not known.']
          : []),
      ],
    };
  }

  private async facts(asOf: Day | null, tenant: string, id: string, kinds: Parameters<typeof joinedWith>[3]): Promise<Joined[]> {
    return asOf === null ? await joinedWith(this.db.query, tenant, id, kinds) : [];
  }
}

const withoutFacts = (asOf: Day | null): string[] =>
  asOf === null ? [] : [`As of ${asOf} only statements are told: facts and states of issues are known as of today alone.`];

/** Somebody who only requests a feature does not use it. */
export const isUse = ({ signals, requests }: Told): boolean => signals > requests;

const nothingSaid = ({ type, name }: { type: string; name: string }): string =>
  `No signal speaks of ${type} "${name}": ingest transcripts, tickets or documents that do.`;

/** Entities from signals and from facts, each once, those with most signals first. */
export function linked(told: readonly Told[], facts: readonly Joined[], limit = shown): Linked[] {
  const found = new Map<string, Linked>();
  for (const { id, name, signals, sentiment, severity, state, last } of told) {
    found.set(id, {
      name,
      entity_id: id,
      signals,
      sentiment,
      severity: severityLabel(severity),
      state,
      last_said_on: last,
      known_by: ['signals'],
    });
  }
  for (const { id, name, state } of facts) {
    const known = found.get(id);
    if (!known) {
      found.set(id, { name, entity_id: id, signals: 0, sentiment: null, severity: null, state, last_said_on: null, known_by: ['fact'] });
    } else if (!known.known_by.includes('fact')) known.known_by.push('fact');
  }
  return [...found.values()].toSorted((a, b) => b.signals - a.signals).slice(0, limit);
}

/** Other issues in the same passages or connected by facts, strongest first. */
export async function relatedIssues(
  query: Database['query'],
  tenant: string,
  id: string,
  limit = 10,
): Promise<IssueImpact['related_issues']> {
  return await query<IssueImpact['related_issues'][number] & Record<string, unknown>>(
    `select e.name, e.id as entity_id, e.state, array_agg(distinct r.kind) as relations, sum(r.passages)::int as passages from (
       select target_id as id, kind, passages from entity_relations where tenant_id = $1 and source_id = $2 and passages > 0
       union all
       select source_id, kind, passages from entity_relations where tenant_id = $1 and target_id = $2 and passages > 0) r
     join entities e on e.tenant_id = $1 and e.id = r.id and e.type = 'issue' and e.status = 'active'
     group by e.id, e.name, e.state order by passages desc, e.name limit $3`,
    [tenant, id, limit],
  );
}

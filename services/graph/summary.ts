import type { Row } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import type { EntityRef } from '../../contracts/graph/graph.ts';
import type { OpportunityItem } from '../../contracts/signals/opportunities.ts';
import { areaOf } from './areas.ts';
import { listedByType, refView, type EntityRow } from './entity-view.ts';
import { isSignal } from './signals.ts';
import { trendOfDays, type Trend } from '../kernel/trends.ts';
import { Service } from '../kernel/service.ts';

export interface SummaryWish {
  scope: 'product_area' | 'full_system';
  /** Of the product area. */
  name?: string | undefined;
  trends: boolean;
  stakeholders: boolean;
  opportunities: boolean;
}

export interface EntityTrend extends Trend, EntityRef {
  /** Documents per day, oldest first; the last one is today. */
  series: number[];
}

export interface Summary {
  scope: string;
  counts: { entities: Record<string, number>; relations: number; facts: number; signals: number };
  top_entities: EntityRef[];
  trends?: EntityTrend[];
  stakeholders?: EntityRef[];
  /** The best open ones. */
  opportunities?: OpportunityItem[];
  health: {
    /** Documents whose entities are not extracted yet. */
    signals_waiting: number;
    reviews_pending: number;
    newest_signal_at: string | null;
    oldest_signal_at: string | null;
  };
  warnings: string[];
}

/**
 * The best open opportunities.
 * @param entityIds only those about these; null: all
 */
export type TopOpportunities = (tenant: string, entityIds: readonly string[] | null, limit: number) => Promise<OpportunityItem[]>;

/** Days of a trend's window. */
const days = 30;
const shown = 10;
/** Number of entities considered for trends: those with the largest change. */
const moved = 200;

/** An overview of the graph. */
export class GraphSummary extends Service<'graph', { opportunities: TopOpportunities }> {
  /** @throws AppError VALIDATION_ERROR (area without a name), NOT_FOUND with the known areas */
  async get(tenant: string, wanted: SummaryWish): Promise<Summary> {
    if (wanted.scope === 'product_area' && !wanted.name?.trim()) {
      throw new AppError('VALIDATION_ERROR', 'scope "product_area" needs the name of the area.', {
        hint: 'Pass name, or scope "full_system".',
      });
    }
    const area = wanted.scope === 'product_area' ? await areaOf(this.db, this.deps.graph, tenant, wanted.name!) : undefined;
    const ids = area?.ids ?? null;
    const warnings = area?.warning === undefined ? [] : [area.warning];
    return {
      scope: area ? area.name : 'full_system',
      counts: await this.counts(tenant, ids),
      top_entities: await this.top(tenant, ids, `e.type <> 'stakeholder'`),
      ...(wanted.trends ? { trends: await this.trends(tenant, ids) } : {}),
      ...(wanted.stakeholders ? { stakeholders: await this.top(tenant, ids, `e.type = 'stakeholder'`) } : {}),
      ...(wanted.opportunities ? { opportunities: await this.deps.opportunities(tenant, ids, shown) } : {}),
      health: await this.health(tenant, ids),
      warnings,
    };
  }

  private async counts(tenant: string, ids: string[] | null): Promise<Summary['counts']> {
    const [row] = await this.db.query<{ entities: Record<string, number> | null; relations: number; facts: number; signals: number }>(
      `select (select json_object_agg(type, n) from (select type, count(*)::int as n from entities
          where tenant_id = $1 and status = 'active' and ($2::text[] is null or id = any($2)) group by type order by n desc, type) t) as entities,
         (select count(*)::int from entity_relations where tenant_id = $1 and passages > 0
          and ($2::text[] is null or (source_id = any($2) and target_id = any($2)))) as relations,
         (select count(*)::int from graph_facts where tenant_id = $1 and recorded_to is null and ($2::text[] is null or subject_id = any($2))) as facts,
         case when $2::text[] is null then (select count(*)::int from documents d where ${isSignal})
           else (select count(distinct m.document_id)::int from entity_mentions m join documents d on d.tenant_id = $1 and d.id = m.document_id
             where m.tenant_id = $1 and m.entity_id = any($2) and d.status = 'active') end as signals`,
      [tenant, ids],
    );
    return { entities: row?.entities ?? {}, relations: row?.relations ?? 0, facts: row?.facts ?? 0, signals: row?.signals ?? 0 };
  }

  /** @param which a trusted condition on `e` */
  private async top(tenant: string, ids: string[] | null, which: string): Promise<EntityRef[]> {
    const rows = await this.db.query<EntityRow>(
      `${listedByType(`($2::text[] is null or e.id = any($2)) and e.signal_count > 0 and ${which}`, String(shown))}
       select e.id, e.type, e.name, e.signal_count from (select * from listed order by signal_count desc, id limit ${shown}) l
       join entities e on e.tenant_id = $1 and e.id = l.id order by e.signal_count desc, e.id`,
      [tenant, ids],
    );
    return rows.map(refView);
  }

  /** Entities whose number of documents changed from the previous window; largest change first. */
  private async trends(tenant: string, ids: string[] | null): Promise<EntityTrend[]> {
    const rows = await this.db.query<{ id: string; name: string; type: string; signal_count: number; days: Record<string, number> } & Row>(
      `with recent as materialized (
         select id, (now() at time zone 'utc')::date - (coalesce(said_at, created_at) at time zone 'utc')::date as ago from documents
         where tenant_id = $1 and status = 'active' and coalesce(said_at, created_at) > now() - interval '${2 * days + 1} days'),
       counted as (
         select m.entity_id, r.ago, count(distinct m.document_id)::int as n from recent r
         join entity_mentions m on m.tenant_id = $1 and m.document_id = r.id
         where r.ago between 0 and ${2 * days - 1} and m.entity_id is not null and ($2::text[] is null or m.entity_id = any($2)) group by 1, 2),
       summed as (
         select entity_id, json_object_agg(ago, n) as days,
           abs(coalesce(sum(n) filter (where ago < ${days}), 0) - coalesce(sum(n) filter (where ago >= ${days}), 0)) as moved, sum(n) as n
         from counted group by entity_id order by moved desc, n desc, entity_id limit ${moved})
       select e.id, e.name, e.type, e.signal_count, s.days from summed s
       join entities e on e.tenant_id = $1 and e.id = s.entity_id and e.status = 'active' and e.type <> 'stakeholder'
       order by s.moved desc, s.n desc, e.id limit ${shown}`,
      [tenant, ids],
    );
    return rows.map((row) => ({ ...refView(row), ...trendOfDays((ago) => row.days[String(ago)] ?? 0, days) }));
  }

  private async health(tenant: string, ids: string[] | null): Promise<Summary['health']> {
    const [row] = await this.db.query<{ waiting: number; pending: number; newest: Date | null; oldest: Date | null }>(
      `select (select count(*)::int from documents d where ${isSignal} and d.graph is distinct from 'resolved') as waiting,
         (select count(*)::int from reviews where tenant_id = $1 and kind = 'entity_match' and status in ('pending', 'deciding')) as pending,
         max(coalesce(d.said_at, d.created_at)) as newest, min(coalesce(d.said_at, d.created_at)) as oldest
       from documents d where ${isSignal} and ($2::text[] is null
         or exists (select from entity_mentions m where m.tenant_id = $1 and m.document_id = d.id and m.entity_id = any($2)))`,
      [tenant, ids],
    );
    return {
      signals_waiting: row?.waiting ?? 0,
      reviews_pending: row?.pending ?? 0,
      newest_signal_at: row?.newest?.toISOString() ?? null,
      oldest_signal_at: row?.oldest?.toISOString() ?? null,
    };
  }
}

import type { Row } from '../../../adapters/postgres/database.ts';
import type { EntityRef, Evidence } from '../../../contracts/graph/graph.ts';
import { evidenceClasses, type OpportunityDetails } from '../../../contracts/signals/opportunities.ts';
import { severities, type SignalClass } from '../../../contracts/signals/signals.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { centralOf } from './central.ts';
import { nextStatuses } from './commands.ts';
import { itemOf, type OpportunityQueries, type OpportunityRow } from './queries.ts';
import { clustersById } from './store.ts';
import { Service } from '../../kernel/service.ts';

const mostCustomers = 50;
const mostEvents = 50;
const [seriesDays, seriesSteps] = [7, 12];

interface EvidenceRow
  extends Row, Columns<'signals', 'id' | 'statement' | 'severity' | 'occurred_at' | 'source' | 'author' | 'document_id'> {
  class: SignalClass;
  told: number;
  customers: string[];
  ordinal: number;
  nearness: number;
}

/** The evidence of one opportunity: its statements, customers and passages. */
export class OpportunityEvidence extends Service<never, { queries: OpportunityQueries }> {
  /**
   * @param limit maximum statements.
   * @throws AppError NOT_FOUND
   */
  async get(tenant: string, id: string, limit: number): Promise<OpportunityDetails> {
    const row = await this.deps.queries.row(tenant, id);
    const customers = await this.db.query<{ entity_id: string; name: string; signal_count: number }>(
      `select e.entity_id, n.name, count(*)::int as signal_count from opportunity_signals m
       join signal_entities e on e.tenant_id = $1 and e.signal_id = m.signal_id and e.type = 'customer'
       join entities n on n.tenant_id = $1 and n.id = e.entity_id
       where m.tenant_id = $1 and m.cluster_id = $2 group by e.entity_id, n.name order by signal_count desc, n.name, e.entity_id limit ${mostCustomers}`,
      [tenant, row.id],
    );
    const history = await this.db.query<{ event: string; at: Date; by: string; data: Record<string, unknown> }>(
      `select event, at, by, data from opportunity_history where tenant_id = $1 and opportunity_id = $2 order by id desc limit ${mostEvents}`,
      [tenant, row.id],
    );
    const evidence = await this.evidence(tenant, row, limit);
    return {
      ...itemOf(row),
      ...(await this.series(tenant, row.id)),
      ...(row.closed_at
        ? { closed: { at: row.closed_at.toISOString(), reason: row.closed_reason ?? 'no_evidence', merged_into: row.merged_into } }
        : {}),
      titled_by: row.title_by,
      next_statuses: row.closed_at ? [] : [...nextStatuses[row.status]],
      factors: (await this.deps.queries.factors(tenant, [row])).get(row.id)!,
      entities: row.entities,
      customers,
      evidence: evidence.map(({ id: signal_id, severity, occurred_at, document_id, ordinal, nearness: _, ...rest }) => ({
        ...rest,
        signal_id,
        severity: severities[severity] ?? 'none',
        occurred_at: occurred_at.toISOString(),
        ref: `${document_id}#${ordinal}`,
      })),
      history: history.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() })),
    };
  }

  /**
   * A chain of evidence, most typical statements first.
   * @throws AppError NOT_FOUND
   */
  async chain(
    tenant: string,
    id: string,
    limit: number,
  ): Promise<{ title: string; entities: EntityRef[]; chain: Evidence[]; total: number; warnings: string[] }> {
    const row = await this.deps.queries.row(tenant, id);
    const evidence = await this.evidence(tenant, row, limit);
    const entities = await this.db.query<{ entity_id: string; name: string; type: string; signal_count: number }>(
      `select id as entity_id, name, type, signal_count from entities where tenant_id = $1 and id = any($2) order by signal_count desc, id`,
      [tenant, row.entities.map(({ entity_id }) => entity_id)],
    );
    const chain = evidence.map((each) => ({
      ref: `${each.document_id}#${each.ordinal}`,
      kind: 'passage',
      excerpt: each.statement,
      occurred_at: each.occurred_at.toISOString(),
      weight: Math.round(Math.max(0, Math.min(1, each.nearness)) * 1000) / 1000,
    }));
    return { title: row.title, entities, chain, total: row.statement_count, warnings: closedWarning(row) };
  }

  private async series(tenant: string, id: string): Promise<Pick<OpportunityDetails, 'series' | 'previous_series' | 'series_days'>> {
    const rows = await this.db.query<{ back: number; n: number }>(
      `select ((now() at time zone 'utc')::date - (s.occurred_at at time zone 'utc')::date) / ${seriesDays} as back, count(*)::int as n
       from opportunity_signals m join signals s on s.tenant_id = $1 and s.id = m.signal_id
       where m.tenant_id = $1 and m.cluster_id = $2 and s.class = any($3) and s.occurred_at <= now() group by 1`,
      [tenant, id, evidenceClasses],
    );
    const on = new Map(rows.map(({ back, n }) => [back, n]));
    const steps = (from: number): number[] => Array.from({ length: seriesSteps }, (_, i) => on.get(from + seriesSteps - 1 - i) ?? 0);
    return { series: steps(0), previous_series: steps(seriesSteps), series_days: seriesDays };
  }

  private async evidence(tenant: string, row: OpportunityRow, limit: number): Promise<EvidenceRow[]> {
    const { query } = this.db;
    const cluster = (await clustersById(query, tenant, [row.id])).get(row.id);
    if (!cluster) return [];
    const central = await centralOf(query, tenant, cluster, limit);
    return await query<EvidenceRow>(
      `select s.id, s.statement, s.class, s.severity, s.occurred_at, s.source, s.author, s.document_id, c.ordinal, r.nearness, g.told, g.customers
       from jsonb_to_recordset($3::jsonb) r(id text, nearness float8)
       join signals s on s.tenant_id = $1 and s.id = r.id join chunks c on c.tenant_id = $1 and c.id = s.chunk_id
       cross join lateral (
         select count(distinct m.signal_id)::int as told, coalesce(array_agg(distinct n.name order by n.name) filter (where n.name is not null), '{}') as customers
         from opportunity_signals m left join signal_entities e on e.tenant_id = $1 and e.signal_id = m.signal_id and e.type = 'customer'
         left join entities n on n.tenant_id = $1 and n.id = e.entity_id
         where m.tenant_id = $1 and m.cluster_id = $2 and m.group_id = s.group_id) g
       order by r.nearness desc, s.id`,
      [tenant, row.id, JSON.stringify(central.map(({ id, nearness }) => ({ id, nearness })))],
    );
  }
}

export function closedWarning({
  closed_at,
  closed_reason,
  merged_into,
}: Pick<OpportunityRow, 'closed_at' | 'closed_reason' | 'merged_into'>): string[] {
  if (!closed_at) return [];
  return closed_reason === 'merged'
    ? [`It went into another opportunity: ask for ${merged_into}.`]
    : ['It is closed: the statements it was made of are gone.'];
}

import type { Database, Row } from '../../../adapters/postgres/database.ts';
import type { FactorName } from '../../../contracts/signals/opportunities.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { centralOf } from './central.ts';
import { evidenceOf, type Counted } from './evidence.ts';
import { goalsAbout, type GoalRow } from './goals.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import { closeEmpty, noteHistory } from './lifecycle.ts';
import { directionOf, factorsOf, inForce, scoreOf, type Evidence } from './score.ts';
import { clustersById, lockClusters, type Cluster } from './store.ts';
import { titleOf, untitled } from './title.ts';

type Query = Database['query'];

const atOnce = 25;
/** Older scores are recomputed, because growth and urgency depend on the date. */
export const scoreAgeHours = 24;

interface Known extends Row, Columns<'opportunities', 'id' | 'title' | 'title_by' | 'closed_at'> {
  titled: number | null;
  /** Signals from which titles were generated, the current title's last. */
  titled_from: string[];
  /** Whether that signal is still in a cluster. */
  title_stands: boolean;
}

/**
 * Counts and scores changed and old clusters; creates opportunities of clusters that qualify.
 * @returns the number of counted clusters
 */
export async function countSome(db: Database, tenant: string): Promise<number> {
  return await db.transaction(async (query) => {
    await lockClusters(query, tenant);
    const rows = await query<{ id: string }>(
      `(select id from opportunity_clusters where tenant_id = $1 and recount order by id limit ${atOnce})
       union (select id from opportunities where tenant_id = $1 and closed_at is null and scored_at < now() - make_interval(hours => $2)
         order by scored_at limit ${atOnce})`,
      [tenant, scoreAgeHours],
    );
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    const counted = await evidenceOf(query, tenant, ids);
    const clusters = await clustersById(query, tenant, ids);
    const goals = await query<GoalRow & Row>('select key, name, alignment from opportunity_goals where tenant_id = $1', [tenant]);
    const known = await knownOf(query, tenant, ids);
    for (const [id, evidence] of counted) {
      const [cluster, before] = [clusters.get(id), known.get(id)];
      if (cluster && (before || isOpportunity(evidence))) await write(query, tenant, cluster, evidence, goals, before);
    }
    await closeEmpty(
      query,
      tenant,
      await withoutMembers(
        query,
        tenant,
        ids.filter((id) => !counted.has(id)),
      ),
    );
    await query('update opportunities set scored_at = now() where tenant_id = $1 and id = any($2::uuid[])', [tenant, ids]);
    await query('update opportunity_clusters set recount = false where tenant_id = $1 and id = any($2::uuid[])', [tenant, ids]);
    return ids.length;
  });
}

/** A cluster with changed members waits until their source was read. */
async function withoutMembers(query: Query, tenant: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await query<{ id: string }>(
    `select c.id from unnest($2::uuid[]) c(id)
     where not exists (select from opportunity_signals m where m.tenant_id = $1 and m.cluster_id = c.id)`,
    [tenant, ids],
  );
  return rows.map(({ id }) => id);
}

/** One statement of one customer is not enough; two statements, or two customers, may be an opportunity. */
export const isOpportunity = ({ statements, customers, signals }: Pick<Evidence, 'statements' | 'customers' | 'signals'>): boolean =>
  signals >= 2 && (statements >= 2 || customers >= 2);

async function write(
  query: Query,
  tenant: string,
  cluster: Cluster,
  evidence: Counted,
  goals: readonly GoalRow[],
  before: Known | undefined,
): Promise<void> {
  const computed = factorsOf(evidence, goals.length === 0 ? null : goalsAbout(goals, evidence));
  const titled = await titleFor(query, tenant, cluster, evidence, before);
  const values = inForce(computed, await overridesOf(query, tenant, cluster.id));
  const score = scoreOf(values);
  await query(
    `insert into opportunities as o (tenant_id, id, title, signal_count, statement_count, customer_count, classes, entities, trend, impact, confidence,
       strategic_alignment, urgency, effort, score, computed, first_signal_at, last_signal_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     on conflict (tenant_id, id) do update set title = case when o.title_by is null then excluded.title else o.title end,
       signal_count = excluded.signal_count, statement_count = excluded.statement_count, customer_count = excluded.customer_count,
       classes = excluded.classes, entities = excluded.entities, trend = excluded.trend, impact = excluded.impact,
       confidence = excluded.confidence, strategic_alignment = excluded.strategic_alignment, urgency = excluded.urgency,
       effort = excluded.effort, score = excluded.score, computed = excluded.computed, first_signal_at = excluded.first_signal_at,
       last_signal_at = excluded.last_signal_at, rev = o.rev + 1, updated_at = now()`,
    [
      tenant,
      cluster.id,
      titled.title,
      evidence.signals,
      evidence.statements,
      evidence.customers,
      JSON.stringify(evidence.classes),
      JSON.stringify(evidence.entities),
      directionOf(evidence),
      values.impact,
      values.confidence,
      values.strategic_alignment,
      values.urgency,
      values.effort,
      score,
      JSON.stringify({ ...computed, titled: titled.at, titled_from: titled.from }),
      evidence.first,
      evidence.last,
    ],
  );
  if (before) return;
  const data = { score, signal_count: evidence.signals };
  await noteHistory(query, tenant, cluster.id, 'created', data);
  await noteEvent(query, tenant, 'opportunity.created', cluster.id, { title: titled.title, ...data });
}

/** A generated title changes only when the evidence has doubled or its statement is gone, so that people recognize it. */
async function titleFor(
  query: Query,
  tenant: string,
  cluster: Cluster,
  { statements, entities }: Counted,
  before: Known | undefined,
): Promise<{ title: string; at: number; from: string[] }> {
  const { titled, titled_from: from } = before ?? { titled: null, titled_from: [] };
  const at = titled ?? 0;
  if (before && (before.title_by !== null || (before.title_stands && statements < 2 * at))) return { title: before.title, at, from };
  const [central] = await centralOf(query, tenant, cluster, 1);
  if (!central) return { title: untitled, at: 0, from };
  return {
    title: titleOf(central.statement, statements, entities),
    at: statements,
    from: [...from.filter((id) => id !== central.id), central.id],
  };
}

async function knownOf(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, Known>> {
  // Locked: a person may be setting a factor.
  const rows = await query<Known>(
    `select o.id, o.title, o.title_by, o.closed_at, (o.computed->>'titled')::int as titled, coalesce(o.computed->'titled_from', '[]') as titled_from,
       exists (select from opportunity_signals m where m.tenant_id = $1 and m.signal_id = o.computed->'titled_from'->>-1) as title_stands
     from opportunities o where o.tenant_id = $1 and o.id = any($2::uuid[]) order by o.id for update`,
    [tenant, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function overridesOf(query: Query, tenant: string, id: string): Promise<Map<FactorName, number>> {
  const rows = await query<{ factor: FactorName; value: number }>(
    'select factor, value from opportunity_factors where tenant_id = $1 and opportunity_id = $2',
    [tenant, id],
  );
  return new Map(rows.map(({ factor, value }) => [factor, value]));
}

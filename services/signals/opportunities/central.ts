import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { vectorText } from '../../knowledge/index.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { groupsOf, type Cluster } from './store.ts';
import { dot, wordsModel } from './vectors.ts';

type Query = Database['query'];

/** Maximum statements compared in a cluster without model. */
const looked = 500;

export interface Central extends Row, Columns<'signals', 'id' | 'statement'> {
  /** Cosine of the statement and the centre of its cluster. */
  nearness: number;
}

/** The most central statements, near-duplicates once. With vectors, the most severe of equally central ones is first: two are always equal. */
export async function centralOf(query: Query, tenant: string, cluster: Cluster, limit: number): Promise<Central[]> {
  const length = Math.hypot(...cluster.vector) || 1;
  if (cluster.model === wordsModel) {
    const nearest = (await groupsOf(query, tenant, cluster.id, null, looked))
      .map(({ signalId, vector }) => ({ id: signalId, nearness: dot(vector, cluster.vector) / length }))
      .sort((a, b) => b.nearness - a.nearness || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
    return await query<Central>(
      `select r.id, s.statement, r.nearness from jsonb_to_recordset($2::jsonb) r(id text, nearness float8)
       join signals s on s.tenant_id = $1 and s.id = r.id order by r.nearness desc, r.id`,
      [tenant, JSON.stringify(nearest)],
    );
  }
  return await query<Central>(
    `select id, statement, coalesce(-far / $5, 0)::float8 as nearness from (
       select distinct on (m.group_id) s.id, s.statement, s.severity, case when s.model = $6 then s.embedding <#> $3::halfvec end as far
       from opportunity_signals m join signals s on s.tenant_id = $1 and s.id = m.signal_id
       where m.tenant_id = $1 and m.cluster_id = $2 order by m.group_id, s.occurred_at, s.id) g
     order by round(far::numeric, 3) nulls last, severity desc, id limit $4`,
    [tenant, cluster.id, vectorText(cluster.vector), limit, length, cluster.model],
  );
}

import type { Database } from '../../adapters/postgres/database.ts';
import { defaultNameModel, estimateNameModel, levelsOf, recalibrate } from './matching/names.ts';
import type { NameModel } from './matching/types.ts';

type Query = Database['query'];

/** Pairs that EM looks at, and decisions that count: the latest. */
const samplePairs = 4_000;
const latestDecisions = 1_000;
/** Fewer pairs tell nothing that the defaults do not know better. */
const enoughPairs = 200;

/** What the tenant's names and decisions have taught; the defaults until there is anything. */
export async function modelOf(query: Query, tenant: string): Promise<NameModel> {
  const [row] = await query<{ model: NameModel }>(`select model from matcher_models where tenant_id = $1 and kind = 'names'`, [tenant]);
  return row?.model ?? defaultNameModel;
}

/** Learns anew from a sample of the tenant's names (EM) and from people's decisions. @returns what it rests on */
export async function learn(db: Database, tenant: string): Promise<{ pairs: number; decisions: number }> {
  const decisions = await db.query<{ levels: Record<string, number>; confirmed: boolean }>(
    `select subject->'levels' as levels, status = 'confirmed' as confirmed from reviews
     where tenant_id = $1 and kind = 'entity_match' and action = 'merge' and status in ('confirmed', 'rejected') and subject ? 'levels'
     order by decided_at desc limit ${latestDecisions}`,
    [tenant],
  );
  const pairs = await db.query<{ type: string; a: string; b: string }>(
    // Names that share an uncommon block, in an order that does not depend on when they came.
    `select distinct on (md5(x.key || y.key)) x.type, x.key as a, y.key as b from entity_blocks x
     join entity_blocks y on y.tenant_id = x.tenant_id and y.block = x.block and y.type = x.type and y.key > x.key
     where x.tenant_id = $1 and (select count(*) from (select from entity_blocks c where c.tenant_id = $1 and c.block = x.block limit 51) n) <= 50
     order by md5(x.key || y.key) limit ${samplePairs}`,
    [tenant],
  );
  const levels = pairs.map(({ type, a, b }) => levelsOf({ key: a, type }, { key: b, type }));
  const estimated = levels.length >= enoughPairs ? estimateNameModel(levels, defaultNameModel) : defaultNameModel;
  const model = recalibrate(estimated, decisions);
  await db.query(
    `insert into matcher_models (tenant_id, kind, model, decisions) values ($1, 'names', $2, $3)
     on conflict (tenant_id, kind) do update set model = excluded.model, decisions = excluded.decisions, updated_at = now()`,
    [tenant, JSON.stringify(model), decisions.length],
  );
  return { pairs: levels.length, decisions: decisions.length };
}

import type { Database } from '../../adapters/postgres/database.ts';
import { defaultNameModel, estimateNameModel, levelsOf, recalibrate } from '../../engines/linkage/names.ts';
import type { NameModel } from '../../engines/linkage/types.ts';

type Query = Database['query'];

/** Blocks of names sampled per run; the next run takes the next ones. */
const sampleBlocks = 2_000;
/** A block with more names does not distinguish them. */
const crowded = 50;
/** Maximum pairs for EM, and maximum decisions: the latest. */
const samplePairs = 4_000;
const latestDecisions = 1_000;
/** With fewer pairs the defaults are better. */
const enoughPairs = 200;

/** The model trained on the tenant's names and decisions; the defaults until there is one. */
export async function modelOf(query: Query, tenant: string): Promise<NameModel> {
  const [row] = await query<{ model: NameModel }>(`select model from matcher_models where tenant_id = $1 and kind = 'names'`, [tenant]);
  return row?.model ?? defaultNameModel;
}

/**
 * Trains on a sample of the tenant's names (EM) and on people's decisions.
 * @param blocks sample size
 * @returns the training data's figures
 */
export async function learn(db: Database, tenant: string, blocks = sampleBlocks): Promise<{ pairs: number; decisions: number }> {
  const decisions = await db.query<{ levels: Record<string, number>; confirmed: boolean }>(
    `select subject->'levels' as levels, status = 'confirmed' as confirmed from reviews
     where tenant_id = $1 and kind = 'entity_match' and action = 'merge' and status in ('confirmed', 'rejected') and subject ? 'levels'
     order by decided_at desc limit ${latestDecisions}`,
    [tenant],
  );
  const sampled = await nextBlocks(db.query, tenant, blocks);
  const pairs = await db.query<{ type: string; a: string; b: string }>(
    // Names that share an uncommon block, in an order independent of their insertion.
    `with names as materialized (
       select b.block, n.type, n.key from unnest($2::text[]) b(block)
       cross join lateral (select type, key from entity_blocks where tenant_id = $1 and block = b.block limit ${crowded + 1}) n),
     uncommon as (select block from names group by block having count(*) <= ${crowded})
     select distinct on (md5(x.key || y.key)) x.type, x.key as a, y.key as b from uncommon u
     join names x on x.block = u.block join names y on y.block = x.block and y.type = x.type and y.key > x.key
     order by md5(x.key || y.key) limit ${samplePairs}`,
    [tenant, sampled],
  );
  const levels = pairs.map(({ type, a, b }) => levelsOf({ key: a, type }, { key: b, type }));
  const estimated = levels.length >= enoughPairs ? estimateNameModel(levels, defaultNameModel) : defaultNameModel;
  const model = recalibrate(estimated, decisions);
  await db.query(
    `insert into matcher_models (tenant_id, kind, model, decisions, sampled_to) values ($1, 'names', $2, $3, $4)
     on conflict (tenant_id, kind) do update set model = excluded.model, decisions = excluded.decisions, sampled_to = excluded.sampled_to, updated_at = now()`,
    [tenant, JSON.stringify(model), decisions.length, sampled.at(-1) ?? null],
  );
  return { pairs: levels.length, decisions: decisions.length };
}

/** The blocks after those sampled last, then from the beginning, each once. */
async function nextBlocks(query: Query, tenant: string, count: number): Promise<string[]> {
  const [row] = await query<{ sampled_to: string | null }>(
    `select sampled_to from matcher_models where tenant_id = $1 and kind = 'names'`,
    [tenant],
  );
  const next = await blocksAfter(query, tenant, row?.sampled_to ?? '', count);
  const first = next.length < count ? await blocksAfter(query, tenant, '', count - next.length) : [];
  return [...new Set([...next, ...first])];
}

/** One index lookup each: the names of a block are skipped. */
async function blocksAfter(query: Query, tenant: string, after: string, count: number): Promise<string[]> {
  const rows = await query<{ block: string }>(
    `with recursive walk(block, n) as (
       (select block, 1 from entity_blocks where tenant_id = $1 and block > $2 order by block limit 1)
       union all
       select following.block, w.n + 1 from walk w
       cross join lateral (select b.block from entity_blocks b where b.tenant_id = $1 and b.block > w.block order by b.block limit 1) following
       where w.n < $3)
     select block from walk order by n`,
    [tenant, after, count],
  );
  return rows.map((row) => row.block);
}

import type { Database, Row } from '../../adapters/postgres/database.ts';
import { blocksOf, keyWords } from '../../engines/text/names.ts';
import { countedInScope } from './scoped-counts.ts';
import type { Columns } from '../../prisma/rows.ts';

/** The statements of name resolution. Each names the tenant, beside row-level security. */

type Query = Database['query'];

export interface FoundEntity extends Row, Columns<'entities', 'id' | 'type' | 'name' | 'signal_count'> {}

interface Standing extends FoundEntity {
  status: 'active' | 'merged';
  merged_into: string | null;
}

/** Longest chain of merges to follow. */
const maxMerges = 32;
/** Names read of one block, and names compared. */
const perBlock = 20_000;
const compared = 300;
const completions = 50;

/** Current entities by their former ids; deleted ones are left out. */
export async function survivors(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, FoundEntity>> {
  const known = new Map<string, Standing>();
  let wanted = [...new Set(ids)];
  for (let step = 0; wanted.length > 0 && step < maxMerges; step += 1) {
    const rows = await query<Standing>(
      'select id, type, name, signal_count, status, merged_into from entities where tenant_id = $1 and id = any($2)',
      [tenant, wanted],
    );
    for (const row of rows) known.set(row.id, row);
    wanted = rows.flatMap((row) => (row.merged_into !== null && !known.has(row.merged_into) ? [row.merged_into] : []));
  }
  const found = ids.flatMap((former) => {
    let at = known.get(former);
    for (let step = 0; at?.status === 'merged' && step < maxMerges; step += 1) at = known.get(at.merged_into ?? '');
    return at?.status === 'active' ? [{ former, id: at.id, type: at.type, name: at.name, signal_count: at.signal_count }] : [];
  });
  const counted = await countedInScope(query, tenant, found, ({ id }) => id);
  return new Map(counted.map(({ former, ...entity }) => [former, entity]));
}

/** Entities with exactly this name, of every type. */
export async function byKey(query: Query, tenant: string, key: string): Promise<{ entity_id: string; own: boolean }[]> {
  return await query<{ entity_id: string; own: boolean }>(
    `select entity_id, origin = 'name' as own from entity_aliases where tenant_id = $1 and key = $2`,
    [tenant, key],
  );
}

/** Names that may be similar: those that share most blocks with it, and of these the ones of similar length. */
export async function similarNames(query: Query, tenant: string, key: string): Promise<{ entity_id: string; key: string }[]> {
  return await query<{ entity_id: string; key: string }>(
    `with near as materialized (
       select b.type, b.key from unnest($2::text[]) w(block) cross join lateral (
         select type, key from entity_blocks where tenant_id = $1 and block = w.block limit ${perBlock}) b
       group by b.type, b.key order by count(*) desc, abs(length(b.key) - $3), b.key, b.type limit ${compared})
     select a.entity_id, a.key from near n join entity_aliases a on a.tenant_id = $1 and a.type = n.type and a.key = n.key`,
    [tenant, blocksOf(key), key.length],
  );
}

/** Names with words that begin like words of this one: abbreviated or misspelt ones share no block with it. */
export async function completedNames(query: Query, tenant: string, key: string): Promise<{ entity_id: string; key: string }[]> {
  const beginnings = keyWords(key)
    .filter((word) => word.length >= 3)
    .slice(0, 5)
    .map((word) => `w:${word.slice(0, Math.max(3, Math.ceil(word.length * 0.6)))}`);
  if (beginnings.length === 0) return [];
  // Separately: the index supports a prefix only as a single value.
  const each = beginnings.map(
    (_, i) => `(select type, key from entity_blocks where tenant_id = $1 and block ^@ $${i + 2} limit ${completions})`,
  );
  return await query<{ entity_id: string; key: string }>(
    `select a.entity_id, a.key from (${each.join(' union ')}) b
     join entity_aliases a on a.tenant_id = $1 and a.type = b.type and a.key = b.key`,
    [tenant, ...beginnings],
  );
}

/** Entities whose names have nearly the same meaning, nearest first. */
export async function nearestNames(
  query: Query,
  tenant: string,
  near: { vector: ArrayLike<number>; model: string; types: readonly string[] | undefined; limit: number },
): Promise<(FoundEntity & { cosine: number })[]> {
  const found = await query<FoundEntity & { cosine: number }>(
    `with near as materialized (
       select id, type, name, signal_count, (embedding <=> $3::halfvec)::float8 as distance from entities
       where tenant_id = $1 and model = $2 and status = 'active' and ($4::text[] is null or type = any($4))
       order by embedding <=> $3::halfvec limit ${near.limit})
     select id, type, name, signal_count, 1 - distance as cosine from near order by distance, id`,
    [tenant, near.model, `[${Array.from(near.vector).join(',')}]`, near.types ?? null],
  );
  return await countedInScope(query, tenant, found, ({ id }) => id);
}

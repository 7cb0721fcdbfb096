import type { Database } from '../../adapters/postgres/database.ts';
import { apart, near, readSaid, type ApartReason } from '../../engines/memory/alike.ts';
import type { MemoryRow } from './memories-rows.ts';
import { isValid, memoryColumns } from './memories-rows.ts';

type Query = Database['query'];

/** Pairs of memories that one call compares by their vectors; in a large pool fewer memories are looked at. */
const comparisons = 1_000_000;
/** A pair is looked at when its vectors are this near, or it shares this part of its words. */
const worthALook = near - 0.04;
const worthByWords = 0.4;
/** Longer memories are compared by their vectors alone. */
const longest = 200;
/** The nearest of a memory. */
const perMemory = 10;

export interface Pair {
  one: string;
  other: string;
  /** Undefined: one of them has no vector. */
  cosine: number | undefined;
}

export interface Group {
  keep: MemoryRow;
  merge: { memory: MemoryRow; similarity: number | undefined }[];
}

export interface Alike {
  groups: Group[];
  /** Near, and yet not the same. */
  apart: { one: MemoryRow; other: MemoryRow; similarity: number | undefined; reason: ApartReason }[];
}

/** How many of a pool of this size one call looks at, at most. */
export const withinBounds = (wanted: number, pool: number): number =>
  Math.max(1, Math.min(wanted, Math.floor(comparisons / Math.max(1, pool))));

/** Pairs of these memories and other valid ones of the same owner and category that may say the same. */
export async function pairsOf(query: Query, tenant: string, owner: string, ids: readonly string[]): Promise<Pair[]> {
  const rows = await query<{ one: string; other: string; cosine: number | null }>(
    `with pool as materialized (select id, category, model, embedding, terms from memories where tenant_id = $1 and owner = $2 and ${isValid}),
     looked as materialized (select * from pool where id = any($3)),
     by_meaning as (
       select l.id as one, n.id as other from looked l cross join lateral (
         select p.id from pool p where p.id <> l.id and p.category = l.category and p.model = l.model and 1 - (p.embedding <=> l.embedding) >= ${worthALook}
         order by p.embedding <=> l.embedding, p.id limit ${perMemory}) n),
     words as materialized (select p.id, p.category, term, cardinality(d.terms) as n from pool p
       cross join lateral (select array(select distinct unnest(p.terms)) as terms) d cross join unnest(d.terms) term
       where cardinality(p.terms) <= ${longest}),
     by_words as (
       select l.id as one, w.id as other from words l join words w on w.term = l.term and w.category = l.category and w.id <> l.id
       where l.id = any($3) group by l.id, w.id, l.n, w.n having count(*) >= ${worthByWords} * greatest(l.n, w.n)),
     pairs as (select distinct least(one, other) as one, greatest(one, other) as other from (select * from by_meaning union select * from by_words) b)
     select p.one, p.other, case when a.model = b.model then (1 - (a.embedding <=> b.embedding))::float8 end as cosine
     from pairs p join pool a on a.id = p.one join pool b on b.id = p.other order by cosine desc nulls last, p.one, p.other`,
    [tenant, owner, ids],
  );
  return rows.map(({ cosine, ...pair }) => ({ ...pair, cosine: cosine ?? undefined }));
}

/** Which of the pairs say the same, in groups of which one memory stays: the longest, of equal ones the newest. */
export async function judged(query: Query, tenant: string, pairs: readonly Pair[]): Promise<Alike> {
  const ids = [...new Set(pairs.flatMap(({ one, other }) => [one, other]))];
  const rows = await query<MemoryRow>(`select ${memoryColumns} from memories where tenant_id = $1 and id = any($2)`, [tenant, ids]);
  const said = new Map(rows.map((row) => [row.id, readSaid(row.content)]));
  const order = rows.toSorted(
    (a, b) => said.get(b.id)!.length - said.get(a.id)!.length || b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? -1 : 1),
  );
  const place = new Map(order.map((row, i) => [row.id, i]));
  const groups: Group[] = [];
  const left: Alike['apart'] = [];
  const merged = new Set<string>();
  for (const keep of order) {
    if (merged.has(keep.id)) continue;
    const group: Group = { keep, merge: [] };
    for (const { one, other, cosine } of pairs) {
      if (one !== keep.id && other !== keep.id) continue;
      const memory = order[place.get(one === keep.id ? other : one)!];
      if (!memory || merged.has(memory.id) || place.get(memory.id)! < place.get(keep.id)!) continue;
      const reason = apart(said.get(keep.id)!, said.get(memory.id)!, cosine);
      if (reason !== null) {
        left.push({ one: keep, other: memory, similarity: cosine, reason });
        continue;
      }
      group.merge.push({ memory, similarity: cosine });
      merged.add(memory.id);
    }
    if (group.merge.length > 0) groups.push(group);
  }
  return { groups, apart: left.filter(({ one, other }) => !merged.has(one.id) && !merged.has(other.id)) };
}

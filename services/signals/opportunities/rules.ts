/** Pure: which id a cluster keeps when clusters are drawn anew. */

export interface Former {
  id: string;
  /** How much is lost with it: 2 what people decided, named or valued, 1 what they see, 0 what nobody knows of. Kept in this order. */
  rank: number;
  /** How many of its statements are now in which part, by the part's place. */
  overlap: ReadonlyMap<number, number>;
}

export interface Kept {
  /** Id by part; null: a new one. */
  ids: (string | null)[];
  /** Ids that no part keeps, with the part that most of it went to. */
  merged: Map<string, number>;
}

/** Each part keeps the id with which it shares most, and each id goes to one part at most. */
export function keepIds(former: readonly Former[], parts: number): Kept {
  const pairs = former
    .flatMap(({ id, rank, overlap }) => [...overlap].map(([part, count]) => ({ id, rank, part, count })))
    .sort((a, b) => b.rank - a.rank || b.count - a.count || compare(a.id, b.id) || a.part - b.part);
  const ids = Array.from({ length: parts }, (): string | null => null);
  const kept = new Set<string>();
  for (const { id, part } of pairs) {
    if (ids[part] !== null || kept.has(id)) continue;
    ids[part] = id;
    kept.add(id);
  }
  const merged = new Map<string, number>();
  for (const { id, overlap } of former) {
    if (kept.has(id)) continue;
    const most = [...overlap].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];
    if (most) merged.set(id, most[0]);
  }
  return { ids, merged };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

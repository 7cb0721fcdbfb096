/** Pure: which ids clusters keep after a recomputation. */

export interface Former {
  id: string;
  /** Importance of its id: 2 has people's decisions, 1 is visible, 0 is neither. Higher ones are kept first. */
  rank: number;
  /** Number of its statements in each part, by index. */
  overlap: ReadonlyMap<number, number>;
}

export interface Kept {
  /** Id by part; null: a new one. */
  ids: (string | null)[];
  /** Ids that no part keeps, with the part that got most of their statements. */
  merged: Map<string, number>;
}

/** Each part keeps the id with which it shares most, and each id goes to at most one part. */
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

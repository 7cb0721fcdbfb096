/** Pure: the address of the briefs, and what is shown of one. */
export const defaults = { date: '', id: '' };

export interface Bar {
  name: string;
  n: number;
  /** Of the largest. */
  share: number;
}

/** The largest first. */
export function bars(counts: Record<string, number>): Bar[] {
  const most = Math.max(0, ...Object.values(counts));
  return Object.entries(counts)
    .map(([name, n]) => ({ name, n, share: most === 0 ? 0 : n / most }))
    .toSorted((a, b) => b.n - a.n || a.name.localeCompare(b.name));
}

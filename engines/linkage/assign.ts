import type { Fields } from './fields.ts';
import type { Link, Linked, LinkOptions } from './link.ts';

/** A pair with its log odds of a match, because probabilities near 1 cannot be distinguished. */
export interface ScoredPair {
  left: number;
  right: number;
  odds: number;
  /** A certain match, whatever the model. */
  certain?: boolean;
}

/** With a larger share of rows with several certain partners, a table has duplicates. */
const repeated = 0.15;
/** Minimum log odds of those, also for a lower threshold: rows may be similar to several. */
const certainly = Math.log(0.9 / 0.1);
/** A larger cluster links its rows to one row, not pairwise. */
const maxClosed = 50;
/** Assumed log odds of a pair that was not compared. */
const apart = -4;

/** Decides from the data how many partners a row may have, and assigns them. */
export function assign(pairs: ScoredPair[], fields: Fields, options: LinkOptions): Pick<Linked, 'links' | 'shape'> {
  const sorted = [...pairs].sort(
    (a, b) => Number(b.certain ?? false) - Number(a.certain ?? false) || b.odds - a.odds || a.left - b.left || a.right - b.right,
  );
  const sure = Math.log(options.threshold / (1 - options.threshold));
  if (fields.single) return { shape: 'clusters', links: clusters(sorted, sure) };
  if (shareRepeated(sorted, Math.max(sure, certainly)) > repeated) return { shape: 'many', links: sorted.map(linkOf) };
  const takenLeft = new Set<number>();
  const takenRight = new Set<number>();
  const links: Link[] = [];
  for (const pair of sorted) {
    if (takenLeft.has(pair.left) || takenRight.has(pair.right)) continue;
    takenLeft.add(pair.left);
    takenRight.add(pair.right);
    links.push(linkOf(pair));
  }
  return { shape: 'one_to_one', links };
}

const linkOf = ({ left, right, odds }: ScoredPair): Link => ({ left, right, probability: 1 / (1 + Math.exp(-odds)) });

function shareRepeated(pairs: ScoredPair[], sure: number): number {
  const lefts = new Map<number, number>();
  const rights = new Map<number, number>();
  for (const { left, right, odds } of pairs) {
    if (odds < sure) break;
    lefts.set(left, (lefts.get(left) ?? 0) + 1);
    rights.set(right, (rights.get(right) ?? 0) + 1);
  }
  const share = (counts: Map<number, number>): number =>
    counts.size === 0 ? 0 : [...counts.values()].filter((count) => count > 1).length / counts.size;
  return Math.max(share(lefts), share(rights));
}

/**
 * Clusters rows, best pairs first, as long as the clusters agree overall, so that one similar pair does not chain two
 * things. Rows of a cluster are linked to each other.
 */
function clusters(pairs: ScoredPair[], sure: number): Link[] {
  const known = new Map<number, Map<number, number>>();
  const note = (a: number, b: number, odds: number): void => {
    if (!known.has(a)) known.set(a, new Map());
    // Pairs are sorted, so the first is the highest.
    if (!known.get(a)!.has(b)) known.get(a)!.set(b, odds);
  };
  for (const { left, right, odds } of pairs) {
    note(left, right, odds);
    note(right, left, odds);
  }
  const of = new Map<number, number[]>();
  const membersOf = (row: number): number[] => of.get(row) ?? [row];
  const links: Link[] = [];
  const weakest = new Map<number[], number>();
  for (const pair of pairs) {
    if (!pair.certain && pair.odds < sure) break;
    const [a, b] = [membersOf(pair.left), membersOf(pair.right)];
    if (a === b) continue;
    if (a.length * b.length > 1 && !pair.certain && !agree(a, b, known)) continue;
    const joined = [...a, ...b];
    for (const row of joined) of.set(row, joined);
    weakest.set(joined, Math.min(pair.odds, weakest.get(a) ?? Infinity, weakest.get(b) ?? Infinity));
  }
  for (const members of new Set(of.values())) {
    const rows = [...members].sort((x, y) => x - y);
    const floor = weakest.get(members)!;
    for (let i = 1; i < rows.length; i++) {
      for (let j = rows.length > maxClosed ? i - 1 : 0; j < i; j++) {
        const odds = Math.max(known.get(rows[i]!)?.get(rows[j]!) ?? -Infinity, floor);
        links.push(linkOf({ left: rows[i]!, right: rows[j]!, odds }));
      }
    }
  }
  // The rest is for people; pairs that a cluster refused are no longer certain.
  for (const pair of pairs) {
    if (membersOf(pair.left) === of.get(pair.right)) continue;
    links.push(linkOf({ ...pair, odds: Math.min(pair.odds, sure - 0.01) }));
  }
  return links;
}

/** Whether two clusters are one, by the mean of all their pairs; for large ones, of some. */
function agree(a: number[], b: number[], known: ReadonlyMap<number, ReadonlyMap<number, number>>): boolean {
  let sum = 0;
  let looked = 0;
  for (let i = 0; i < Math.min(a.length, 20); i++) {
    const row = known.get(a[i]!);
    for (let j = 0; j < Math.min(b.length, 20); j++) {
      sum += Math.min(6, Math.max(-6, row?.get(b[j]!) ?? apart));
      looked++;
    }
  }
  return sum / looked > 0;
}

import { Fields } from './fields.ts';
import { kindOf, type Kind } from './kinds.ts';
import { normalise, wordsOf } from './normalise.ts';
import type { Column, Table } from './table.ts';

/** A compared column: its names left and right, and its kind. */
export interface MappedColumn {
  left: string;
  right: string;
  kind: Kind;
}

/** Further fields add little information, but cost time. */
const maxFields = 14;
/** Distinct values sampled to compare two columns. */
const sampled = 3_000;
const worded = new Set<Kind>(['person', 'address', 'company', 'word', 'text', 'prose']);
const figures = new Set<Kind>(['code', 'phone', 'postcode', 'number', 'money', 'counter']);

/** Finds corresponding columns by name and content, and prepares the most informative ones. */
export function mapColumns(left: Table, right: Table | null, ignored: readonly number[] = []): { fields: Fields; columns: MappedColumn[] } {
  const fields = new Fields(left, right);
  const kinds = left.columns.map(kindOf);
  const usable = (kind: Kind): boolean => kind !== 'empty' && kind !== 'counter';
  const pairs: { i: number; j: number; kind: Kind }[] = [];
  if (right === null) {
    for (const [i, kind] of kinds.entries()) if (!ignored.includes(i) && usable(kind)) pairs.push({ i, j: i, kind });
  } else {
    pairs.push(...matchColumns(left, right, kinds, right.columns.map(kindOf)));
  }
  const told = pairs
    .map((pair) => {
      const bits = [entropy(left.columns[pair.i]!), entropy((right ?? left).columns[pair.j]!)];
      return { ...pair, tells: Math.min(...bits), varies: Math.max(...bits) > 0 };
    })
    // A constant column has no information, unless there is only one row.
    .filter(({ varies }) => varies || left.rows === 1 || right?.rows === 1)
    .sort((a, b) => b.tells - a.tells || a.i - b.i)
    .slice(0, maxFields)
    .sort((a, b) => a.i - b.i);
  for (const { i, j, kind } of told) fields.add(left.columns[i]!, right?.columns[j] ?? null, [i, j], kind);
  return {
    fields,
    columns: told.map(({ i, j, kind }) => ({ left: left.columns[i]!.name, right: (right ?? left).columns[j]!.name, kind })),
  };
}

/** Entropy of the column over all rows, in bits. */
function entropy({ values, ids }: Column): number {
  const counts = new Uint32Array(values.length);
  for (const id of ids) counts[id]!++;
  let bits = 0;
  for (let id = 1; id < counts.length; id++) {
    const share = counts[id]! / ids.length;
    if (share > 0) bits -= share * Math.log2(share);
  }
  return bits;
}

/** Best pairs first: the same name, or many common values. */
function matchColumns(left: Table, right: Table, kindsA: Kind[], kindsB: Kind[]): { i: number; j: number; kind: Kind }[] {
  const seenA = left.columns.map((column, i) => look(column, kindsA[i]!));
  const seenB = right.columns.map((column, j) => look(column, kindsB[j]!));
  const scored: { i: number; j: number; kind: Kind; score: number }[] = [];
  for (let i = 0; i < left.columns.length; i++) {
    for (let j = 0; j < right.columns.length; j++) {
      const kind = together(kindsA[i]!, kindsB[j]!);
      if (kind === null) continue;
      const named = left.headed && right.headed ? alikeNames(left.columns[i]!.name, right.columns[j]!.name) : 0;
      const content = Math.max(overlap(seenA[i]!.values, seenB[j]!.values), 0.8 * overlap(seenA[i]!.words, seenB[j]!.words));
      const place = left.columns.length === right.columns.length && i === j ? 0.15 : 0;
      const score = 2 * named + content + place + (kindsA[i] === kindsB[j] ? 0.1 : 0);
      if (score >= 0.3) scored.push({ i, j, kind, score });
    }
  }
  scored.sort((a, b) => b.score - a.score || a.i - b.i || a.j - b.j);
  const chosen: { i: number; j: number; kind: Kind }[] = [];
  for (const { i, j, kind } of scored) {
    if (chosen.some((pair) => pair.i === i || pair.j === j)) continue;
    chosen.push({ i, j, kind });
  }
  return chosen;
}

/** The kind for comparing two columns; null: they cannot correspond. */
function together(a: Kind, b: Kind): Kind | null {
  if (a === 'empty' || b === 'empty' || a === 'counter' || b === 'counter') return null;
  if (a === b) return a;
  if (worded.has(a) && worded.has(b)) return (['address', 'company'] as const).find((kind) => a === kind || b === kind) ?? 'text';
  if (figures.has(a) && figures.has(b)) return (a === 'number' || a === 'money') && (b === 'number' || b === 'money') ? 'number' : 'code';
  if (worded.has(a) !== worded.has(b)) return 'text';
  return null;
}

function look(column: Column, kind: Kind): { values: Set<string>; words: Set<string> } {
  const values = new Set<string>();
  const words = new Set<string>();
  const step = Math.max(1, Math.floor(column.values.length / sampled));
  for (let i = 1; i < column.values.length; i += step) {
    const value = normalise(kind, column.values[i]!);
    values.add(value);
    if (worded.has(kind)) for (const word of wordsOf(value)) words.add(word);
  }
  return { values, words };
}

function overlap(a: Set<string>, b: Set<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  let common = 0;
  for (const value of small) if (large.has(value)) common++;
  return common / small.size;
}

/** "Phone Number" and "phone", "addr" and "address". 0 to 1. */
function alikeNames(a: string, b: string): number {
  const words = (name: string): string[] =>
    name
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);
  const [x, y] = [words(a), words(b)];
  if (x.join('') === y.join('')) return 1;
  const like = (p: string, q: string): boolean => p === q || (Math.min(p.length, q.length) >= 3 && (p.startsWith(q) || q.startsWith(p)));
  const common = x.filter((word) => y.some((other) => like(word, other))).length;
  return (0.7 * common) / Math.max(x.length, y.length, 1);
}

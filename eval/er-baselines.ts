/** What simple methods reach on the same records: equality, Jaro–Winkler and the cosine of TF-IDF vectors, without any model. */
import { jaroWinkler } from '../engines/linkage/strings.ts';
import type { Table } from '../engines/linkage/table.ts';

/** A pair of rows with its similarity, 0 to 1. */
export interface Likeness {
  left: number;
  right: number;
  score: number;
}

/** Words in more rows find no pairs of tables, because they would find most; they count in the cosine. */
const common = 400;
/** A row's most similar rows that are kept. */
const kept = 20;

/** Each record as one text: all cells, lower case, letters and digits only. */
export function textsOf({ rows, columns }: Table): string[] {
  return Array.from({ length: rows }, (_, row) =>
    columns
      .map(({ values, ids }) => values[ids[row]!]!)
      .join(' ')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
}

/** Of given pairs: row i with row i. */
export function pairBaselines(left: Table, right: Table): { name: string; scores: number[]; exact?: boolean }[] {
  const [a, b] = [textsOf(left), textsOf(right)];
  const vectors = vectorsOf([...a, ...b]);
  return [
    { name: 'equal after normalisation', scores: a.map((text, i) => (text !== '' && text === b[i] ? 1 : 0)), exact: true },
    // Longer texts make it slow, and say no more by their letters.
    { name: 'Jaro–Winkler', scores: a.map((text, i) => jaroWinkler(text.slice(0, 300), b[i]!.slice(0, 300))) },
    { name: 'TF-IDF cosine', scores: a.map((_, i) => cosine(vectors[i]!, vectors[a.length + i]!)) },
  ];
}

/** Of tables: equal rows, and the most similar rows of each. Within one table left > right. */
export function tableBaselines(left: Table, right: Table | null): { name: string; pairs: Likeness[]; exact?: boolean }[] {
  const a = textsOf(left);
  const b = right === null ? a : textsOf(right);
  const single = right === null;
  const vectors = vectorsOf(single ? a : [...a, ...b]);
  const offset = single ? 0 : a.length;
  const equal = new Map<string, number[]>();
  const having = new Map<string, number[]>();
  for (const [row, text] of b.entries()) {
    if (text !== '') equal.set(text, [...(equal.get(text) ?? []), row]);
    for (const word of vectors[offset + row]!.keys())
      having
        .set(word, having.get(word) ?? [])
        .get(word)!
        .push(row);
  }
  const same = a.flatMap((text, row) =>
    (equal.get(text) ?? []).filter((other) => !single || other < row).map((other) => ({ left: row, right: other, score: 1 })),
  );
  const similar = a.flatMap((_, row) => {
    const found = new Set<number>();
    for (const word of vectors[row]!.keys()) {
      const rows = having.get(word) ?? [];
      if (rows.length <= common) for (const other of rows) if (!single || other < row) found.add(other);
    }
    return [...found]
      .map((other) => ({ left: row, right: other, score: cosine(vectors[row]!, vectors[offset + other]!) }))
      .sort((x, y) => y.score - x.score || x.right - y.right)
      .slice(0, kept);
  });
  return [
    { name: 'equal after normalisation', pairs: same, exact: true },
    { name: 'TF-IDF cosine', pairs: similar },
  ];
}

type Vector = ReadonlyMap<string, number>;

/** Of length 1; an empty text has none. */
function vectorsOf(texts: readonly string[]): Vector[] {
  const rows = new Map<string, number>();
  const counted = texts.map((text) => {
    const counts = new Map<string, number>();
    for (const word of text.split(' ')) if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const word of counts.keys()) rows.set(word, (rows.get(word) ?? 0) + 1);
    return counts;
  });
  return counted.map((counts) => {
    const weights = [...counts].map(([word, count]) => [word, count * Math.log(1 + texts.length / rows.get(word)!)] as const);
    const length = Math.hypot(...weights.map(([, weight]) => weight));
    return new Map(weights.map(([word, weight]) => [word, weight / length]));
  });
}

function cosine(a: Vector, b: Vector): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [word, weight] of small) sum += weight * (large.get(word) ?? 0);
  return sum;
}

import { kindOf, type Kind } from './kinds.ts';
import { plain, wordsOf } from './normalise.ts';
import type { Column, Table } from './table.ts';

/**
 * Tables of one long text per row (citations, affiliations, addresses in one cell). Its likeness alone decides too
 * little, so what it consists of becomes columns of sets, which EM weighs like any other field.
 */

export const numbersInText = 'numbers in the text';

const texts = new Set<Kind>(['text', 'prose', 'address', 'company', 'person', 'word']);
/** Shorter texts are names. */
const fewWords = 4;
/** Maximum parts of a row: its rarest ones. */
const mostPerRow = 12;

/**
 * Both tables with these columns; the same ones if they have other texts to compare. Not one table with itself: rows
 * that share words would be taken for matches, because nothing says how many partners a row has.
 */
export function withViews(left: Table, right: Table | null): { left: Table; right: Table | null } {
  // Identifiers tell more than words.
  if (right === null || left.columns.some(({ identifiers }) => identifiers)) return { left, right };
  const tables = [left, right];
  const long = tables.map(longText);
  if (long.some((column) => column === null)) return { left, right };
  const results = tables.map((table) => ({ ...table, columns: [...table.columns] }));
  for (const { name, partsOf } of views) {
    const parts = long.map((column) => column!.values.map((value) => (value === '' ? [] : [...new Set(partsOf(value))])));
    const counts = new Map<string, number>();
    for (const [t, column] of long.entries()) {
      for (const id of column!.ids) for (const part of parts[t]![id]!) counts.set(part, (counts.get(part) ?? 0) + 1);
    }
    for (const [t, column] of long.entries()) results[t]!.columns.push(setsOf(name, column!, parts[t]!, counts));
  }
  return { left: results[0]!, right: results[1]! };
}

const wordsIn = (value: string): string[] => wordsOf(plain(value));
const digit = /\p{N}/u;

const views: { name: string; partsOf(value: string): string[] }[] = [
  { name: 'words in the text', partsOf: (value) => wordsIn(value).filter((word) => word.length > 2 && !digit.test(word)) },
  { name: numbersInText, partsOf: (value) => wordsIn(value).filter((word) => digit.test(word)) },
];

/** The only column of words, if its texts are long. */
function longText(table: Table): Column | null {
  const columns = table.columns.filter((column) => texts.has(kindOf(column)));
  if (columns.length !== 1) return null;
  const [column] = columns;
  let words = 0;
  let rows = 0;
  for (const id of column!.ids) {
    if (id === 0) continue;
    words += column!.values[id]!.split(/\s+/).length;
    rows++;
  }
  return words >= fewWords * Math.max(1, rows) ? column! : null;
}

function setsOf(name: string, { values, ids }: Column, parts: readonly string[][], counts: ReadonlyMap<string, number>): Column {
  const sets = [''];
  const known = new Map([['', 0]]);
  const translated = Uint32Array.from(values, (_, id) => {
    const rarest = parts[id]!.toSorted((a, b) => counts.get(a)! - counts.get(b)! || (a < b ? -1 : 1)).slice(0, mostPerRow);
    const set = rarest.sort().join(' ');
    let at = known.get(set);
    if (at === undefined) {
      at = sets.push(set) - 1;
      known.set(set, at);
    }
    return at;
  });
  return { name, identifiers: true, values: sets, ids: ids.map((id) => translated[id]!) };
}

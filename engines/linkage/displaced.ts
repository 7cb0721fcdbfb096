import { dateOf, kindOf, type Kind } from './kinds.ts';
import { plain } from './normalise.ts';
import type { Column, Table } from './table.ts';

/**
 * Restores values that are in the wrong column, e.g. the city after the name while the city is empty. Only if a
 * table does this systematically: a column's known value is found elsewhere far more often when the column is empty.
 */

/** Minimum share of rows without a value for a column that may have displaced ones. */
const mostlyFull = 0.1;
/** Minimum share of rows without a value in which it is found elsewhere, and the minimum ratio to other rows. */
const found = 0.3;
const moreOften = 3;
const sampled = 1_000;
/** Maximum words of a value. */
const maxWords = 16;
/** Wider tables are not concatenated records. */
const maxColumns = 16;
/** Very long cells are not records. */
const maxCellWords = 80;

type Finder = (words: readonly string[], plains: readonly string[]) => [number, number] | null;

/** Both tables with restored values; the same ones when nothing was displaced. */
export function replaced(left: Table, right: Table | null): { left: Table; right: Table | null } {
  const tables = right === null ? [left] : [left, right];
  const results = tables.map((table) => {
    if (table.columns.length > maxColumns) return table;
    const columns = table.columns.map((column) => ({ ...column }));
    for (const [c, column] of columns.entries()) {
      const finder = finderFor(column.name, tables);
      if (!finder || emptyShare(column) < mostlyFull) continue;
      for (const [d, other] of columns.entries()) {
        if (c !== d && holdsDisplaced(column, other, finder)) [columns[c], columns[d]] = move(columns[c]!, columns[d]!, finder);
      }
    }
    return { ...table, columns };
  });
  return { left: results[0]!, right: right === null ? null : results[1]! };
}

const emptyShare = ({ ids }: Column): number => ids.reduce((sum, id) => sum + (id === 0 ? 1 : 0), 0) / Math.max(1, ids.length);

function finderFor(name: string, tables: readonly Table[]): Finder | null {
  const same = tables.flatMap((table) => table.columns.filter((column) => column.name === name));
  const values = [...new Set(['', ...same.flatMap((column) => column.values)])];
  const kind = kindOf({ name, values, ids: Uint32Array.from(values.keys()) });
  const pattern = patterns[kind];
  if (pattern) return (words) => findPattern(words, pattern);
  if (!(['text', 'person', 'company', 'word', 'address', 'prose', 'money'] as Kind[]).includes(kind)) return null;
  const known = new Set<string>();
  const starts = new Set<string>();
  for (const { values } of same) {
    for (const value of values) {
      const key = plain(value);
      const words = key.split(' ');
      if (key.length < 3 || words.length > maxWords) continue;
      known.add(words.join(' '));
      starts.add(words[0]!);
    }
  }
  return known.size < 5 ? null : (_, plains) => findKnown(plains, known, starts);
}

const patterns: Partial<Record<Kind, (text: string) => boolean>> = {
  money: (text) => /^[$€£¥]\s*\d[\d.,]*$/.test(text),
  number: (text) => /^\d{1,3}:\d{2}(?::\d{2})?$/.test(text),
  date: (text) => dateOf(text) !== null,
  email: (text) => /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(text),
};

/** The last words that match, as many as possible, because displaced values are at the end. */
function findPattern(words: readonly string[], matches: (text: string) => boolean): [number, number] | null {
  for (let end = words.length; end > 0; end--) {
    for (let start = Math.max(0, end - 4); start < end; start++) {
      if (/[\d$€£¥@]/.test(words.slice(start, end).join('')) && matches(words.slice(start, end).join(' '))) return [start, end];
    }
  }
  return null;
}

/** The longest known value, the last one on a tie. Punctuation between its words is ignored. */
function findKnown(plains: readonly string[], known: ReadonlySet<string>, starts: ReadonlySet<string>): [number, number] | null {
  let best: [number, number] | null = null;
  let longest = 0;
  for (let start = 0; start < plains.length; start++) {
    // The first words are the column's own value.
    if (start === 0 || !starts.has(plains[start]!.split(' ')[0]!)) continue;
    let text = '';
    for (let end = start; end < Math.min(plains.length, start + 2 * maxWords); end++) {
      if (plains[end] === '') continue;
      text += (text === '' ? '' : ' ') + plains[end]!;
      if (text.length >= longest && known.has(text)) {
        best = [start, end + 1];
        longest = text.length;
      }
    }
  }
  return best;
}

function look(value: string, finder: Finder): { words: string[]; place: [number, number] } | null {
  const words = value.split(/\s+/);
  if (words.length < 2 || words.length > maxCellWords) return null;
  const place = finder(
    words,
    words.map((word) => plain(word)),
  );
  return place && { words, place };
}

function holdsDisplaced(column: Column, other: Column, finder: Finder): boolean {
  const step = Math.max(1, Math.floor(column.ids.length / sampled));
  const seen = { empty: [0, 0] as [number, number], full: [0, 0] as [number, number] };
  for (let row = 0; row < column.ids.length; row += step) {
    const counts = column.ids[row] === 0 ? seen.empty : seen.full;
    counts[1]++;
    if (other.ids[row] !== 0 && look(other.values[other.ids[row]!]!, finder)) counts[0]++;
  }
  const share = ([hits, all]: [number, number]): number => hits / Math.max(1, all);
  return seen.empty[1] >= 10 && share(seen.empty) >= found && share(seen.empty) >= moreOften * share(seen.full);
}

function move(column: Column, other: Column, finder: Finder): [Column, Column] {
  const [to, from] = [editable(column), editable(other)];
  for (let row = 0; row < column.ids.length; row++) {
    if (to.ids[row] !== 0 || from.ids[row] === 0) continue;
    const seen = look(from.values[from.ids[row]!]!, finder);
    if (!seen) continue;
    const [start, end] = seen.place;
    to.ids[row] = to.idOf(seen.words.slice(start, end).join(' '));
    from.ids[row] = from.idOf([...seen.words.slice(0, start), ...seen.words.slice(end)].join(' '));
  }
  return [
    { name: column.name, values: to.values, ids: to.ids },
    { name: other.name, values: from.values, ids: from.ids },
  ];
}

function editable({ values, ids }: Column) {
  const known = new Map(values.map((value, id) => [value, id]));
  const list = [...values];
  return {
    values: list,
    ids: ids.slice(),
    idOf(value: string): number {
      let id = known.get(value);
      if (id === undefined) {
        id = list.push(value) - 1;
        known.set(value, id);
      }
      return id;
    },
  };
}

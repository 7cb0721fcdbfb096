import { numberOf, type Kind } from './kinds.ts';
import { normalise, wordsOf } from './normalise.ts';
import { mixesHan } from '../text/scripts.ts';
import type { Column, Table } from './table.ts';

/** Corresponding columns of both tables with one dictionary. Within one table both sides are the same. */
export interface Field {
  name: string;
  /** Names of the columns, and their places. */
  columns: [number, number];
  kind: Kind;
  /** Per row of either side, index into `values`; 0: missing. */
  ids: [Uint32Array, Uint32Array];
  /** Normalised. */
  values: string[];
  /** Words per value, as indexes into the vocabulary; none for kinds that are compared as a whole. */
  words: Int32Array[] | null;
  numbers: Float64Array | null;
  /** Of sets of identifiers: those of each value, and on how many rows of either side each is. */
  parts: { names: string[]; of: Int32Array[]; counts: [Uint32Array, Uint32Array] } | null;
  /** Number of rows per value on either side; within one table both are the same. */
  counts: [Uint32Array, Uint32Array];
  /** Rows that have a value. */
  present: [number, number];
  /** First of the levels that mean equality; higher ones are for rarer values. */
  equal: number;
  levels: number;
}

export interface Vocabulary {
  words: string[];
  /** Number of rows with the word, in any column. */
  rows: number[];
}

/** Kinds that are compared word by word. */
const worded = new Set<Kind>(['person', 'address', 'company', 'word', 'text', 'prose']);
/** Longer texts are compared by their first words. */
const maxWords = 60;

/** Levels below equality: for words none, little, part, similar, nearly. */
export function lowLevels(kind: Kind): number {
  if (worded.has(kind)) return 5;
  return kind === 'date' || kind === 'number' || kind === 'money' ? 3 : 2;
}

export class Fields {
  readonly list: Field[] = [];
  readonly vocabulary: Vocabulary = { words: [], rows: [] };
  /** Rows of either side. */
  readonly sizes: [number, number];
  readonly single: boolean;
  private readonly known = new Map<string, number>();

  constructor(left: Table, right: Table | null) {
    this.single = right === null;
    this.sizes = [left.rows, (right ?? left).rows];
  }

  add(left: Column, right: Column | null, columns: [number, number], kind: Kind): void {
    const values = [''];
    const known = new Map([['', 0]]);
    // Chinese is transliterated only to be compared with other scripts: different words sound the same.
    const keepHan = !mixesHan(right === null ? [left.values] : [left.values, right.values]);
    const merge = (column: Column): Uint32Array => {
      const translated = Uint32Array.from(column.values, (raw) => {
        const value = raw === '' ? '' : normalise(kind, raw, keepHan);
        let id = known.get(value);
        if (id === undefined) {
          id = values.push(value) - 1;
          known.set(value, id);
        }
        return id;
      });
      return column.ids.map((id) => translated[id]!);
    };
    const leftIds = merge(left);
    const rightIds = right === null ? leftIds : merge(right);
    const count = (ids: Uint32Array): Uint32Array => {
      const counts = new Uint32Array(values.length);
      for (const id of ids) counts[id]!++;
      return counts;
    };
    const leftCounts = count(leftIds);
    const rightCounts = right === null ? leftCounts : count(rightIds);
    const rows = this.sizes[0] + (right === null ? 0 : this.sizes[1]);
    const equal = lowLevels(kind);
    this.list.push({
      name: left.name,
      columns,
      kind,
      ids: [leftIds, rightIds],
      values,
      words: worded.has(kind)
        ? values.map((value, id) => this.wordIds(value, leftCounts[id]! + (right === null ? 0 : rightCounts[id]!)))
        : null,
      numbers:
        kind === 'number' || kind === 'money' ? Float64Array.from(values, (value) => (value === '' ? Number.NaN : numberOf(value))) : null,
      parts: kind === 'identifiers' ? partsOf(values, leftCounts, rightCounts) : null,
      counts: [leftCounts, rightCounts],
      present: [this.sizes[0] - leftCounts[0]!, this.sizes[1] - rightCounts[0]!],
      equal,
      levels: equal + Math.min(5, Math.max(1, Math.ceil(Math.log10(Math.max(rows, 2))))),
    });
  }

  private wordIds(value: string, rows: number): Int32Array {
    const { words, rows: seen } = this.vocabulary;
    const ids = wordsOf(value)
      .slice(0, maxWords)
      .map((word) => {
        let id = this.known.get(word);
        if (id === undefined) {
          id = words.push(word) - 1;
          seen.push(0);
          this.known.set(word, id);
        }
        return id;
      });
    for (const id of new Set(ids)) seen[id]! += rows;
    return Int32Array.from(ids);
  }
}

function partsOf(values: readonly string[], left: Uint32Array, right: Uint32Array): NonNullable<Field['parts']> {
  const known = new Map<string, number>();
  const counts: [number[], number[]] = [[], []];
  const of = values.map((value, id) =>
    Int32Array.from(value === '' ? [] : value.split(' '), (name) => {
      let part = known.get(name);
      if (part === undefined) {
        part = counts[0].push(0) - 1;
        counts[1].push(0);
        known.set(name, part);
      }
      counts[0][part]! += left[id]!;
      counts[1][part]! += right[id]!;
      return part;
    }),
  );
  const counted = Uint32Array.from(counts[0]);
  return { names: [...known.keys()], of, counts: [counted, left === right ? counted : Uint32Array.from(counts[1])] };
}

/** Rows per value of either side, or per identifier. */
export const countsOf = (field: Field): [Uint32Array, Uint32Array] => field.parts?.counts ?? field.counts;

/** Level of two equal values, or of sets that share an identifier: higher for rarer ones. */
export function equalLevel(field: Field, id: number): number {
  const [left, right] = countsOf(field);
  const of = field.present[0] + (left === right ? 0 : field.present[1]);
  const rows = left[id]! + (left === right ? 0 : right[id]!);
  // A pair contains its value twice.
  const share = Math.max(rows / 2, 0.5) / of;
  return Math.min(field.levels - 1, field.equal + Math.max(0, Math.floor(-Math.log10(share))));
}

/** Public data sets of record linkage: tables with pairs of ids, and labelled pairs. Labels are kept separate from the linked data. */
import { readFileSync } from 'node:fs';
import { readTable } from '../engines/linkage/read.ts';
import { tableOf, type Column, type Table } from '../engines/linkage/table.ts';

export interface JudgedTables {
  left: Table;
  right: Table | null;
  /** The id of each row. */
  leftIds: string[];
  rightIds: string[];
  /** `pairKey` of each matching pair. */
  truth: Set<string>;
}

export interface JudgedPairs {
  left: Table;
  right: Table;
  labels: boolean[];
  /** The pairs contain only names. */
  names: boolean;
}

/** The key of a pair; within one table its order does not matter. */
export const pairKey = (a: string, b: string, single: boolean): string => (single && a > b ? `${b}\n${a}` : `${a}\n${b}`);

const read = (path: string, encoding?: string, header?: boolean): Table =>
  readTable({ bytes: readFileSync(path), filename: path, encoding, header }).table;

const cells = ({ values, ids }: Column): string[] => Array.from(ids, (id) => values[id]!);

/** Two tables (or one, `right` null) and a file of id pairs, with or without a row of names, in either order. */
export function readLinked(leftPath: string, rightPath: string | null, linksPath: string, encoding?: string): JudgedTables {
  const left = read(leftPath, encoding);
  const right = rightPath === null ? null : read(rightPath, encoding);
  const links = read(linksPath, encoding, false);
  const [first, second] = links.columns.map(cells);
  if (!first || !second) throw new Error(`${linksPath}: two ids per row are needed.`);
  const label = links.columns[2] ? cells(links.columns[2]) : null;
  const labelled = label !== null && label.every((value, i) => /^[01]$/.test(value) || i === 0);
  const pairs = first.map((a, i) => [a, second[i]!] as const).filter((_, i) => !labelled || label[i] === '1');
  const other = right ?? left;
  const straight =
    covered(
      left,
      pairs.map(([a]) => a),
    ).share +
    covered(
      other,
      pairs.map(([, b]) => b),
    ).share;
  const crossed =
    covered(
      left,
      pairs.map(([, b]) => b),
    ).share +
    covered(
      other,
      pairs.map(([a]) => a),
    ).share;
  const turned = right !== null && crossed > straight ? pairs.map(([a, b]) => [b, a] as const) : pairs;
  const leftColumn = covered(
    left,
    turned.map(([a]) => a),
  ).column;
  const rightColumn =
    right === null
      ? leftColumn
      : covered(
          right,
          turned.map(([, b]) => b),
        ).column;
  const leftIds = cells(left.columns[leftColumn]!);
  const rightIds = right === null ? leftIds : cells(right.columns[rightColumn]!);
  const [knownLeft, knownRight] = [new Set(leftIds), new Set(rightIds)];
  const truth = new Set<string>();
  let unknown = 0;
  for (const [i, [a, b]] of turned.entries()) {
    if (knownLeft.has(a) && knownRight.has(b)) truth.add(pairKey(a, b, right === null));
    // The first row may hold names.
    else if (i > 0) unknown++;
  }
  if (unknown > 0) throw new Error(`${linksPath}: ${unknown} pairs name rows that the tables do not have.`);
  return { left: without(left, [leftColumn]), right: right && without(right, [rightColumn]), leftIds, rightIds, truth };
}

/** One table with a column that identifies equal rows; the column is removed from the data. */
export function readClustered(path: string, column: string, encoding?: string): JudgedTables {
  const table = read(path, encoding);
  const place = table.columns.findIndex(({ name }) => name === column);
  if (place === -1) throw new Error(`${path} has no column "${column}". It has: ${table.columns.map(({ name }) => name).join(', ')}.`);
  const clusters = new Map<string, string[]>();
  for (const [row, value] of cells(table.columns[place]!).entries()) {
    if (value !== '') clusters.set(value, [...(clusters.get(value) ?? []), String(row)]);
  }
  const truth = new Set<string>();
  for (const rows of clusters.values()) {
    for (const [i, a] of rows.entries()) for (const b of rows.slice(0, i)) truth.add(pairKey(a, b, true));
  }
  const ids = Array.from({ length: table.rows }, (_, row) => String(row));
  return { left: without(table, [place]), right: null, leftIds: ids, rightIds: ids, truth };
}

const without = (table: Table, places: readonly number[]): Table => ({
  ...table,
  columns: table.columns.filter((_, i) => !places.includes(i)),
});

/** The column that has most of the ids. */
function covered(table: Table, ids: readonly string[]): { column: number; share: number } {
  let best = { column: 0, share: -1 };
  for (const [column, { values }] of table.columns.entries()) {
    const known = new Set(values);
    const share = ids.filter((id) => known.has(id)).length / Math.max(1, ids.length);
    if (share > best.share) best = { column, share };
  }
  return best;
}

/** Labelled pairs: `COL a VAL b … TAB COL a VAL b … TAB label`, or a CSV with a label and the columns of both sides. */
export function readPairs(path: string, encoding?: string): JudgedPairs {
  const text = new TextDecoder(encoding ?? 'utf-8').decode(readFileSync(path));
  return /^COL \S+ VAL /.test(text) ? serialised(path, text) : columns(path, encoding);
}

function serialised(path: string, text: string): JudgedPairs {
  const names: string[] = [];
  const recordOf = (side: string): string[] => {
    const record: string[] = [];
    for (const part of ` ${side}`.split(/ COL (?=\S+ VAL)/).slice(1)) {
      const at = part.indexOf(' VAL');
      const name = part.slice(0, at);
      if (!names.includes(name)) names.push(name);
      record[names.indexOf(name)] = part.slice(at + 5);
    }
    return Array.from(record, (cell) => cell ?? '');
  };
  const lefts: string[][] = [];
  const rights: string[][] = [];
  const labels: boolean[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [left, right, label] = line.split('\t');
    if (right === undefined || !/^[01]$/.test(label?.trim() ?? '')) throw new Error(`${path}: line ${i + 1} is not a labelled pair.`);
    lefts.push(recordOf(left!));
    rights.push(recordOf(right));
    labels.push(label!.trim() === '1');
  }
  return { left: tableOf([names, ...lefts], true), right: tableOf([names, ...rights], true), labels, names: false };
}

const isLabel = (value: string): boolean => /^(?:[01]|true|false|yes|no)$/i.test(value);

function columns(path: string, encoding?: string): JudgedPairs {
  const table = read(path, encoding);
  const label = table.columns.findLastIndex(({ values, ids }) => values.slice(1).every(isLabel) && !ids.includes(0));
  if (label === -1) throw new Error(`${path}: no column has labels (0 or 1).`);
  const labels = cells(table.columns[label]!).map((value) => /^(?:1|true|yes)$/i.test(value));
  const rest = table.columns.filter((_, i) => i !== label);
  if (rest.length < 2 || rest.length % 2 !== 0) throw new Error(`${path}: columns of two sides are needed beside the labels.`);
  const rightSide = /(?:^right|^r_|[_ .-](?:y|r|b|2|right)$)/i;
  const named = rest.filter(({ name }) => rightSide.test(name));
  const right = named.length === rest.length / 2 ? named : rest.slice(rest.length / 2);
  const left = rest.filter((column) => !right.includes(column));
  const plain = (side: Column[]): Table => ({
    headed: true,
    rows: table.rows,
    columns: side.map((column, i) => ({ ...column, name: left[i]!.name.replace(/^(?:left|l_)[_ ]?|[_ .-](?:x|l|a|1|left)$/i, '') })),
  });
  return { left: plain(left), right: plain(right), labels, names: left.length === 1 };
}

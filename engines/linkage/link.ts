import { assign, type ScoredPair } from './assign.ts';
import { findCandidates, type Candidates } from './candidates.ts';
import { mapColumns, type MappedColumn } from './columns.ts';
import { Comparer } from './compare.ts';
import type { Fields } from './fields.ts';
import { oddsOf } from './learn.ts';
import { fitTables, type PatternedPairs, type TableModel } from './model.ts';
import { inOwnOrder } from './order.ts';
import { prepared } from './prepare.ts';
import { reasonsOf, type Reason } from './reasons.ts';
import type { Table } from './table.ts';

export interface Link {
  /** Rows, from 0. Within one table left < right. */
  left: number;
  right: number;
  probability: number;
  /** Evidence per column for and against it, strongest first; only for the explained links. */
  reasons?: Reason[];
}

export interface LinkOptions {
  /** Links with a lower probability are dropped. 0 to 1. */
  least: number;
  /** Minimum probability of a certain link. 0 to 1. */
  threshold: number;
  /** Number of links with an explanation, the most probable ones. Default 0. */
  explained?: number;
}

export interface Linked {
  /** Most probable first. */
  links: Link[];
  columns: MappedColumn[];
  /** one_to_one: each row has at most one partner; many: several; clusters: within one table. */
  shape: 'one_to_one' | 'many' | 'clusters';
  compared: number;
  model: TableModel;
  fields: Fields;
}

/** Links equal rows of two tables, or of one with itself. Pure; independent of the order of rows. */
export function linkTables(left: Table, right: Table | null, options: LinkOptions): Linked {
  const ready = prepared(left, right);
  const ordered = inOwnOrder(ready.left, ready.right);
  const { fields, columns: mapped } = mapColumns(ordered.left, ordered.right);
  const columns = ordered.swapped ? mapped.map(({ left: a, right: b, kind }) => ({ left: b, right: a, kind })) : mapped;
  const none = { links: [], columns, compared: 0, fields, model: { prior: 0, weights: [], m: [], u: [], likelihood: [] } };
  if (fields.sizes[0] === 0 || fields.sizes[1] === 0) return { ...none, shape: right ? 'one_to_one' : 'clusters' };

  const candidates = findCandidates(fields);
  const comparer = new Comparer(fields);
  const patterns = compareAll(fields, comparer, candidates);
  const model = fitTables(fields, comparer, patterns);
  const odds = oddsOf(patterns, model.weights, model.prior);
  const least = Math.log(0.05 / 0.95);
  const pairs: ScoredPair[] = [];
  for (let i = 0; i < candidates.count; i++) {
    const score = odds[patterns.of[i]!]!;
    if (score >= least) pairs.push({ left: candidates.left[i]!, right: candidates.right[i]!, odds: score });
  }
  if (right === null) pairs.push(...repeatedRows(ordered.left));
  const assigned = assign(pairs, fields, options);
  const links = assigned.links.filter((link) => link.probability >= options.least);
  links.sort((a, b) => b.probability - a.probability || a.left - b.left || a.right - b.right);
  for (const link of links.slice(0, options.explained ?? 0)) link.reasons = reasonsOf(link, fields, comparer, model, ordered);
  return { ...none, links: links.map((link) => ordered.back(link)), shape: assigned.shape, compared: candidates.count, model };
}

/** Identical rows are certain matches, however little information they have. Adjacent after sorting. */
function repeatedRows({ columns, rows }: Table): ScoredPair[] {
  const found: ScoredPair[] = [];
  for (let row = 1; row < rows; row++) {
    const same = columns.every(({ ids }) => ids[row] === ids[row - 1]);
    if (same && columns.some(({ ids }) => ids[row] !== 0)) found.push({ left: row, right: row - 1, odds: sureOfRepeated, certain: true });
  }
  return found;
}
const sureOfRepeated = Math.log(0.99 / 0.01);

/** Levels of every candidate; pairs with the same levels are one pattern. */
function compareAll(fields: Fields, comparer: Comparer, { left, right, count }: Candidates): PatternedPairs {
  const width = fields.list.length;
  const radix = fields.list.map((field) => field.levels + 1);
  const known = new Map<number, number>();
  const of = new Int32Array(count);
  const levels = new Int8Array(width);
  const distinct: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < count; i++) {
    comparer.compare(left[i]!, right[i]!, levels, 0);
    let code = 0;
    for (let f = 0; f < width; f++) code = code * radix[f]! + levels[f]! + 1;
    let pattern = known.get(code);
    if (pattern === undefined) {
      pattern = counts.push(0) - 1;
      known.set(code, pattern);
      for (const level of levels) distinct.push(level);
    }
    counts[pattern]!++;
    of[i] = pattern;
  }
  return { left, right, of, levels: Int8Array.from(distinct), counts: Float64Array.from(counts) };
}

import { mapColumns, type MappedColumn } from './columns.ts';
import { Comparer } from './compare.ts';
import { replaced } from './displaced.ts';
import { estimate, logistic, logOdds, type Weights } from './em.ts';
import type { Field } from './fields.ts';
import { expected } from './frequencies.ts';
import { sharesOf, startOf } from './model.ts';
import type { Table } from './table.ts';

export interface ScoredPairs {
  /** Per pair, the probability that both records are the same. */
  probabilities: Float64Array;
  columns: MappedColumn[];
  weights: Weights;
  likelihood: number[];
}

/** Initial share of matches among pairs that somebody chose to compare. */
const startPrior = 0.2;

/**
 * Scores given pairs: row i of one table with row i of the other. Chosen pairs are already similar, so agreement of
 * non-matches is also learnt from these pairs, by EM.
 */
export function scorePairs(left: Table, right: Table): ScoredPairs {
  const sorted = replaced(left, right);
  const { fields, columns } = mapColumns(sorted.left, sorted.right);
  const { list } = fields;
  const rows = Math.min(...fields.sizes);
  const comparer = new Comparer(fields);
  const levels = new Int8Array(rows * list.length);
  for (let row = 0; row < rows; row++) comparer.compare(row, row, levels, row * list.length);
  const all = expected(fields, comparer, fields.sizes[0] * fields.sizes[1]);
  const start: Weights = {
    prior: startPrior,
    m: list.map((field, f) => startOf(field, all[f]!)),
    u: list.map((field, f) => likePairs(field, sharesOf(all[f]!))),
  };
  const patterns = { features: list.length, levels, counts: new Float64Array(rows).fill(1) };
  const { weights, likelihood } = estimate(patterns, start, { anchor: { m: 20, u: 20, prior: 20 } });
  const probabilities = Float64Array.from({ length: rows }, (_, row) => logistic(logOdds(weights, levels, row * list.length)));
  return { probabilities, columns, weights, likelihood };
}

/** Chosen pairs agree more often than random ones. */
function likePairs(field: Field, random: readonly number[]): number[] {
  const mixed = random.map((share, l) => 0.5 * share + (l < field.equal ? 0.4 / field.equal : 0.1 / (field.levels - field.equal)));
  return sharesOf(mixed);
}

import { mapColumns, type MappedColumn } from './columns.ts';
import { Comparer } from './compare.ts';
import { logistic, type Weights } from './em.ts';
import type { Field, Fields } from './fields.ts';
import { expected } from './frequencies.ts';
import { gather, learn, oddsOf, reduced, sharesOf, startOf, type LevelPatterns } from './learn.ts';
import { prepared } from './prepare.ts';
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
/** Number of pairs that the start counts as. */
const anchor = 20;
/** Maximum weight of a level, in log odds. */
const most = 12;
/**
 * Part of the dependence among non-matches by which weights are reduced. Less than between tables: chosen pairs share
 * what they were chosen by, and that says nothing about matches.
 */
const dependent = 0.5;

/**
 * Scores given pairs: row i of one table with row i of the other. Chosen pairs are already similar, so agreement of
 * non-matches is also learnt from these pairs, by EM. Fields that agree together (a postcode, its town and its region)
 * count less: otherwise EM finds the pairs that share those instead of the matches.
 */
export function scorePairs(left: Table, right: Table): ScoredPairs {
  const ready = prepared(left, right);
  const { fields, columns } = mapColumns(ready.left, ready.right);
  const comparer = new Comparer(fields);
  const { of, ...patterns } = compareRows(fields, comparer);
  const all = expected(fields, comparer, fields.sizes[0] * fields.sizes[1]);
  const { weights, odds, likelihood } = fit(fields, patterns, all);
  return { probabilities: Float64Array.from(of, (pattern) => logistic(odds[pattern]!)), columns, weights, likelihood };
}

function fit({ list }: Fields, pairs: LevelPatterns, all: readonly number[][]) {
  const startM = list.map((field, f) => startOf(field, all[f]!));
  const startU = list.map((field, f) => likePairs(field, sharesOf(all[f]!)));
  const rows = pairs.counts.reduce((a, b) => a + b, 0);
  const seen = gather(list, pairs, pairs.counts);
  const learnt = (found: Float64Array, start: readonly number[]): number[] =>
    sharesOf(Array.from(found, (count, l) => count + anchor * start[l]!));
  const { weights, plain, taken, likelihood } = learn(list, pairs, {
    start: { prior: startPrior, m: startM, u: startU },
    total: rows,
    most,
    dependent,
    matchesOf: (odds) => odds.map((x, i) => logistic(x) * pairs.counts[i]!),
    next: (among, matches) => ({
      prior: Math.min(0.98, (matches + anchor * startPrior) / (rows + anchor)),
      m: among.map((found, f) => learnt(found, startM[f]!)),
      u: among.map((found, f) =>
        learnt(
          seen[f]!.map((count, l) => count - found[l]!),
          startU[f]!,
        ),
      ),
    }),
  });
  // Which pairs match is found by now; how surely they do, less of the reduction says better.
  return { weights, odds: oddsOf(pairs, reduced(plain, taken.map(Math.sqrt)), weights.prior), likelihood };
}

/** Levels of row i with row i; rows with the same levels are one pattern. */
function compareRows(fields: Fields, comparer: Comparer): LevelPatterns & { of: Int32Array } {
  const known = new Map<string, number>();
  const row = new Int8Array(fields.list.length);
  const levels: number[] = [];
  const counts: number[] = [];
  const of = Int32Array.from({ length: Math.min(...fields.sizes) }, (_, i) => {
    comparer.compare(i, i, row, 0);
    const key = row.join();
    let pattern = known.get(key);
    if (pattern === undefined) {
      pattern = counts.push(0) - 1;
      known.set(key, pattern);
      levels.push(...row);
    }
    counts[pattern]!++;
    return pattern;
  });
  return { of, levels: Int8Array.from(levels), counts: Float64Array.from(counts) };
}

/** Chosen pairs agree more often than random ones. */
function likePairs(field: Field, random: readonly number[]): number[] {
  const mixed = random.map((share, l) => 0.5 * share + (l < field.equal ? 0.4 / field.equal : 0.1 / (field.levels - field.equal)));
  return sharesOf(mixed);
}

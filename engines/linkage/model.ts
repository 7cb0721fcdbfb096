import type { Comparer } from './compare.ts';
import { logistic } from './em.ts';
import type { Field, Fields } from './fields.ts';
import { expected } from './frequencies.ts';
import { learn, reduced, sharesOf, startOf, type LevelPatterns } from './learn.ts';

/** m, u and the share of matches, over all pairs of the tables: non-candidates count as non-matches. */
export interface TableModel {
  /** Share of matches among all pairs. */
  prior: number;
  /** Per field and level, natural log of m/u, reduced for dependent fields. */
  weights: number[][];
  m: number[][];
  u: number[][];
  /** Likelihood of the data after each round. */
  likelihood: number[];
}

/** Candidates with their patterns. */
export interface PatternedPairs extends LevelPatterns {
  left: Int32Array;
  right: Int32Array;
  /** Pattern per pair. */
  of: Int32Array;
}

/** Number of pairs that the start counts as. */
const anchor = 6;
/** Weight of the initial share of matches, which few fields cannot determine. */
const held = 0.15;

/**
 * Fellegi–Sunter by EM. u comes from all pairs, minus the matches; m and the share of matches from the candidates.
 * Between two tables a row has at most one partner during training, so that common properties are not learnt as
 * matches.
 */
export function fitTables(fields: Fields, comparer: Comparer, pairs: PatternedPairs): TableModel {
  const { list, sizes, single } = fields;
  const total = single ? (sizes[0] * (sizes[0] - 1)) / 2 : sizes[0] * sizes[1];
  const all = expected(fields, comparer, total);
  const startM = list.map((field, f) => startOf(field, all[f]!));
  const startPrior = Math.min(0.3, (0.2 * Math.min(...sizes)) / total);
  // Each row has one partner, or a few: more would be something else than matches.
  const mostMatches = Math.min(0.9, ((single ? 3 : 1) * Math.max(...sizes)) / total);
  const { weights, plain, taken, likelihood } = learn(list, pairs, {
    start: { prior: startPrior, m: startM, u: all.map(sharesOf) },
    total,
    most: Math.log(Math.max(10, Math.min(...sizes))) + 2.5,
    dependent: 1,
    matchesOf: (odds) => (single ? odds.map((x, i) => logistic(x) * pairs.counts[i]!) : oneEach(pairs, odds, sizes)),
    next: (among, matches, { u }) => ({
      prior: Math.min(mostMatches, (matches + held * startPrior * total) / ((1 + held) * total)),
      m: among.map((found, f) => sane(sharesOf(Array.from(found, (count, l) => count + anchor * startM[f]![l]!)), list[f]!, u[f]!)),
      // Agreement of matches is not agreement of non-matches.
      u: all.map((counted, f) =>
        sharesOf(counted.map((count, l) => Math.max(!single && l >= list[f]!.equal ? count : count - among[f]![l]!, 0.02 * count, 0.02))),
      ),
    }),
  });
  return { ...weights, weights: reduced(plain, taken), likelihood };
}

/** Per pattern, the number of matches when no row has more than one. */
function oneEach({ left, right, of, counts }: PatternedPairs, odds: Float64Array, sizes: readonly [number, number]): Float64Array {
  const chances = odds.map((x) => Math.exp(Math.min(x, 50)));
  const [lefts, rights] = [new Float64Array(sizes[0]), new Float64Array(sizes[1])];
  for (let i = 0; i < of.length; i++) {
    lefts[left[i]!]! += chances[of[i]!]!;
    rights[right[i]!]! += chances[of[i]!]!;
  }
  const mass = new Float64Array(counts.length);
  for (let i = 0; i < of.length; i++) mass[of[i]!]! += chances[of[i]!]! / (1 + Math.max(lefts[left[i]!]!, rights[right[i]!]!));
  return mass;
}

/**
 * Matches differ in any field sometimes, but rarely in an informative one: otherwise the "matches" found share
 * something else, e.g. their source.
 */
function sane(m: number[], field: Field, u: readonly number[]): number[] {
  const equal = u.slice(field.equal).reduce((a, b) => a + b, 0);
  // A few words in common are no evidence: streets and towns have them.
  const weak = field.equal > 3 ? 3 : 1;
  const different = m.slice(0, weak).reduce((a, b) => a + b, 0);
  const wanted = Math.min(equal < telling ? mostDifferent : 0.95, Math.max(leastDifferent, different));
  return m.map((share, l) =>
    l < weak ? (share * wanted) / Math.max(1e-9, different) : (share * (1 - wanted)) / Math.max(1e-9, 1 - different),
  );
}
const leastDifferent = 0.03;
const mostDifferent = 0.4;
/** Non-matches are equal in such a field less often than this. */
const telling = 0.02;

import type { Comparer } from './compare.ts';
import { dependence } from './dependence.ts';
import { logistic, rising } from './em.ts';
import type { Field, Fields } from './fields.ts';
import { expected } from './frequencies.ts';

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

/** Levels of pairs: `levels[i * fields + f]`, by `counts[i]` pairs each. */
export interface LevelPatterns {
  levels: Int8Array;
  counts: Float64Array;
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
const rounds = 60;

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
  const most = Math.log(Math.max(10, Math.min(...sizes))) + 2.5;
  const startPrior = Math.min(0.3, (0.2 * Math.min(...sizes)) / total);
  // Each row has one partner, or a few: more would be something else than matches.
  const mostMatches = Math.min(0.9, ((single ? 3 : 1) * Math.max(...sizes)) / total);
  let prior = startPrior;
  let m = startM;
  let u = all.map(sharesOf);
  let plain = weigh(m, u, most);
  let taken = m.map(() => 1);
  const weighted = (): number[][] => plain.map((levels, f) => levels.map((weight) => weight * taken[f]!));
  const likelihood: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 4 === 2) {
      // Only half of it: a reduced weight changes which pairs match, and that changes the dependence.
      const told = dependence(pairs, plain, oddsOf(pairs, weighted(), prior));
      taken = taken.map((before, f) => (before + told[f]!) / 2);
    }
    const odds = oddsOf(pairs, weighted(), prior);
    const mass = single ? odds.map((x, i) => logistic(x) * pairs.counts[i]!) : oneEach(pairs, odds, sizes);
    const { among, matches } = gather(list, pairs, mass);
    const log = odds.reduce((sum, x, i) => sum + pairs.counts[i]! * (x > 30 ? x : Math.log1p(Math.exp(x))), total * Math.log(1 - prior));
    likelihood.push(log);
    if (round > 10 && Math.abs(log - likelihood.at(-2)!) < 1e-7 * Math.abs(log)) break;
    prior = Math.min(mostMatches, (matches + held * startPrior * total) / ((1 + held) * total));
    m = among.map((found, f) => sane(sharesOf(Array.from(found, (count, l) => count + anchor * startM[f]![l]!)), list[f]!, u[f]!));
    // Agreement of matches is not agreement of non-matches.
    u = all.map((counted, f) =>
      sharesOf(counted.map((count, l) => Math.max(!single && l >= list[f]!.equal ? count : count - among[f]![l]!, 0.02 * count, 0.02))),
    );
    plain = weigh(m, u, most);
  }
  return { prior, weights: weighted(), m, u, likelihood };
}

/** Per pattern, natural log of the odds that its pairs match. */
export function oddsOf({ levels, counts }: LevelPatterns, weights: readonly number[][], prior: number): Float64Array {
  const bias = Math.log(prior / (1 - prior));
  const width = weights.length;
  return counts.map((_, i) => {
    let sum = bias;
    for (let f = 0; f < width; f++) {
      const level = levels[i * width + f]!;
      if (level >= 0) sum += weights[f]![level]!;
    }
    return sum;
  });
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

export function gather(
  list: readonly Field[],
  { levels, counts }: LevelPatterns,
  mass: Float64Array,
): { among: Float64Array[]; matches: number } {
  const width = list.length;
  const among = list.map((field) => new Float64Array(field.levels));
  let matches = 0;
  for (let i = 0; i < counts.length; i++) {
    matches += mass[i]!;
    for (let f = 0; f < width; f++) {
      const level = levels[i * width + f]!;
      if (level >= 0) among[f]![level]! += mass[i]!;
    }
  }
  return { among, matches };
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

export const sharesOf = (counts: readonly number[]): number[] => {
  const sum = counts.reduce((a, b) => a + b, 0);
  return counts.map((count) => (sum > 0 ? Math.max(count / sum, 1e-9) : 1 / counts.length));
};

export function weigh(m: number[][], u: number[][], most: number): number[][] {
  return m.map((shares, f) =>
    rising(
      shares.map((share, l) => Math.min(most, Math.max(-most, Math.log(share / u[f]![l]!)))),
      shares.map((share, l) => share + u[f]![l]!),
    ),
  );
}

/** The initial assumption: matches are equal in most fields, and similar in most others. */
export function startOf(field: Field, all: readonly number[]): number[] {
  const low = [0.05, 0.03, 0.03, 0.05, 0.1].slice(-field.equal);
  const rest = 1 - low.reduce((a, b) => a + b, 0);
  // Matches have values in proportion to their frequency in the tables: pairs of a value grow with its square, rows
  // linearly.
  const rows = all.slice(field.equal).map((pairs, l) => Math.sqrt(pairs + 1) * 10 ** (l / 2));
  const sum = rows.reduce((a, b) => a + b, 0);
  return [...low, ...rows.map((share) => (rest * share) / sum)];
}

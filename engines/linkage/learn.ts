import { dependence } from './dependence.ts';
import { rising, type Weights } from './em.ts';
import type { Field } from './fields.ts';

/** Levels of pairs: `levels[i * fields + f]`, by `counts[i]` pairs each; -1: no evidence. */
export interface LevelPatterns {
  levels: Int8Array;
  counts: Float64Array;
}

/** Where tables and lists of pairs differ. */
interface Learning {
  start: Weights;
  /** Number of pairs, with those that nobody compared: they count as non-matches. */
  total: number;
  /** Maximum weight of a level, in log odds. */
  most: number;
  /** Part of the dependence among non-matches by which weights are reduced. */
  dependent: number;
  /** Per pattern, the expected number of matches. */
  matchesOf(odds: Float64Array): Float64Array;
  /**
   * The next estimate.
   * @param among matches per field and level
   * @param matches in total
   */
  next(among: readonly Float64Array[], matches: number, now: Weights): Weights;
}

interface Learnt {
  weights: Weights;
  /** Per field and level, natural log of m/u. */
  plain: number[][];
  /** Per field, the factor by which its dependence reduces these. */
  taken: number[];
  /** Likelihood of the data after each round. */
  likelihood: number[];
}

const rounds = 60;

/** EM over patterns. Fields that agree together among non-matches count less, so that they are not learnt as matches. */
export function learn(list: readonly Field[], pairs: LevelPatterns, how: Learning): Learnt {
  let weights = how.start;
  let plain = weigh(weights, how.most);
  let taken = plain.map(() => 1);
  const likelihood: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const now = (): Float64Array => oddsOf(pairs, reduced(plain, taken), weights.prior);
    if (round % 4 === 2) {
      // Only half of it: a reduced weight changes which pairs match, and that changes the dependence.
      const told = dependence(pairs, plain, now());
      taken = taken.map((before, f) => (before + 1 - how.dependent + how.dependent * told[f]!) / 2);
    }
    const odds = now();
    likelihood.push(
      odds.reduce((sum, x, i) => sum + pairs.counts[i]! * (x > 30 ? x : Math.log1p(Math.exp(x))), how.total * Math.log(1 - weights.prior)),
    );
    const [before, log] = likelihood.slice(-2);
    if (round > 10 && Math.abs(log! - before!) < 1e-7 * Math.abs(log!)) break;
    const mass = how.matchesOf(odds);
    weights = how.next(
      gather(list, pairs, mass),
      mass.reduce((a, b) => a + b, 0),
      weights,
    );
    plain = weigh(weights, how.most);
  }
  return { weights, plain, taken, likelihood };
}

export const reduced = (plain: readonly number[][], taken: readonly number[]): number[][] =>
  plain.map((levels, f) => levels.map((weight) => weight * taken[f]!));

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

/** Sums of `mass`, which is per pattern, by field and level. */
export function gather(list: readonly Field[], { levels, counts }: LevelPatterns, mass: Float64Array): Float64Array[] {
  const among = list.map((field) => new Float64Array(field.levels));
  for (let i = 0; i < counts.length; i++) {
    for (let f = 0; f < list.length; f++) {
      const level = levels[i * list.length + f]!;
      if (level >= 0) among[f]![level]! += mass[i]!;
    }
  }
  return among;
}

export const sharesOf = (counts: readonly number[]): number[] => {
  const sum = counts.reduce((a, b) => a + b, 0);
  return counts.map((count) => (sum > 0 ? Math.max(count / sum, 1e-9) : 1 / counts.length));
};

/** Natural log of m/u, up to `most`, never falling with the level. */
function weigh({ m, u }: Weights, most: number): number[][] {
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

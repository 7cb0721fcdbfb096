/**
 * The Fellegi–Sunter model and its estimation by EM, over patterns: the levels of a pair, with the number of pairs
 * with these levels. Level -1 means no evidence (a value is missing). Levels are ordered: a higher one is never
 * weaker evidence for a match.
 */

export interface Weights {
  /** Share of matches among the pairs. */
  prior: number;
  /** Per feature and level: share among matches, and among others. */
  m: number[][];
  u: number[][];
}

/** Patterns in one array: `levels[i * features + f]`, `counts[i]` pairs each. */
export interface Patterns {
  features: number;
  levels: Int8Array;
  counts: Float64Array;
}

export interface EmOptions {
  /** Number of pairs that the start counts as, for m and u; 0: only the data counts. */
  anchor: { m: number; u: number; prior: number };
  /** Features with a fixed u, known from random pairs. */
  fixedU?: boolean;
  /** Maximum change of a level's log ratio from its start. */
  reach?: number;
  rounds?: number;
}

export interface EmResult {
  weights: Weights;
  /** Likelihood of data and anchor after each round: never decreases, except for rounding. */
  likelihood: number[];
}

const floor = 1e-6;

/** Natural log of the odds that a pair of these levels is a match. */
export function logOdds(weights: Weights, levels: ArrayLike<number>, from = 0): number {
  let sum = Math.log(weights.prior / (1 - weights.prior));
  for (let f = 0; f < weights.m.length; f++) {
    const level = levels[from + f]!;
    if (level >= 0) sum += Math.log(weights.m[f]![level]! / weights.u[f]![level]!);
  }
  return sum;
}

export const logistic = (x: number): number => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)));

/**
 * Maximizes the posterior of m, u and the prior. The start counts as `anchor` earlier pairs. Deterministic; the order
 * of patterns matters only for rounding.
 */
export function estimate(patterns: Patterns, start: Weights, options: EmOptions): EmResult {
  const { anchor } = options;
  const { features, levels, counts } = patterns;
  const likelihood: number[] = [];
  let weights = start;
  for (let round = 0; round < (options.rounds ?? 100); round++) {
    const m = start.m.map((shares) => shares.map((share) => share * anchor.m));
    const u = start.u.map((shares) => shares.map((share) => share * anchor.u));
    let matches = start.prior * anchor.prior;
    let total = anchor.prior;
    let log = 0;
    for (let i = 0; i < counts.length; i++) {
      const count = counts[i]!;
      const odds = logOdds(weights, levels, i * features);
      const p = logistic(odds);
      let other = Math.log(1 - weights.prior);
      for (let f = 0; f < features; f++) {
        const level = levels[i * features + f]!;
        if (level < 0) continue;
        m[f]![level]! += p * count;
        u[f]![level]! += (1 - p) * count;
        other += Math.log(weights.u[f]![level]!);
      }
      // log(match + other) = log(other) + log(1 + odds)
      log += count * (other + (odds > 30 ? odds : Math.log1p(Math.exp(odds))));
      matches += p * count;
      total += count;
    }
    log += anchored(weights, start, options);
    const next: Weights = {
      prior: clamp(matches / total, 1e-9, 1 - 1e-6),
      m: m.map(shares),
      u: options.fixedU ? start.u : u.map(shares),
    };
    const settled = likelihood.length > 0 && Math.abs(log - likelihood.at(-1)!) <= 1e-9 * Math.abs(log);
    likelihood.push(log);
    if (settled) break;
    weights = next;
  }
  return { weights: ordered(weights, start, options.reach ?? Infinity), likelihood };
}

/** The anchor's part of the log-likelihood. */
function anchored(weights: Weights, start: Weights, { anchor, fixedU }: EmOptions): number {
  let log = anchor.prior * (start.prior * Math.log(weights.prior) + (1 - start.prior) * Math.log(1 - weights.prior));
  for (let f = 0; f < weights.m.length; f++) {
    for (let l = 0; l < weights.m[f]!.length; l++) {
      log += anchor.m * start.m[f]![l]! * Math.log(weights.m[f]![l]!);
      if (!fixedU) log += anchor.u * start.u[f]![l]! * Math.log(weights.u[f]![l]!);
    }
  }
  return log;
}

function shares(counts: number[]): number[] {
  const sum = counts.reduce((a, b) => a + b, 0);
  if (!(sum > 0)) return counts.map(() => 1 / counts.length);
  const raised = counts.map((count) => Math.max(count / sum, floor));
  const all = raised.reduce((a, b) => a + b, 0);
  return raised.map((share) => share / all);
}

/** Keeps log ratios within reach of the start, and increasing by level; u stays, m is adjusted. */
export function ordered(weights: Weights, start: Weights, reach: number): Weights {
  const m = weights.m.map((levels, f) => {
    const u = weights.u[f]!;
    const ratios = levels.map((share, l) => {
      const before = Math.log(start.m[f]![l]! / start.u[f]![l]!);
      return clamp(Math.log(share / u[l]!), before - reach, before + reach);
    });
    return rising(ratios, u).map((ratio, l) => Math.exp(ratio) * u[l]!);
  });
  return { prior: weights.prior, m, u: weights.u };
}

/** The nearest non-decreasing sequence: violating neighbours are pooled by weight. */
export function rising(values: readonly number[], weights: readonly number[]): number[] {
  const pools: { value: number; weight: number; size: number }[] = [];
  for (const [index, value] of values.entries()) {
    pools.push({ value, weight: Math.max(weights[index]!, floor), size: 1 });
    while (pools.length > 1 && pools.at(-2)!.value > pools.at(-1)!.value) {
      const last = pools.pop()!;
      const before = pools.pop()!;
      const weight = last.weight + before.weight;
      pools.push({
        value: (last.value * last.weight + before.value * before.weight) / weight,
        weight,
        size: last.size + before.size,
      });
    }
  }
  return pools.flatMap(({ value, size }) => Array.from({ length: size }, () => value));
}

const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

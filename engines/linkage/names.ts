import { estimate, logistic, logOdds, ordered, type Weights } from './em.ts';
import { evidenceOf } from './name-evidence.ts';
import {
  compareKeys,
  cosineLevel,
  featureLevels,
  levelNames,
  neighbourLevel,
  numberLevel,
  rarityLevel,
  sortOf,
  typeLevel,
  type NameComparison,
} from './name-levels.ts';
import type { NamedThing, NameMatch, NameModel } from './types.ts';

/** Pure: whether two names, with context, mean the same thing. */

const features = Object.keys(featureLevels);
/** Maximum names per thing that are compared. */
const maxNames = 8;
/** Number of pairs that the default model counts as, compared with a tenant's pairs and decisions. */
const worth = { m: 40, u: 400, prior: 200 };
const worthToPeople = 30;
/** Maximum change of a level's weight from the default, in log odds. */
const reach = 1.5;

/** For pairs that share a block (names.ts), most of which are not the same. */
export const defaultNameModel: NameModel = {
  prior: 0.08,
  features: {
    name: {
      m: [0.01, 0.04, 0.1, 0.1, 0.05, 0.06, 0.24, 0.4],
      u: [0.8049, 0.143, 0.033, 0.0083, 0.0038, 0.002, 0.0024, 0.0009],
    },
    numbers: { m: [0.002, 0.048, 0.95], u: [0.6, 0.25, 0.15] },
    type: { m: [0.006, 0.144, 0.85], u: [0.35, 0.15, 0.5] },
    rarity: { m: [0.25, 0.4, 0.35], u: [0.35, 0.4, 0.25] },
    neighbours: { m: [0.28, 0.42, 0.3], u: [0.48, 0.37, 0.15] },
    meaning: { m: [0.1, 0.27, 0.35, 0.28], u: [0.2, 0.37, 0.28, 0.15] },
  },
  pairs: 0,
  decisions: 0,
};

/** The probability that both are the same, with evidence. Symmetric. */
export function scoreNames(a: NamedThing, b: NamedThing, model: NameModel): NameMatch {
  const best = bestNames(a, b, model);
  return { probability: best.probability, levels: best.levels, evidence: evidenceOf(best, a, b, model) };
}

/** Levels of the best pair of names, under the default model. */
export const levelsOf = (a: NamedThing, b: NamedThing): Record<string, number> => bestNames(a, b, defaultNameModel).levels;

/** Levels from `levelsOf`; unknown or missing features are no evidence. */
export function probabilityOf(levels: Record<string, number>, model: NameModel): number {
  return logistic(
    logOdds(
      weightsOf(model),
      features.map((feature) => levelIn(levels, feature)),
    ),
  );
}

/** What each feature of a pair says, in bits: log2 of how much more often its level occurs among matches than among others. */
export interface Weighed {
  prior: { probability: number; weight: number };
  features: { name: string; level: number; levels: number; label: string; weight: number }[];
  /** Of the prior and all features together. */
  weight: number;
  probability: number;
}

/** The parts of `probabilityOf`; features without a level are left out. */
export function weighed(levels: Record<string, number>, model: NameModel): Weighed {
  const { prior, m, u } = weightsOf(model);
  const known = features.flatMap((name, f) => {
    const level = levelIn(levels, name);
    if (level < 0) return [];
    const names = levelNames[name]!;
    return [{ name, level, levels: names.length, label: names[level]!, weight: Math.log2(m[f]![level]! / u[f]![level]!) }];
  });
  const first = Math.log2(prior / (1 - prior));
  return {
    prior: { probability: prior, weight: first },
    features: known,
    weight: known.reduce((sum, { weight }) => sum + weight, first),
    probability: probabilityOf(levels, model),
  };
}

/** The most similar names of two things. */
export interface BestNames {
  probability: number;
  levels: Record<string, number>;
  names: [string, string];
  comparison: NameComparison;
}

function bestNames(a: NamedThing, b: NamedThing, model: NameModel): BestNames {
  const sort = sortOf(a.type, b.type);
  const about = {
    type: typeLevel(a.type, b.type),
    neighbours: neighbourLevel(a.neighbours, b.neighbours),
    meaning: cosineLevel(a.embedding, b.embedding),
  };
  let best: BestNames | undefined;
  for (const left of namesOf(a)) {
    for (const right of namesOf(b)) {
      const comparison = compareKeys(left, right, sort);
      const levels = {
        name: comparison.level,
        numbers: numberLevel(left, right),
        rarity: comparison.level >= 2 ? rarityLevel(comparison.shared) : -1,
        ...about,
      };
      const probability = probabilityOf(levels, model);
      if (!best || probability > best.probability) best = { probability, levels, names: [left, right], comparison };
    }
  }
  return best!;
}

const namesOf = (thing: NamedThing): string[] => [...new Set([thing.key, ...(thing.aliases ?? [])])].slice(0, maxNames);

/**
 * Estimates m, u and the prior from a tenant's pairs by EM, without decisions. `start` counts as earlier pairs, so
 * few pairs change little, and each level's change is limited.
 */
export function estimateNameModel(pairs: Record<string, number>[], start: NameModel): NameModel {
  const counts = new Map<string, { levels: number[]; count: number }>();
  for (const pair of pairs) {
    const levels = features.map((feature) => levelIn(pair, feature));
    const pattern = counts.get(levels.join()) ?? { levels, count: 0 };
    pattern.count++;
    counts.set(levels.join(), pattern);
  }
  const patterns = [...counts.values()].sort((a, b) => (a.levels.join() < b.levels.join() ? -1 : 1));
  const { weights } = estimate(
    {
      features: features.length,
      levels: Int8Array.from(patterns.flatMap(({ levels }) => levels)),
      counts: Float64Array.from(patterns, ({ count }) => count),
    },
    weightsOf(start),
    { anchor: worth, reach },
  );
  return modelOf(weights, pairs.length, start.decisions);
}

/**
 * Adds people's decisions as pairs with known answers. `decisions` are those not in the model yet. Only reviewed
 * pairs are decided, so the share of matches is adjusted until the model expects the decisions, but at most by a
 * factor of e.
 */
export function recalibrate(model: NameModel, decisions: { levels: Record<string, number>; confirmed: boolean }[]): NameModel {
  if (decisions.length === 0) return model;
  const strength = worthToPeople + model.decisions;
  const start = weightsOf(model);
  const m = start.m.map((levels) => levels.map((share) => share * strength));
  const u = start.u.map((levels) => levels.map((share) => share * strength));
  for (const { levels, confirmed } of decisions) {
    for (const [f, feature] of features.entries()) {
      const level = levelIn(levels, feature);
      if (level >= 0) (confirmed ? m : u)[f]![level]!++;
    }
  }
  const shares = (counts: number[]): number[] => {
    const sum = counts.reduce((x, y) => x + y, 0);
    return counts.map((count) => count / sum);
  };
  const weights = ordered({ prior: model.prior, m: m.map(shares), u: u.map(shares) }, start, reach);
  return modelOf({ ...weights, prior: shifted(weights, decisions) }, model.pairs, model.decisions + decisions.length);
}

/** The prior with which the model expects as many matches as people confirmed, limited by its former value. */
function shifted(weights: Weights, decisions: { levels: Record<string, number>; confirmed: boolean }[]): number {
  const odds = decisions.map(({ levels }) =>
    logOdds(
      weights,
      features.map((feature) => levelIn(levels, feature)),
    ),
  );
  const confirmed = decisions.filter((decision) => decision.confirmed).length;
  let shift = 0;
  for (let step = 0; step < 50; step++) {
    const p = odds.map((x) => logistic(x + shift));
    const slope = confirmed - p.reduce((x, y) => x + y, 0) - 2 * shift;
    const curve = p.reduce((sum, x) => sum + x * (1 - x), 0) + 2;
    shift += slope / curve;
    if (Math.abs(slope) < 1e-9) break;
  }
  const bounded = Math.min(Math.max(shift, -1), 1);
  return logistic(Math.log(weights.prior / (1 - weights.prior)) + bounded);
}

function levelIn(levels: Record<string, number>, feature: string): number {
  const level = levels[feature];
  return level !== undefined && Number.isInteger(level) && level >= 0 && level < featureLevels[feature]! ? level : -1;
}

/** Features that a stored model lacks, or has with other levels, use the default. */
function weightsOf(model: NameModel): Weights {
  const known = features.map((feature) => {
    const stored = model.features[feature];
    const size = featureLevels[feature];
    return stored && stored.m.length === size && stored.u.length === size ? stored : defaultNameModel.features[feature]!;
  });
  return { prior: model.prior, m: known.map(({ m }) => m), u: known.map(({ u }) => u) };
}

function modelOf(weights: Weights, pairs: number, decisions: number): NameModel {
  return {
    prior: weights.prior,
    features: Object.fromEntries(features.map((feature, f) => [feature, { m: weights.m[f]!, u: weights.u[f]! }])),
    pairs,
    decisions,
  };
}

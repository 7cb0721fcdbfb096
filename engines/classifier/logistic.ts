/** A text as a sparse vector. */
export interface Sparse {
  at: Int32Array;
  value: Float64Array;
}

export interface FitOptions {
  /** Weight of the L2 penalty, per example. */
  l2: number;
  /** The same for biases, which represent class frequencies. Default: none. */
  biasL2?: number;
  /** Per example; default 1 for each. */
  weights?: Float64Array;
  iterations?: number;
  /** Initial weights, which are also the centre of the penalty; default: zero. */
  prior?: Float64Array;
  /** Called between iterations: lets other work of the process run. */
  pause?: () => Promise<void>;
}

/** Weights of one class after the other; each ends with its bias. */
export interface Logistic {
  classes: number;
  width: number;
  weights: Float64Array;
}

/** Number of steps that L-BFGS stores. */
const memory = 8;

/**
 * Multinomial logistic regression with an L2 penalty by L-BFGS; deterministic for the same order of examples.
 * @param labels index of the class of each row
 */
export async function fit(
  rows: readonly Sparse[],
  labels: readonly number[],
  classes: number,
  width: number,
  options: FitOptions,
): Promise<Logistic> {
  const { iterations = 80, pause } = options;
  const prior = options.prior ?? new Float64Array(classes * (width + 1));
  const at = (x: Float64Array): Loss => lossOf(rows, labels, { classes, width, weights: x }, prior, options);
  let x: Float64Array = prior.slice();
  let { loss, gradient } = at(x);
  const steps: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  for (let i = 0; i < iterations; i += 1) {
    if (Math.sqrt(dot(gradient, gradient)) < 1e-4) break;
    await pause?.();
    const direction = directionOf(gradient, steps);
    const slope = dot(gradient, direction);
    let step = steps.length === 0 ? Math.min(1, 1 / Math.sqrt(dot(gradient, gradient))) : 1;
    let next = moved(x, direction, step);
    let there = at(next);
    for (let tries = 0; there.loss > loss + 1e-4 * step * slope && tries < 20; tries += 1) {
      step /= 2;
      next = moved(x, direction, step);
      there = at(next);
    }
    if (there.loss >= loss) break;
    const s = difference(next, x);
    const y = difference(there.gradient, gradient);
    const curvature = dot(s, y);
    if (curvature > 1e-10) steps.push({ s, y, rho: 1 / curvature });
    if (steps.length > memory) steps.shift();
    const gained = loss - there.loss;
    x = next;
    ({ loss, gradient } = there);
    if (gained < 1e-7 * Math.max(1, Math.abs(loss))) break;
  }
  return { classes, width, weights: x };
}

/** @returns the probability of each class */
export function probabilities({ classes, width, weights }: Logistic, { at, value }: Sparse): Float64Array {
  const scores = new Float64Array(classes);
  for (let c = 0; c < classes; c += 1) {
    const base = c * (width + 1);
    let score = weights[base + width]!;
    for (let k = 0; k < at.length; k += 1) score += weights[base + at[k]!]! * value[k]!;
    scores[c] = score;
  }
  return softmax(scores);
}

interface Loss {
  loss: number;
  gradient: Float64Array;
}

function lossOf(rows: readonly Sparse[], labels: readonly number[], model: Logistic, prior: Float64Array, options: FitOptions): Loss {
  const { classes, width, weights: x } = model;
  const { l2, biasL2 = 0, weights: given } = options;
  const gradient = new Float64Array(x.length);
  let loss = 0;
  let total = 0;
  rows.forEach((row, i) => {
    const weight = given?.[i] ?? 1;
    total += weight;
    const p = probabilities(model, row);
    const label = labels[i]!;
    loss -= weight * Math.log(Math.max(p[label]!, 1e-12));
    for (let c = 0; c < classes; c += 1) {
      const error = weight * (p[c]! - (c === label ? 1 : 0));
      if (Math.abs(error) < 1e-9) continue;
      const base = c * (width + 1);
      for (let k = 0; k < row.at.length; k += 1) gradient[base + row.at[k]!]! += error * row.value[k]!;
      gradient[base + width]! += error;
    }
  });
  const n = Math.max(total, 1e-9);
  loss /= n;
  for (let k = 0; k < x.length; k += 1) {
    gradient[k]! /= n;
    const pull = k % (width + 1) === width ? biasL2 : l2;
    const away = x[k]! - prior[k]!;
    gradient[k]! += pull * away;
    loss += 0.5 * pull * away * away;
  }
  return { loss, gradient };
}

/** The two-loop recursion of L-BFGS. */
function directionOf(gradient: Float64Array, steps: readonly { s: Float64Array; y: Float64Array; rho: number }[]): Float64Array {
  const q = gradient.slice();
  const alphas: number[] = [];
  for (let i = steps.length - 1; i >= 0; i -= 1) {
    const { s, y, rho } = steps[i]!;
    const alpha = rho * dot(s, q);
    alphas[i] = alpha;
    add(q, y, -alpha);
  }
  const last = steps.at(-1);
  if (last) {
    const scale = 1 / (last.rho * dot(last.y, last.y));
    for (let k = 0; k < q.length; k += 1) q[k]! *= scale;
  }
  steps.forEach(({ s, y, rho }, i) => add(q, s, alphas[i]! - rho * dot(y, q)));
  for (let k = 0; k < q.length; k += 1) q[k] = -q[k]!;
  return q;
}

function softmax(scores: Float64Array): Float64Array {
  const highest = Math.max(...scores);
  let sum = 0;
  for (let c = 0; c < scores.length; c += 1) sum += scores[c] = Math.exp(scores[c]! - highest);
  for (let c = 0; c < scores.length; c += 1) scores[c]! /= sum;
  return scores;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k += 1) sum += a[k]! * b[k]!;
  return sum;
}

function add(to: Float64Array, other: Float64Array, factor: number): void {
  for (let k = 0; k < to.length; k += 1) to[k]! += factor * other[k]!;
}

function moved(from: Float64Array, direction: Float64Array, step: number): Float64Array {
  const to = from.slice();
  add(to, direction, step);
  return to;
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
  const result = a.slice();
  add(result, b, -1);
  return result;
}

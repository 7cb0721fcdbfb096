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
  const prior = turned(options.prior ?? new Float64Array(classes * (width + 1)), classes, width + 1);
  const problem: Problem = { ...packed(rows), labels, classes, width, prior, options };
  const at = (x: Float64Array): Loss => lossOf(problem, x);
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
  return { classes, width, weights: turned(x, width + 1, classes) };
}

/** @returns the probability of each class */
export const probabilities = (model: Logistic, row: Sparse): Float64Array => softmax(scoresOf(model, row));

/** @returns the score of each class: log odds without a fixed zero */
export function scoresOf({ classes, width, weights }: Logistic, { at, value }: Sparse): Float64Array {
  const scores = new Float64Array(classes);
  for (let c = 0; c < classes; c += 1) {
    const base = c * (width + 1);
    let score = weights[base + width]!;
    for (let k = 0; k < at.length; k += 1) score += weights[base + at[k]!]! * value[k]!;
    scores[c] = score;
  }
  return scores;
}

interface Loss {
  loss: number;
  gradient: Float64Array;
}

/** While fitting, the weights of a feature for all classes are adjacent: then a pass over the rows reads memory in order. */
interface Problem extends Packed {
  labels: readonly number[];
  classes: number;
  width: number;
  prior: Float64Array;
  options: FitOptions;
}

/** All rows one after the other. */
interface Packed {
  /** Where each row begins, and the end. */
  from: Int32Array;
  at: Int32Array;
  value: Float64Array;
}

function packed(rows: readonly Sparse[]): Packed {
  const from = new Int32Array(rows.length + 1);
  rows.forEach((row, i) => (from[i + 1] = from[i]! + row.at.length));
  const at = new Int32Array(from[rows.length]!);
  const value = new Float64Array(at.length);
  rows.forEach((row, i) => {
    at.set(row.at, from[i]);
    value.set(row.value, from[i]);
  });
  return { from, at, value };
}

/** A matrix with rows and columns exchanged. */
function turned(matrix: Float64Array, rows: number, columns: number): Float64Array {
  const other = new Float64Array(matrix.length);
  for (let r = 0; r < rows; r += 1) for (let c = 0; c < columns; c += 1) other[c * rows + r] = matrix[r * columns + c]!;
  return other;
}

function lossOf({ from, at, value, labels, classes, width, prior, options }: Problem, x: Float64Array): Loss {
  const { l2, biasL2 = 0, weights: given } = options;
  const gradient = new Float64Array(x.length);
  const scores = new Float64Array(classes);
  const bias = width * classes;
  let loss = 0;
  let total = 0;
  for (let i = 0; i < labels.length; i += 1) {
    const weight = given?.[i] ?? 1;
    total += weight;
    const [start, end] = [from[i]!, from[i + 1]!];
    for (let c = 0; c < classes; c += 1) scores[c] = x[bias + c]!;
    for (let k = start; k < end; k += 1) {
      const base = at[k]! * classes;
      const v = value[k]!;
      for (let c = 0; c < classes; c += 1) scores[c]! += x[base + c]! * v;
    }
    softmax(scores);
    const label = labels[i]!;
    loss -= weight * Math.log(Math.max(scores[label]!, 1e-12));
    // From here on: the error of each class.
    scores[label]! -= 1;
    for (let c = 0; c < classes; c += 1) gradient[bias + c]! += scores[c]! *= weight;
    for (let k = start; k < end; k += 1) {
      const base = at[k]! * classes;
      const v = value[k]!;
      for (let c = 0; c < classes; c += 1) gradient[base + c]! += scores[c]! * v;
    }
  }
  const n = Math.max(total, 1e-9);
  loss /= n;
  for (let k = 0; k < x.length; k += 1) {
    gradient[k]! /= n;
    const pull = k >= bias ? biasL2 : l2;
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

/** Turns scores into shares, in place. */
export function softmax(scores: Float64Array): Float64Array {
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

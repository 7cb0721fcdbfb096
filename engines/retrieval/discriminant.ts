/** Share of the within-class covariance that is replaced by its mean variance: there are few texts per dimension. */
const shrink = 0.5;
/** Rows and classes between two pauses, so that the computation never blocks its process for long. */
const rowsAtOnce = 64;
const classesAtOnce = 16;
/** Keeps the covariance invertible when all texts of a class are equal. */
const tiny = 1e-6;

/**
 * Linear discriminant analysis with a shrunk covariance common to all classes. A class's score for a vector `x` is
 * `weights · (x, 1)`. Compared with the similarity to a class's texts it discounts directions in which texts of every
 * class vary, and its constant lowers classes whose texts are near to everything.
 * @param classes at least one unit vector per class
 * @param pause called between slices of work
 * @returns per class one weight per dimension and the constant; on the scale of cosines, whatever the number of dimensions
 */
export async function discriminants(
  classes: readonly (readonly Float32Array[])[],
  pause: () => Promise<void> = async () => {},
): Promise<Float32Array[]> {
  const size = classes[0]?.[0]?.length ?? 0;
  const means = classes.map((vectors) => meanOf(vectors, size));
  const covariance = await covarianceOf(classes, means, size, pause);
  let trace = 0;
  for (let i = 0; i < size; i += 1) trace += covariance[i * size + i]!;
  const variance = trace / Math.max(1, size) + tiny;
  for (let i = 0; i < covariance.length; i += 1) covariance[i]! *= 1 - shrink;
  for (let i = 0; i < size; i += 1) covariance[i * size + i]! += shrink * variance + tiny;
  await factorise(covariance, size, pause);

  const weights: Float32Array[] = [];
  for (const [i, mean] of means.entries()) {
    if (i % classesAtOnce === 0) await pause();
    const solved = solve(covariance, mean, size);
    const own = new Float32Array(size + 1);
    let constant = 0;
    for (let d = 0; d < size; d += 1) {
      own[d] = solved[d]! * variance;
      constant -= (mean[d]! * own[d]!) / 2;
    }
    own[size] = constant;
    weights.push(own);
  }
  return weights;
}

/** The score of a class by its weights. */
export function discriminate(weights: Float32Array, vector: Float32Array): number {
  let sum = weights[vector.length]!;
  for (let i = 0; i < vector.length; i += 1) sum += weights[i]! * vector[i]!;
  return sum;
}

function meanOf(vectors: readonly Float32Array[], size: number): Float64Array {
  const mean = new Float64Array(size);
  for (const vector of vectors) for (let i = 0; i < size; i += 1) mean[i]! += vector[i]! / vectors.length;
  return mean;
}

/** Lower triangle of the covariance within classes, by rows. */
async function covarianceOf(
  classes: readonly (readonly Float32Array[])[],
  means: readonly Float64Array[],
  size: number,
  pause: () => Promise<void>,
): Promise<Float64Array> {
  const covariance = new Float64Array(size * size);
  const apart = new Float64Array(size);
  let rows = 0;
  for (const [c, vectors] of classes.entries()) {
    for (const vector of vectors) {
      if (rows++ % rowsAtOnce === 0) await pause();
      for (let i = 0; i < size; i += 1) apart[i] = vector[i]! - means[c]![i]!;
      for (let i = 0; i < size; i += 1) {
        const row = i * size;
        const own = apart[i]!;
        for (let j = 0; j <= i; j += 1) covariance[row + j]! += own * apart[j]!;
      }
    }
  }
  for (let i = 0; i < covariance.length; i += 1) covariance[i]! /= Math.max(1, rows);
  return covariance;
}

/** Cholesky: replaces the lower triangle of a positive definite matrix by its factor. */
async function factorise(matrix: Float64Array, size: number, pause: () => Promise<void>): Promise<void> {
  for (let i = 0; i < size; i += 1) {
    if (i % rowsAtOnce === 0) await pause();
    for (let j = 0; j <= i; j += 1) {
      let sum = matrix[i * size + j]!;
      for (let k = 0; k < j; k += 1) sum -= matrix[i * size + k]! * matrix[j * size + k]!;
      matrix[i * size + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * size + j]!;
    }
  }
}

/** Solves the system with the factor of `factorise`. */
function solve(factor: Float64Array, right: Float64Array, size: number): Float64Array {
  const x = Float64Array.from(right);
  for (let i = 0; i < size; i += 1) {
    let sum = x[i]!;
    for (let k = 0; k < i; k += 1) sum -= factor[i * size + k]! * x[k]!;
    x[i] = sum / factor[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    const own = (x[i]! /= factor[i * size + i]!);
    for (let k = 0; k < i; k += 1) x[k]! -= factor[i * size + k]! * own;
  }
  return x;
}

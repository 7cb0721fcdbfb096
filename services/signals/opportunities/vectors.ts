import { terms } from '../../../engines/retrieval/terms.ts';

/** Pure: vectors of statements, from a model or from words. */

/** Length of vectors of words. */
const wordLength = 384;

/** Model id of vectors made from words, when no model is available. */
export const wordsModel = 'words';

/**
 * A unit vector of a text's words: each is hashed to some dimensions, with a sign. The cosine of two texts reflects
 * their shared words.
 */
export function wordVector(text: string): Float32Array {
  const vector = new Float32Array(wordLength);
  for (const term of new Set(terms(text))) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < term.length; i += 1) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193) >>> 0;
    for (let n = 0; n < 3; n += 1) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
      hash = (hash ^ (hash >>> 12)) >>> 0;
      const at = hash % wordLength;
      vector[at] = vector[at]! + (hash & 0x40000000 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** @param b of the same model */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}

/**
 * @param vectors at least one, all of the same model
 * @param weights as many as vectors
 */
export function meanOf(vectors: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const mean = new Float32Array(vectors[0]!.length);
  let total = 0;
  for (const [n, vector] of vectors.entries()) {
    const weight = weights[n]!;
    total += weight;
    for (let i = 0; i < mean.length; i += 1) mean[i] = mean[i]! + weight * vector[i]!;
  }
  return mean.map((value) => value / total);
}

/** Parses `halfvec_send`: length and a reserved number, two bytes each, then half-precision floats. */
export function readHalfvec(bytes: Buffer): Float32Array {
  const length = bytes.readUInt16BE(0);
  const vector = new Float32Array(length);
  for (let i = 0; i < length; i += 1) vector[i] = halfAt(bytes.readUInt16BE(4 + 2 * i));
  return vector;
}

function halfAt(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 0x1f, bits & 0x3ff];
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  return sign * 2 ** (exponent - 25) * (1024 + fraction);
}

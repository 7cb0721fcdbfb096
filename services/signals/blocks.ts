import { createHash } from 'node:crypto';
import { terms } from '../../engines/retrieval/terms.ts';

/**
 * Buckets in which near-duplicate statements meet: statements that share most of their words share at least one
 * (min-hashing in bands). Deterministic; a fixed number per statement.
 */
const bands = 8;
const rowsPerBand = 2;
/** Two statements are near-duplicates when they share this much of their words, */
const likeInWords = 0.8;
/** or this much, with nearly the same meaning. */
const likeInBoth = { words: 0.45, cosine: 0.94 };

export interface Comparable {
  words: ReadonlySet<string>;
  vector: Float32Array | null;
}

/** The significant words: stems, without stop words. If there are only stop words: all of them. */
export function wordsOfStatement(text: string): Set<string> {
  const stems = terms(text);
  return new Set(
    stems.length > 0
      ? stems
      : text
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u)
          .filter((word) => word !== ''),
  );
}

/** @returns signed 64-bit numbers, as in Postgres */
export function blocksOf(words: ReadonlySet<string>): bigint[] {
  if (words.size === 0) return [];
  const least = Array.from({ length: bands * rowsPerBand }, () => 0xffffffff);
  for (const word of words) {
    const digest = createHash('sha512').update(word).digest();
    for (let i = 0; i < least.length; i += 1) least[i] = Math.min(least[i]!, digest.readUInt32LE(i * 4));
  }
  return Array.from({ length: bands }, (_, band) => {
    const own = least.slice(band * rowsPerBand, (band + 1) * rowsPerBand);
    return createHash('sha256')
      .update(`${band}/${own.join('/')}`)
      .digest()
      .readBigInt64LE(0);
  });
}

/**
 * @param b its vector is of the same model
 * @param shipped moves a cosine of the model to the scale of the shipped one
 */
export function nearlyTheSame(a: Comparable, b: Comparable, shipped = (cosine: number): number => cosine): boolean {
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  const all = a.words.size + b.words.size - shared;
  const words = all === 0 ? 1 : shared / all;
  // "Add dark mode" and "Remove dark mode", "fails" and "does not fail": in a short statement one word changes the
  // meaning.
  if (all > shared && Math.min(a.words.size, b.words.size) < 4) return false;
  if (words >= likeInWords) return true;
  return words >= likeInBoth.words && a.vector !== null && b.vector !== null && shipped(cosine(a.vector, b.vector)) >= likeInBoth.cosine;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i += 1) {
    dot += a[i]! * (b[i] ?? 0);
    aa += a[i]! * a[i]!;
    bb += (b[i] ?? 0) ** 2;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

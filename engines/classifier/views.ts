import { cueNames, cuesOf } from './cues.ts';
import type { Sparse } from './logistic.ts';
import { plain, wordsOf } from './words.ts';

/** Input of the classifier. */
export interface Statement {
  text: string;
  /** Unit vector; null: there is no model. */
  vector: Float32Array | null;
  /** Text before it that it refers to: the turn or sentence before. Absent or empty: none. */
  context?: string;
  /** What the encoder says of the statement in its context; absent or null: there is none. */
  encoded?: Float32Array | null;
  /** Further features, each 0 to 1: the same number and order for every statement of a task. */
  hints?: readonly number[];
}

/** Length of the vectors; others are cut or padded. */
const vectorLength = 384;

/** Relative weights of a statement's views. */
export interface Scales {
  words: number;
  grams: number;
  vector: number;
  cues: number;
  /** Words of the context; absent: not used. */
  context?: number;
  /** Examples that a word, and an n-gram, must occur in to be used; default 2 and 3. */
  least?: number;
  leastGram?: number;
}

/** From cross-validation; the embedding leads, words and n-grams add what a small model misses. */
export const usualScales: Scales = { words: 0.5, grams: 0.5, vector: 2, cues: 0.5 };

interface Term {
  at: number;
  idf: number;
}

export interface Vocabulary {
  words: Map<string, Term>;
  grams: Map<string, Term>;
  /** Number of features, with hints at the end. */
  width: number;
  hints: number;
}

/** @param terms number of words and n-grams */
export const widthOf = (terms: number): number => terms + vectorLength + cueNames.length;

/** The words, pairs of words, and character n-grams that at least two statements use. */
export function vocabularyOf(statements: readonly Statement[], scales: Scales): Vocabulary {
  const texts = statements.map(({ text }) => text);
  const hints = statements[0]?.hints?.length ?? 0;
  const known = (of: (text: string) => string[], from: number, least: number): Map<string, Term> => {
    const seen = new Map<string, number>();
    for (const text of texts) for (const term of new Set(of(text))) seen.set(term, (seen.get(term) ?? 0) + 1);
    const kept = [...seen].filter(([, n]) => n >= least);
    return new Map(kept.map(([term, n], i) => [term, { at: from + i, idf: Math.log((texts.length + 1) / (n + 1)) + 1 }]));
  };
  const contexts = statements.map(({ context = '' }) => contextTerms(context));
  const both = new Map(statements.map(({ text }, i) => [text, scales.context ? contexts[i]! : []]));
  const wordsOfBoth = (text: string): string[] => [...wordTerms(text), ...(both.get(text) ?? [])];
  const words = scales.words > 0 ? known(wordsOfBoth, 0, scales.least ?? 2) : new Map<string, Term>();
  const grams = scales.grams > 0 ? known(gramTerms, words.size, scales.leastGram ?? 3) : new Map<string, Term>();
  return { words, grams, width: widthOf(words.size + grams.size) + hints, hints };
}

/** One statement as features of a vocabulary, each view scaled to the same length. */
export function seen({ text, vector, context = '', hints = [] }: Statement, vocabulary: Vocabulary, scales: Scales): Sparse {
  const at: number[] = [];
  const value: number[] = [];
  const weighted = (terms: string[], known: Vocabulary['words'], scale: number): void => {
    const counts = new Map<string, number>();
    for (const term of terms) if (known.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const entries = [...counts].map(([term, n]) => [known.get(term)!.at, (1 + Math.log(n)) * known.get(term)!.idf] as const);
    const length = Math.sqrt(entries.reduce((sum, [, v]) => sum + v * v, 0));
    for (const [place, v] of entries) push(place, (scale * v) / length);
  };
  const push = (place: number, v: number): void => {
    if (v === 0) return;
    at.push(place);
    value.push(v);
  };
  if (scales.words > 0) weighted(wordTerms(text), vocabulary.words, scales.words);
  if (scales.context) weighted(contextTerms(context), vocabulary.words, scales.context);
  if (scales.grams > 0) weighted(gramTerms(text), vocabulary.grams, scales.grams);
  let from = vocabulary.words.size + vocabulary.grams.size;
  if (vector && scales.vector > 0)
    for (let k = 0; k < Math.min(vectorLength, vector.length); k += 1) push(from + k, scales.vector * vector[k]!);
  from += vectorLength;
  if (scales.cues > 0) cuesOf(text).forEach((v, k) => push(from + k, scales.cues * v));
  hints.slice(0, vocabulary.hints).forEach((v, k) => push(vocabulary.width - vocabulary.hints + k, v));
  return { at: Int32Array.from(at), value: Float64Array.from(value) };
}

function wordTerms(text: string): string[] {
  const words = wordsOf(plain(text));
  return [...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)];
}

/** Words of a context, apart from those of the statement. */
const contextTerms = (context: string): string[] => (context === '' ? [] : wordsOf(plain(context)).map((word) => `<${word}`));

/** Character n-grams of length three to five within words. */
function gramTerms(text: string): string[] {
  const grams: string[] = [];
  for (const word of wordsOf(plain(text))) {
    const padded = ` ${word} `;
    for (let n = 3; n <= 5; n += 1) for (let i = 0; i + n <= padded.length; i += 1) grams.push(padded.slice(i, i + n));
  }
  return grams;
}

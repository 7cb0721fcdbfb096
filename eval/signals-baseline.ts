/** What the classifier must beat: TF-IDF of words and pairs of words with logistic regression, regularisation by inner cross-validation. */
import { tuned } from '../engines/classifier/learn.ts';
import { fit, probabilities, type Sparse } from '../engines/classifier/logistic.ts';

/** The usual C of logistic regression; the penalty per example is 1 / (C n). */
const strengths = [0.1, 0.3, 1, 3, 10, 30, 100];

/** @returns the labels of the asked texts */
export async function baseline(texts: readonly string[], labels: readonly string[], asked: readonly string[]): Promise<string[]> {
  const told = (c: number, learning: readonly number[], at: readonly string[]): Promise<string[]> =>
    toldBy(
      learning.map((i) => texts[i]!),
      learning.map((i) => labels[i]!),
      at,
      c,
    );
  const best = await tuned(labels, strengths, (c, learning, at) =>
    told(
      c,
      learning,
      at.map((i) => texts[i]!),
    ),
  );
  return await told(best, [...texts.keys()], asked);
}

async function toldBy(texts: readonly string[], labels: readonly string[], asked: readonly string[], c: number): Promise<string[]> {
  const known = [...new Set(labels)].sort();
  const seen = new Map<string, number>();
  for (const text of texts) for (const term of new Set(termsOf(text))) seen.set(term, (seen.get(term) ?? 0) + 1);
  const terms = new Map([...seen].map(([term, n], at) => [term, { at, idf: Math.log((texts.length + 1) / (n + 1)) + 1 }]));
  const rows = texts.map((text) => rowOf(text, terms));
  const indexes = labels.map((label) => known.indexOf(label));
  const model = await fit(rows, indexes, known.length, terms.size, { l2: 1 / (c * texts.length), iterations: 200 });
  return asked.map((text) => {
    const shares = probabilities(model, rowOf(text, terms));
    return known[shares.indexOf(Math.max(...shares))]!;
  });
}

function termsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  return [...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)];
}

function rowOf(text: string, terms: ReadonlyMap<string, { at: number; idf: number }>): Sparse {
  const counts = new Map<string, number>();
  for (const term of termsOf(text)) if (terms.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const cells = [...counts].map(([term, n]) => [terms.get(term)!.at, (1 + Math.log(n)) * terms.get(term)!.idf] as const);
  const length = Math.sqrt(cells.reduce((sum, [, value]) => sum + value * value, 0)) || 1;
  return { at: Int32Array.from(cells, ([at]) => at), value: Float64Array.from(cells, ([, value]) => value / length) };
}

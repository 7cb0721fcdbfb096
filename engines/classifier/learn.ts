import { fit, probabilities, type Logistic, type Sparse } from './logistic.ts';
import { seen, usualScales, vocabularyOf, type Scales, type Statement, type Vocabulary } from './views.ts';

export interface Example extends Statement {
  label: string;
}

export interface Told {
  label: string;
  /** Confidence of the label, 0 to 1. */
  confidence: number;
  /** Share of every label. */
  shares: Record<string, number>;
}

/** A trained classifier, for any labels. */
export interface Learnt {
  labels: string[];
  vocabulary: Vocabulary;
  scales: Scales;
  model: Logistic;
}

/** Weight of the L2 penalty, if none is given. */
const usualL2 = 3e-3;
/** 0: labels weighted by frequency; 1: all equal. */
const balance = 0.5;

/**
 * Trains a classifier. Deterministic: the same examples give the same classifier, in any order.
 * @param options.pause called between the steps, so that other work of the process can run
 */
export async function learn(
  examples: readonly Example[],
  { scales = usualScales, l2 = usualL2, pause }: { scales?: Scales; l2?: number; pause?: () => Promise<void> } = {},
): Promise<Learnt> {
  const sorted = examples.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  const labels = [...new Set(sorted.map(({ label }) => label))].sort();
  const vocabulary = vocabularyOf(sorted, scales);
  const counts = new Map<string, number>();
  for (const { label } of sorted) counts.set(label, (counts.get(label) ?? 0) + 1);
  const weights = Float64Array.from(sorted, ({ label }) => (sorted.length / labels.length / counts.get(label)!) ** balance);
  const rows = sorted.map((example) => seen(example, vocabulary, scales));
  const indexes = sorted.map(({ label }) => labels.indexOf(label));
  const model = await fit(rows, indexes, labels.length, vocabulary.width, { l2, weights, ...(pause ? { pause } : {}) });
  return { labels, vocabulary, scales, model };
}

/** Adapts a classifier to further examples with minimal changes. Examples with unknown labels are ignored. */
export async function adapt(learnt: Learnt, examples: readonly Example[], pause?: () => Promise<void>): Promise<Learnt> {
  const known = examples.filter(({ label }) => learnt.labels.includes(label));
  if (known.length === 0) return learnt;
  const { labels, vocabulary, scales, model } = learnt;
  const rows = known.map((example) => seen(example, vocabulary, scales));
  const indexes = known.map(({ label }) => labels.indexOf(label));
  // Few examples change little, because the penalty is per example. Corrections do not show how frequent labels are.
  const pull = {
    l2: adaptL2 / known.length,
    biasL2: (20 * adaptL2) / known.length,
    prior: model.weights,
    iterations: 30,
    ...(pause ? { pause } : {}),
  };
  return { ...learnt, model: await fit(rows, indexes, labels.length, vocabulary.width, pull) };
}

/** Low enough for a few examples to have an effect. */
const adaptL2 = 0.5;

export const tell = (learnt: Learnt, statement: Statement): Told => toldOf(learnt, seen(statement, learnt.vocabulary, learnt.scales));

/** As `tell`, for a statement that is already converted with the classifier's vocabulary and scales. */
export function toldOf({ labels, model }: Learnt, row: Sparse): Told {
  const p = probabilities(model, row);
  let best = 0;
  p.forEach((share, i) => {
    if (share > p[best]!) best = i;
  });
  return { label: labels[best]!, confidence: p[best]!, shares: Object.fromEntries(labels.map((label, i) => [label, p[i]!])) };
}

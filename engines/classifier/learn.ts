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
  /** Of an adapted classifier: as it was before. */
  before?: Logistic;
  /** Of its training. */
  l2?: number;
  /** Absent: as trained, and without the encoder. */
  blend?: Blend;
}

/** How much the scores count: fitted on examples that the classifier did not see, so that shares are calibrated. */
export interface Blend {
  /** The classifier's own scores, without the encoder. */
  alone: number;
  /** The same beside the encoder. */
  own: number;
  encoder: number;
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

/** Weights of the penalty to choose from: with more of it, a classifier of few examples relies on less. */
const penalties = [3e-4, 1e-3, 3e-3, 1e-2, 3e-2];

/** As `learn`, with the penalty that does best on examples left out in turn. */
export async function learnTuned(examples: readonly Example[], options: { scales?: Scales } = {}): Promise<Learnt> {
  const labels = examples.map(({ label }) => label);
  const l2 = await tuned(labels, penalties, async (l2, learning, asked) => {
    const learnt = await learn(
      learning.map((i) => examples[i]!),
      { ...options, l2 },
    );
    return asked.map((i) => tell(learnt, examples[i]!).label);
  });
  return { ...(await learn(examples, { ...options, l2 })), l2 };
}

const folds = 3;

/**
 * The option with the best macro-F1 in a stratified cross-validation.
 * @param told learns from some examples and tells the labels of others, all given by index
 */
export async function tuned(
  labels: readonly string[],
  options: readonly number[],
  told: (option: number, learning: readonly number[], asked: readonly number[]) => Promise<string[]>,
): Promise<number> {
  const foldOf: number[] = [];
  for (const own of Map.groupBy(labels.keys(), (i) => labels[i]!).values()) own.forEach((i, nth) => (foldOf[i] = nth % folds));
  let best = { option: options[0]!, score: -1 };
  for (const option of options) {
    const answers: string[] = [];
    for (let fold = 0; fold < folds; fold += 1) {
      const asked = foldOf.flatMap((own, i) => (own === fold ? [i] : []));
      const learning = foldOf.flatMap((own, i) => (own === fold ? [] : [i]));
      if (asked.length === 0 || learning.length === 0) continue;
      (await told(option, learning, asked)).forEach((label, nth) => (answers[asked[nth]!] = label));
    }
    const score = macroF1(labels, answers);
    if (score > best.score) best = { option, score };
  }
  return best.option;
}

function macroF1(labels: readonly string[], told: readonly string[]): number {
  const all = [...new Set(labels)];
  const count = (values: readonly string[], label: string): number => values.filter((each) => each === label).length;
  return (
    all.reduce((sum, label) => {
      const right = labels.filter((each, i) => each === label && told[i] === label).length;
      return sum + (2 * right) / Math.max(1, count(labels, label) + count(told, label));
    }, 0) / all.length
  );
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
  return { ...learnt, before: model, model: await fit(rows, indexes, labels.length, vocabulary.width, pull) };
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

/** Quality of the offline classifier on labelled sentences: by cross-validation, from one file to another, or untrained. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { sharesOf } from '../engines/classifier/judge.ts';
import type { Aspect } from '../engines/classifier/encoded.ts';
import { learnTuned, tell, type Example } from '../engines/classifier/learn.ts';
import { shipped } from '../engines/classifier/shipped.ts';
import { hintsOf, kindOf } from '../services/signals/classifiers.ts';
import type { Embedder } from '../adapters/models/embedder.ts';
import { createEmbedder } from '../adapters/models/open.ts';
import { readConfig } from '../platform/config.ts';
import { seen } from '../engines/classifier/views.ts';
import { baseline } from './signals-baseline.ts';
import { acquireEmbeddingModel, cacheFolder } from '../platform/embedded/parts.ts';

export interface SignalsOptions {
  /** Cross-validated; without folds, classified by the shipped classifier. */
  data?: string | undefined;
  train?: string | undefined;
  /** Without `train`: classified by the shipped classifier. */
  test?: string | undefined;
  /** Columns, separated by commas; their texts are joined. */
  text?: string | undefined;
  /** A column; or several, separated by commas, of which exactly one is filled: then its name is the label. */
  label?: string | undefined;
  folds?: string | undefined;
  group?: string | undefined;
  /** No training: uses the shipped classifier's own classes and tones. */
  shipped?: boolean | undefined;
  /** The label is whether the column is filled. */
  filled?: boolean | undefined;
}

export interface LabelledRow {
  text: string;
  label: string;
  group: string | null;
}

export interface LabelScore {
  label: string;
  n: number;
  precision: number;
  recall: number;
  f1: number;
}

export interface SignalsReport {
  task: string;
  rows: number;
  macro_f1: number;
  accuracy: number;
  labels: LabelScore[];
  /** With --group: macro-F1 of each, and their mean. */
  groups?: { group: string; n: number; macro_f1: number }[];
  mean_of_groups?: number;
  model: string | null;
  /** Macro-F1 of TF-IDF with logistic regression in the same run; absent: nothing was trained. */
  baseline?: number;
}

/** A column with more different values has contents, not labels: then the label is whether it is filled. */
const mostLabels = 25;
const fails = (message: string): never => {
  throw new Error(message);
};

/** Whether the cells are contents, not labels: either filled or empty, or with too many different values. */
function areContents(cells: readonly string[]): boolean {
  const values = new Set(cells.map((cell) => cell.trim()));
  return values.has('') && (values.size === 2 || values.size > mostLabels);
}

/** @throws Error when a column is missing or nothing is labelled */
export function readRows(file: string, options: SignalsOptions): LabelledRow[] {
  const rows = parse(readFileSync(file, 'utf8'), { columns: true, bom: true, relax_quotes: true, skip_empty_lines: true }) as Record<
    string,
    string
  >[];
  const columns = Object.keys(rows[0] ?? {});
  const named = (list: string | undefined, option: string): string[] => {
    // A column's name may contain a comma.
    const names = list === undefined ? fails(`--${option} is needed.`) : columns.includes(list.trim()) ? [list] : list.split(',');
    return names.map((name) => {
      const known = columns.find((column) => column.trim() === name.trim());
      return known ?? fails(`${file} has no column "${name.trim()}". It has: ${columns.join(', ')}.`);
    });
  };
  const texts = named(options.text, 'text');
  const labels = named(options.label, 'label');
  const group = options.group === undefined ? null : named(options.group, 'group')[0]!;
  const filled = (row: Record<string, string>, column: string): boolean => row[column]!.trim() !== '';
  const binary = options.filled ?? (labels.length === 1 && areContents(rows.map((row) => row[labels[0]!]!)));
  const labelOf = (row: Record<string, string>): string | null => {
    if (labels.length > 1) {
      const own = labels.filter((column) => filled(row, column));
      return own.length === 1 ? own[0]! : null;
    }
    if (binary) return filled(row, labels[0]!) ? 'filled' : 'empty';
    return row[labels[0]!]!.trim() || null;
  };
  const labelled = rows.flatMap((row) => {
    const text = texts
      .map((column) => row[column]!.trim())
      .filter(Boolean)
      .join('. ');
    const label = labelOf(row);
    return text === '' || label === null ? [] : [{ text, label, group: group === null ? null : row[group]!.trim() }];
  });
  return labelled.length > 0 ? labelled : fails(`${file}: no row has both a text and a label.`);
}

/** Stratified and deterministic: distributes the rows of each label in the order of a hash. */
export function foldsOf(rows: readonly LabelledRow[], count: number): number[] {
  const folds = Array.from({ length: rows.length }, () => 0);
  for (const own of Map.groupBy(rows.keys(), (i) => rows[i]!.label).values()) {
    own
      .map((i) => ({ i, key: scrambled(`${rows[i]!.text}/${i}`) }))
      .sort((a, b) => a.key - b.key || a.i - b.i)
      .forEach(({ i }, nth) => {
        folds[i] = nth % count;
      });
  }
  return folds;
}

function scrambled(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

export async function evalSignals(options: SignalsOptions, embedder: Embedder | null, say: (line: string) => void): Promise<SignalsReport> {
  const { data, train, test } = options;
  const file = data ?? test ?? fails('Give --data FILE, or --train FILE --test FILE.');
  const folds = Number(options.folds ?? 5);
  if (!Number.isInteger(folds) || folds < 0 || folds === 1) fails('--folds is a number from 2, or 0 to learn nothing.');
  const untrained = options.shipped === true || (data === undefined && train === undefined) || (data !== undefined && folds === 0);
  const learnt = train === undefined ? [] : readRows(train, options);
  // Both files' columns are treated alike.
  const filled = learnt.length > 0 && learnt.every(({ label }) => label === 'filled' || label === 'empty') ? true : options.filled;
  const rows = readRows(file, { ...options, filled });
  const model = embedder?.id ?? null;
  const examples = await examplesOf([...rows, ...learnt], embedder, say);
  const own = examples.slice(0, rows.length);
  let told: string[];
  let task: string;
  let other: string[] | null = null;
  if (untrained) {
    task = 'untrained';
    told = toldByShipped(own, model);
  } else if (train !== undefined) {
    task = 'train and test';
    [told, other] = await toldOf(examples.slice(rows.length), own);
  } else {
    task = `${folds}-fold`;
    [told, other] = await crossValidated(own, foldsOf(rows, folds), folds, say);
  }
  return { task, ...scored(rows, told), model, ...(other ? { baseline: scored(rows, other).macro_f1 } : {}) };
}

/** The product's configured model; null: there is none. */
export async function localEmbedder(): Promise<Embedder | null> {
  const config = readConfig(process.env);
  const dir = config.EMBEDDING_MODEL_DIR ?? (await acquireEmbeddingModel({ cacheDir: cacheFolder(config) })).dir;
  return createEmbedder({ ...config, EMBEDDING_MODEL_DIR: dir ?? undefined });
}

async function examplesOf(rows: readonly LabelledRow[], embedder: Embedder | null, say: (line: string) => void): Promise<Example[]> {
  const examples: Example[] = [];
  const model = embedder?.id ?? null;
  const encoder = embedder?.encoder?.id === shipped().encoder ? embedder.encoder : undefined;
  for (let from = 0; from < rows.length; from += 200) {
    const slice = rows.slice(from, from + 200);
    const texts = slice.map(({ text }) => text);
    const vectors = embedder ? await embedder.embed(texts, { priority: 'batch' }) : null;
    const statements = texts.map((text) => ({ text, context: '' }));
    const encoded = encoder ? await encoder.encode(statements, { priority: 'batch' }) : null;
    slice.forEach(({ text, label }, i) => {
      const statement = { text, vector: vectors?.[i] ?? null, encoded: encoded?.[i] ?? null };
      examples.push({ ...statement, label, hints: hintsOf(statement, model) });
    });
    say(`${examples.length} of ${rows.length} sentences read`);
  }
  return examples;
}

/** Labels of the asked examples, by the classifier and by the baseline. */
async function toldOf(learning: readonly Example[], asked: readonly Example[]): Promise<[string[], string[]]> {
  const classifier = await learnTuned(learning);
  const text = (example: Example): string => example.text;
  return [
    asked.map((example) => tell(classifier, example).label),
    await baseline(
      learning.map(text),
      learning.map(({ label }) => label),
      asked.map(text),
    ),
  ];
}

async function crossValidated(
  examples: readonly Example[],
  folds: readonly number[],
  count: number,
  say: (line: string) => void,
): Promise<[string[], string[]]> {
  const told: string[] = [];
  const other: string[] = [];
  for (let fold = 0; fold < count; fold += 1) {
    const asked = examples.flatMap((_, i) => (folds[i] === fold ? [i] : []));
    const [ours, theirs] = await toldOf(
      examples.filter((_, i) => folds[i] !== fold),
      asked.map((i) => examples[i]!),
    );
    asked.forEach((i, nth) => {
      told[i] = ours[nth]!;
      other[i] = theirs[nth]!;
    });
    say(`fold ${fold + 1} of ${count}`);
  }
  return [told, other];
}

/** The shipped classifier's labels, mapped to the data's names. */
function toldByShipped(examples: readonly Example[], model: string | null): string[] {
  const labels = [...new Set(examples.map(({ label }) => label))];
  const models = shipped().kinds[kindOf(model)];
  for (const aspect of ['tone', 'class', 'severity'] satisfies Aspect[]) {
    const known = models[aspect].labels;
    const meaning = new Map(labels.map((label) => [meantBy(label, known), label]));
    if (meaning.has(null)) continue;
    return examples.map((example) => {
      const { vocabulary, scales } = models[aspect];
      const shares = sharesOf(models[aspect], aspect, seen(example, vocabulary, scales), example.encoded ?? null);
      const best = [...meaning.keys()].reduce((a, b) => ((shares[b!] ?? 0) > (shares[a!] ?? 0) ? b : a));
      return meaning.get(best)!;
    });
  }
  const all = Object.values(models).map(({ labels: known }) => known.join(', '));
  return fails(`Untrained, it tells ${all.join('; or ')}. The labels here are ${labels.slice(0, 10).join(', ')}.`);
}

/** "Feature (Positive)", "POS" and "positive" are all positive. */
function meantBy(label: string, known: readonly string[]): string | null {
  const said = label.toLowerCase().replaceAll(/[^a-z]+/g, '_');
  const short: Record<string, string> = { pos: 'positive', neg: 'negative', neu: 'neutral', feature_request: 'request', bug_report: 'bug' };
  return known.find((each) => each === said || each === short[said] || said.split('_').includes(each)) ?? null;
}

export function scored(rows: readonly LabelledRow[], told: readonly string[]): Omit<SignalsReport, 'task' | 'model'> {
  const labels = [...new Set(rows.map(({ label }) => label))].sort().map((label): LabelScore => {
    const right = rows.filter((row, i) => row.label === label && told[i] === label).length;
    const n = rows.filter((row) => row.label === label).length;
    const said = told.filter((each) => each === label).length;
    return { label, n, precision: right / Math.max(1, said), recall: right / n, f1: (2 * right) / (n + said) };
  });
  const groups = [...Map.groupBy(rows.keys(), (i) => rows[i]!.group)].flatMap(([group, at]) => {
    if (group === null) return [];
    const own = scored(
      at.map((i) => ({ ...rows[i]!, group: null })),
      at.map((i) => told[i]!),
    );
    return [{ group, n: at.length, macro_f1: own.macro_f1 }];
  });
  return {
    rows: rows.length,
    macro_f1: labels.reduce((sum, { f1 }) => sum + f1, 0) / labels.length,
    accuracy: rows.filter((row, i) => row.label === told[i]).length / rows.length,
    labels,
    ...(groups.length > 0 ? { groups, mean_of_groups: groups.reduce((sum, each) => sum + each.macro_f1, 0) / groups.length } : {}),
  };
}

export function signalsTableOf(report: SignalsReport): string {
  const { task, rows, macro_f1, accuracy, labels, groups, mean_of_groups, model, baseline: other } = report;
  const number = (value: number): string => value.toFixed(3);
  return [
    `${task}, ${rows} sentences, ${model ?? 'no embedding model: words alone'}`,
    `macro-F1 ${number(macro_f1)}, accuracy ${number(accuracy)}`,
    ...(other === undefined ? [] : [`TF-IDF with logistic regression: macro-F1 ${number(other)}, ours ${signed(macro_f1 - other)}`]),
    ...labels.map(
      ({ label, n, precision, recall, f1 }) =>
        `  ${label} (${n}): F1 ${number(f1)}, precision ${number(precision)}, recall ${number(recall)}`,
    ),
    ...(groups ?? []).map(({ group, n, macro_f1: f1 }) => `  group ${group} (${n}): macro-F1 ${number(f1)}`),
    ...(mean_of_groups === undefined ? [] : [`mean of the groups: macro-F1 ${number(mean_of_groups)}`]),
  ].join('\n');
}

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;

/** Quality of record linkage: the matcher of entity.table.link on judged tables and pairs. Labels are used only after linking. */
import { linkTables } from '../engines/linkage/link.ts';
import { defaultNameModel, estimateNameModel, levelsOf, scoreNames } from '../engines/linkage/names.ts';
import { scorePairs } from '../engines/linkage/pairs.ts';
import type { Column } from '../engines/linkage/table.ts';
import { nameKey } from '../engines/text/names.ts';
import { pairBaselines, tableBaselines } from './er-baselines.ts';
import { pairKey, readClustered, readLinked, readPairs, type JudgedPairs, type JudgedTables } from './er-data.ts';

export interface ErOptions {
  left?: string | undefined;
  right?: string | undefined;
  matches?: string | undefined;
  table?: string | undefined;
  links?: string | undefined;
  /** Instead of `links`: the column that identifies equal rows. */
  truth?: string | undefined;
  pairs?: string | undefined;
  encoding?: string | undefined;
}

export interface ErScore {
  threshold: number;
  precision: number;
  recall: number;
  f1: number;
  predicted: number;
  found: number;
}

export interface ErReport {
  form: 'two tables' | 'one table' | 'pairs' | 'names';
  rows: number[];
  columns: string[];
  truth: number;
  compared: number;
  seconds: number;
  peakRssMb: number;
  /** At a threshold of one half, and at the tool's default. */
  scores: ErScore[];
  /** At the threshold that suits the labels best: what the probabilities could reach, not what a user gets. */
  best: ErScore;
  /** Simple methods in the same run; a threshold, where there is one, is the best for the labels. */
  baseline: (ErScore & { name: string })[];
}

const thresholds = [0.5, 0.9];

/** @throws Error for options that do not fit together, and files that cannot be read as said */
export function evalEr(options: ErOptions): ErReport {
  const { left, right, matches, table, links, truth, pairs, encoding } = options;
  const started = performance.now();
  if (pairs !== undefined) return ofPairs(readPairs(pairs, encoding), started);
  if (left !== undefined && right !== undefined && matches !== undefined)
    return ofTables(readLinked(left, right, matches, encoding), started);
  if (table !== undefined && links !== undefined) return ofTables(readLinked(table, null, links, encoding), started);
  if (table !== undefined && truth !== undefined) return ofTables(readClustered(table, truth, encoding), started);
  throw new Error('Give --left, --right and --matches; or --table with --links or --truth COLUMN; or --pairs.');
}

/** Of reading and linking, without the baselines and the scores. */
const costsSince = (started: number): Pick<ErReport, 'seconds' | 'peakRssMb'> => ({
  seconds: (performance.now() - started) / 1000,
  peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
});

/** A pair with its similarity or probability. */
interface Judgement {
  score: number;
  match: boolean;
}

/** Links below it are not in question; the best threshold is sought from here on. */
const least = 0.05;

function ofTables({ left, right, leftIds, rightIds, truth }: JudgedTables, started: number): ErReport {
  const linked = linkTables(left, right, { least, threshold: thresholds[0]! });
  const costs = costsSince(started);
  const single = right === null;
  const judged = ({ left: a, right: b }: { left: number; right: number }): boolean => truth.has(pairKey(leftIds[a]!, rightIds[b]!, single));
  const said = linked.links.map((link) => ({ score: link.probability, match: judged(link) }));
  return {
    form: single ? 'one table' : 'two tables',
    rows: [left.rows, ...(right ? [right.rows] : [])],
    columns: linked.columns.map((column) => `${column.left}${column.left === column.right ? '' : `=${column.right}`}: ${column.kind}`),
    truth: truth.size,
    compared: linked.compared,
    ...costs,
    scores: thresholds.map((threshold) => scoreAt(said, threshold, truth.size)),
    best: bestOf(said, truth.size),
    baseline: tableBaselines(left, right).map(({ name, pairs, exact }) => {
      const found = pairs.map((pair) => ({ score: pair.score, match: judged(pair) }));
      return baselineOf(name, found, truth.size, exact);
    }),
  };
}

function ofPairs({ left, right, labels, names }: JudgedPairs, started: number): ErReport {
  const scored = names ? nameScores(left.columns[0]!, right.columns[0]!) : scorePairs(left, right);
  const costs = costsSince(started);
  const truth = labels.filter(Boolean).length;
  const judged = (values: ArrayLike<number>): Judgement[] => labels.map((match, i) => ({ score: values[i]!, match }));
  const said = judged(scored.probabilities);
  const overlaps = judged(labels.map((_, row) => overlap(left.columns, right.columns, row)));
  return {
    form: names ? 'names' : 'pairs',
    rows: [labels.length],
    columns: scored.columns.map(({ left: name, kind }) => `${name}: ${kind}`),
    truth,
    compared: labels.length,
    ...costs,
    scores: thresholds.map((threshold) => scoreAt(said, threshold, truth)),
    best: bestOf(said, truth),
    baseline: [
      { name: 'token overlap', ...scoreAt(overlaps, 0.5, truth) },
      baselineOf('token overlap', overlaps, truth),
      ...pairBaselines(left, right).map(({ name, scores, exact }) => baselineOf(name, judged(scores), truth, exact)),
    ],
  };
}

const baselineOf = (name: string, said: readonly Judgement[], truth: number, exact = false): ErScore & { name: string } =>
  exact ? { name, ...scoreAt(said, 1, truth) } : { name: `${name}, threshold chosen by the labels`, ...bestOf(said, truth) };

function scoreAt(said: readonly Judgement[], threshold: number, truth: number): ErScore {
  const predicted = said.filter(({ score }) => score >= threshold);
  return scoreOf(threshold, predicted.length, predicted.filter(({ match }) => match).length, truth);
}

function bestOf(said: readonly Judgement[], truth: number): ErScore {
  const sorted = [...said].sort((a, b) => b.score - a.score);
  let best = scoreOf(1, 0, 0, truth);
  let found = 0;
  for (const [i, { score, match }] of sorted.entries()) {
    if (match) found++;
    // Equal ones are taken or left together.
    if (sorted[i + 1]?.score === score) continue;
    const here = scoreOf(score, i + 1, found, truth);
    if (here.f1 > best.f1) best = here;
  }
  return best;
}

/** Pairs of names are scored by the matcher of entity resolution. */
function nameScores(left: Column, right: Column): { probabilities: number[]; columns: { left: string; kind: string }[] } {
  const things = Array.from(
    left.ids,
    (id, row) =>
      [
        { key: nameKey(left.values[id]!), type: 'customer' },
        { key: nameKey(right.values[right.ids[row]!]!), type: 'customer' },
      ] as const,
  );
  const model = estimateNameModel(
    things.map(([a, b]) => levelsOf(a, b)),
    defaultNameModel,
  );
  return {
    probabilities: things.map(([a, b]) => scoreNames(a, b, model).probability),
    columns: [{ left: left.name, kind: 'entity name' }],
  };
}

function overlap(left: readonly Column[], right: readonly Column[], row: number): number {
  const words = (columns: readonly Column[]): Set<string> =>
    new Set(columns.flatMap(({ values, ids }) => values[ids[row]!]!.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []));
  const [a, b] = [words(left), words(right)];
  const common = [...a].filter((word) => b.has(word)).length;
  return common / Math.max(1, a.size + b.size - common);
}

function scoreOf(threshold: number, predicted: number, found: number, truth: number): ErScore {
  const precision = predicted === 0 ? 0 : found / predicted;
  const recall = truth === 0 ? 0 : found / truth;
  return {
    threshold,
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    predicted,
    found,
  };
}

export function erTableOf(report: ErReport): string {
  const line = (name: string, { threshold, precision, recall, f1, predicted, found }: ErScore): string =>
    `${name.padEnd(46)}  ${threshold.toFixed(2)}  ${precision.toFixed(4)}  ${recall.toFixed(4)}  ${f1.toFixed(4)}  ${found} of ${report.truth} found, ${predicted} said`;
  return [
    `${report.form}, ${report.rows.join(' and ')} rows; compared by ${report.columns.join(', ') || 'nothing'}`,
    `${'method'.padEnd(46)}  from  precis.  recall  F1`,
    ...report.scores.map((each) => line('Fellegi–Sunter, EM, no labels', each)),
    line('the same, threshold chosen by the labels', report.best),
    ...report.baseline.map(({ name, ...each }) => line(name, each)),
    `${report.compared} pairs compared, ${report.seconds.toFixed(1)} s, peak ${report.peakRssMb} MB`,
  ].join('\n');
}

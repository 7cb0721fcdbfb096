/** Quality of record linkage: the matcher of entity.table.link on judged tables and pairs. Labels are used only after linking. */
import { linkTables } from '../engines/linkage/link.ts';
import { defaultNameModel, estimateNameModel, levelsOf, scoreNames } from '../engines/linkage/names.ts';
import { scorePairs } from '../engines/linkage/pairs.ts';
import type { Column } from '../engines/linkage/table.ts';
import { nameKey } from '../engines/text/names.ts';
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
  /** For pairs: Jaccard similarity of their words, at one half and at the best threshold for the labels. */
  baseline?: (ErScore & { name: string })[];
}

const thresholds = [0.5, 0.9];

/** @throws Error for options that do not fit together, and files that cannot be read as said */
export function evalEr(options: ErOptions): ErReport {
  const { left, right, matches, table, links, truth, pairs, encoding } = options;
  const started = performance.now();
  const report =
    pairs !== undefined
      ? ofPairs(readPairs(pairs, encoding))
      : left !== undefined && right !== undefined && matches !== undefined
        ? ofTables(readLinked(left, right, matches, encoding))
        : table !== undefined && links !== undefined
          ? ofTables(readLinked(table, null, links, encoding))
          : table !== undefined && truth !== undefined
            ? ofTables(readClustered(table, truth, encoding))
            : null;
  if (!report) throw new Error('Give --left, --right and --matches; or --table with --links or --truth COLUMN; or --pairs.');
  return {
    ...report,
    seconds: (performance.now() - started) / 1000,
    peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

type Measured = Omit<ErReport, 'seconds' | 'peakRssMb'>;

function ofTables({ left, right, leftIds, rightIds, truth }: JudgedTables): Measured {
  const linked = linkTables(left, right, { least: thresholds[0]!, threshold: thresholds[0]! });
  const single = right === null;
  const scores = thresholds.map((threshold) => {
    const predicted = linked.links.filter(({ probability }) => probability >= threshold);
    const found = predicted.filter((link) => truth.has(pairKey(leftIds[link.left]!, rightIds[link.right]!, single))).length;
    return score(threshold, predicted.length, found, truth.size);
  });
  return {
    form: single ? 'one table' : 'two tables',
    rows: [left.rows, ...(right ? [right.rows] : [])],
    columns: linked.columns.map((column) => `${column.left}${column.left === column.right ? '' : `=${column.right}`}: ${column.kind}`),
    truth: truth.size,
    compared: linked.compared,
    scores,
  };
}

function ofPairs(judged: JudgedPairs): Measured {
  const { left, right, labels, names } = judged;
  const scored = names ? nameScores(left.columns[0]!, right.columns[0]!) : scorePairs(left, right);
  const truth = labels.filter(Boolean).length;
  const at = (values: ArrayLike<number>, threshold: number): ErScore => {
    const predicted = labels.flatMap((label, i) => (values[i]! >= threshold ? [label] : []));
    return score(threshold, predicted.length, predicted.filter(Boolean).length, truth);
  };
  const overlaps = labels.map((_, row) => overlap(left.columns, right.columns, row));
  const best = [...new Set(overlaps)].map((threshold) => at(overlaps, threshold)).sort((a, b) => b.f1 - a.f1)[0];
  return {
    form: names ? 'names' : 'pairs',
    rows: [labels.length],
    columns: scored.columns.map(({ left: name, kind }) => `${name}: ${kind}`),
    truth,
    compared: labels.length,
    scores: thresholds.map((threshold) => at(scored.probabilities, threshold)),
    baseline: [
      { name: 'token overlap', ...at(overlaps, 0.5) },
      ...(best ? [{ name: 'token overlap, threshold chosen by the labels', ...best }] : []),
    ],
  };
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

function score(threshold: number, predicted: number, found: number, truth: number): ErScore {
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
    ...(report.baseline ?? []).map(({ name, ...each }) => line(name, each)),
    `${report.compared} pairs compared, ${report.seconds.toFixed(1)} s, peak ${report.peakRssMb} MB`,
  ].join('\n');
}

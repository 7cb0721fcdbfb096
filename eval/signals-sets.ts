/** Customers' own labels: the classifier trained on each set, beside the baseline, by cross-validation. */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { Embedder } from '../adapters/models/embedder.ts';
import { evalSignals, type SignalsOptions, type SignalsReport } from './signals.ts';

/** Written for this project: whole sentences with labels of a customer's own (README.md beside them). */
const ownSets = fileURLToPath(new URL('./labels/', import.meta.url));
const openSentences = 'dabrowski_opinion_sentences_open.csv';

export interface SetReport {
  set: string;
  report: SignalsReport;
}

/** @param dir with the open sentences; absent: the project's own sets alone */
export async function evalSets(dir: string | undefined, embedder: Embedder | null, say: (line: string) => void): Promise<SetReport[]> {
  const tasks: [string, SignalsOptions][] = readdirSync(ownSets)
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .map((name) => [name, { data: join(ownSets, name), text: 'text', label: 'label' }]);
  const data = dir === undefined ? '' : join(dir, openSentences);
  if (existsSync(data)) {
    const text = 'Sentence content';
    tasks.push(['app reviews, polarity', { data, text, label: 'Feature (Positive),Feature (Neutral),Feature (Negative)' }]);
    tasks.push(['app reviews, mentions a feature', { data, text, label: 'Feature (All Annotated)' }]);
  }
  const reports: SetReport[] = [];
  for (const [set, options] of tasks) {
    say(set);
    reports.push({ set, report: await evalSignals(options, embedder, say) });
  }
  return reports;
}

export const setsTableOf = (reports: readonly SetReport[]): string =>
  [
    'macro-F1                            rows    ours  TF-IDF    more',
    ...reports.map(({ set, report: { rows, macro_f1, baseline = Number.NaN } }) =>
      [
        set.padEnd(34),
        String(rows).padStart(6),
        macro_f1.toFixed(3).padStart(8),
        baseline.toFixed(3).padStart(8),
        (macro_f1 - baseline).toFixed(3).padStart(8),
      ].join(''),
    ),
  ].join('\n');

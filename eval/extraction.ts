/** Quality of feature extraction from app reviews, compared with spans that people marked. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { extract } from '../engines/extraction/index.ts';

interface SpanScore {
  precision: number;
  recall: number;
  f1: number;
}

interface ExtractionReport {
  sentences: number;
  /** Number of spans that people marked, and that were found. */
  marked: number;
  found: number;
  exact: SpanScore;
  /** A found span counts when it shares a character with a marked one, and the other way round. */
  overlapping: SpanScore;
  cpuMsPer1000Chars: number;
}

interface Row {
  text: string;
  spans: { start: number; end: number }[];
}

/**
 * Reads `Sentence content` and `Feature (All Annotated)`, whose features are separated by ";". Leaves out features that
 * the sentence does not contain literally, because they cannot be found.
 * @param half of the sentences: those with an even or an odd number, counted from 0
 */
export function readMarked(file: string, half: 'even' | 'odd' | 'all' = 'all'): Row[] {
  const rows = parse(readFileSync(file, 'utf8'), { columns: true, bom: true, relax_quotes: true }) as Record<string, string>[];
  return rows
    .filter((_, i) => half === 'all' || (i % 2 === 0) === (half === 'even'))
    .map((row) => {
      const text = row['Sentence content'];
      const marked = row['Feature (All Annotated)'];
      if (text === undefined || marked === undefined)
        throw new Error(`${file}: the columns "Sentence content" and "Feature (All Annotated)" are missing.`);
      const lower = text.toLowerCase();
      const spans = marked.split(';').flatMap((each) => {
        const feature = each.trim().toLowerCase();
        const start = feature === '' ? -1 : lower.indexOf(feature);
        return start < 0 ? [] : [{ start, end: start + feature.length }];
      });
      return { text, spans };
    });
}

/** Each sentence is processed as a separate review. */
export function scoreFeatures(rows: readonly Row[]): ExtractionReport {
  let marked = 0;
  let found = 0;
  let chars = 0;
  const hits = { exact: 0, exactMarked: 0, overlapping: 0, overlappingMarked: 0 };
  const before = process.cpuUsage();
  const all = rows.map(({ text, spans }) => {
    chars += text.length;
    const { mentions } = extract({
      passages: [{ title: null, text }],
      documentTitle: '',
      saidAt: '2020-01-01T00:00:00Z',
      sourceType: 'app_review',
      known: new Map(),
    });
    return { spans, features: mentions.filter((mention) => mention.type === 'feature') };
  });
  const { user, system } = process.cpuUsage(before);
  for (const { spans, features } of all) {
    marked += spans.length;
    found += features.length;
    for (const feature of features) {
      if (spans.some((span) => span.start === feature.start && span.end === feature.end)) hits.exact += 1;
      if (spans.some((span) => span.start < feature.end && feature.start < span.end)) hits.overlapping += 1;
    }
    for (const span of spans) {
      if (features.some((feature) => span.start === feature.start && span.end === feature.end)) hits.exactMarked += 1;
      if (features.some((feature) => span.start < feature.end && feature.start < span.end)) hits.overlappingMarked += 1;
    }
  }
  return {
    sentences: rows.length,
    marked,
    found,
    exact: score(hits.exact / found, hits.exactMarked / marked),
    overlapping: score(hits.overlapping / found, hits.overlappingMarked / marked),
    cpuMsPer1000Chars: (user + system) / chars,
  };
}

/** Formats the report for people. */
export function extractionTableOf(report: ExtractionReport): string {
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`.padStart(9);
  const row = (name: string, { precision, recall, f1 }: SpanScore): string =>
    `${name.padEnd(12)}${percent(precision)}${percent(recall)}${percent(f1)}`;
  return [
    `${report.sentences} sentences, ${report.marked} features marked, ${report.found} found, ${report.cpuMsPer1000Chars.toFixed(2)} ms CPU per 1,000 characters`,
    `${''.padEnd(12)}${'precision'.padStart(9)}${'recall'.padStart(9)}${'F1'.padStart(9)}`,
    row('exact', report.exact),
    row('overlapping', report.overlapping),
  ].join('\n');
}

function score(precision: number, recall: number): SpanScore {
  const sum = precision + recall;
  return { precision: precision || 0, recall: recall || 0, f1: sum > 0 ? (2 * precision * recall) / sum : 0 };
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMarked, scoreFeatures } from './extraction.ts';

const file = join(import.meta.dirname, '../../shared/data/4-signals/dabrowski_opinion_sentences_open.csv');
if (!existsSync(file)) console.warn('eval/extraction.test: shared/data is absent; the marked reviews are skipped.');

it('counts exact and overlapping spans', () => {
  const report = scoreFeatures([
    // Found exactly, found in part, missed, and one too many.
    { text: 'The dark mode feature is great.', spans: [{ start: 4, end: 13 }] },
    { text: 'I like push notifications.', spans: [{ start: 12, end: 25 }] },
    { text: 'It thinks for me.', spans: [{ start: 3, end: 16 }] },
    { text: 'The home timeline is fine.', spans: [] },
  ]);
  expect(report).toMatchObject({ sentences: 4, marked: 3, found: 3 });
  expect(report.exact.precision).toBeCloseTo(1 / 3);
  expect(report.exact.recall).toBeCloseTo(1 / 3);
  expect(report.overlapping.precision).toBeCloseTo(2 / 3);
  expect(report.overlapping.recall).toBeCloseTo(2 / 3);
});

it.skipIf(!existsSync(file))('finds what people marked in real reviews, also in the half that no rule was made with', () => {
  const { marked, overlapping } = scoreFeatures(readMarked(file, 'odd'));
  expect(marked).toBeGreaterThan(250);
  expect(overlapping.precision).toBeGreaterThan(0.65);
  expect(overlapping.f1).toBeGreaterThan(0.5);
});

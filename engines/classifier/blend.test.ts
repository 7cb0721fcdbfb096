import { expect, test } from 'vitest';
import { blendOf, calibrationError, type Unseen } from './blend.ts';
import { aspects, featuresIn, labelsOf, scoresIn } from './encoded.ts';
import { sharesOf } from './judge.ts';
import { adapt, learn, type Example } from './learn.ts';
import { softmax } from './logistic.ts';
import { shipped } from './shipped.ts';
import { seen } from './views.ts';

const unseen = (own: number[], encoder: number[], label: number): Unseen => ({
  own: Float64Array.from(own),
  encoder: Float32Array.from(encoder),
  label,
});

test('scores that are too sure are made less sure, and the better model counts more', () => {
  // The classifier is sure and right in two of four; the encoder is right in all.
  const rows = [unseen([9, 0], [1, 0], 0), unseen([9, 0], [0, 1], 1), unseen([0, 9], [0, 1], 1), unseen([0, 9], [1, 0], 0)];
  const { alone, own, encoder } = blendOf(rows);
  expect(alone).toBeLessThan(0.05);
  expect(encoder).toBeGreaterThan(1);
  for (const row of rows) {
    const shares = softmax(row.own.map((score, c) => score * own + row.encoder![c]! * encoder));
    expect(shares[row.label]!).toBeGreaterThan(0.5);
  }
});

test('calibration error, counted by hand', () => {
  const told = [
    { confidence: 0.95, right: true },
    { confidence: 0.95, right: false },
    { confidence: 0.55, right: true },
    { confidence: 0.55, right: true },
  ];
  // Bin .9: .95 told, .5 right, half of all. Bin .5: .55 told, 1 right.
  expect(calibrationError(told)).toBeCloseTo(0.5 * 0.45 + 0.5 * 0.45, 9);
});

test('the encoder tells every label of every aspect, then features', () => {
  const length = aspects.reduce((sum, aspect) => sum + labelsOf[aspect].length, 0);
  const encoded = Float32Array.from({ length: length + 3 }, (_, i) => i);
  expect(aspects.flatMap((aspect) => [...scoresIn(encoded, aspect)])).toEqual(Array.from({ length }, (_, i) => i));
  expect([...featuresIn(encoded)]).toEqual([length, length + 1, length + 2]);
  for (const kind of Object.values(shipped().kinds)) for (const aspect of aspects) expect(kind[aspect].labels).toEqual(labelsOf[aspect]);
});

test('corrections count in full beside the encoder', async () => {
  const plainly = (text: string, label: string): Example => ({ text, vector: null, label });
  const few = ['it went plonk', 'plonk again', 'all is well', 'all is fine'];
  const learnt = {
    ...(await learn(few.map((text, i) => plainly(text, i < 2 ? 'neutral' : 'positive')))),
    blend: { alone: 1, own: 0, encoder: 1 },
  };
  const encoded = new Float32Array(21);
  const row = seen({ text: 'plonk', vector: null }, learnt.vocabulary, learnt.scales);
  const shares = (of: typeof learnt) => sharesOf(of, 'tone', row, encoded)['positive']!;
  expect(shares(learnt)).toBeCloseTo(0.5, 9);
  const adapted = await adapt(learnt, [plainly('plonk', 'positive'), plainly('plonk plonk', 'positive')]);
  expect(shares({ ...learnt, ...adapted })).toBeGreaterThan(0.6);
});

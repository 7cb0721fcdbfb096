/** Where thresholds stand for another model than the shipped one. */
import { afterAll, expect, it } from 'vitest';
import { inject } from 'vitest';
import { createLocalEmbedder } from '../../adapters/models/embedder.ts';
import { createHttpEmbedder } from '../../adapters/models/embedder-http.ts';
import { knownScale, measureEnds, scaleFrom, scaleOf, shippedEnds } from '../../services/kernel/model-scale.ts';
import { embeddingDouble, embeddingKey } from '../setup/embeddings.ts';

const dir = inject('servers').modelDir;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

it.skipIf(dir === null)('the ends of the shipped model are those it has', async () => {
  const shipped = createLocalEmbedder({ dir: dir! });
  closing.push(() => shipped.close());
  const { unlike, alike } = await measureEnds(shipped);
  expect(unlike).toBeCloseTo(shippedEnds.unlike, 2);
  expect(alike).toBeCloseTo(shippedEnds.alike, 2);
  expect((await scaleOf(shipped)).shipped(0.7)).toBe(0.7);
});

it('moves cosines and thresholds there and back', () => {
  // A model for which all texts are near.
  const { shipped, own } = scaleFrom({ unlike: 0.8, alike: 0.95 });
  expect(shipped(0.8)).toBeCloseTo(shippedEnds.unlike);
  expect(shipped(0.95)).toBeCloseTo(shippedEnds.alike);
  expect(shipped(own(0.65))).toBeCloseTo(0.65);
  expect(shipped(1)).toBeLessThanOrEqual(1);
  expect(scaleFrom({ unlike: 0.5, alike: 0.5 }).own(0.65)).toBe(0.65);
});

it('measures a model once, however many ask, and again after a failure', async () => {
  const double = await embeddingDouble(64);
  const embedder = createHttpEmbedder({
    url: double.url(),
    apiKey: embeddingKey,
    model: 'measured-once',
    dialect: 'openai',
    dimensions: 64,
    maxRetries: 0,
  });
  closing.push(
    () => embedder.close(),
    () => double.close(),
  );
  double.away = 503;
  expect((await scaleOf(embedder)).own(0.65)).toBe(0.65);
  double.away = null;
  const scales = await Promise.all([1, 2, 3].map(() => scaleOf(embedder)));
  expect(new Set(scales).size).toBe(1);
  expect(double.asked).toHaveLength(1);
  expect(knownScale(embedder.id)).toBe(scales[0]);
  expect(scales[0]!.own(shippedEnds.alike)).toBeGreaterThan(scales[0]!.own(shippedEnds.unlike));
});

import { expect, it } from 'vitest';
import { discriminants, discriminate } from './discriminant.ts';

const unit = (...xs: number[]): Float32Array => {
  const length = Math.hypot(...xs);
  return Float32Array.from(xs, (x) => x / length);
};
const best = (weights: Float32Array[], vector: Float32Array): number => {
  const scores = weights.map((own) => discriminate(own, vector));
  return scores.indexOf(Math.max(...scores));
};

it('discounts a direction in which the texts of all classes vary', async () => {
  // The third direction says nothing of the class, but decides the similarity to the nearest text.
  const classes = [
    [unit(1, 0.2, 1), unit(1, 0.2, -1), unit(1, 0.2, 0.2)],
    [unit(0.8, 0.6, 1), unit(0.8, 0.6, -1), unit(0.8, 0.6, -0.2)],
  ];
  const wanted = unit(1, 0.25, -1);
  const weights = await discriminants(classes);
  expect(best(weights, wanted)).toBe(0);
  expect(best(weights, unit(0.8, 0.55, 1))).toBe(1);
});

it('solves what a direct computation gives', async () => {
  // Two classes along one axis with the same spread: the boundary is in the middle.
  const classes = [
    [Float32Array.of(-1.2, 0), Float32Array.of(-0.8, 0)],
    [Float32Array.of(2.8, 0), Float32Array.of(3.2, 0)],
  ];
  const [a, b] = (await discriminants(classes)) as [Float32Array, Float32Array];
  const middle = Float32Array.of(1, 0);
  expect(discriminate(a, middle)).toBeCloseTo(discriminate(b, middle), 3);
  // Covariance: diag(0.04, 0), shrunk by half towards its mean 0.02 → 0.03; scaled by 0.02.
  expect(a[0]).toBeCloseTo((-1 / 0.03) * 0.02, 3);
  expect(a[2]).toBeCloseTo((-1 / 0.03 / 2) * 0.02, 3);
});

it('bears equal texts, single texts and no classes', async () => {
  const weights = await discriminants([[unit(1, 0)], [unit(0, 1), unit(0, 1)]]);
  expect(weights.every((own) => own.every(Number.isFinite))).toBe(true);
  expect(best(weights, unit(1, 0.1))).toBe(0);
  expect(await discriminants([])).toEqual([]);
});

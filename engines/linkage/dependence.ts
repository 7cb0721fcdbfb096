import { logistic } from './em.ts';
import type { LevelPatterns } from './learn.ts';

/** This many pairs are not enough evidence of dependence. */
const handful = 4;

/**
 * Correlated fields among non-matches (a postcode and its town) count the same evidence twice. Computes the reduction
 * of each.
 */
export function dependence(patterns: LevelPatterns, weights: readonly number[][], odds: Float64Array): number[] {
  const { levels, counts } = patterns;
  const width = weights.length;
  const sums = Array.from({ length: width * width }, () => new Float64Array(6));
  for (let i = 0; i < counts.length; i++) {
    const said = weights.map((of, f) => {
      const level = levels[i * width + f]!;
      return level < 0 ? Number.NaN : of[level]!;
    });
    // Possible matches have little weight: matches agree in all fields, which is not dependence.
    const p = counts[i]! * (1 - logistic(odds[i]!)) ** 2;
    for (let f = 0; f < width; f++) {
      for (let g = 0; g < f; g++) {
        const [x, y] = [said[f]!, said[g]!];
        if (Number.isNaN(x) || Number.isNaN(y)) continue;
        const sum = sums[f * width + g]!;
        sum[0]! += p;
        sum[1]! += p * x;
        sum[2]! += p * y;
        sum[3]! += p * x * x;
        sum[4]! += p * y * y;
        sum[5]! += p * x * y;
      }
    }
  }
  const together = weights.map(() => 0);
  const ranges = weights.map((of) => Math.max(...of) - Math.min(...of));
  for (let f = 0; f < width; f++) {
    for (let g = 0; g < f; g++) {
      const [n, x, y, xx, yy, xy] = sums[f * width + g]! as unknown as [number, number, number, number, number, number];
      const [few, some] = [ranges[f]! ** 2 * (handful / n), ranges[g]! ** 2 * (handful / n)];
      const spread = Math.sqrt((xx / n - (x / n) ** 2 + few) * (yy / n - (y / n) ** 2 + some));
      const correlation = n > 20 && spread > 0 ? Math.max(0, (xy / n - (x / n) * (y / n)) / spread) : 0;
      together[f]! += correlation;
      together[g]! += correlation;
    }
  }
  return together.map((sum) => 1 / (1 + sum));
}

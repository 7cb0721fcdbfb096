import type { Comparer } from './compare.ts';
import { countsOf, equalLevel, type Fields } from './fields.ts';

/** Random pairs used to estimate how often non-matches agree. */
const randomPairs = 60_000;

/** Per field and level, the share of all pairs: exact for equal values, else from random pairs. */
export function expected(fields: Fields, comparer: Comparer, total: number): number[][] {
  const { list, sizes, single } = fields;
  const found = list.map((field) => new Float64Array(field.levels));
  const levels = new Int8Array(list.length);
  const look = (left: number, right: number): void => {
    comparer.compare(left, right, levels, 0);
    for (let f = 0; f < list.length; f++) if (levels[f]! >= 0) found[f]![levels[f]!]!++;
  };
  if (total <= randomPairs) {
    for (let left = 0; left < sizes[0]; left++) for (let right = 0; right < (single ? left : sizes[1]); right++) look(left, right);
  } else {
    const random = generator();
    for (let i = 0; i < randomPairs; i++) {
      const left = Math.floor(random() * sizes[0]);
      const right = Math.floor(random() * sizes[1]);
      if (!single || left !== right) look(left, right);
    }
  }
  return list.map((field, f) => {
    const [a, b] = field.present;
    const pairs = single ? (a * (a - 1)) / 2 : a * b;
    const equal = new Float64Array(field.levels);
    const within = new Float64Array(field.levels);
    const [left, right] = countsOf(field);
    for (let id = field.parts ? 0 : 1; id < left.length; id++) {
      const [x, y] = [left[id]!, right[id]!];
      const both = single ? (x * (x - 1)) / 2 : x * y;
      if (both > 0) equal[equalLevel(field, id)]! += both;
      if (single) continue;
      const twice = (x * (x - 1)) / Math.max(1, a * (a - 1)) + (y * (y - 1)) / Math.max(1, b * (b - 1));
      if (twice > 0) within[equalLevel(field, id)]! += (twice / 2) * pairs;
    }
    // Agreement between two tables may be matches; agreement within each of them shows the rate of non-matches.
    if (!single) for (let l = 0; l < equal.length; l++) equal[l] = Math.min(equal[l]!, Math.max(within[l]!, 0.02 * equal[l]!));
    const counted = equal.reduce((sum, count) => sum + count, 0);
    const low = found[f]!.subarray(0, field.equal);
    const sampled = low.reduce((sum, count) => sum + count, 0);
    const scale = Math.max(0, pairs - counted) / Math.max(1, sampled);
    return Array.from(equal, (count, l) => (l < field.equal ? (low[l]! + 0.5) * scale : count));
  });
}

/** The same numbers in every run (mulberry32). */
export function generator(seed = 0x5eed): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

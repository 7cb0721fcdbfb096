import type { Blend } from './learn.ts';
import { softmax } from './logistic.ts';

/** Scores of one example that the classifier and the encoder did not learn from. */
export interface Unseen {
  own: Float64Array;
  /** Null: without the encoder. */
  encoder: Float32Array | null;
  /** Index of the right label. */
  label: number;
}

const lossOf = (rows: readonly Unseen[], own: number, encoder: number): number =>
  rows.reduce((sum, row) => {
    const shares = softmax(row.own.map((score, c) => score * own + (row.encoder ? row.encoder[c]! * encoder : 0)));
    return sum - Math.log(Math.max(shares[row.label]!, 1e-9));
  }, 0) / rows.length;

/** Least loss along one line, by ever finer steps. */
function least(loss: (x: number) => number): number {
  let best = 1;
  for (let step = 0.8; step > 0.01; step *= 0.7) {
    for (const x of [best - step, best + step]) if (x >= 0 && loss(x) < loss(best)) best = x;
  }
  return best;
}

/** The weights with which the shares of unseen examples fit best: temperature and fusion in one. */
export function blendOf(rows: readonly Unseen[]): Blend {
  const alone = least((x) => lossOf(rows, x, 0));
  let [own, encoder] = [alone / 2, 0.5];
  for (let round = 0; round < 6; round += 1) {
    encoder = least((x) => lossOf(rows, own, x));
    own = least((x) => lossOf(rows, x, encoder));
  }
  return { alone: rounded(alone), own: rounded(own), encoder: rounded(encoder) };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Expected calibration error: how far the confidence of the best label is from how often it is right, in ten bins. */
export function calibrationError(told: readonly { confidence: number; right: boolean }[]): number {
  const bins = Map.groupBy(told, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)));
  return [...bins.values()].reduce((sum, bin) => {
    const gap = bin.reduce((total, { confidence, right }) => total + confidence - (right ? 1 : 0), 0);
    return sum + Math.abs(gap) / told.length;
  }, 0);
}

import { tones, type SignalClass, type StatementState, type Tone } from '../../contracts/signals/signals.ts';
import type { Shares } from './types.ts';

/**
 * Log shares of the tones positive, neutral, negative and mixed among the classifier's examples of each state and class
 * (a test holds them to the examples);
 * five counts of the class in any state are added. A fault is negative and praise positive whatever the words, and a
 * threat that is taken back is neither.
 */
export const usual: Record<StatementState, Record<SignalClass, readonly [number, number, number, number]>> = {
  open: {
    request: [-2.72, -0.36, -1.45, -6.81],
    bug: [-18.31, -9.4, -0.01, -4.83],
    complaint: [-13.51, -10.05, -0.06, -2.91],
    praise: [-0.01, -18.75, -18.75, -4.62],
    question: [-16.48, -0.01, -4.59, -16.48],
    churn_risk: [-8.3, -6.88, -0.0, -6.03],
    information: [-4.82, -0.28, -1.48, -4.55],
  },
  resolved: {
    request: [-2.81, -0.32, -1.55, -6.9],
    bug: [-12.64, -3.74, -0.03, -5.59],
    complaint: [-7.04, -3.58, -0.08, -2.98],
    praise: [-0.0, -18.4, -18.4, -7.58],
    question: [-11.01, -0.01, -4.61, -11.01],
    churn_risk: [-3.17, -1.76, -0.24, -6.06],
    information: [-0.4, -1.59, -5.51, -2.09],
  },
  withdrawn: {
    request: [-4.27, -0.03, -4.48, -9.82],
    bug: [-15.38, -0.04, -3.13, -8.33],
    complaint: [-3.67, -0.2, -1.85, -6.14],
    praise: [-0.01, -12.41, -12.41, -5.13],
    question: [-12.49, -0.0, -6.09, -12.49],
    churn_risk: [-1.65, -0.37, -2.18, -5.63],
    information: [-3.15, -0.15, -2.44, -4.48],
  },
  hypothetical: {
    request: [-5.04, -0.02, -4.59, -10.6],
    bug: [-14.5, -5.6, -0.0, -7.45],
    complaint: [-10.09, -6.63, -0.0, -6.03],
    praise: [-0.0, -14.91, -14.91, -7.63],
    question: [-12.4, -0.0, -6.0, -12.4],
    churn_risk: [-6.77, -1.81, -0.18, -9.65],
    information: [-5.26, -0.02, -4.54, -6.58],
  },
};
const order = ['positive', 'neutral', 'negative', 'mixed'] as const;
/** Below 1, because class, state and tone are judged from the same words. */
const trust = 0.5;

const of = (shares: Shares, tone: Tone): number => Math.log((shares.tone[tone] ?? 0) + 0.02);
const best = (score: (tone: Tone) => number): Tone => tones.reduce((a, b) => (score(b) > score(a) ? b : a));

/** The tone that fits the shares, the class and the state best. @param stays says that nobody leaves */
export const toneOf = (label: SignalClass, state: StatementState, shares: Shares, stays: boolean): Tone =>
  best((tone) => of(shares, tone) + trust * usual[state][label][order.indexOf(tone)]! + (stays && tone === 'positive' ? 1 : 0));

/** How well a tone goes with a class whose state is not known, in log units. */
const fits: Record<SignalClass, Partial<Record<Tone, number>>> = {
  bug: { negative: 0.5, positive: -0.75 },
  complaint: { negative: 0.5, positive: -0.75, neutral: -0.25 },
  praise: { positive: 0.6, negative: -0.75, neutral: -0.25 },
  request: { positive: -0.4 },
  question: { positive: -0.5 },
  churn_risk: { negative: 0.25, positive: -0.25 },
  information: {},
};

/** A first tone, from which the state follows. */
export const firstToneOf = (label: SignalClass, shares: Shares, stays: boolean): Tone =>
  best((tone) => of(shares, tone) + (fits[label][tone] ?? 0) + (stays && tone === 'positive' ? 1 : 0));

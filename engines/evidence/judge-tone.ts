import { tones, type SignalClass, type StatementState, type Tone } from '../../contracts/signals/signals.ts';
import type { Shares } from './types.ts';

/**
 * Log shares of the tones positive, neutral, negative and mixed among the classifier's examples of each state and class;
 * five counts of the class in any state are added. A fault is negative and praise positive whatever the words, and a
 * threat that is taken back is neither.
 */
const usual: Record<StatementState, Record<SignalClass, readonly [number, number, number, number]>> = {
  open: {
    request: [-3.25, -0.22, -1.87, -6.05],
    bug: [-12.96, -8.36, -0.01, -4.54],
    complaint: [-12.52, -8.57, -0.03, -3.49],
    praise: [-0.03, -12.25, -12.25, -3.67],
    question: [-10.66, -0.03, -3.58, -10.66],
    churn_risk: [-6.95, -5.79, -0.01, -5.84],
    information: [-3.62, -0.3, -1.6, -3.44],
  },
  resolved: {
    request: [-3.65, -0.03, -5.36, -9.15],
    bug: [-11.79, -7.18, -0.0, -9.15],
    complaint: [-10.7, -6.75, -0.02, -3.98],
    praise: [-0.0, -11.53, -11.53, -5.91],
    question: [-8.32, -0.0, -5.76, -8.32],
    churn_risk: [-2.69, -1.53, -0.34, -5.3],
    information: [-4.01, -0.04, -4.24, -6.05],
  },
  withdrawn: {
    request: [-5.83, -0.01, -4.55, -8.34],
    bug: [-10.49, -0.05, -3.1, -7.85],
    complaint: [-9.81, -0.28, -1.41, -6.25],
    praise: [-0.02, -7.15, -7.15, -4.01],
    question: [-7.15, -0.01, -4.59, -7.15],
    churn_risk: [-1.44, -0.48, -1.98, -5.12],
    information: [-4.55, -0.1, -2.6, -4.41],
  },
  hypothetical: {
    request: [-6.88, -0.01, -4.59, -9.39],
    bug: [-9.51, -4.91, -0.01, -6.87],
    complaint: [-10.11, -6.16, -0.0, -6.55],
    praise: [-0.0, -9.53, -9.53, -6.39],
    question: [-7.42, -0.01, -4.86, -7.42],
    churn_risk: [-5.57, -1.23, -0.35, -8.18],
    information: [-6.24, -0.02, -4.29, -6.1],
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

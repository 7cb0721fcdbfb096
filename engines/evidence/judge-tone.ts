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
    request: [-2.73, -0.34, -1.49, -6.94],
    bug: [-14.9, -9.84, -0.01, -5.1],
    complaint: [-13.81, -10.35, -0.05, -3.05],
    praise: [-0.01, -19.11, -19.11, -4.8],
    question: [-16.98, -0.01, -4.84, -16.98],
    churn_risk: [-8.43, -7.02, -0.0, -5.56],
    information: [-5.13, -0.26, -1.54, -4.86],
  },
  resolved: {
    request: [-2.81, -0.31, -1.58, -7.02],
    bug: [-9.06, -4.0, -0.02, -5.95],
    complaint: [-7.18, -3.72, -0.07, -3.11],
    praise: [-0.0, -18.74, -18.74, -7.74],
    question: [-11.26, -0.01, -4.86, -11.26],
    churn_risk: [-3.08, -1.68, -0.27, -5.77],
    information: [-0.46, -1.54, -5.62, -1.89],
  },
  withdrawn: {
    request: [-4.32, -0.02, -4.56, -10.0],
    bug: [-5.13, -0.05, -3.22, -8.68],
    complaint: [-3.67, -0.21, -1.84, -6.27],
    praise: [-0.01, -12.58, -12.58, -5.3],
    question: [-12.74, -0.0, -6.34, -12.74],
    churn_risk: [-1.64, -0.33, -2.45, -5.93],
    information: [-3.39, -0.14, -2.47, -4.55],
  },
  hypothetical: {
    request: [-5.04, -0.02, -4.6, -10.72],
    bug: [-10.87, -5.81, -0.0, -7.75],
    complaint: [-10.24, -6.78, -0.0, -6.16],
    praise: [-0.0, -15.08, -15.08, -7.8],
    question: [-12.65, -0.0, -6.25, -12.65],
    churn_risk: [-6.79, -1.91, -0.16, -9.48],
    information: [-5.5, -0.02, -4.58, -6.66],
  },
};
const order = ['positive', 'neutral', 'negative', 'mixed'] as const;
/** Below 1, because class, state and tone are judged from the same words. */
const trust = 0.5;

/** Whoever says that nobody leaves does not complain with it. */
const loyal: Leaning = { positive: 1, negative: -1 };

const of = (shares: Shares, tone: Tone): number => Math.log((shares.tone[tone] ?? 0) + 0.02);
const best = (score: (tone: Tone) => number): Tone => tones.reduce((a, b) => (score(b) > score(a) ? b : a));

/** What else than the words tells the tone, in log units. */
export type Leaning = Partial<Record<Tone, number>>;

/** @param stays says that nobody leaves @param rating of the row, 0 to 1 */
export function leaningOf(stays: boolean, rating: number | null): Leaning {
  const lean = { ...(stays ? loyal : {}) };
  for (const [tone, more] of Object.entries(rating === null ? {} : ratedAs(rating)) as [Tone, number][])
    lean[tone] = (lean[tone] ?? 0) + more;
  return lean;
}

/** Who gives one star of five complains, whatever the words. Five stars say less: many ask for something with them. */
const ratedAs = (rating: number): Leaning =>
  rating <= poor ? { positive: -1, negative: 0.75 } : rating >= excellent ? { positive: 0.4, negative: -0.3 } : {};
export const poor = 0.4;
export const excellent = 0.9;

/** The tone that fits the shares, the class and the state best. */
export const toneOf = (label: SignalClass, state: StatementState, shares: Shares, lean: Leaning): Tone =>
  best((tone) => of(shares, tone) + trust * usual[state][label][order.indexOf(tone)]! + (lean[tone] ?? 0));

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
export const firstToneOf = (label: SignalClass, shares: Shares, lean: Leaning): Tone =>
  best((tone) => of(shares, tone) + (fits[label][tone] ?? 0) + (lean[tone] ?? 0));

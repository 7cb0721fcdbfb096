import { factorNames, type FactorName } from '../../../contracts/signals/opportunities.ts';
import { trendOf, type Direction } from '../../kernel/trends.ts';

/** Pure: an opportunity's score from its evidence. */

/** An opportunity's evidence, counted. */
export interface Evidence {
  signals: number;
  /** Near-duplicates once. */
  statements: number;
  customers: number;
  /** Statements without a known customer. */
  anonymous: number;
  /** Signals by class. */
  classes: Readonly<Record<string, number>>;
  /** Means over the signals: 0 to 4, −1 to 1, 0 to 1. */
  severity: number;
  sentiment: number;
  certainty: number;
  /** Signals of high or critical severity. */
  severe: number;
  /** Kinds of sources. */
  sources: number;
  /** Signals of the last 28 days, and of the 28 before. */
  current: number;
  previous: number;
}

/** An area or entity of the strategy that the opportunity is about. */
export interface Goal {
  name: string;
  alignment: number;
}

export interface Computed {
  value: number;
  reason: string;
}
export type Factors = Record<FactorName, Computed>;

/** Number of customers above which more do not change the score. */
const reachOfAll = 50;
/** There is no strategy. */
const alignmentUnknown = 5;
/** There is a strategy, but about other things. */
const alignmentElsewhere = 3;
/** Evidence does not show effort: fixing is assumed to be less than building. */
const effortOf = { mending: 3, building: 5 };
export const leastEffort = 0.5;
/** Days of the window for trends and urgency. */
export const windowDays = 28;

export const directionOf = ({ current, previous }: Pick<Evidence, 'current' | 'previous'>): Direction =>
  trendOf(current, previous).direction;

/** @param goals null: the tenant has none */
export function factorsOf(evidence: Evidence, goals: readonly Goal[] | null): Factors {
  return {
    impact: impactOf(evidence),
    confidence: confidenceOf(evidence),
    strategic_alignment: alignmentOf(goals),
    urgency: urgencyOf(evidence),
    effort: effortFrom(evidence),
  };
}

/** @param values effective values: 0 to 10 each, confidence 0 to 1; effort at least 0.5 */
export const scoreOf = (values: Readonly<Record<FactorName, number>>): number =>
  round((values.impact * values.confidence * values.strategic_alignment * values.urgency) / Math.max(leastEffort, values.effort), 1);

export const inForce = (computed: Factors, overrides: ReadonlyMap<FactorName, number>): Record<FactorName, number> =>
  Object.fromEntries(factorNames.map((factor) => [factor, overrides.get(factor) ?? computed[factor].value])) as Record<FactorName, number>;

/** Mainly the number of affected customers, then the severity. */
function impactOf({ customers, anonymous, severity, sentiment }: Evidence): Computed {
  // Two statements without a customer count as one more customer.
  const reached = customers + anonymous / 2;
  const reach = Math.min(1, Math.log1p(reached) / Math.log1p(reachOfAll));
  const value = 10 * (0.65 * reach + 0.25 * (severity / 4) + 0.1 * Math.max(0, -sentiment));
  const who = [count(customers, 'customer'), ...(anonymous > 0 ? [`${count(anonymous, 'statement')} without a known customer`] : [])];
  return {
    value: round(value, 1),
    reason: `${who.join(' and ')}; mean severity ${round(severity, 1)} of 4, mean sentiment ${round(sentiment, 2)}.`,
  };
}

/** More, more certain and more varied evidence; a single customer lowers it. */
function confidenceOf({ statements, customers, certainty, sources }: Evidence): Computed {
  const amount = statements / (statements + 3);
  const breadth = customers >= 2 ? 1 : 0.8;
  const value = Math.min(1, amount * breadth * (0.5 + certainty / 2) + 0.05 * Math.min(3, sources - 1));
  return {
    value: round(value, 2),
    reason: `${count(statements, 'different statement')} of ${count(customers, 'customer')} from ${count(sources, 'kind')} of source; classified with certainty ${round(certainty, 2)}.`,
  };
}

function alignmentOf(goals: readonly Goal[] | null): Computed {
  if (goals === null) return { value: alignmentUnknown, reason: 'No goals are set: taken as neither near nor far.' };
  const best = [...goals].sort((a, b) => b.alignment - a.alignment || (a.name < b.name ? -1 : 1))[0];
  if (!best) return { value: alignmentElsewhere, reason: 'It is about none of the goals.' };
  return { value: best.alignment, reason: `It is about "${best.name}", a goal with alignment ${best.alignment}.` };
}

/** Growth, severity, and signs of leaving. */
function urgencyOf({ signals, classes, severe, current, previous }: Evidence): Computed {
  const { direction } = trendOf(current, previous);
  const growth = { emerging: 1, growing: 0.8, stable: current > 0 ? 0.4 : 0, declining: 0.2 }[direction];
  const leaving = classes['churn_risk'] ?? 0;
  const value = 1 + 9 * (0.4 * growth + 0.35 * Math.min(1, (1.5 * severe) / signals) + 0.25 * Math.min(1, (3 * leaving) / signals));
  return {
    value: round(value, 1),
    reason: `${direction}: ${current} in the last ${windowDays} days after ${previous} in those before; ${severe} of ${signals} severe, ${leaving} about leaving.`,
  };
}

function effortFrom({ signals, classes }: Evidence): Computed {
  const mending = 2 * (classes['bug'] ?? 0) >= signals;
  return {
    value: mending ? effortOf.mending : effortOf.building,
    reason: `Assumed: evidence does not tell effort. ${mending ? 'Mostly bugs' : 'Not mostly bugs'}: ${mending ? effortOf.mending : effortOf.building}. Set it when it is known.`,
  };
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

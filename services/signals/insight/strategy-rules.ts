/** Pure: which counts are worth an insight, and its confidence. */
import type { SignalClass } from '../../../contracts/signals/signals.ts';
import { plural } from '../../kernel/disclosure.ts';
import { trendOf } from '../../kernel/trends.ts';

export const insightKinds = ['pattern', 'risk', 'opportunity'] as const;
export type InsightKind = (typeof insightKinds)[number];

/** Counts of an entity in the window and before. */
export interface Said {
  id: string;
  type: string;
  name: string;
  signals: number;
  previous: number;
  /** Sums: 0 to 4 each; thousandths. */
  severity: number;
  sentiment: number;
  classes: Record<SignalClass, number>;
}

export interface Lead {
  kind: InsightKind;
  said: Said;
  /** Start of the statement, for the number of signals that show it; the customers are added later. */
  claim(shown: number): string;
  /** Evidence: signals of these classes (null: any), with at most this sentiment and at least this severity. */
  shownBy: { classes: readonly SignalClass[] | null; sentimentTo: number; severityFrom: number };
  /** Of several of a kind the ones with the highest weight are shown. */
  weight: number;
}

/** With fewer signals there is no insight. */
export const fewest = 3;
/** A percentage of a smaller count says nothing. */
const percentFrom = 10;
/** Mean sentiment below which a customer is unhappy, and mean severity above which an issue is serious. */
const unhappy = -0.3;
const grave = 2.5;

const any = { classes: null, sentimentTo: 1, severityFrom: 0 };

export function leadsIn(said: Said, windowDays: number): Lead[] {
  const { type, name, signals, previous, classes } = said;
  const what = `${type[0]!.toUpperCase()}${type.slice(1)} "${name}"`;
  const leads: Lead[] = [];
  if (type === 'customer') {
    const mean = said.sentiment / 1000 / signals;
    if (classes.churn_risk > 0) {
      leads.push({
        kind: 'risk',
        said,
        claim: (shown) => `${what} may leave: ${shown} of its ${signals} signals in ${windowDays} days speak of it`,
        shownBy: { ...any, classes: ['churn_risk'] },
        weight: 10 * classes.churn_risk,
      });
    } else if (signals >= fewest && mean <= unhappy) {
      leads.push({
        kind: 'risk',
        said,
        claim: () => `${what} is unhappy: the mean sentiment of its ${signals} signals in ${windowDays} days is ${mean.toFixed(2)}`,
        shownBy: { ...any, sentimentTo: -0.1 },
        weight: -mean * signals,
      });
    }
    return leads;
  }
  const severity = said.severity / signals;
  if (type === 'issue' && signals >= fewest && severity >= grave) {
    leads.push({
      kind: 'risk',
      said,
      claim: () => `${what} is grave: its ${signals} signals in ${windowDays} days have a mean severity of ${severity.toFixed(1)} of 4`,
      shownBy: { ...any, severityFrom: 3 },
      weight: said.severity,
    });
  }
  if (type !== 'issue' && classes.request >= fewest) {
    leads.push({
      kind: 'opportunity',
      said,
      claim: () => `${what} is asked for: ${classes.request} requests in ${windowDays} days`,
      shownBy: { ...any, classes: ['request'] },
      weight: classes.request,
    });
  }
  const { direction, change_pct } = trendOf(signals, previous);
  if (signals >= fewest && (direction === 'growing' || direction === 'emerging')) {
    leads.push({
      kind: 'pattern',
      said,
      claim: () =>
        `${what} ${direction === 'emerging' ? 'comes up' : 'grows'}: ${signals} signals in ${windowDays} days, ${change_pct === null ? 'none' : `${previous}`} in the ${windowDays} before${previous < percentFrom ? '' : ` (+${change_pct} %)`}, mostly of class ${mostly(classes)}`,
      shownBy: any,
      weight: signals - previous,
    });
  }
  return leads;
}

const mostly = (classes: Record<SignalClass, number>): string => Object.entries(classes).toSorted(([, a], [, b]) => b - a)[0]![0];

/** Breadth of the evidence. */
export interface Breadth {
  /** Without near-duplicates. */
  statements: number;
  documents: number;
  sources: number;
  customers: number;
  /** Mean certainty of their classes, 0 to 1. */
  certainty: number;
}

/**
 * 0 to 1: the certainty of the classes, reduced when there are few different statements (every two halve the doubt)
 * and when they come from one document or one kind of source.
 */
export function confidenceOf({ statements, documents, sources, certainty }: Breadth): number {
  const weight = 1 - 0.5 ** (statements / 2);
  const spread = 0.7 + 0.1 * Math.min(3, documents - 1 + (sources - 1));
  return Math.round(Math.min(1, certainty) * weight * spread * 100) / 100;
}

export function statementOf({ claim, said }: Lead, { signals, customers, sources }: Breadth & { signals: number }): string {
  const from = [
    ...(said.type === 'customer' || customers === 0 ? [] : [`${customers} ${customers === 1 ? 'customer' : plural('customer')}`]),
    `${sources} ${sources === 1 ? 'kind of source' : 'kinds of sources'}`,
  ];
  return `${claim(signals)}; from ${from.join(' and ')}.`;
}

/** What would be needed for an insight of each kind. */
export const lacking: Record<InsightKind, string> = {
  pattern: `No pattern: nothing was told of at least ${fewest} times and at least 20 % more often than before.`,
  risk: `No risk: no customer's threat to leave stands, none is unhappy over ${fewest} signals, and no issue is grave.`,
  opportunity: `No opportunity: no feature or theme was asked for ${fewest} times.`,
};

/** What insights take for granted, with the thresholds above. */
export const assumptions = (windowDays: number): string[] => [
  `Growth compares the ${windowDays} days of the window with the ${windowDays} before. Statements count when they were said, not when they were ingested.`,
  `An insight needs ${fewest} statements. A customer is unhappy below a mean sentiment of ${unhappy}, an issue is grave above a mean severity of ${grave} of 4.`,
  'Near-duplicates count once in the evidence. A threat to leave counts while nothing later withdrew it.',
  'Confidence is lower when few statements, one document or one kind of source tell it.',
];

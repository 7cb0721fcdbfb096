/** Pure: how much a statement tells a reader. */
import type { SignalClass } from '../../contracts/signals/signals.ts';
import type { Cited } from './types.ts';

/** Shorter statements may need the one before them to be understood. */
export const shortUnder = 60;

const classWeights: Record<SignalClass, number> = {
  churn_risk: 4,
  bug: 1.5,
  complaint: 1.2,
  request: 1.1,
  praise: 0.8,
  question: 0.5,
  information: 0.4,
};

const figures = /\d+(?:[.,:]\d+)*/g;
/** Figures and spans of time in words, in the languages of common feedback. */
const spelt =
  /(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|hundert|tausend|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille)(?!\p{L})/giu;
const money =
  /[€$£¥]|(?<!\p{L})(?:eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?|kronor|kroner|sek|nok|dkk|per ?cent|percent|%)(?!\p{L})|%/iu;
const deadline =
  /(?<!\p{L})(?:by|until|before|bis|hasta|antes|avant|jusqu)(?:[ '’]+\p{L}*){0,3}[ '’]+(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|monday|tuesday|wednesday|thursday|friday|year|quarter|spring|summer|autumn|winter|christmas)/iu;

/** What a contract is about. */
const contract =
  /(?<!\p{L})(?:sign(?:s|ed|ing)?|renew\p{L}*|contracts?|licen[cs]es?|subscription|invoices?|prices?|pricing|notice|vertr[aä]g\p{L}*|kündig\p{L}*|preise?|rechnung\p{L}*|contrato|precios?|facturas?|contrat|prix|factures?)(?!\p{L})/iu;

/** Figures, dates, money, deadlines and terms of a contract make a statement concrete. */
export function specificity({ statement }: Pick<Cited, 'statement'>): number {
  const numbers = (statement.match(figures)?.length ?? 0) + (statement.match(spelt)?.length ?? 0);
  return (
    Math.min(numbers, 3) * 0.6 +
    (money.test(statement) ? 0.8 : 0) +
    (deadline.test(statement) ? 1 : 0) +
    (contract.test(statement) ? 0.8 : 0)
  );
}

const halfLife = 60 * 24 * 60 * 60 * 1000;

/** Severity, class, state, what it names, how concrete it is, and how new. */
export function weightOf(cited: Cited, asOf: string): number {
  const { statement, severity, class: kind, state, earlier, features, competitors, customers, copies, at } = cited;
  const long = statement.length;
  const readable = long < 25 ? -2 : long < shortUnder ? -0.5 : long > 420 ? -0.3 : 0.4;
  return (
    severity +
    classWeights[kind] +
    specificity(cited) +
    (state === 'open' ? 0 : 0.8) +
    (earlier === 'resolves' || earlier === 'withdraws' ? 1.5 : earlier === 'repeats' ? 0.3 : 0) +
    (features.length + competitors.length > 0 ? 0.8 : -0.4) +
    (customers.length > 0 ? 0.5 : 0) +
    Math.min(1, Math.log2(copies) / 2) +
    0.5 ** ((Date.parse(asOf) - Date.parse(at)) / halfLife) +
    readable
  );
}

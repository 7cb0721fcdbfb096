/** Pure: sentences that say no more than was counted or quoted, each with its sources. */
import type { SignalClass } from '../../contracts/signals/signals.ts';
import { trendOf } from '../kernel/trends.ts';
import { justBefore } from './evidence.ts';
import { classesOf } from './evidence-sql.ts';
import { classNames, dateOf, many, severityName, sourceNames } from './names.ts';
import type { Cited, Evidence, Figure, Ranked, SampleSet, Statement } from './types.ts';

/** Sources printed with a count: enough to verify, few enough to read. */
const shown = 3;
const longestQuote = 300;

const citedOf = (evidence: Evidence, ids: readonly string[]): Cited[] =>
  ids.flatMap((id) => evidence.signals[id] ?? []).toSorted((a, b) => b.at.localeCompare(a.at));

const statement = (text: string, sources: readonly { ref: string }[], figures: Figure[] = []): Statement | null =>
  sources.length === 0 ? null : { text, sources: sources.slice(0, shown).map(({ ref }) => ref), figures };

const windowOf = ({ spec, windowDays }: Evidence): string => (spec.windowDays === null ? '' : ` in the last ${many(windowDays, 'day')}`);

export function totals(evidence: Evidence): Statement | null {
  const { signals, customers } = evidence.totals;
  const latest = citedOf(evidence, evidence.newestSignals);
  if (!latest[0]) return null;
  const newest = `the newest of ${dateOf(latest[0].at)}`;
  const text =
    customers > 0
      ? `${many(customers, 'customer')} stand behind ${many(signals, 'statement')}${windowOf(evidence)}, ${newest}.`
      : `There are ${many(signals, 'statement')}${windowOf(evidence)}, ${newest}; none names its customer.`;
  const figures: Figure[] = [{ n: signals, of: 'signals' }, ...(customers > 0 ? [{ n: customers, of: 'customers' as const }] : [])];
  return statement(text.replace(/^1 customer stand /, '1 customer stands '), latest, figures);
}

const orNone = (n: number): string => (n === 0 ? 'none' : String(n));

/** Comparison of the latest window with the previous one; earlier data is ignored. */
export function change(evidence: Evidence): Statement | null {
  const { recent, previous } = evidence.totals;
  const { windowDays } = evidence;
  const text = `The last ${windowDays} days brought ${many(recent, 'statement')}, the ${windowDays} days before ${orNone(previous)}.`;
  return recent + previous === 0
    ? null
    : statement(text, citedOf(evidence, evidence.newestSignals), movedFigures(evidence, recent, previous));
}

const movedFigures = (evidence: Evidence, recent: number, previous: number, entity?: string): Figure[] => [
  { n: recent, of: 'signals', from: evidence.recentFrom, ...(entity ? { entity } : {}) },
  { n: previous, of: 'signals', from: evidence.previousFrom, until: justBefore(evidence.recentFrom), ...(entity ? { entity } : {}) },
];

/** "5 complaints from 3 customers." */
export function ofClass(evidence: Evidence, each: SignalClass): Statement | null {
  const counts = evidence.classes[each];
  if (!counts) return null;
  const [one, more] = classNames[each];
  const from = counts.customers > 0 ? ` from ${many(counts.customers, 'customer')}` : '';
  return statement(`${many(counts.signals, one, more)}${from}${windowOf(evidence)}.`, citedOf(evidence, evidence.quotes[each] ?? []), [
    { n: counts.signals, of: 'signals', classes: [each] },
    ...(counts.customers > 0 ? [{ n: counts.customers, of: 'customers' as const, classes: [each] }] : []),
  ]);
}

export function severe(evidence: Evidence): Statement | null {
  const { signals, customers } = evidence.severe;
  const from = customers > 0 ? ` from ${many(customers, 'customer')}` : '';
  return statement(
    `${many(signals, 'statement')}${from} ${signals === 1 ? 'is' : 'are'} of high or critical severity.`,
    citedOf(evidence, evidence.severeSignals),
    [{ n: signals, of: 'signals', severity: 3 }, ...(customers > 0 ? [{ n: customers, of: 'customers' as const, severity: 3 }] : [])],
  );
}

/** Customers' actions by type of thing. */
const deeds: Record<SampleSet, (name: string, type: string) => string> = {
  any: (name) => `spoke of ${name}`,
  problems: (name, type) => (type === 'issue' ? `reported “${name}”` : `reported problems with ${name}`),
  requests: (name) => `made requests about ${name}`,
  praise: (name) => `praised ${name}`,
  churn: (name) => `showed signs of leaving over ${name}`,
};
/** A customer's actions, counted. */
const ownDeeds: Record<SampleSet, [string, string]> = {
  any: ['statement', 'statements'],
  problems: ['problem', 'problems'],
  requests: ['request', 'requests'],
  praise: ['word of praise', 'words of praise'],
  churn: ['sign of leaving', 'signs of leaving'],
};

/** "3 customers reported problems with Export in 5 statements, most recently Acme on 3 Nov 2026." */
export function reported(evidence: Evidence, entity: Ranked, set: SampleSet): Statement | null {
  const { signals, customers } = entity.counts[set];
  const sources = citedOf(evidence, entity.samples[set]);
  const latest = sources[0];
  if (signals === 0 || !latest) return null;
  const classes = classesOf[set];
  const of = { entity: entity.id, ...(classes === null ? {} : { classes }) };
  const figures: Figure[] = [{ n: signals, of: 'signals', ...of }];
  const when = `on ${dateOf(latest.at)}`;
  if (entity.type === 'customer') {
    const [one, more] = ownDeeds[set];
    return statement(`${entity.name}: ${many(signals, one, more)}${windowOf(evidence)}, most recently ${when}.`, sources, figures);
  }
  const deed = deeds[set](entity.name, entity.type);
  const who = latest.customers[0];
  const last = who === undefined ? `most recently ${when}` : `most recently ${who} ${when}`;
  if (customers === 0) return statement(`Customers ${deed} in ${many(signals, 'statement')}, ${last}.`, sources, figures);
  figures.push({ n: customers, of: 'customers', ...of });
  return statement(`${many(customers, 'customer')} ${deed} in ${many(signals, 'statement')}, ${last}.`, sources, figures);
}

/** "Acme: 4 of 6 statements are problems." */
export function share(evidence: Evidence, entity: Ranked, set: 'problems' | 'praise' | 'churn'): Statement | null {
  const { signals } = entity.counts[set];
  const all = entity.counts.any.signals;
  if (signals === 0) return null;
  const latest = citedOf(evidence, entity.samples[set]);
  const last = latest[0] ? `, most recently on ${dateOf(latest[0].at)}` : '';
  const [one, more] = ownDeeds[set];
  return statement(`${entity.name}: ${many(signals, one, more)} among ${many(all, 'statement')}${last}.`, latest, [
    { n: signals, of: 'signals', entity: entity.id, classes: classesOf[set]! },
    { n: all, of: 'signals', entity: entity.id },
  ]);
}

/** Trend of an entity; null without a change. */
export function moved(evidence: Evidence, entity: Ranked): Statement | null {
  const { recent, previous, name, id } = entity;
  const { direction } = trendOf(recent, previous);
  // Without earlier data everything would be new.
  if (direction === 'stable' || recent + previous < 2 || evidence.totals.previous === 0) return null;
  const { windowDays } = evidence;
  const text = `Talk of ${name} ${direction === 'declining' ? 'falls' : 'rises'}: ${many(recent, 'statement')} in the last ${windowDays} days, ${orNone(previous)} in the ${windowDays} days before.`;
  return statement(text, citedOf(evidence, entity.samples.any), movedFigures(evidence, recent, previous, id));
}

/** A group of near-duplicates, quoted from its newest signal. */
export function quote(evidence: Evidence, id: string): Statement | null {
  const cited = evidence.signals[id];
  if (!cited) return null;
  const who = cited.customers[0] ?? cited.author ?? 'Somebody';
  const told = [
    classNames[cited.class][0],
    ...(cited.severity >= 3 ? [`${severityName(cited.severity)} severity`] : []),
    sourceNames[cited.source],
    dateOf(cited.at),
    ...(cited.copies > 1 ? [`said ${cited.copies} times in nearly the same words`] : []),
  ];
  const figures: Figure[] = cited.copies > 1 ? [{ n: cited.copies, of: 'group', group: cited.group }] : [];
  return statement(`${who}: “${shortened(cited.statement)}” (${told.join(', ')})`, [cited], figures);
}

/** Cut at the end of a word, with an ellipsis. */
export function shortened(text: string, longest = longestQuote): string {
  const flat = text.replace(/\s+/gu, ' ').trim().replaceAll('“', '‘').replaceAll('”', '’');
  if (flat.length <= longest) return flat;
  const cut = flat.slice(0, longest);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), longest / 2)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export const told = (source: { ref: string; excerpt: string }): Statement => ({
  text: ended(source.excerpt),
  sources: [source.ref],
  figures: [],
});

const ended = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

/** All words that these sentences add themselves. */
export const scaffold =
  'customer customers stand stands behind statement statements last days day newest there none names its all new brought before from is are of high critical ' +
  'severity spoke reported problems problem problem made requests request about praised showed showing signs sign leaving over word words praise most recently ' +
  'among talk rises falls said times nearly same somebody bug report reports complaint complaints question questions neutral slack meeting document web jira wiki ' +
  'compare nothing score status longer happens can what asked for described works stays';

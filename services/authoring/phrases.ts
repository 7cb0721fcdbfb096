/** Pure: sentences that say no more than was counted or quoted, each with its sources. */
import type { SignalClass } from '../../contracts/signals/signals.ts';
import { trendOf } from '../kernel/trends.ts';
import { daysSaid } from './days-said.ts';
import { classNames, dateOf, many, severityName } from './names.ts';
import { justBefore } from './period.ts';
import type { Cited, Evidence, Figure, Ranked, SampleSet, Statement } from './types.ts';
import { shortUnder } from './weight.ts';

/** Sources printed with a count: enough to verify, few enough to read. */
const shown = 3;
const longestQuote = 320;

const citedOf = (evidence: Evidence, ids: readonly string[]): Cited[] =>
  ids.flatMap((id) => evidence.signals[id] ?? []).toSorted((a, b) => b.at.localeCompare(a.at));

export const statement = (text: string, sources: readonly { ref: string }[], figures: Figure[] = [], most = shown): Statement | null =>
  sources.length === 0 ? null : { text, sources: [...new Set(sources.map(({ ref }) => ref))].slice(0, most), figures };

/** " in the last 90 days"; empty when nothing was said before the period. */
export const windowOf = ({ whole, spec: { windowDays } }: Evidence): string =>
  whole ? '' : windowDays === null ? ' in the period' : ` in the last ${many(windowDays, 'day')}`;

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
  return statement(text.replace(/^1 customer stand /, '1 customer stands ').replace(/^There are 1 /, 'There is 1 '), latest, figures);
}

/** Comparison of the latest window with the previous one; null without statements in both. */
export function change(evidence: Evidence): Statement | null {
  const { recent, previous } = evidence.totals;
  const { windowDays } = evidence;
  // Compared with next to nothing, a difference says nothing.
  if (recent === 0 || previous < fewest || previous < recent / 5) return null;
  const text = `The last ${windowDays} days brought ${many(recent, 'statement')}, the ${windowDays} days before ${previous}.`;
  return statement(text, citedOf(evidence, evidence.newestSignals), movedFigures(evidence, recent, previous));
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
  const sources = evidence.telling.filter((id) => evidence.signals[id]?.class === each);
  return statement(`${many(counts.signals, one, more)}${from}${windowOf(evidence)}.`, citedOf(evidence, sources), [
    { n: counts.signals, of: 'signals', classes: [each] },
    ...(counts.customers > 0 ? [{ n: counts.customers, of: 'customers' as const, classes: [each] }] : []),
  ]);
}

export function severe(evidence: Evidence): Statement | null {
  const { signals, customers } = evidence.severe;
  if (signals === 0) return null;
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

/** "3 customers reported problems with Export in 5 statements, most recently Acme on 3 Nov 2026." */
export function reported(evidence: Evidence, entity: Ranked, set: SampleSet): Statement | null {
  const { signals, customers } = entity.counts[set];
  const sources = citedOf(evidence, entity.samples[set]);
  const latest = sources[0];
  if (signals === 0 || !latest || entity.type === 'customer') return null;
  const of = { entity: entity.id, ...(set === 'any' ? {} : { set }) };
  const figures: Figure[] = [{ n: signals, of: 'signals', ...of }];
  const when = `on ${dateOf(latest.at)}`;
  const deed = deeds[set](entity.name, entity.type);
  const who = latest.customers[0];
  const last = who === undefined ? `most recently ${when}` : `most recently ${who} ${when}`;
  if (customers === 0) return statement(`Customers ${deed} in ${many(signals, 'statement')}, ${last}.`, sources, figures);
  figures.push({ n: customers, of: 'customers', ...of });
  return statement(`${many(customers, 'customer')} ${deed} in ${many(signals, 'statement')}, ${last}.`, sources, figures);
}

/** "Acme: 34 statements in the last 90 days, problems in 12, requests in 4, praise in 3; most recently on 3 Nov 2026." */
export function standing(evidence: Evidence, entity: Ranked): Statement | null {
  const latest = citedOf(evidence, entity.samples.any);
  if (!latest[0]) return null;
  const all = entity.counts.any.signals;
  const told = (
    [
      ['problems', 'problems not called solved'],
      ['requests', 'open requests'],
      ['praise', 'praise'],
    ] as const
  ).flatMap(([set, words]) => {
    const { signals } = entity.counts[set];
    return signals === 0 ? [] : [{ set, text: `${words} in ${signals}`, n: signals }];
  });
  const list = told.length === 0 ? '' : `, ${listed(told.map(({ text }) => text))}`;
  return statement(
    `${entity.name}: ${many(all, 'statement')}${windowOf(evidence)}${list}; most recently on ${dateOf(latest[0].at)}.`,
    latest,
    [{ n: all, of: 'signals', entity: entity.id }, ...told.map(({ set, n }): Figure => ({ n, of: 'signals', entity: entity.id, set }))],
  );
}

/** With fewer statements in two windows together, a difference says nothing. */
const fewest = 12;

/** Trend of an entity; null without a change worth telling. */
export function moved(evidence: Evidence, entity: Ranked): Statement | null {
  const { recent, previous, name, id } = entity;
  const { direction } = trendOf(recent, previous);
  // Without earlier data everything would be new.
  if (direction === 'stable' || recent + previous < fewest || Math.abs(recent - previous) < 3) return null;
  if (evidence.totals.previous < fewest || evidence.totals.previous < evidence.totals.recent / 5) return null;
  const { windowDays } = evidence;
  const text = `Talk of ${name} ${direction === 'declining' ? 'falls' : 'rises'}: ${many(recent, 'statement')} in the last ${windowDays} days, ${orNone(previous)} in the ${windowDays} days before.`;
  return statement(text, citedOf(evidence, entity.samples.any), movedFigures(evidence, recent, previous, id));
}

const orNone = (n: number): string => (n === 0 ? 'none' : String(n));

/** "A, B and C" */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** The first names of many. */
export const someNames = 3;
export const someOf = (names: readonly string[]): string =>
  listed(names.length > someNames ? [...names.slice(0, someNames), 'others'] : names);

export const whoSays = ({ customers, author }: Pick<Cited, 'customers' | 'author'>): string =>
  customers.length > 0 ? listed(customers) : (author ?? 'Somebody');

/** What refers to something said before is not understood alone. */
const refers =
  /^(?:\W*)(?:it|its|it's|that|that's|this|these|those|they|them|he|she|same|gone|never|no|yes|not|so|then|and|but|or|because|since then|done|twice|still|again|now|one|two|three|four|five|both|das|es|so|ja|nein|sí|eso|c'est|oui|non)(?!\p{L})/iu;

const needsContext = ({ statement: text, before }: Cited): boolean =>
  before !== null && (text.length < 32 || (text.length < shortUnder && refers.test(text)));

/**
 * `“…” (speaker, critical severity, 3 Nov 2026)`
 * @param beside statements quoted in the same line
 */
export function quoted(cited: Cited, longest = longestQuote, beside: readonly Cited[] = []): string {
  const { author, customers, severity, at, copies } = cited;
  const before =
    needsContext(cited) && !beside.some(({ statement: text }) => text === cited.before) ? `“${shortened(cited.before!, 160)}” ` : '';
  const named = author !== null && customers.length > 0 && !customers.some((each) => each.toLowerCase() === author.toLowerCase());
  const told = [
    ...(named && !author.includes('@') ? [shortened(author, 60)] : []),
    ...(severity >= 3 ? [`${severityName(severity)} severity`] : []),
    dateOf(at),
    ...daysSaid(cited.statement, at),
    ...(copies > 1 ? [`said ${copies} times in nearly the same words`] : []),
  ];
  return `${before}“${shortened(cited.statement, longest)}” (${told.join(', ')})`;
}

export const copiesOf = ({ copies, group }: Cited): Figure[] => (copies > 1 ? [{ n: copies, of: 'group', group }] : []);

export const onWhat = ({ features }: { features: readonly string[] }): string =>
  features.length === 0 ? '' : ` on ${listed(features.slice(0, 2))}`;

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
  'severity spoke reported problems problem made requests request about praised showed showing signs sign leaving over word words praise most recently ' +
  'talk rises falls said times nearly same somebody open period on the and in by at to with solved delivered withdrawn withdrew threat notice closed perhaps ' +
  'complaint may leave cut back too no stands theirs it gravest one asked for only if came that says but competitor considered longer told spoken first time ' +
  'they has answer product or help likes stays as taken care confirms can do what was given situation described happens offered whom when repaired next since ' +
  'named others promised date declined oldest why judge differently ask both anything changed who which also not called yesterday today sunday monday tuesday wednesday ' +
  'thursday friday saturday bug report reports complaints question questions neutral slack meeting document web jira wiki score status';

/** Pure: the possible sections of a draft, each with its statements. */
import type { Audience } from '../../contracts/authoring/authoring.ts';
import type { SignalClass } from '../../contracts/signals/signals.ts';
import { change, moved, ofClass, quote, reported, severe, share, told, totals } from './phrases.ts';
import type { Evidence, Ranked, SampleSet, Section, Statement } from './types.ts';

export interface Size {
  /** Maximum statements per section. */
  items: number;
  quotes: number;
}

export type Block = (evidence: Evidence, size: Size) => (Statement | null)[];

const ofTypes = (evidence: Evidence, types: readonly string[]): Ranked[] => types.flatMap((type) => evidence.ranked[type] ?? []);
const bySet = (entities: readonly Ranked[], set: SampleSet): Ranked[] =>
  entities
    .filter(({ counts }) => counts[set].signals > 0)
    .toSorted(
      (a, b) =>
        b.counts[set].customers - a.counts[set].customers || b.counts[set].signals - a.counts[set].signals || a.id.localeCompare(b.id),
    );

const quotesOf = (evidence: Evidence, classes: readonly SignalClass[], most: number): (Statement | null)[] =>
  classes
    .flatMap((each) => (evidence.quotes[each] ?? []).map((id, place) => ({ id, place })))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, most)
    .map(({ id }) => quote(evidence, id));

/** Things, not people; the draft's own subject is left out. */
const things = ['issue', 'feature', 'theme', 'product'];
const other = (evidence: Evidence, entities: readonly Ranked[]): Ranked[] => entities.filter(({ id }) => id !== evidence.spec.entity?.id);

export const blocks = {
  figures: (evidence) => [totals(evidence), change(evidence), severe(evidence)],
  classes: (evidence, { items }) =>
    (['churn_risk', 'bug', 'complaint', 'request', 'question', 'praise'] as const)
      .map((each) => ofClass(evidence, each))
      .slice(0, items + 2),
  affected: (evidence, { items }) =>
    bySet(evidence.ranked['customer'] ?? [], 'problems')
      .slice(0, items)
      .map((each) => reported(evidence, each, 'problems')),
  risks: (evidence, { items, quotes }) => [
    ...bySet(evidence.ranked['customer'] ?? [], 'churn')
      .slice(0, items)
      .map((each) => share(evidence, each, 'churn')),
    ...quotesOf(evidence, ['churn_risk'], quotes),
  ],
  customers: (evidence, { items }) =>
    bySet(other(evidence, evidence.ranked['customer'] ?? []), 'any')
      .slice(0, items)
      .map((each) => share(evidence, each, 'problems') ?? reported(evidence, each, 'any')),
  problems: (evidence, { items }) =>
    bySet(ofTypes(evidence, things), 'problems')
      .slice(0, items)
      .map((each) => reported(evidence, each, 'problems')),
  requests: (evidence, { items, quotes }) => [
    ...bySet(ofTypes(evidence, things), 'requests')
      .slice(0, items)
      .map((each) => reported(evidence, each, 'requests')),
    ...quotesOf(evidence, ['request'], quotes),
  ],
  praise: (evidence, { items, quotes }) => [
    ...bySet(ofTypes(evidence, things), 'praise')
      .slice(0, items)
      .map((each) => reported(evidence, each, 'praise')),
    ...quotesOf(evidence, ['praise'], quotes),
  ],
  questions: (evidence, { quotes }) => [ofClass(evidence, 'question'), ...quotesOf(evidence, ['question'], quotes)],
  trends: (evidence, { items }) =>
    other(evidence, ofTypes(evidence, [...things, 'customer']))
      .toSorted((a, b) => Math.abs(b.recent - b.previous) - Math.abs(a.recent - a.previous) || a.id.localeCompare(b.id))
      .map((each) => moved(evidence, each))
      .filter((each) => each !== null)
      .slice(0, items),
  words: (evidence, { quotes }) => quotesOf(evidence, ['churn_risk', 'bug', 'complaint', 'request'], quotes + 1),
  features: (evidence, { items }) =>
    bySet(evidence.ranked['feature'] ?? [], 'any')
      .slice(0, items)
      .map((each) => reported(evidence, each, 'any')),
  issues: (evidence, { items }) =>
    bySet(evidence.ranked['issue'] ?? [], 'any')
      .slice(0, items)
      .map((each) => reported(evidence, each, 'any')),
  themes: (evidence, { items }) =>
    bySet(evidence.ranked['theme'] ?? [], 'any')
      .slice(0, items)
      .map((each) => reported(evidence, each, 'any')),
  rivals: (evidence, { items }) =>
    bySet(ofTypes(evidence, ['competitor', 'organization', 'company', 'product']), 'any')
      .slice(0, items)
      .map((each) => reported(evidence, each, 'any')),
  comparisons: (evidence, { quotes }) =>
    quotesOf(evidence, ['churn_risk', 'complaint', 'request', 'question', 'information', 'praise', 'bug'], 2 * quotes + 1),
  related: (evidence, { items }) =>
    bySet(other(evidence, ofTypes(evidence, things)), 'any')
      .slice(0, items)
      .map((each) => reported(evidence, each, 'any')),
  facts: (evidence, { items }) => evidence.facts.slice(0, items).map(told),
  opportunities: (evidence, { items }) =>
    evidence.opportunities.slice(0, items).map(({ id, summary }) => told({ ref: id, excerpt: summary })),
} satisfies Record<string, Block>;

export type BlockName = keyof typeof blocks;

const headings: Record<BlockName, string> = {
  figures: 'Key figures',
  classes: 'What was said',
  affected: 'Who is affected',
  risks: 'Customers who may leave',
  customers: 'Customers',
  problems: 'What hurts',
  requests: 'What is asked for',
  praise: 'What is liked',
  questions: 'Open questions of customers',
  trends: 'What changes',
  words: 'In their words',
  features: 'Features spoken of',
  issues: 'Issues spoken of',
  themes: 'Themes',
  rivals: 'Who is named',
  comparisons: 'How we are compared',
  related: 'What it is told together with',
  facts: 'What is known',
  opportunities: 'Opportunities',
};

/** Headings in the audience's terminology. */
const trade: Partial<Record<Audience, Partial<Record<BlockName, string>>>> = {
  engineering: {
    problems: 'Defects and complaints',
    words: 'Reports in the original',
    facts: 'Facts and dependencies',
    affected: 'Affected accounts',
  },
  design: { problems: 'Pain points', requests: 'Needs', words: 'Voices of users' },
  leadership: { figures: 'At a glance', risks: 'Revenue at risk', requests: 'Demand', problems: 'Main problems' },
  cs_sales: {
    risks: 'Accounts at risk',
    customers: 'Accounts',
    affected: 'Accounts affected',
    praise: 'Good news for customers',
    requests: 'What accounts ask for',
  },
};

/** The order of sections for each audience, without irrelevant ones. */
const first: Record<Audience, BlockName[]> = {
  engineering: ['figures', 'problems', 'issues', 'words', 'facts'],
  design: ['figures', 'words', 'problems', 'requests', 'questions'],
  leadership: ['figures', 'risks', 'opportunities', 'trends'],
  cs_sales: ['figures', 'customers', 'affected', 'risks', 'praise'],
  general: [],
};
const spared: Record<Audience, BlockName[]> = {
  engineering: ['praise'],
  design: ['facts'],
  leadership: ['questions', 'facts'],
  cs_sales: ['facts'],
  general: [],
};
const quoteShift: Record<Audience, number> = { engineering: 1, design: 2, leadership: -1, cs_sales: 0, general: 0 };

export const headingOf = (name: BlockName, audience: Audience): string => trade[audience]?.[name] ?? headings[name];

/** The sections for this audience, without empty ones. */
export function sectionsOf(evidence: Evidence, names: readonly BlockName[], size: Size): Section[] {
  const { audience } = evidence.spec;
  const place = (name: BlockName): number => (first[audience].includes(name) ? first[audience].indexOf(name) : 100 + names.indexOf(name));
  const kept = names.length > 3 ? names.filter((name) => !spared[audience].includes(name)) : names;
  const fitted = { ...size, quotes: Math.max(1, size.quotes + quoteShift[audience]) };
  const said = new Set<string>();
  return kept
    .toSorted((a, b) => place(a) - place(b))
    .map((name) => ({ heading: headingOf(name, audience), statements: distinct(blocks[name](evidence, fitted), said), toFill: null }))
    .filter(({ statements }) => statements.length > 0);
}

/** Removes repeated statements within a draft. */
function distinct(statements: readonly (Statement | null)[], said: Set<string>): Statement[] {
  return statements.filter((each): each is Statement => {
    if (each === null || said.has(each.text)) return false;
    said.add(each.text);
    return true;
  });
}

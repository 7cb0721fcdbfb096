/** Pure: the possible sections of a draft, each with its statements. */
import type { Audience } from '../../contracts/authoring/authoring.ts';
import { conclusion, endedIn, problemsIn, requestsIn, threatsIn, toDecide } from './conclusion.ts';
import { contradictionsIn, inTime, mattersOf, type Matter } from './matters.ts';
import { dateOf } from './names.ts';
import { inPeriod } from './period.ts';
import { isPraise } from './polarity.ts';
import { change, listed, moved, ofClass, quoted, reported, severe, standing, statement, told, totals, whoSays } from './phrases.ts';
import { contest, rivals } from './rivals.ts';
import { quoteAlone, tell, worthALine, type Size, type Telling } from './tell.ts';
import type { Cited, Evidence, Ranked, SampleSet, Section, Statement } from './types.ts';
import { weightOf } from './weight.ts';

export type { Size } from './tell.ts';
export type Block = (telling: Telling) => (Statement | null)[];

const ofTypes = (evidence: Evidence, types: readonly string[]): Ranked[] => types.flatMap((type) => evidence.ranked[type] ?? []);
const bySet = (entities: readonly Ranked[], set: SampleSet): Ranked[] =>
  entities
    .filter(({ counts }) => counts[set].signals > 0)
    .toSorted(
      (a, b) =>
        b.counts[set].customers - a.counts[set].customers || b.counts[set].signals - a.counts[set].signals || a.id.localeCompare(b.id),
    );

/** Things, not people; the draft's own subject is left out. */
const things = ['issue', 'feature', 'theme', 'product'];
const other = (evidence: Evidence, entities: readonly Ranked[]): Ranked[] => entities.filter(({ id }) => id !== evidence.spec.entity?.id);

/** Counts of few statements say no more than their quotations. */
const fewest = 6;
const counted = (evidence: Evidence, entities: readonly Ranked[], set: SampleSet, most: number): (Statement | null)[] =>
  bySet(entities, set)
    .filter(({ counts }) => counts[set].signals >= fewest)
    .slice(0, most)
    .map((each) => reported(evidence, each, set));

const tellAll = (telling: Telling, matters: readonly Matter[], most = telling.size.items, mark = ''): (Statement | null)[] => {
  const lines: Statement[] = [];
  for (const matter of matters) {
    if (lines.length >= most) break;
    const line = tell(telling, matter, mark);
    if (line) lines.push(line);
  }
  return lines;
};

/** Lighter statements are small talk. */
const least = 2;
const leastAlso = 0.8;

/** Single statements by weight that no other line quotes. */
const quoteAll = (telling: Telling, statements: readonly Cited[], most = telling.size.items, from = least): (Statement | null)[] => {
  const { asOf } = telling.evidence.filter;
  const lines: Statement[] = [];
  const groups = new Set<string>();
  for (const each of statements.toSorted((a, b) => weightOf(b, asOf) - weightOf(a, asOf) || a.ref.localeCompare(b.ref))) {
    if (lines.length >= most) break;
    if (groups.has(each.group) || !worthALine(each) || weightOf(each, asOf) < from) continue;
    groups.add(each.group);
    const line = quoteAlone(telling, each);
    if (line) lines.push(line);
  }
  return lines;
};

/** What was said in the period, with its state as of the draft's day. */
const said = ({ evidence: { telling, filter }, matters }: Telling): Cited[] => {
  const own = new Set(telling);
  return matters.flatMap((matter) => matter.said).filter(({ ref, at }) => own.has(ref) && inPeriod(at, filter));
};

export const blocks = {
  short: (telling) => conclusion(telling),
  changed: (telling) => {
    const { evidence, size } = telling;
    const names = evidence.news.filter(({ day, text }) => inPeriod(`${day}T12:00:00.000Z`, evidence.filter) && concerns(evidence, text));
    return [
      ...tellAll(
        telling,
        endedIn(telling, 'withdrawn').filter(({ kind }) => kind === 'leaving'),
      ),
      ...tellAll(
        telling,
        endedIn(telling, 'resolved').filter(({ kind }) => kind !== 'praise' && kind !== 'rest'),
      ),
      ...tellAll(telling, endedIn(telling, 'withdrawn'), Math.ceil(size.items / 2)),
      ...tellAll(telling, endedIn(telling, 'resolved'), Math.ceil(size.items / 2)),
      ...names.slice(0, size.items).map(({ text, ref }) => ({ text, sources: [ref], figures: [] })),
      began(telling, 'leaving', 'Said for the first time in the period that they may leave'),
      began(telling, 'problem', 'Problems told for the first time in the period'),
    ];
  },
  risks: (telling) => [
    ...tellAll(telling, threatsIn(telling.matters)),
    ...tellAll(
      telling,
      telling.matters.filter(({ kind, state }) => kind === 'leaving' && state === 'hypothetical'),
      telling.size.items,
      ', only if it came to that',
    ),
  ],
  problems: (telling) => [
    ...counted(telling.evidence, ofTypes(telling.evidence, things), 'problems', telling.size.items),
    ...tellAll(telling, problemsIn(telling.matters)),
  ],
  doubtful: (telling) =>
    tellAll(
      telling,
      telling.matters.filter(({ perhapsSolved }) => perhapsSolved !== null),
    ),
  requests: (telling) => [
    ...counted(telling.evidence, ofTypes(telling.evidence, things), 'requests', telling.size.items),
    ...tellAll(telling, requestsIn(telling.matters)),
  ],
  decide: (telling) => toDecide(telling),
  questions: (telling) =>
    tellAll(
      telling,
      telling.matters.filter(({ kind, state }) => kind === 'question' && state === 'open'),
    ),
  thoughts: (telling) =>
    tellAll(
      telling,
      telling.matters.filter(({ state }) => state === 'hypothetical'),
      telling.size.items,
      ', only if it came to that',
    ),
  disagree: (telling) =>
    contradictionsIn(telling.matters)
      .slice(0, telling.size.items)
      .map(({ feature, bad, good }) => {
        for (const { ref } of [bad, good]) telling.said.add(ref);
        return statement(`${feature}: ${whoSays(bad)} says ${quoted(bad)}, but ${whoSays(good)} says ${quoted(good)}.`, [bad, good]);
      }),
  praise: (telling) => [
    ...counted(telling.evidence, ofTypes(telling.evidence, things), 'praise', telling.size.items),
    ...quoteAll(telling, said(telling).filter(isPraise)),
  ],
  also: (telling) => {
    // What is over, or perhaps over, is told as such or not at all.
    const over = new Set(
      telling.matters
        .filter(({ state, perhapsSolved }) => state !== 'open' || perhapsSolved !== null)
        .flatMap(({ said: all }) => all.map(({ ref }) => ref)),
    );
    const rest = said(telling).filter(
      (each) => !over.has(each.ref) && !isPraise(each) && each.class !== 'churn_risk' && each.state === 'open',
    );
    return quoteAll(telling, rest, 1.5 * telling.size.items, leastAlso);
  },
  rivals: (telling) => rivals(telling),
  contest: (telling) => contest(telling),
  figures: ({ evidence }) => [totals(evidence), change(evidence), severe(evidence)],
  classes: ({ evidence }) =>
    (['churn_risk', 'bug', 'complaint', 'request', 'question', 'praise'] as const).map((each) => ofClass(evidence, each)),
  customers: ({ evidence, size }) =>
    bySet(other(evidence, evidence.ranked['customer'] ?? []), 'any')
      .filter(({ counts }) => counts.any.signals > 2)
      .slice(0, size.items)
      .map((each) => standing(evidence, each)),
  features: ({ evidence, size }) => counted(evidence, evidence.ranked['feature'] ?? [], 'any', size.items),
  themes: ({ evidence, size }) => counted(evidence, ofTypes(evidence, ['theme', 'issue']), 'any', size.items),
  related: ({ evidence, size }) => counted(evidence, other(evidence, ofTypes(evidence, things)), 'any', size.items),
  trends: ({ evidence, size }) =>
    other(evidence, ofTypes(evidence, [...things, 'customer']))
      .toSorted((a, b) => Math.abs(b.recent - b.previous) - Math.abs(a.recent - a.previous) || a.id.localeCompare(b.id))
      .map((each) => moved(evidence, each))
      .filter((each) => each !== null)
      .slice(0, size.items),
  facts: ({ evidence, size }) => evidence.facts.slice(0, size.items).map(told),
  opportunities: ({ evidence, size }) =>
    evidence.opportunities.slice(0, size.items).map(({ id, summary }) => told({ ref: id, excerpt: summary })),
} satisfies Record<string, Block>;

export type BlockName = keyof typeof blocks;

/** Whether a change of a name concerns the draft: one about an entity, a customer or an area tells of nothing else. */
const concerns = ({ spec, ranked }: Evidence, text: string): boolean =>
  spec.entity !== null
    ? text.includes(spec.entity.name)
    : (spec.customer === null && spec.area === null) || Object.values(ranked).some((all) => all.some(({ name }) => text.includes(name)));

/** What was said for the first time in the period; the quotations follow under what is open. */
function began({ evidence, matters }: Telling, kind: 'leaving' | 'problem', words: string): Statement | null {
  if (evidence.whole) return null;
  const firsts = new Map<string, { first: Cited; text: string }>();
  for (const {
    kind: of,
    state,
    said: [first],
    customer,
    features,
  } of matters) {
    if (of !== kind || state !== 'open' || customer === null || (kind === 'problem' && features.length === 0)) continue;
    const key = kind === 'leaving' ? customer : `${features[0]!} at ${customer}`;
    if (!firsts.has(key) || inTime(first!, firsts.get(key)!.first) < 0)
      firsts.set(key, { first: first!, text: `${key} (${dateOf(first!.at)})` });
  }
  const fresh = [...firsts.values()].filter(({ first }) => inPeriod(first.at, evidence.filter)).slice(0, 5);
  const sources = fresh.map(({ first }) => first);
  return fresh.length === 0 ? null : statement(`${words}: ${listed(fresh.map(({ text }) => text))}.`, sources, [], fresh.length);
}

const headings: Record<BlockName, string> = {
  short: 'In short',
  changed: 'What changed',
  risks: 'Customers who may leave or cut back',
  problems: 'Open problems',
  doubtful: 'Perhaps no longer open',
  requests: 'Open requests',
  decide: 'To decide',
  questions: 'Open questions of customers',
  thoughts: 'Only thought of',
  disagree: 'Where customers disagree',
  praise: 'What is liked',
  also: 'Also said',
  rivals: 'Competitors',
  figures: 'Numbers',
  classes: 'What was said, counted',
  customers: 'By customer',
  contest: 'In short',
  features: 'Most spoken of',
  themes: 'Themes and issues',
  related: 'What it is told together with',
  trends: 'What is spoken of more, and less',
  facts: 'What is known',
  opportunities: 'Opportunities',
};

/** Headings in the audience's terminology. */
const trade: Partial<Record<Audience, Partial<Record<BlockName, string>>>> = {
  engineering: { problems: 'Open defects and complaints', facts: 'Facts and dependencies' },
  design: { problems: 'Open pain points', requests: 'Open needs', praise: 'What works for users' },
  leadership: { short: 'At a glance', risks: 'Revenue at risk', requests: 'Open demand', problems: 'Main open problems' },
  cs_sales: {
    risks: 'Accounts at risk',
    customers: 'Accounts',
    praise: 'Good news for customers',
    requests: 'What accounts still ask for',
  },
};

/** The order of sections for each audience, without irrelevant ones. The conclusion is first, the numbers last. */
const first: Record<Audience, BlockName[]> = {
  engineering: ['problems', 'facts'],
  design: ['problems', 'requests', 'questions'],
  leadership: ['risks', 'decide', 'opportunities'],
  cs_sales: ['risks', 'changed', 'praise'],
  general: [],
};
const spared: Record<Audience, BlockName[]> = {
  engineering: ['praise', 'customers'],
  design: ['facts', 'trends'],
  leadership: ['questions', 'facts', 'also'],
  cs_sales: ['facts'],
  general: [],
};

export const headingOf = (name: BlockName, audience: Audience): string => trade[audience]?.[name] ?? headings[name];

export const tellingOf = (evidence: Evidence, size: Size): Telling => ({
  evidence,
  matters: mattersOf(evidence.signals, evidence.telling, evidence.filter.asOf),
  size,
  said: new Set(),
});

/** The sections for this audience, without empty ones; no statement is quoted twice. */
export function sectionsOf(evidence: Evidence, names: readonly BlockName[], size: Size): Section[] {
  const { audience } = evidence.spec;
  const place = (name: BlockName): number =>
    name === 'short' || name === 'contest'
      ? -1
      : first[audience].includes(name)
        ? first[audience].indexOf(name)
        : 100 + names.indexOf(name);
  const kept = names.length > 3 ? names.filter((name) => !spared[audience].includes(name)) : names;
  const telling = tellingOf(evidence, size);
  const texts = new Set<string>();
  return kept
    .toSorted((a, b) => place(a) - place(b))
    .map((name) => ({ heading: headingOf(name, audience), statements: distinct(blocks[name](telling), texts), toFill: null }))
    .filter(({ statements }) => statements.length > 0);
}

/** Removes repeated statements within a draft. */
function distinct(statements: readonly (Statement | null)[], texts: Set<string>): Statement[] {
  return statements.filter((each): each is Statement => {
    if (each === null || texts.has(each.text)) return false;
    texts.add(each.text);
    return true;
  });
}

/** Pure: what customers speak of: their statements joined by what they refer to, with the state as of the report's day. */
import { terms } from '../../engines/retrieval/terms.ts';
import { isClosedTicket, isEnd, isPraise, isTrouble, standingOn } from './polarity.ts';
import type { Cited } from './types.ts';
import { weightOf } from './weight.ts';

export type MatterKind = 'leaving' | 'problem' | 'request' | 'question' | 'praise' | 'rest';
export type MatterState = 'open' | 'resolved' | 'withdrawn' | 'hypothetical';

/** Statements of one customer about one thing. */
export interface Matter {
  id: string;
  /** Null: not known. */
  customer: string | null;
  features: string[];
  competitors: string[];
  kind: MatterKind;
  state: MatterState;
  /** In order of time. */
  said: Cited[];
  /** The statement that settled it, and when. */
  settledBy: Cited | null;
  settledAt: string | null;
  /** A later statement of the customer about the same feature that calls something solved, or praises it. */
  perhapsSolved: Cited | null;
  severity: number;
  weight: number;
}

/**
 * @param known by id; statements that the draft is about, and what they refer to
 * @param own ids of those that the draft is about
 */
export function mattersOf(known: Readonly<Record<string, Cited>>, own: readonly string[], asOf: string): Matter[] {
  const all = Object.values(known)
    .map((each) => standingOn(each, asOf))
    .toSorted(inTime);
  const joined = joinedBy(all);
  const ownIds = new Set(own);
  const threats = all.filter((each) => each.class === 'churn_risk' && each.state === 'open');
  const takenBack = all
    .filter((each) => each.state === 'withdrawn' && withdrawsThreat(each, known, threats))
    .map((end): Withdrawal => ({ end, meant: end.earlierId === null ? undefined : known[end.earlierId] }));
  const matters = [...Map.groupBy(all, ({ ref }) => joined(ref)).values()]
    .filter((said) => said.some(({ ref }) => ownIds.has(ref)))
    .map((said) => matterOf(said, takenBack, asOf));
  const goods = all.filter((each) => isEnd(each) || (isPraise(each) && !halfhearted.test(each.statement)));
  for (const matter of matters) {
    if (matter.kind === 'problem' && matter.state === 'open') matter.perhapsSolved = laterGood(matter, goods);
  }
  return matters.toSorted((a, b) => b.weight - a.weight || a.id.localeCompare(b.id));
}

/** Praise with a reservation ends no problem. */
const halfhearted = /(?<!\p{L})(?:but|though|still|pain|except|aber|noch|pero|todavía|mais|encore)(?!\p{L})/iu;

const documentOf = ({ passage }: Cited): string => passage.slice(0, passage.lastIndexOf('#'));
const ordinalOf = ({ passage }: Cited): number => Number(passage.slice(passage.lastIndexOf('#') + 1));

/** By time; in one document by place. */
export const inTime = (a: Cited, b: Cited): number =>
  a.at.slice(0, 10) === b.at.slice(0, 10) && documentOf(a) === documentOf(b)
    ? ordinalOf(a) - ordinalOf(b) || a.start - b.start
    : a.at.localeCompare(b.at) || a.ref.localeCompare(b.ref);

const isLater = (a: Cited, b: Cited): boolean =>
  a.at.slice(0, 10) > b.at.slice(0, 10) || (a.at.slice(0, 10) === b.at.slice(0, 10) && documentOf(a) === documentOf(b) && inTime(a, b) > 0);

const shares = (a: readonly string[], b: readonly string[]): boolean => a.some((each) => b.includes(each));
const agree = (a: readonly string[], b: readonly string[]): boolean => a.length === 0 || b.length === 0 || shares(a, b);
const sameCustomer = (a: Cited, b: Cited): boolean => shares(a.customers, b.customers);

/** Characters between two sentences of one complaint. */
const nearby = 300;

/** Joins what refers to each other, near-duplicates of one customer, and what somebody says in one breath. */
function joinedBy(all: readonly Cited[]): (ref: string) => string {
  const parent = new Map(all.map(({ ref }) => [ref, ref]));
  const root = (ref: string): string => {
    let at = ref;
    while (parent.get(at) !== at) at = parent.get(at)!;
    return at;
  };
  const join = (a: string, b: string): void => {
    if (parent.has(a) && parent.has(b)) parent.set(root(a), root(b));
  };
  const groups = new Map<string, string>();
  for (const { ref, earlierId, settledBy, group, customers } of all) {
    if (earlierId !== null) join(ref, earlierId);
    if (settledBy !== null) join(ref, settledBy);
    const key = `${group} ${customers.join()}`;
    const first = groups.get(key);
    if (first === undefined) groups.set(key, ref);
    else join(ref, first);
  }
  for (const said of Map.groupBy(all, documentOf).values()) {
    for (const [i, one] of said.entries()) {
      const next = said[i + 1];
      if (next && inOneBreath(one, next)) join(one.ref, next.ref);
    }
    const leaving = said.filter((each) => each.class === 'churn_risk' && each.state === 'open');
    for (const each of leaving) if (sameCustomer(each, leaving[0]!)) join(leaving[0]!.ref, each.ref);
  }
  return root;
}

/** Two open troubles or wishes about one feature, one after the other; or a trouble and the threat that it gives rise to. */
const inOneBreath = (a: Cited, b: Cited): boolean => {
  const near = sameCustomer(a, b) && a.author === b.author && a.passage === b.passage && b.start - (a.start + a.statement.length) <= nearby;
  if (!near || a.state !== 'open' || b.state !== 'open') return false;
  if (a.class === 'churn_risk' || b.class === 'churn_risk') return (isTrouble(a) || isTrouble(b)) && agree(a.features, b.features);
  const alike = (isTrouble(a) && isTrouble(b)) || (a.class === 'request' && b.class === 'request');
  return alike && a.features.length > 0 && a.features.join() === b.features.join();
};

/** A withdrawal takes back all earlier threats of the customer that it does not contradict. */
const withdrawsThreat = (said: Cited, known: Readonly<Record<string, Cited>>, threats: readonly Cited[]): boolean =>
  said.class === 'churn_risk' ||
  (said.earlierId !== null && known[said.earlierId]?.class === 'churn_risk') ||
  threats.some((each) => each.settledBy === said.ref || (sameCustomer(each, said) && shares(each.competitors, said.competitors)));

interface Withdrawal {
  end: Cited;
  /** What it refers to. */
  meant: Cited | undefined;
}

const takesBack = ({ end, meant }: Withdrawal, threat: Cited): boolean =>
  isLater(end, threat) &&
  sameCustomer(end, threat) &&
  agree(end.features, threat.features) &&
  agree(end.competitors, threat.competitors) &&
  // "No refund any more" says nothing of another vendor that the customer looks at.
  (meant === undefined || threat.competitors.length === 0 || shares([...end.competitors, ...meant.competitors], threat.competitors));

function kindOf(said: readonly Cited[]): MatterKind {
  if (said.some((each) => each.class === 'churn_risk')) return 'leaving';
  if (said.some(isTrouble)) return 'problem';
  return (['request', 'question', 'praise'] as const).find((kind) => said.some((each) => each.class === kind)) ?? 'rest';
}

function matterOf(said: Cited[], takenBack: readonly Withdrawal[], asOf: string): Matter {
  const last = said.at(-1)!;
  const kind = kindOf(said);
  const threat = kind === 'leaving' ? said.findLast((each) => each.class === 'churn_risk' && each.state !== 'withdrawn') : undefined;
  const end = said.findLast((each) => each.state === 'withdrawn' || isEnd(each) || isClosedTicket(each));
  const again =
    end !== undefined &&
    said.some((each) => isLater(each, end) && each.state === 'open' && !isPraise(each) && each.at.slice(0, 10) > end.at.slice(0, 10));
  const settledBy = (again ? undefined : end) ?? (threat && takenBack.find((each) => takesBack(each, threat))?.end) ?? null;
  const state: MatterState = settledBy
    ? settledBy.state === 'withdrawn'
      ? 'withdrawn'
      : 'resolved'
    : said.every((each) => each.state === 'hypothetical')
      ? 'hypothetical'
      : said.every((each) => each.state === 'resolved')
        ? 'resolved'
        : 'open';
  return {
    id: said[0]!.ref,
    customer: last.customers[0] ?? null,
    features: [...new Set(said.flatMap(({ features }) => features))],
    competitors: [...new Set(said.flatMap(({ competitors }) => competitors))],
    kind,
    state,
    said,
    settledBy,
    settledAt: settledBy === null ? null : isClosedTicket(settledBy) ? settledBy.documentAt : settledBy.at,
    perhapsSolved: null,
    severity: Math.max(...said.map(({ severity }) => severity)),
    weight: Math.max(...said.map((each) => weightOf(each, asOf))) + Math.log2(said.length) / 2,
  };
}

const longAgo = 21 * 24 * 60 * 60 * 1000;

/**
 * A later good word about the same feature, or where no feature is named, in the same words; or, long after the problem was
 * told for the last time, that something about the feature is solved.
 */
function laterGood({ said, features }: Matter, goods: readonly Cited[]): Cited | null {
  const last = said.at(-1)!;
  const words = new Set(said.flatMap(wordsOf));
  const later = goods.filter((each) => isLater(each, last) && sameCustomer(each, last));
  const near = later.filter((each) => shares(each.features, features));
  const inWords = (each: Cited): boolean => wordsOf(each).some((word) => words.has(word));
  return (
    near.find(inWords) ??
    later.find((each) => each.features.length === 0 && features.length === 0 && isEnd(each) && inWords(each)) ??
    near.find((each) => isEnd(each) && Date.parse(each.at) - Date.parse(last.at) >= longAgo) ??
    null
  );
}

/** Content words without the names. */
export function wordsOf({ statement, names, author }: Cited): string[] {
  const without = new Set(terms([...names, author ?? ''].join(' ')));
  return [...new Set(terms(statement).filter((term) => term.length > 2 && !without.has(term)))];
}

export interface Contradiction {
  feature: string;
  bad: Cited;
  good: Cited;
}

/** Customers who say opposite things of one feature: the pair that shares most words; of a small problem more of them. */
export function contradictionsIn(matters: readonly Matter[]): Contradiction[] {
  const bad = matters.filter(({ kind, state, perhapsSolved }) => kind === 'problem' && state === 'open' && perhapsSolved === null);
  const troubles = bad.flatMap(({ said }) => said.filter((each) => isTrouble(each) && each.state === 'open'));
  const praises = matters.flatMap(({ said }) => said.filter((each) => isPraise(each) && each.state !== 'resolved'));
  const found = new Map<string, Contradiction & { common: number }>();
  for (const one of troubles) {
    const words = new Set(wordsOf(one));
    for (const other of praises) {
      if (sameCustomer(one, other) || one.customers.length === 0 || other.customers.length === 0) continue;
      const feature = one.features.find((each) => other.features.includes(each));
      if (feature === undefined) continue;
      const common = wordsOf(other).filter((word) => words.has(word)).length;
      if (common < (one.severity >= 3 ? 2 : 3) || common <= (found.get(feature)?.common ?? 0)) continue;
      found.set(feature, { feature, bad: one, good: other, common });
    }
  }
  return [...found.values()].toSorted((a, b) => b.common - a.common || a.feature.localeCompare(b.feature));
}

/** Pure: what customers speak of: their statements joined by what they refer to, with the state as of the report's day. */
import { terms } from '../../engines/retrieval/terms.ts';
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
  /** The statement that settled it. */
  settledBy: Cited | null;
  /** When the customer called another matter about the same feature solved later: the other statement may tell of this one. */
  perhapsSolved: Cited | null;
  severity: number;
  weight: number;
}

/**
 * @param known by id; statements that the draft is about, and what they refer to
 * @param own ids of those that the draft is about
 */
export function mattersOf(known: Readonly<Record<string, Cited>>, own: readonly string[], asOf: string): Matter[] {
  const all = Object.values(known).toSorted(inTime);
  const joined = joinedBy(all);
  const ownIds = new Set(own);
  const threats = all.filter((each) => each.class === 'churn_risk' && each.state === 'open');
  const takenBack = all.filter((each) => each.state === 'withdrawn' && withdrawsThreat(each, known, threats));
  const ends = all.filter((each) => isEnd(each));
  const matters = [...Map.groupBy(all, ({ ref }) => joined(ref)).values()]
    .filter((said) => said.some(({ ref }) => ownIds.has(ref)))
    .map((said) => matterOf(said, takenBack, asOf));
  for (const matter of matters) {
    if (matter.kind !== 'problem' || matter.state !== 'open') continue;
    const last = matter.said.at(-1)!;
    matter.perhapsSolved =
      ends.find((end) => end.at.slice(0, 10) > last.at.slice(0, 10) && sameCustomer(end, last) && shares(end.features, matter.features)) ??
      null;
  }
  return matters.toSorted((a, b) => b.weight - a.weight || a.id.localeCompare(b.id));
}

export const inTime = (a: Cited, b: Cited): number => a.at.localeCompare(b.at) || a.ref.localeCompare(b.ref);
const shares = (a: readonly string[], b: readonly string[]): boolean => a.some((each) => b.includes(each));
const agree = (a: readonly string[], b: readonly string[]): boolean => a.length === 0 || b.length === 0 || shares(a, b);
const sameCustomer = (a: Cited, b: Cited): boolean => shares(a.customers, b.customers);

/** Joins what refers to each other, and near-duplicates of one customer. */
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
  return root;
}

/** A withdrawal takes back all earlier threats of the customer that it does not contradict. */
const withdrawsThreat = (said: Cited, known: Readonly<Record<string, Cited>>, threats: readonly Cited[]): boolean =>
  said.class === 'churn_risk' ||
  (said.earlierId !== null && known[said.earlierId]?.class === 'churn_risk') ||
  threats.some(({ settledBy }) => settledBy === said.ref);

/** Words of an end: a closed ticket whose text tells the trouble has none. */
const endWords =
  /(?<!\p{L})(?:again|since|now|no longer|no more|not (?:one|a single|any)|never|fixed|solved|resolved|sorted|repaired|done|gone|back|works?|working|delivered|arrived|stopped|cured|history|correct|agrees?|matche?s?|quick|fast|wieder|behoben|gelöst|erledigt|seit|funktioniert|läuft|keine?|ya|resuelto|solucionado|funciona|vuelve|desde|plus de|réglé|résolu|marche|depuis)(?!\p{L})/iu;

/** Somebody says that something is solved or delivered. */
export const isEnd = ({ state, class: kind, tone, earlier, statement }: Cited): boolean =>
  state === 'resolved' &&
  (earlier === 'resolves' ||
    kind === 'praise' ||
    (kind === 'request' && tone !== 'negative') ||
    tone === 'positive' ||
    (tone !== 'negative' && kind !== 'question' && endWords.test(statement)));

function matterOf(said: Cited[], takenBack: readonly Cited[], asOf: string): Matter {
  const last = said.at(-1)!;
  const threat = said.findLast((each) => each.class === 'churn_risk' && each.state !== 'withdrawn');
  const trouble = said.some(isTrouble);
  const kind: MatterKind =
    threat || said.some((each) => each.class === 'churn_risk')
      ? 'leaving'
      : trouble
        ? 'problem'
        : (['request', 'question', 'praise'] as const).find((each) => said.some((one) => one.class === each)) ?? 'rest';
  const end = said.findLast((each) => each.state === 'withdrawn' || isEnd(each) || (each.earlier === 'resolves' && each.state === 'resolved'));
  const later = kind === 'leaving' && threat ? takenBack.find((each) => takesBack(each, threat)) : undefined;
  const openAfter = end && said.some((each) => inTime(each, end) > 0 && each.state === 'open' && each.class !== 'praise' && each.at.slice(0, 10) > end.at.slice(0, 10));
  const settledBy = (openAfter ? undefined : end) ?? later ?? null;
  const state: MatterState = settledBy
    ? settledBy.state === 'withdrawn'
      ? 'withdrawn'
      : 'resolved'
    : said.every((each) => each.state === 'hypothetical')
      ? 'hypothetical'
      : said.every((each) => each.state !== 'open' && each.state !== 'hypothetical')
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
    perhapsSolved: null,
    severity: Math.max(...said.map(({ severity }) => severity)),
    weight: Math.max(...said.map((each) => weightOf(each, asOf))) + Math.log2(said.length) / 2,
  };
}

const takesBack = (end: Cited, threat: Cited): boolean =>
  inTime(threat, end) <= 0 && end.ref !== threat.ref && sameCustomer(end, threat) && agree(end.features, threat.features) && agree(end.competitors, threat.competitors);

/** By polarity, not by class alone. */
export const isTrouble = ({ class: kind, tone }: Cited): boolean =>
  ((kind === 'bug' || kind === 'complaint') && tone !== 'positive') || (kind === 'information' && tone === 'negative');
export const isPraise = ({ class: kind, tone, state, sentiment }: Cited): boolean =>
  state !== 'hypothetical' &&
  state !== 'withdrawn' &&
  ((kind === 'praise' && tone !== 'negative') || (kind === 'information' && (tone === 'positive' || (tone === null && sentiment > 0.3))));

export interface Contradiction {
  feature: string;
  bad: Cited;
  good: Cited;
}

/** Customers who say opposite things of one feature: the pair that speaks of the same most. */
export function contradictionsIn(matters: readonly Matter[]): Contradiction[] {
  const bad = matters.filter(({ kind, state, perhapsSolved }) => kind === 'problem' && state === 'open' && perhapsSolved === null);
  const troubles = bad.flatMap(({ said }) => said.filter((each) => isTrouble(each) && each.state === 'open'));
  const praises = matters.flatMap(({ said }) => said.filter(isPraise));
  const found = new Map<string, Contradiction & { common: number }>();
  for (const one of troubles) {
    for (const other of praises) {
      if (sameCustomer(one, other) || one.customers.length === 0 || other.customers.length === 0) continue;
      const feature = one.features.find((each) => other.features.includes(each));
      if (feature === undefined) continue;
      const without = new Set(terms(one.names.concat(other.names).join(' ')));
      const words = new Set(terms(one.statement).filter((term) => !without.has(term)));
      const common = new Set(terms(other.statement).filter((term) => words.has(term) && term.length > 2)).size;
      if (common < 2 || common <= (found.get(feature)?.common ?? 0)) continue;
      found.set(feature, { feature, bad: one, good: other, common });
    }
  }
  return [...found.values()].toSorted((a, b) => b.common - a.common || a.feature.localeCompare(b.feature));
}

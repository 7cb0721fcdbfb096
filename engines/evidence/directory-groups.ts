import { coreWords, keyWords, nameKey } from '../text/names.ts';
import { organisationOf, withoutTitles } from './clues-people.ts';
import {
  beginningOfInitials,
  beginningOfName,
  BySpelling,
  isInitials,
  isShort,
  isSpelling,
  maybeInitials,
  shortsOf,
  type Apart,
} from './directory-names.ts';
import type { CountedClue, Organisation, Unsure } from './types.ts';

/** Which written names of organisations are one organisation, and what the clues say about each. */

export interface Found {
  key: string;
  /** Weight of each spelling. */
  spellings: Map<string, number>;
  weight: number;
  customer: number;
  vendor: number;
  rival: number;
  /** A table names it as the customer, or its people are listed with it. */
  strong: boolean;
  /** A person said that it is another name of something. */
  second: boolean;
  /** What a person said that it is. */
  told: Organisation['role'] | null;
}

export interface Group {
  names: Found[];
  /** Known by its domain only. */
  domain?: string;
}

export const isDomain = (written: string): boolean => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(written);

export const personKey = (name: string): string => nameKey(withoutTitles(name));

export function ledger(clues: readonly CountedClue[]): Map<string, Found> {
  const all = new Map<string, Found>();
  const at = (written: string): Found | null => {
    const name = organisationOf(written);
    const key = name === null || isDomain(written) ? '' : nameKey(name);
    if (key === '' || name === null) return null;
    const known = all.get(key) ?? {
      key,
      spellings: new Map<string, number>(),
      weight: 0,
      customer: 0,
      vendor: 0,
      rival: 0,
      strong: false,
      second: false,
      told: null,
    };
    all.set(key, known);
    return known;
  };
  const seen = (found: Found | null, written: string, weight: number): Found | null => {
    if (!found) return null;
    found.spellings.set(written, (found.spellings.get(written) ?? 0) + weight);
    found.weight += weight;
    return found;
  };
  for (const { kind, subject, object, weight, documents } of clues) {
    const sum = weight * documents * (weight > 1 ? 100 : 1);
    if (weight > 1 && (kind === 'customer' || kind === 'vendor' || kind === 'competitor')) {
      const found = at(subject);
      if (found) found.told = kind;
    }
    if (kind === 'customer') {
      const found = seen(at(subject), subject, sum);
      if (found) {
        found.customer += sum;
        found.strong ||= weight >= 0.9;
      }
    } else if (kind === 'vendor') {
      const found = seen(at(subject), subject, sum);
      if (found) found.vendor += sum;
    } else if (kind === 'competitor') {
      const found = seen(at(subject), subject, sum);
      if (found) found.rival += sum;
    } else if (kind === 'person' && object !== null && weight >= 0.5) {
      const found = seen(at(object), object, sum);
      if (found) found.strong = true;
    } else if (kind === 'domain' && !isDomain(subject)) {
      const found = seen(at(subject), subject, sum);
      if (found) found.strong = true;
    }
  }
  for (const { kind, subject, object, weight } of clues) {
    if (kind !== 'alias' || object === null || weight <= 1) continue;
    const [alias, name] = [nameKey(subject), nameKey(object)];
    const other = all.get(isShort(name, alias) ? name : alias);
    if (other) other.second = true;
  }
  return all;
}

/** Names of one organisation together; a short name that fits several stays alone and is told. */
export function grouped(found: readonly Found[], clues: readonly CountedClue[], apart: Apart): { groups: Group[]; unsure: Unsure[] } {
  const unsure: Unsure[] = [];
  const given = new Map<string, string>();
  for (const { kind, subject, object, weight } of clues) {
    if (kind !== 'alias' || object === null || weight < 0.6) continue;
    const [alias, name] = [nameKey(subject), nameKey(object)];
    if (apart(alias, name)) continue;
    // Whatever a person calls it, the whole name stands for the group.
    if (isShort(name, alias)) given.set(name, alias);
    else given.set(alias, name);
  }
  const groups: Group[] = [];
  const later: Found[] = [];
  const wholesOf = wholes(found);
  const keys = new Set(found.map(({ key }) => key));
  const spelled = new BySpelling<Group>();
  const groupOf = new Map<string, Group>();
  const join = (group: Group, each: Found): void => {
    if (group.names.push(each) === 1) groups.push(group);
    groupOf.set(each.key, group);
  };
  for (const each of found) {
    const same = spelled.near(each.key).find(({ names }) => names.some(({ key }) => isSpelling(key, each.key) && !apart(key, each.key)));
    const whole = given.get(each.key);
    if (same) join(same, each);
    else if (
      (whole !== undefined && whole !== each.key && keys.has(whole)) ||
      wholesOf(each).some((other) => isForm(each, other) && !apart(each.key, other.key))
    ) {
      later.push(each);
      continue;
    } else join({ names: [] }, each);
    spelled.add(each.key, groupOf.get(each.key)!);
  }
  /** Those of names that have one, in their order. */
  const groupsOf = (names: readonly Found[]): Group[] => {
    const of = new Set(names.flatMap(({ key }) => groupOf.get(key) ?? []));
    return of.size < 2 ? [...of] : groups.filter((group) => of.has(group));
  };
  for (const each of later) {
    const named = groupOf.get(given.get(each.key) ?? '');
    const wholes = named ? [named] : groupsOf(wholesOf(each).filter((name) => isForm(each, name) && !apart(each.key, name.key)));
    if (wholes.length === 1) join(wholes[0]!, each);
    else {
      join({ names: [] }, each);
      for (const group of wholes) unsure.push({ name: canonical({ names: [each] }), of: canonical(group), kind: 'organisation' });
    }
  }
  return { groups, unsure };
}

/** Names that another may be a form of: a superset, without comparing each with each. */
function wholes(found: readonly Found[]): (short: Found) => Found[] {
  const shorts = new Map<string, Found[]>();
  const beginnings = new Map<string, Found[]>();
  const add = (to: Map<string, Found[]>, key: string, each: Found): void => {
    const of = to.get(key);
    if (of) of.push(each);
    else to.set(key, [each]);
  };
  for (const each of found) {
    for (const short of shortsOf(each.key)) add(shorts, short, each);
    for (const letter of new Set([...each.spellings.keys()].map(beginningOfName))) if (letter) add(beginnings, letter, each);
  }
  return (short) => {
    const initials = [...short.spellings.keys()]
      .filter(maybeInitials)
      .flatMap((written) => beginnings.get(beginningOfInitials(written) ?? '') ?? []);
    return [...new Set([...(shorts.get(short.key) ?? []), ...initials])].filter((other) => other !== short);
  };
}

/** Shorter form or initials of the other; a competitor's name is not a short form of a customer's. */
const isForm = (short: Found, long: Found): boolean =>
  (isShort(short.key, long.key) && keyWords(long.key).length > keyWords(short.key).length) ||
  [...short.spellings.keys()].some((written) => [...long.spellings.keys()].some((name) => isInitials(written, name)));

export const sum = (group: Group, what: 'customer' | 'vendor' | 'rival' | 'weight'): number =>
  group.names.reduce((total, each) => total + each[what], 0);
export const toldOf = (group: Group): Organisation['role'] | null => group.names.find(({ told }) => told !== null)?.told ?? null;

/** The spelling to show: whole rather than short, without a legal form, then the most frequent one. */
export function canonical(group: Group): string {
  const spellings = group.names.flatMap((each) =>
    [...each.spellings].map(([name, weight]) => ({ name, weight, key: each.key, second: each.second })),
  );
  const rank = ({ name, key, second }: (typeof spellings)[number]): number =>
    (second ? 4 : 0) +
    (spellings.some((other) => isShort(key, other.key) && coreWords(other.key).length > coreWords(key).length) ||
    spellings.some((other) => isInitials(name, other.name))
      ? 2
      : 0) +
    (coreWords(key).length < keyWords(key).length ? 1 : 0) +
    // Heads and file names are written in capitals or without any.
    (name.length > 5 && (name === name.toUpperCase() || name === name.toLowerCase()) ? 0.5 : 0);
  return spellings.sort(
    (a, b) => rank(a) - rank(b) || b.weight - a.weight || b.name.length - a.name.length || (a.name < b.name ? -1 : 1),
  )[0]!.name;
}

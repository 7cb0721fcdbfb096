import { coreWords, keyWords, nameKey } from '../text/names.ts';
import { organisationOf, withoutTitles } from './clues-people.ts';
import { isInitials, isShort, isSpelling, labelFit, type Apart } from './directory-names.ts';
import type { CountedClue, Organisation, Unsure } from './types.ts';

/** Organisations of a tenant: which names are one, who makes the product, who uses it, who competes. */

/** Least weight of a customer, of a competitor. */
const enough = 0.6;
const rivalEnough = 0.5;

interface Found {
  key: string;
  /** Weight of each spelling. */
  spellings: Map<string, number>;
  weight: number;
  customer: number;
  vendor: number;
  rival: number;
  /** A table names it as the customer, or its people are listed with it. */
  strong: boolean;
  /** What a person said that it is. */
  told: Organisation['role'] | null;
}

export interface Organisations {
  list: Organisation[];
  /** Name in the directory of a name or domain as written. */
  of: (written: string) => string | null;
  vendor: string | null;
  unsure: Unsure[];
}

export const isDomain = (written: string): boolean => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(written);

export function organisationsOf(clues: readonly CountedClue[], isFeature: (key: string) => boolean, apart: Apart): Organisations {
  const people = new Set(clues.flatMap(({ kind, subject, weight }) => (kind === 'person' && weight >= 0.5 ? [personKey(subject)] : [])));
  const found = [...ledger(clues).values()]
    .filter((each) => !isFeature(each.key) && (each.strong || !people.has(each.key)))
    .sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1));
  const { groups, unsure } = grouped(found, clues, apart);
  const domains = domainsOf(clues, groups);
  for (const [domain, at] of domains.unnamed) groups.push({ names: [at], domain });
  const nameOf = new Map<string, Group>();
  for (const group of groups) for (const each of group.names) nameOf.set(each.key, group);
  const labels = new Map<string, Group | null>();
  const find = (written: string): Group | null => {
    if (isDomain(written)) return domains.of.get(written) ?? groups.find(({ domain }) => domain === written) ?? null;
    const exact = nameOf.get(nameKey(written));
    if (exact || /[\s\p{Lu}]/u.test(written)) return exact ?? null;
    const known = labels.get(written);
    if (known !== undefined) return known;
    const only = fitting(written, groups);
    labels.set(written, only);
    return only;
  };
  const vendor = vendorOf(clues, groups, find);
  const certain = new Set(groups.filter((group) => group === vendor || isCertain(group, [...domains.of.values()].includes(group))));
  for (const group of onlyOnes(clues, find, certain, vendor)) certain.add(group);
  const list = groups
    .filter((group) => certain.has(group))
    .map((group): Organisation => {
      const name = canonical(group);
      const aliases = group.names.flatMap((each) => [...each.spellings.keys()]).filter((each) => each !== name);
      const own = [...domains.of].filter(([, at]) => at === group).map(([domain]) => domain);
      return {
        name,
        aliases: [...new Set(aliases)].sort(),
        role: group === vendor ? 'vendor' : roleOf(group),
        domains: [...own, ...(group.domain ? [group.domain] : [])].sort(),
      };
    });
  const names = new Map([...certain].map((group) => [group, canonical(group)]));
  return {
    list: [...list].sort((a, b) => (a.name < b.name ? -1 : 1)),
    of: (written) => names.get(find(written)!) ?? null,
    vendor: vendor ? names.get(vendor)! : null,
    unsure,
  };
}

const isCertain = (group: Group, addressed: boolean): boolean =>
  addressed ||
  toldOf(group) !== null ||
  group.domain !== undefined ||
  group.names.some(({ strong }) => strong) ||
  (['customer', 'vendor'] as const).some((what) => sum(group, what) >= enough) ||
  sum(group, 'rival') >= rivalEnough;

/** Names that are known from titles only, with people who can belong nowhere else. */
function onlyOnes(
  clues: readonly CountedClue[],
  find: (written: string) => Group | null,
  certain: ReadonlySet<Group>,
  vendor: Group | null,
): Group[] {
  const homes = new Set<string>();
  const met = new Map<string, Set<Group>>();
  for (const { kind, subject, object, weight } of clues) {
    const group = kind === 'person' && object !== null ? find(object) : null;
    if (kind === 'staff' && weight >= 0.5) homes.add(personKey(subject));
    if (!group) continue;
    if (weight >= 0.5) homes.add(personKey(subject));
    else if (group !== vendor) met.set(personKey(subject), (met.get(personKey(subject)) ?? new Set<Group>()).add(group));
  }
  return [...met].flatMap(([person, groups]) =>
    homes.has(person) || groups.size !== 1 || certain.has([...groups][0]!) ? [] : [...groups],
  );
}

interface Group {
  names: Found[];
  /** Known by its domain only. */
  domain?: string;
}

function ledger(clues: readonly CountedClue[]): Map<string, Found> {
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
  return all;
}

/** Names of one organisation together; a short name that fits several stays alone and is told. */
function grouped(found: readonly Found[], clues: readonly CountedClue[], apart: Apart): { groups: Group[]; unsure: Unsure[] } {
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
  for (const each of found) {
    const same = groups.find(({ names }) => names.some((name) => isSpelling(name.key, each.key) && !apart(name.key, each.key)));
    if (same) same.names.push(each);
    else if (
      found.some((other) => other !== each && (given.get(each.key) === other.key || (isForm(each, other) && !apart(each.key, other.key))))
    )
      later.push(each);
    else groups.push({ names: [each] });
  }
  for (const each of later) {
    const named = groups.find(({ names }) => names.some(({ key }) => key === given.get(each.key)));
    const wholes = named ? [named] : groups.filter(({ names }) => names.some((name) => isForm(each, name) && !apart(each.key, name.key)));
    if (wholes.length === 1) wholes[0]!.names.push(each);
    else {
      groups.push({ names: [each] });
      for (const group of wholes) unsure.push({ name: canonical({ names: [each] }), of: canonical(group), kind: 'organisation' });
    }
  }
  return { groups, unsure };
}

/** Shorter form or initials of the other; a competitor's name is not a short form of a customer's. */
const isForm = (short: Found, long: Found): boolean =>
  (isShort(short.key, long.key) && keyWords(long.key).length > keyWords(short.key).length) ||
  [...short.spellings.keys()].some((written) => [...long.spellings.keys()].some((name) => isInitials(written, name)));

/** The group whose name a domain or label is made of, if there is only one. */
function fitting(label: string, groups: readonly Group[]): Group | null {
  const fits = groups.map((group) =>
    Math.max(...group.names.flatMap(({ spellings }) => [...spellings.keys()].map((name) => labelFit(label, name)))),
  );
  for (const least of [2, 1]) {
    const some = groups.filter((_, i) => fits[i] === least);
    if (some.length > 0) return some.length === 1 ? some[0]! : (some.find(({ names }) => names.some(({ strong }) => strong)) ?? null);
  }
  return null;
}

function domainsOf(clues: readonly CountedClue[], groups: readonly Group[]): { of: Map<string, Group>; unnamed: Map<string, Found> } {
  const votes = new Map<string, Map<Group, number>>();
  const written = new Map<string, number>();
  for (const { kind, subject, object, weight, documents } of clues) {
    if (object === null || !isDomain(object) || weight < 0.5) continue;
    written.set(object, (written.get(object) ?? 0) + weight * documents);
    const group = kind === 'domain' ? groups.find(({ names }) => names.some(({ key }) => key === nameKey(subject))) : undefined;
    const counts = votes.get(object) ?? new Map<Group, number>();
    if (group) counts.set(group, (counts.get(group) ?? 0) + weight * documents);
    votes.set(object, counts);
  }
  const of = new Map<string, Group>();
  const unnamed = new Map<string, Found>();
  for (const [domain, counts] of [...votes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const named = fitting(domain, groups);
    if (named) counts.set(named, (counts.get(named) ?? 0) + 1);
    const [best] = [...counts].sort(([a, x], [b, y]) => y - x || (canonical(a) < canonical(b) ? -1 : 1));
    if (best) of.set(domain, best[0]);
    else {
      const label = domain.split('.').slice(-2)[0]!;
      const name = label.replace(/(?:^|-)(\p{L})/gu, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
      unnamed.set(domain, {
        key: nameKey(name),
        spellings: new Map([[name, 0.1]]),
        weight: 0.1,
        customer: 0,
        vendor: 0,
        rival: 0,
        strong: true,
        told: null,
      });
    }
  }
  return { of, unnamed };
}

/** The one whose people meet several others, whose product overviews describe, and who is never in a column of customers. */
function vendorOf(clues: readonly CountedClue[], groups: readonly Group[], find: (written: string) => Group | null): Group | null {
  const homes = new Map<string, Set<Group>>();
  for (const { kind, subject, object, weight } of clues) {
    const home = kind === 'person' && object !== null && weight >= 0.5 ? find(object) : null;
    if (home) homes.set(personKey(subject), (homes.get(personKey(subject)) ?? new Set<Group>()).add(home));
  }
  const met = new Map<Group, Set<Group>>();
  const scores = new Map<Group, number>(groups.map((group) => [group, sum(group, 'vendor') - 1.5 * columns(group)]));
  const add = (group: Group, score: number): void => void scores.set(group, (scores.get(group) ?? 0) + score);
  for (const { kind, subject, object, weight, documents } of clues) {
    const home = homes.get(personKey(subject));
    if (!home || home.size !== 1) continue;
    const [own] = home;
    if (kind === 'staff') add(own!, Math.min(2, weight * documents));
    const other = kind === 'person' && object !== null ? find(object) : null;
    if (other && other !== own) met.set(own!, (met.get(own!) ?? new Set<Group>()).add(other));
  }
  for (const [group, others] of met) add(group, others.size);
  const told = groups.find((group) => toldOf(group) === 'vendor');
  if (told) return told;
  const [best, next] = [...scores]
    .filter(([group]) => toldOf(group) === null)
    .sort(([a, x], [b, y]) => y - x || (canonical(a) < canonical(b) ? -1 : 1));
  // Of two that only met each other, either may be the vendor.
  return best && best[1] > 0 && best[1] > (next?.[1] ?? 0) ? best[0] : null;
}

export const personKey = (name: string): string => nameKey(withoutTitles(name));

const sum = (group: Group, what: 'customer' | 'vendor' | 'rival' | 'weight'): number =>
  group.names.reduce((total, each) => total + each[what], 0);
const columns = (group: Group): number => (group.names.some((each) => each.customer >= 0.9) ? sum(group, 'customer') : 0);

const toldOf = (group: Group): Organisation['role'] | null => group.names.find(({ told }) => told !== null)?.told ?? null;

function roleOf(group: Group): Organisation['role'] {
  const told = toldOf(group);
  if (told !== null) return told;
  const [customer, rival] = [sum(group, 'customer'), sum(group, 'rival')];
  const speaks = group.names.some(({ strong }) => strong);
  if (rival >= rivalEnough && !speaks && rival > customer) return 'competitor';
  return speaks || customer >= enough ? 'customer' : 'unknown';
}

/** The spelling to show: whole rather than short, without a legal form, then the most frequent one, then the longest. */
function canonical(group: Group): string {
  const spellings = group.names.flatMap((each) => [...each.spellings].map(([name, weight]) => ({ name, weight, key: each.key })));
  const rank = ({ name, key }: (typeof spellings)[number]): number =>
    (spellings.some((other) => isShort(key, other.key) && coreWords(other.key).length > coreWords(key).length) ||
    spellings.some((other) => isInitials(name, other.name))
      ? 2
      : 0) + (coreWords(key).length < keyWords(key).length ? 1 : 0);
  return spellings.sort(
    (a, b) => rank(a) - rank(b) || b.weight - a.weight || b.name.length - a.name.length || (a.name < b.name ? -1 : 1),
  )[0]!.name;
}

import { nameKey } from '../text/names.ts';
import { canonical, grouped, isDomain, ledger, personKey, sum, toldOf, type Found, type Group } from './directory-groups.ts';
import { labelFit, type Apart } from './directory-names.ts';
import type { CountedClue, Organisation, Unsure } from './types.ts';

/** Organisations of a tenant: who makes the product, who uses it, who competes, and whose domains are whose. */

/** Least weight of a customer, of a competitor. */
const enough = 0.6;
const rivalEnough = 0.5;

export interface Organisations {
  list: Organisation[];
  /** Name in the directory of a name or domain as written. */
  of: (written: string) => string | null;
  vendor: string | null;
  unsure: Unsure[];
}

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
        second: false,
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

const columns = (group: Group): number => (group.names.some((each) => each.customer >= 0.9) ? sum(group, 'customer') : 0);

function roleOf(group: Group): Organisation['role'] {
  const told = toldOf(group);
  if (told !== null) return told;
  const [customer, rival] = [sum(group, 'customer'), sum(group, 'rival')];
  const speaks = group.names.some(({ strong }) => strong);
  if (rival >= rivalEnough && !speaks && rival > customer) return 'competitor';
  return speaks || customer >= enough ? 'customer' : 'unknown';
}

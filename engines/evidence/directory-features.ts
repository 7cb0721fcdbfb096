import { keyWords, nameKey } from '../text/names.ts';
import { BySpelling, isSpelling, type Apart } from './directory-names.ts';
import type { CountedClue, Feature, Unsure } from './types.ts';
import { isPlain } from './words.ts';

/** Features of a tenant's product with their other names and words. */

/** Least weight of a feature without an overview, and with one: an overview is nearly complete. */
const enough = 0.9;
const besideOverview = 2;
const mostWords = 40;

interface Named {
  key: string;
  spellings: Map<string, number>;
  weight: number;
  best: number;
  documents: number;
}

export function featuresOf(
  clues: readonly CountedClue[],
  isOther: (key: string) => boolean,
  apart: Apart,
): { features: Feature[]; unsure: Unsure[] } {
  const named = ledger(clues);
  const joining = clues.filter(({ subject, object }) => object === null || !apart(nameKey(subject), nameKey(object)));
  const renames = renamesOf(joining, named);
  const overview = [...named.values()].filter(({ best }) => best >= 0.8).length >= 2;
  const renamed = new Set([...renames].flatMap(([from, { to }]) => [from, to]));
  const accepted = [...named.values()]
    .filter(
      ({ key, weight, best, documents }) =>
        !isOther(key) &&
        // An overview lists nearly all: what one document praises once may be anything.
        (best >= (overview && !renamed.has(key) ? 0.65 : 0.6) || (documents >= 2 && weight >= (overview ? besideOverview : enough))),
    )
    .sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1));
  // A last part of an accepted name needs no further evidence: "Rota Sync".
  const certain = new Set(accepted);
  const wholes = new Wholes(accepted, apart);
  for (const each of named.values())
    if (!certain.has(each) && wholes.of(each.key, each.best) !== each.key) {
      accepted.push(each);
      wholes.add(each);
    }
  const told = toldAliases(joining);
  const current = (key: string): string => {
    const seen = new Set([key]);
    let at = key;
    for (
      let next = told.get(at) ?? renames.get(at)?.to;
      next !== undefined && !seen.has(next);
      next = told.get(at) ?? renames.get(at)?.to
    ) {
      seen.add(next);
      at = next;
    }
    return at;
  };
  const groups = new Map<string, Named[]>();
  const bests = new Map(accepted.map(({ key, best }) => [key, best]));
  const spelled = new BySpelling<string>();
  for (const each of accepted) {
    const now = current(each.key);
    const to = wholes.of(now, bests.get(now) ?? 0);
    const same = spelled.near(to).find((key) => key === to || (isSpelling(key, to) && !apart(key, to))) ?? to;
    const group = groups.get(same);
    if (group) group.push(each);
    else {
      groups.set(same, [each]);
      spelled.add(same, same);
    }
  }
  const unsure: Unsure[] = [];
  const heads = [...groups.keys()].sort();
  const nicknames = nicknamesOf(joining, heads, current);
  const nameOf = (key: string): string => spelling(named.get(key) ?? groups.get(key)![0]!);
  const features = heads.map((key): Feature => {
    const name = nameOf(key);
    const former = [...renames].filter(([from, { to }]) => current(from) === key && to === key).sort(([a], [b]) => (a < b ? -1 : 1))[0];
    const olds = [...renames].filter(([from]) => from !== key && current(from) === key).map(([, { from }]) => from);
    const others = groups.get(key)!.flatMap((each) => [...each.spellings.keys()]);
    const own = ownNicknames(nicknames.get(key) ?? [], unsure, name);
    const aliases = [...new Set([...olds, ...others, ...own])].filter(
      (each) => nameKey(each) !== nameKey(name) || each.toLowerCase() !== name.toLowerCase(),
    );
    return { name, aliases: unique(aliases, name), renamed: former ? { from: former[1].from, day: former[1].day } : null, words: [] };
  });
  const words = wordsOf(clues, features);
  return { features: features.map((feature) => ({ ...feature, words: words.get(feature.name) ?? [] })), unsure };
}

/** Names that people say are other names of a feature, even if documents use both as names of features. */
const toldAliases = (clues: readonly CountedClue[]): Map<string, string> =>
  new Map(
    clues.flatMap(({ kind, subject, object, weight }) =>
      kind === 'alias' && object !== null && weight > 1 ? [[nameKey(subject), nameKey(object)] as const] : [],
    ),
  );

/** Accepted names by the parts that they have. */
class Wholes {
  private readonly apart: Apart;
  private readonly byPart = new Map<string, Named[]>();

  constructor(accepted: readonly Named[], apart: Apart) {
    this.apart = apart;
    for (const each of accepted) this.add(each);
  }

  add(each: Named): void {
    const words = keyWords(each.key);
    for (let from = 0; from < words.length; from += 1) {
      for (let to = from + 2; to <= words.length; to += 1) {
        if (to - from === words.length) continue;
        const part = words.slice(from, to).join(' ');
        const known = this.byPart.get(part);
        if (known) known.push(each);
        else this.byPart.set(part, [each]);
      }
    }
  }

  /** "Rota Sync" is the last part of "Staff Rota Sync", if of no other name and if that one is better known. */
  of(key: string, best: number): string {
    const longer = (this.byPart.get(key) ?? []).filter((each) => each.best > best && !this.apart(each.key, key));
    return longer.length === 1 ? longer[0]!.key : key;
  }
}

/** Each alias once, whatever its capitals. */
const unique = (names: readonly string[], own: string): string[] => {
  const keys = new Map<string, string>();
  for (const name of [...names].sort()) if (nameKey(name) !== nameKey(own) && !keys.has(nameKey(name))) keys.set(nameKey(name), name);
  return [...keys.values()];
};

function ledger(clues: readonly CountedClue[]): Map<string, Named> {
  const all = new Map<string, Named>();
  for (const { kind, subject, weight, documents } of clues) {
    if (kind !== 'feature') continue;
    const key = nameKey(subject);
    const known = all.get(key) ?? { key, spellings: new Map<string, number>(), weight: 0, best: 0, documents: 0 };
    known.spellings.set(subject, (known.spellings.get(subject) ?? 0) + weight * documents);
    known.weight += weight * documents * (weight > 1 ? 100 : 1);
    known.best = Math.max(known.best, weight);
    known.documents += documents;
    all.set(key, known);
  }
  return all;
}

const spelling = ({ spellings }: Named): string => [...spellings].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]![0];

/** Former name to new name, where at least one of both is a likely feature; the heavier direction wins. */
function renamesOf(
  clues: readonly CountedClue[],
  named: Map<string, Named>,
): Map<string, { from: string; to: string; day: string | null }> {
  const votes = new Map<string, { from: string; to: string; toName: string; day: string | null; dayWeight: number; weight: number }>();
  for (const { kind, subject, object, day, weight, documents } of clues) {
    if (kind !== 'renamed' || object === null) continue;
    const [from, to] = [nameKey(subject), nameKey(object)];
    const likely = [from, to].some((key) => (named.get(key)?.weight ?? 0) >= 0.5);
    if (!likely) continue;
    const key = `${from}\n${to}`;
    const known = votes.get(key) ?? { from: subject, to, toName: object, day: null, dayWeight: 0, weight: 0 };
    known.weight += weight * documents;
    if (day !== null && (weight * documents > known.dayWeight || (weight * documents === known.dayWeight && day < (known.day ?? '~'))))
      Object.assign(known, { day, dayWeight: weight * documents });
    votes.set(key, known);
  }
  const renames = new Map<string, { from: string; to: string; day: string | null }>();
  const sorted = [...votes.values()].sort((a, b) => b.weight - a.weight || (a.from + a.to < b.from + b.to ? -1 : 1));
  for (const { from, to, toName, day } of sorted) {
    const key = nameKey(from);
    // No circles: the weaker direction is dropped.
    if (renames.has(key) || renames.get(to)?.to === key) continue;
    renames.set(key, { from, to, day });
    for (const [each, name] of [
      [key, from],
      [to, toName],
    ] as const) {
      const known = named.get(each) ?? { key: each, spellings: new Map([[name, 0.5]]), weight: 0, best: 0, documents: 0 };
      named.set(each, { ...known, best: Math.max(known.best, 0.6), weight: known.weight + 0.6 });
    }
  }
  return renames;
}

interface Nickname {
  alias: string;
  /** For this feature, and for all others. */
  weight: number;
  elsewhere: number;
}

/** Other names of each feature as people and documents use them. @param heads keys of the features */
function nicknamesOf(clues: readonly CountedClue[], heads: readonly string[], current: (key: string) => string): Map<string, Nickname[]> {
  const all = new Set(heads);
  const aliases = new Map<string, { alias: string; of: Map<string, number> }>();
  for (const { kind, subject, object, weight, documents } of clues) {
    if (kind !== 'alias' || object === null) continue;
    const of = current(nameKey(object));
    const alias = nameKey(subject);
    if (all.has(alias) || !all.has(of)) continue;
    const known = aliases.get(alias) ?? { alias: subject, of: new Map<string, number>() };
    // People win.
    const sum = weight * documents * (weight > 1 ? 100 : 1);
    known.of.set(of, (known.of.get(of) ?? 0) + sum);
    aliases.set(alias, known);
  }
  const byHead = new Map<string, Nickname[]>();
  for (const { alias, of } of aliases.values()) {
    for (const [head, weight] of of) {
      const elsewhere = [...of].reduce((sum, [other, each]) => (other === head ? sum : sum + each), 0);
      const own = byHead.get(head) ?? [];
      own.push({ alias, weight, elsewhere });
      byHead.set(head, own);
    }
  }
  return byHead;
}

function ownNicknames(nicknames: readonly Nickname[], unsure: Unsure[], name: string): string[] {
  const own: string[] = [];
  for (const { alias, weight, elsewhere } of nicknames) {
    if (weight === 0 || weight < elsewhere) continue;
    if (weight >= 0.6 && weight > 2 * elsewhere) own.push(alias);
    else unsure.push({ name: alias, of: name, kind: 'feature' });
  }
  return own;
}

/** Words that stand with one feature and hardly with the others. An overview tells more than a sentence. */
function wordsOf(clues: readonly CountedClue[], features: readonly Feature[]): Map<string, Feature['words']> {
  const owners = new Map<string, string>();
  for (const { name, aliases } of features) for (const each of [name, ...aliases]) owners.set(nameKey(each), name);
  const weights = new Map<string, Map<string, number>>();
  for (const { kind, subject, object, weight, documents } of clues) {
    const owner = kind === 'word' && object !== null ? owners.get(nameKey(object)) : undefined;
    if (!owner) continue;
    const each = weights.get(subject) ?? new Map<string, number>();
    each.set(owner, (each.get(owner) ?? 0) + weight * documents);
    weights.set(subject, each);
  }
  const words = new Map<string, Feature['words']>();
  for (const [stem, each] of weights) {
    const total = [...each.values()].reduce((sum, weight) => sum + weight, 0);
    const [best] = [...each].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    if (!best || best[1] < 0.3 || best[1] < 0.7 * total) continue;
    const weight = Math.min(0.6, 0.5 * best[1] + 0.05) * (2 * (best[1] / total) - 1) * (isPlain(stem) ? 0.5 : 1);
    const rounded = Math.round(weight * 10) / 10;
    if (rounded >= 0.2) words.set(best[0], [...(words.get(best[0]) ?? []), { stem, weight: rounded }]);
  }
  return new Map(
    [...words].map(([name, list]) => [name, list.sort((a, b) => b.weight - a.weight || (a.stem < b.stem ? -1 : 1)).slice(0, mostWords)]),
  );
}

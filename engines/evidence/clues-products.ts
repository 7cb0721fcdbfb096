import { nameKey } from '../text/names.ts';
import { givenNames, organizationEnds, places, plainWords, roleWords, stopWords } from '../extraction/words.ts';
import { dayIn } from './clues-days.ts';
import { entriesOf, type Entry } from './clues-heads.ts';
import { around, nicknames, renamings } from './clues-renames.ts';
import { namePattern, trimmedName, writtenNames, type Segment, type WrittenName } from './clues-text.ts';
import type { Clue, EvidenceInput, Layout } from './types.ts';
import { stemsOf } from './words.ts';

/** Clues about features, their other names and the words that go with them. */

/** Headings of an overview that are no part of the product. */
const sections = new Set(
  `about agenda appendix background benefits changelog contact contacts customers details faq features glossary goals history intro introduction legend
  limits links misc modules notes news next nutzen overview part parts plans price prices pricing products questions references requirements roadmap
  summary support team terms todo versions vision preise preis module funktionen überblick übersicht kontakt grenzen fragen precios precio funciones
  módulos resumen límites contacto tarifs prix modules fonctions aperçu limites prezzi moduli prijzen functies strengths weaknesses
  market target audience who what why when where how`.split(/\s+/),
);
const asks = /^(?:who|what|why|when|where|how|which|was|wer|wie|warum|wo|qué|quién|cómo|por|qui|que|quoi|comment|pourquoi|où)\b/iu;
const mostMentions = 60;
const mostWords = 200;

export function productClues(
  layout: Layout,
  segments: readonly Segment[],
  entries: readonly Part[],
  isTaken: (name: string) => boolean,
): Clue[] {
  const clues: Clue[] = [];
  const clue = (kind: Clue['kind'], subject: string, object: string | null, weight: number, day: string | null = null): void => {
    clues.push({ kind, subject, object, day, weight });
  };
  for (const { name, description, weight } of entries) {
    clue('feature', name, null, weight);
    for (const word of stemsOf(description)) clue('word', word, name, 0.9);
    const whole = `${name} ${description}`;
    for (const { from, to, at } of renamings(whole, () => name, name)) clue('renamed', from, to, 0.95, sinceOf(whole, at, layout.saidAt));
    for (const { alias, of, weight: sure } of nicknames(whole, () => name, name)) clue('alias', alias, of, sure);
  }
  const owned = new Set(entries.map(({ name }) => nameKey(name)));
  const mentions = new Map<string, { name: string; weight: number; count: number }>();
  const words = new Map<string, Map<string, number>>();
  const uses = new Map<string, number>();
  const before: { index: number; name: string }[] = [];
  segments.forEach((segment, index) => {
    const names = writtenNames(segment).filter((each) => isProduct(each, isTaken) || owned.has(nameKey(each.text)));
    const antecedent = (offset: number, near = false): string | null =>
      names.findLast((each) => each.end <= offset)?.text ??
      [...segment.text.slice(Math.max(0, offset - 400), offset).matchAll(articled)].at(-1)?.groups!.name ??
      (segment.unit.kind === 'cell' ? null : (before.findLast((each) => each.index >= index - (near ? 2 : 3))?.name ?? null));
    if (entries.length === 0) {
      for (const { from, to, at } of renamings(segment.text, antecedent)) {
        clue('renamed', from, to, 0.7, sinceOf(segment.text, at, segment.unit.day ?? layout.saidAt));
      }
      for (const { alias, of, weight } of nicknames(segment.text, antecedent, null)) {
        clue('alias', alias, of, weight);
        // The subject of the text may be meant as well; the fold keeps what is known as a feature.
        const first = [...segment.text.slice(0, 400).matchAll(articled)][0]?.groups!.name;
        if (first && first !== of) clue('alias', alias, first, weight);
      }
    }
    for (const each of names) {
      const key = nameKey(each.text);
      const known = mentions.get(key) ?? { name: each.text, weight: 0, count: 0 };
      mentions.set(key, { ...known, weight: Math.max(known.weight, weightOf(each, segment)), count: known.count + 1 });
      before.push({ index, name: each.text });
    }
    const distinct = new Set(names.filter(({ words: count }) => count > 1).map(({ text }) => nameKey(text)));
    if (distinct.size === 1) {
      const [key] = distinct;
      const stems = words.get(key!) ?? new Map<string, number>();
      for (const stem of stemsOf(segment.text, { names: false })) stems.set(stem, (stems.get(stem) ?? 0) + 1);
      words.set(key!, stems);
    }
    for (const stem of stemsOf(segment.text, { names: false })) uses.set(stem, (uses.get(stem) ?? 0) + 1);
  });
  const likely = [...mentions]
    .filter(([, { weight }]) => weight > 0)
    .sort(([a, x], [b, y]) => y.weight - x.weight || y.count - x.count || (a < b ? -1 : 1));
  for (const [key, { name, weight }] of likely.slice(0, mostMentions)) {
    if (!owned.has(key)) clue('feature', name, null, weight);
    for (const [stem, together] of [...(words.get(key) ?? [])].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 40)) {
      // A word of every other sentence tells nothing.
      const weight = Math.round(((0.4 * together) / uses.get(stem)!) * 10) / 10;
      if (clues.length < mostWords && weight > 0.1) clue('word', stem, name, weight);
    }
  }
  return clues;
}

/** Day since which a new name is valid: of "until 3 May" the day after. */
function sinceOf(text: string, at: number, saidAt: string): string | null {
  return dayIn(around(text, at, 100), saidAt);
}

/** A capitalised noun with its article: may be a feature of one word. Whether it is one, the other documents tell. */
const articled = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:[Dd]er|[Dd]ie|[Dd]as|[Dd]en|[Dd]em|[Tt]he|[Ee]l|[Ll]a|[Ll]e|[Ii]l) (?<name>${namePattern})`,
  'gu',
);

/** Kinds of documents that may list the product's parts. */
const catalogued: ReadonlySet<string> = new Set(['overview', 'other', 'notes']);

/** Part of the product, in an overview. */
export interface Part extends Entry {
  /** 0 to 1 */
  weight: number;
}

/** Parts of the product that a document lists; in one that is no overview, only a list of several proper names counts. */
export function partsOf(input: EvidenceInput, { kind }: Pick<Layout, 'kind'>): Part[] {
  if (!catalogued.has(kind)) return [];
  const sure = kind === 'overview';
  const lists = entriesOf(input).map((list) => {
    const named = list.flatMap((entry) => {
      const name = trimmedEntry(entry.name);
      const beside = /\([^()]{3,80}\)/u.exec(entry.name)?.[0];
      const description = beside === undefined ? entry.description : `${beside} ${entry.description}`;
      return name === null || description.length < 8 ? [] : [{ name, description, titled: isTitled(name) }];
    });
    const titled = named.filter(({ name, titled: each }) => each && name.includes(' ')).length;
    return { named, titled, rank: titled * 2 + named.length };
  });
  const best = lists.reduce((most, list) => Math.max(most, list.rank), 0);
  return lists.flatMap(({ named, titled, rank }) =>
    !sure && (titled < 3 || titled * 3 < named.length * 2)
      ? []
      : named.flatMap(({ titled: each, ...entry }): Part[] => {
          const main = rank === best && named.length >= 2;
          // A heading alone is the title.
          if (named.length < 2 || (/^[^\p{Ll}]{6,}$/u.test(entry.name) && entry.name.includes(' '))) return [];
          if (each && entry.name.includes(' ')) return [{ ...entry, weight: main ? 0.95 : 0.7 }];
          if (!main || named.length < 3) return [];
          return [{ ...entry, weight: titled > 0 || each ? 0.8 : 0.65 }];
        }),
  );
}

function trimmedEntry(written: string): string | null {
  const name = written
    .replace(/\([^)]*\)?/gu, '')
    .replace(/[*_`"“”„«»:.]+/gu, '')
    .trim();
  const words = name.split(/\s+/);
  if (words.length > 4 || !/^[\p{Lu}\p{N}]|^\p{Ll}{1,3}\p{Lu}/u.test(name) || asks.test(name) || name.length < 3) return null;
  return words.every((word) => sections.has(word.toLowerCase()) || stopWords.has(word.toLowerCase())) ? null : name;
}

const isTitled = (name: string): boolean =>
  name.split(/\s+/).every((word) => /^[\p{Lu}\p{N}]|^\p{Ll}{1,3}\p{Lu}/u.test(word) || stopWords.has(word));

/** Whether it may be a product's name by its form: not a person, place, organisation, role or abbreviation. */
function isProduct(name: WrittenName, isTaken: (name: string) => boolean): boolean {
  const words = name.text.toLowerCase().split(/\s+/);
  if (isTaken(name.text) || places.has(words.join(' ')) || roleWords.has(words.at(-1)!) || words.some((word) => places.has(word)))
    return false;
  if (organizationEnds.has(words.at(-1)!) || name.text.split(/\s+/).some((word) => /^(?:\p{Lu}|\p{Lu}[\p{Lu}\p{N}.-]+s?)$/u.test(word)))
    return false;
  return words.length > 1 ? !givenNames.has(words[0]!) : !name.weak && /\p{Ll}\p{Lu}/u.test(name.text);
}

const used =
  /(?:^|\s)(?:use|uses|using|used|open|opened|opening|via|through|our|your|their|switch|switched|turn|turned|love|about|without|inside|und|con|avec|mit|nutzen|usamos|utilisons|of|in|on|from|into|the|der|die|das|el|la|le)\s+$/iu;
const acts =
  /^\s+(?:is|was|are|does|doesn['’]t|has|hasn['’]t|can|can['’]t|cannot|won['’]t|will|still|now|only|never|always|again|ist|hat|kann|es|está|ha|est|a|\p{Ll}{3,}(?:s|ed|t|ó|é))(?=[\s.,;!?]|$)/u;

function weightOf({ text, start, end, words, weak }: WrittenName, segment: Segment): number {
  const grammar =
    (used.test(segment.text.slice(Math.max(0, start - 24), start)) ? 0.2 : 0) + (acts.test(segment.text.slice(end, end + 24)) ? 0.2 : 0);
  const plain = trimmedName(text)
    .split(' ')
    .some((word) => plainWords.has(word.toLowerCase()))
    ? 0.1
    : 0;
  // Less than an entry of an overview.
  return Math.min(0.6, Math.round((words > 1 ? (weak ? 0.1 : 0.3) + grammar + plain : grammar) * 100) / 100);
}

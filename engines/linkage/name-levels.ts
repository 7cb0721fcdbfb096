import { acronymOf, coreWords, keyWords, numbersOf } from '../text/names.ts';
import { companyName } from '../text/companies.ts';
import { acrossScripts, hasHan, latin, soundsAcross } from '../text/scripts.ts';
import { abbreviates, edits, sameWord, soundsLike } from './strings.ts';
import type { NamedThing } from './types.ts';
import { fillers, longForms, sameGivenName, wordWeight } from './words.ts';

/** Pure: compares two names, in levels. A higher level is never weaker evidence for a match; -1 means no evidence. */

/** Levels of the feature `name`. */
export const nameLevels = [
  'nothing in common',
  'each has a word of its own',
  'one is part of the other',
  'short form',
  'like a typo, but the words are short',
  'acronym',
  'differs by typos only',
  'same words',
] as const;

/** Levels of each feature, in words. */
export const levelNames: Record<string, readonly string[]> = {
  name: nameLevels,
  numbers: ['different', 'only one has them, or more', 'equal'],
  type: ['different', 'compatible', 'equal'],
  // Of the shared words.
  rarity: ['short or common', 'between', 'long or rare'],
  neighbours: ['different ones', 'some in common', 'most in common'],
  // Cosine.
  meaning: ['below 0.5', '0.5 to 0.75', '0.75 to 0.9', '0.9 or more'],
};

export const featureLevels: Record<string, number> = Object.fromEntries(
  Object.entries(levelNames).map(([feature, names]) => [feature, names.length]),
);

/** Result of comparing two names. */
export interface NameComparison {
  level: number;
  /** Weight of the words they share. */
  shared: number;
  typos: [string, string][];
  onlyA: string[];
  onlyB: string[];
}

/** What two names are of; names of companies have legal forms and usual short forms. */
export type NameSort = 'person' | 'company' | 'other';

/** Compares two names, given as keys (names.ts). */
export function compareKeys(a: string, b: string, sort: NameSort): NameComparison {
  const people = sort === 'person';
  // Chinese characters stay where both have them: different words sound the same.
  const keepHan = hasHan(a) && hasHan(b);
  const left = tellingWords(a, sort, keepHan);
  const right = tellingWords(b, sort, keepHan);
  const aligned = align(left, right, people, acrossScripts(a, b));
  const { pairs } = aligned;
  // A legal form may be misspelt, too.
  const onlyA = aligned.onlyA.filter((word) => !keyWords(b).some((other) => sameWord(word, other) > 0));
  const onlyB = aligned.onlyB.filter((word) => !keyWords(a).some((other) => sameWord(word, other) > 0));
  const shared = pairs.reduce((sum, { words: [x, y], sure }) => sum + Math.min(wordWeight(x), wordWeight(y)) * sure, 0);
  const typos = pairs.filter(({ words: [x, y] }) => x !== y).map(({ words }) => words);
  const result = { shared, typos, onlyA, onlyB };

  // "data dog" and "datadog".
  const joinedA = left.join('');
  const joinedB = right.join('');
  if (joinedA === '' || joinedB === '') return { ...result, level: 0 };
  if (joinedA === joinedB) return { ...result, level: 7, shared: weightOf(left), onlyA: [], onlyB: [] };
  if (onlyA.length === 0 && onlyB.length === 0) {
    const least = Math.min(...pairs.map(({ sure }) => sure));
    const level = least === 1 ? 7 : least >= 0.8 ? 6 : least >= 0.7 ? 4 : 3;
    return { ...result, level: level === 6 && people && surnamesDiffer(left, right) ? 4 : level };
  }
  if (shortens(a, b) || shortens(b, a)) {
    const short = Math.min(joinedA.length, joinedB.length);
    return { ...result, level: short >= 3 ? 5 : 3, shared: Math.max(shared, 0.3 * short) };
  }
  // One word joined on one side, with a typo in it.
  const longer = Math.max(joinedA.length, joinedB.length);
  if (left.length !== right.length && longer >= 10 && !/\p{N}/u.test(joinedA + joinedB)) {
    if (joinedA[0] === joinedB[0] && edits(joinedA, joinedB, 1) <= 1) {
      return { ...result, level: 6, shared: weightOf(left), typos: [[left.join(' '), right.join(' ')]], onlyA: [], onlyB: [] };
    }
  }
  if (left.length === 1 && right.length === 1 && tickerOf(left[0]!, right[0]!)) return { ...result, level: 3, shared: 0.6 };
  if (shared === 0) return { ...result, level: 0 };
  if (onlyA.length > 0 && onlyB.length > 0) return { ...result, level: 1 };
  const rest = weightOf(onlyA) + weightOf(onlyB);
  const generic = rest <= 0.4 * (onlyA.length + onlyB.length) && rest < shared && !people;
  return { ...result, level: generic ? 3 : 2 };
}

/** "Johnson" and "Johnston" are two names, not a typo. */
function surnamesDiffer(left: readonly string[], right: readonly string[]): boolean {
  const [x, y] = [left.at(-1)!, right.at(-1)!];
  return x !== y && !left.includes(y) && !right.includes(x) && !soundsLike(x, y);
}

/** Without legal forms and words like "of", unless nothing else is left. */
function tellingWords(key: string, sort: NameSort, keepHan: boolean): string[] {
  const name =
    sort === 'company'
      ? companyName(key, keepHan)
      : latin(key, keepHan)
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
          .trim();
  // "S.A." became two words.
  const core = coreWords(sort === 'person' ? name : name.replace(/(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu, ''));
  const telling = core.filter((word) => !fillers.has(word) && !longForms.has(word));
  return telling.length > 0 ? telling : core;
}

interface Aligned {
  words: [string, string];
  /** 0 to 1: probability that both are one word. */
  sure: number;
}

/** Aligns the words, best pairs first. */
function align(left: readonly string[], right: readonly string[], people: boolean, across: boolean) {
  const candidates: { i: number; j: number; sure: number }[] = [];
  for (const [i, x] of left.entries()) {
    for (const [j, y] of right.entries()) {
      const sure = Math.max(likeness(x, y, people), across && soundsAcross(x, y) ? 0.85 : 0);
      if (sure > 0) candidates.push({ i, j, sure });
    }
  }
  candidates.sort((a, b) => b.sure - a.sure || Math.abs(a.i - a.j) - Math.abs(b.i - b.j) || a.i - b.i);
  const takenA = new Set<number>();
  const takenB = new Set<number>();
  const pairs: Aligned[] = [];
  for (const { i, j, sure } of candidates) {
    if (takenA.has(i) || takenB.has(j)) continue;
    takenA.add(i);
    takenB.add(j);
    pairs.push({ words: [left[i]!, right[j]!], sure });
  }
  return {
    pairs,
    onlyA: left.filter((_, i) => !takenA.has(i)),
    onlyB: right.filter((_, j) => !takenB.has(j)),
  };
}

function likeness(x: string, y: string, people: boolean): number {
  const same = sameWord(x, y);
  if (same > 0) return same;
  const [short, long] = x.length <= y.length ? [x, y] : [y, x];
  if (people) {
    if (sameGivenName(x, y)) return 0.6;
    if (short.length === 1 && long.startsWith(short) && /\p{L}/u.test(short)) return 0.5;
    return short.length >= 3 && long.startsWith(short) ? 0.5 : 0;
  }
  // Abbreviations: "intl", "mgmt", "dept", but not "pay" for "paypal", which is a word.
  if (/\p{N}/u.test(long) || short.length < 3) return 0;
  const dropped = long.length - short.length;
  return dropped >= 2 && abbreviates(short, long) && !/[aeiou]/.test(short.slice(1)) ? 0.5 : 0;
}

/** `short` consists of the first letters of `long`. */
function shortens(short: string, long: string): boolean {
  const core = coreWords(short);
  const letters = core.join('');
  // "P&G" became three words.
  const initials = core.length === 1 || core.every((word) => word.length === 1 || word === 'and');
  if (!initials || letters.length < 2) return false;
  const name = core.length === 1 ? letters : core.filter((word) => word !== 'and').join('');
  const words = coreWords(long);
  return acronymOf(long) === name || (words.length > 1 && words.map((word) => word[0]).join('') === name);
}

/** "msft" for "microsoft": consonants in order, with few letters missing. */
function tickerOf(x: string, y: string): boolean {
  const [short, long] = x.length <= y.length ? [x, y] : [y, x];
  return short.length >= 3 && short.length <= 5 && long.length >= short.length + 2 && abbreviates(short, long) && !/[eiou]/.test(short);
}

const weightOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + wordWeight(word), 0);

/** Types that are not clearly separated, so that a difference is weak evidence. */
const related = [
  ['customer', 'organization', 'company', 'account', 'competitor'],
  ['stakeholder', 'person', 'user', 'contact'],
  ['issue', 'theme', 'bug', 'ticket', 'problem'],
  ['feature', 'product', 'component', 'theme', 'integration'],
];

const isPerson = (type: string): boolean => related[1]!.includes(type);
const isCompany = (type: string): boolean => related[0]!.includes(type);

export function sortOf(a: string, b: string): NameSort {
  if (isPerson(a) && isPerson(b)) return 'person';
  return isCompany(a) && isCompany(b) ? 'company' : 'other';
}

export function typeLevel(a: string, b: string): number {
  if (a === b) return 2;
  return related.some((group) => group.includes(a) && group.includes(b)) ? 1 : 0;
}

export function numberLevel(a: string, b: string): number {
  const left = new Set(numerals(a));
  const right = new Set(numerals(b));
  if (left.size === 0 && right.size === 0) return -1;
  const common = [...left].filter((number) => right.has(number)).length;
  if (common === left.size && common === right.size) return 2;
  return common === Math.min(left.size, right.size) ? 1 : 0;
}

/** Also Roman numerals at the end: "Phase II". */
function numerals(key: string): string[] {
  const words = keyWords(key);
  const last = words.length > 1 && /^(?:i{1,3}|iv|vi{0,3}|ix|x)$/.test(words.at(-1)!) ? [words.at(-1)!] : [];
  return [...numbersOf(key).map((number) => number.replace(/^0+(?=\d)/, '')), ...last];
}

export function neighbourLevel(a: NamedThing['neighbours'], b: NamedThing['neighbours']): number {
  if (!a || !b || a.size === 0 || b.size === 0) return -1;
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let common = 0;
  for (const id of small) if (large.has(id)) common++;
  if (common === 0) return small.size >= 3 ? 0 : -1;
  return common >= 2 && common >= small.size / 2 ? 2 : 1;
}

export function cosineLevel(a: NamedThing['embedding'], b: NamedThing['embedding']): number {
  if (!a || !b || a.length !== b.length || a.length === 0) return -1;
  let cosine = 0;
  for (let i = 0; i < a.length; i++) cosine += a[i]! * b[i]!;
  if (Number.isNaN(cosine)) return -1;
  return cosine >= 0.9 ? 3 : cosine >= 0.75 ? 2 : cosine >= 0.5 ? 1 : 0;
}

export const rarityLevel = (shared: number): number => (shared >= 1.5 ? 2 : shared >= 0.75 ? 1 : 0);

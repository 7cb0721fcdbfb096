import { edits } from '../linkage/strings.ts';
import { acronymOf, coreWords, keyWords, numbersOf } from './names.ts';

/** Pure: how likely two names mean the same. */

/** Names with an extra word are different until somebody confirms: below every threshold for acceptance. */
const withMore = 0.84;

/**
 * 0 to 1, symmetric. 1 equal; 0.95 except for the legal form or spaces; about 0.9 misspelt; 0.8 an acronym; up to
 * 0.84 with extra or shortened words (half the words: 0.6); at most 0.5 when numbers differ.
 */
export function nameSimilarity(a: string, b: string): number {
  if (a === b) return a === '' ? 0 : 1;
  const [left, right] = [coreWords(a), coreWords(b)];
  if (differ(numbersOf(a), numbersOf(b))) return Math.min(0.5, aligned(keyWords(a), keyWords(b)));
  if (left.join('') === right.join('')) return bothForms(a, b) ? 0.9 : 0.95;
  const core = aligned(left, right);
  // Extra words are compared with the legal form: "Acme Corp" is not the feature "Acme Integration".
  const best = Math.max(aligned(keyWords(a), keyWords(b)), core > withMore ? core : 0, acronym(a, b) ? 0.8 : 0, spelling(a, b));
  return Math.round(best * 1000) / 1000;
}

/** Similarity of whole names, for "did you mean": too weak to accept. */
function spelling(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  const ratio = 1 - edits(a, b, Math.floor(longer / 4)) / longer;
  return ratio >= 0.75 ? Math.min(withMore, ratio) : 0;
}

/** "Acme Inc" and "Acme GmbH" may be different companies. */
const bothForms = (a: string, b: string): boolean => keyWords(a).length > coreWords(a).length && keyWords(b).length > coreWords(b).length;

const differ = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && b.length > 0 && a.toSorted().join(' ') !== b.toSorted().join(' ');

const acronym = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const [only, ...more] = coreWords(short);
  return only !== undefined && more.length === 0 && only.length > 1 && acronymOf(long) === only;
};

/** Each word with the most similar unused word of the other name. */
function aligned(a: readonly string[], b: readonly string[]): number {
  const pairs = a
    .flatMap((word, i) => b.map((other, j) => ({ i, j, ...likeness(word, other) })))
    .filter((pair) => pair.score > 0)
    .sort((x, y) => y.score - x.score || Math.abs(x.i - x.j) - Math.abs(y.i - y.j));
  const taken = { a: new Set<number>(), b: new Set<number>() };
  let sum = 0;
  let inOrder = true;
  let shortened = false;
  for (const pair of pairs) {
    if (taken.a.has(pair.i) || taken.b.has(pair.j)) continue;
    taken.a.add(pair.i);
    taken.b.add(pair.j);
    sum += pair.score;
    inOrder &&= pair.i === pair.j;
    shortened ||= pair.shortened;
  }
  const left = a.length + b.length - taken.a.size - taken.b.size;
  const share = (2 * sum) / (a.length + b.length);
  if (left > 0 || shortened) return Math.min(withMore, 0.9 * share);
  return (inOrder ? 0.95 : 0.9) * share;
}

function likeness(word: string, other: string): { score: number; shortened: boolean } {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  // "auth" of "authentication".
  const shortened = short.length >= 3 && short.length * 3 <= long.length * 2 && long.startsWith(short);
  return shortened ? { score: 0.75, shortened } : { score: misspelt(short, long), shortened };
}

/** Short words allow fewer typos, words with digits none. "Austria" is not a typo of "Australia". */
function misspelt(short: string, long: string): number {
  if (short === long) return 1;
  if (short.length < 4 || /\p{N}/u.test(short + long)) return 0;
  const distance = edits(short, long, 2);
  const begin = short[0] === long[0];
  if (distance === 1) return begin && long.length >= 6 ? 0.95 : 0.7;
  if (distance !== 2 || !begin || long.length < 6) return 0;
  return long.length >= 14 || (long.length >= 10 && long.length - short.length < 2) ? 0.9 : 0.7;
}

import { edits } from '../linkage/strings.ts';
import { coreWords, keyWords, nameKey, numbersOf } from '../text/names.ts';
import { firstLetter, fits } from './clues-renames.ts';

/** Which names are forms of one name. Keys are name keys. */

/** Whether people say that two keys are different things. */
export type Apart = (a: string, b: string) => boolean;

/** What is compared of a key. */
interface Parts {
  words: readonly string[];
  core: readonly string[];
  joined: string;
  oneLetter: string;
  numbers: string;
}

/** Each key is compared with many others. */
const known = new Map<string, Parts>();
const mostKnown = 20_000;

function partsOf(key: string): Parts {
  const before = known.get(key);
  if (before) return before;
  const core = coreWords(key);
  const parts = { words: keyWords(key), core, joined: core.join(''), oneLetter: oneLetter(core), numbers: numbersOf(key).join(' ') };
  if (known.size >= mostKnown) known.clear();
  known.set(key, parts);
  return parts;
}

/** The same except for the legal form, spaces, or one or two letters of a long word. */
export function isSpelling(a: string, b: string): boolean {
  const [one, other] = [partsOf(a), partsOf(b)];
  if (one.joined === other.joined || one.oneLetter === other.oneLetter) return true;
  const [left, right] = [one.core, other.core];
  if (left.length !== right.length || one.numbers !== other.numbers) return false;
  let wrong = 0;
  for (const [i, word] of left.entries()) {
    if (word === right[i]) continue;
    wrong += 1;
    const length = Math.max(word.length, right[i]!.length);
    // A short word may be misspelt beside two others that are right.
    const most = length >= 10 ? 2 : length >= 7 || (length >= 4 && left.length > 2) ? 1 : 0;
    if (wrong > 1 || most === 0 || word[0] !== right[i]![0] || edits(word, right[i]!, most) > most) return false;
  }
  return true;
}

/** Keys write "ü" as "u"; somebody without that key on the keyboard writes "ue". */
const oneLetter = (words: readonly string[]): string => words.join('').replace(/([aou])e/g, '$1');

/** Two keys of which `isSpelling` holds share one of these: the letters, or all words but one and a part of that one. */
export function blocksOfSpelling(key: string): string[] {
  const { core, joined, oneLetter: letters } = partsOf(key);
  const blocks = core.flatMap((word, i) => partsOfMisspelt(word, core.length > 2).map((part) => core.with(i, `*${part}`).join(' ')));
  return [`=${joined}`, `~${letters}`, ...blocks];
}

/**
 * What stays of a word that `isSpelling` takes for a misspelt one: its first letter, and its beginning or its end, or between two
 * wrong letters its middle, which may stand one letter further. Without these, all names of one word would be compared with
 * each other.
 */
function partsOfMisspelt(word: string, besideTwo: boolean): string[] {
  if (besideTwo) return word.length < 3 ? [] : [word[0]!];
  // The longer of two words has seven letters at least.
  if (word.length < 6) return [];
  const parts = [`${word.slice(0, 3)}-`, `${word[0]}-${word.slice(-3)}`];
  return word.length < 8 ? parts : [...parts, ...[2, 3, 4].map((from) => `${word[0]}-${word.slice(from, from + 2)}-`)];
}

/** Finds what was added under keys that may be spellings of a key, without comparing with all. */
export class BySpelling<T> {
  private readonly order = new Map<T, number>();
  private readonly blocks = new Map<string, Set<T>>();

  add(key: string, value: T): void {
    if (!this.order.has(value)) this.order.set(value, this.order.size);
    for (const block of blocksOfSpelling(key)) {
      const known = this.blocks.get(block);
      if (known) known.add(value);
      else this.blocks.set(block, new Set([value]));
    }
  }

  /** Candidates, those first that were added first. */
  near(key: string): T[] {
    const found = new Set(blocksOfSpelling(key).flatMap((block) => [...(this.blocks.get(block) ?? [])]));
    return [...found].sort((a, b) => this.order.get(a)! - this.order.get(b)!);
  }
}

/** What a key must be for `isShort` to hold of it and the name: a beginning of the name, or one of its longer words. */
export function shortsOf(long: string): string[] {
  const { words } = partsOf(long);
  return [...new Set([...words.slice(0, -1).map((_, i) => words.slice(0, i + 1).join(' ')), ...words.filter((word) => word.length >= 5)])];
}

/** A beginning of the name, or one telling word of it. */
export function isShort(short: string, long: string): boolean {
  const [few, all] = [partsOf(short).words, partsOf(long).words];
  if (few.length === 0 || few.length >= all.length) return false;
  if (few.every((word, i) => word === all[i])) return few.join('').length >= 4;
  return few.length === 1 && few[0]!.length >= 5 && all.includes(few[0]!);
}

/** Written as initials are. */
export const maybeInitials = (written: string): boolean => /^\p{Lu}[\p{Lu}\p{N}.&]{1,5}$/u.test(written.trim());

/** "BFO" of "Brookfield Oil" */
export const isInitials = (written: string, long: string): boolean =>
  maybeInitials(written) && keyWords(nameKey(long)).length > 1 && fits(lettersOf(written), long);

const lettersOf = (written: string): string => written.replace(/[.&]/g, '');

/** What initials begin with, and the names that they may be of. */
export const beginningOfInitials = (written: string): string | undefined => lettersOf(written).toLowerCase()[0];
export const beginningOfName = (written: string): string | undefined =>
  keyWords(nameKey(written)).length > 1 ? firstLetter(written) : undefined;

/**
 * How well the label of a domain or file fits a name: 2 it is made of the name ("hof-muehle", "muehlenhof"), 1 it has
 * one long word of it, 0 not at all.
 */
export function labelFit(domain: string, name: string): 0 | 1 | 2 {
  const label = domain.split('.').slice(-2)[0] ?? '';
  const plain = label.replace(/[^a-z0-9]/g, '');
  const parts = label.split(/[^a-z0-9]+/).filter(Boolean);
  let best: 0 | 1 | 2 = 0;
  for (const words of [folded(name), folded(name, true)]) {
    const joined = words.join('');
    const short = words.filter((word) => word.length > 3).join('');
    if (joined === plain || short === plain) return 2;
    if (plain.length < 3) continue;
    if ((plain.length >= 4 && joined.startsWith(plain)) || (plain.length >= 6 && joined.endsWith(plain))) return 2;
    let at = 0;
    for (const word of words) if (at < parts.length && parts[at]!.length >= 3 && word.startsWith(parts[at]!)) at += 1;
    if (parts.length > 1 && at === parts.length) return 2;
    if (words.some((word) => word.length >= 5 && parts.includes(word))) best = 1;
  }
  return best;
}

/** Words of a name in ASCII; German umlauts as two letters or as one. */
function folded(name: string, one = false): string[] {
  const text = one ? name : name.normalize('NFC').replace(/[äÄ]/g, 'ae').replace(/[öÖ]/g, 'oe').replace(/[üÜ]/g, 'ue').replace(/ß/g, 'ss');
  return coreWords(nameKey(text));
}

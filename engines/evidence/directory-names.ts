import { edits } from '../linkage/strings.ts';
import { coreWords, keyWords, nameKey, numbersOf } from '../text/names.ts';
import { fits } from './clues-renames.ts';

/** Which names are forms of one name. Keys are name keys. */

/** Whether people say that two keys are different things. */
export type Apart = (a: string, b: string) => boolean;

/** The same except for the legal form, spaces, or one or two letters of a long word. */
export function isSpelling(a: string, b: string): boolean {
  const [left, right] = [coreWords(a), coreWords(b)];
  if (left.join('') === right.join('') || oneLetter(left) === oneLetter(right)) return true;
  if (left.length !== right.length || numbersOf(a).join(' ') !== numbersOf(b).join(' ')) return false;
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

/** A beginning of the name, or one telling word of it. */
export function isShort(short: string, long: string): boolean {
  const [few, all] = [keyWords(short), keyWords(long)];
  if (few.length === 0 || few.length >= all.length) return false;
  if (few.every((word, i) => word === all[i])) return few.join('').length >= 4;
  return few.length === 1 && few[0]!.length >= 5 && all.includes(few[0]!);
}

/** "BFO" of "Brookfield Oil" */
export const isInitials = (written: string, long: string): boolean =>
  /^\p{Lu}[\p{Lu}\p{N}.&]{1,5}$/u.test(written.trim()) && keyWords(nameKey(long)).length > 1 && fits(written.replace(/[.&]/g, ''), long);

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

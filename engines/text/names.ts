import { doubleMetaphone } from 'double-metaphone';
import { companyName } from './companies.ts';

/** Pure: keys for comparing names. Keys are stored in rows; changing them needs a migration. */

/** Longest key; longer texts are not names. */
export const maxKey = 120;

/** Words for the kind of company, which do not identify it. */
const legalForms = new Set(
  'inc incorporated corp corporation co company ltd limited llc llp plc gmbh ag sa sas sarl srl spa bv nv oy ab as aps kg kgaa pty pvt holdings holding group'.split(
    ' ',
  ),
);

/** A name's key: without compatibility forms, accents, case and punctuation. Empty: not a name. */
export function nameKey(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    // Possessives and quotes are not part of the name.
    .replace(/['’`]s\b/gu, '')
    .replace(/['’`"“”]/gu, '')
    // "AT&T", "C++", "C#" and "node.js" keep their signs as words.
    .replace(/&/gu, ' and ')
    .replace(/(?<=\p{L})\+\+/gu, 'pp')
    .replace(/(?<=\p{L})#/gu, 'sharp')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const words = plain.split(' ').filter(Boolean);
  return beginning((words[0] === 'the' && words.length > 1 ? words.slice(1) : words).join(' '), maxKey).trim();
}

/** The beginning, without a lone surrogate at its end. */
const beginning = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

export const keyWords = (key: string): string[] => (key === '' ? [] : key.split(' '));

/** The identifying words; all words when nothing else is left. */
export function coreWords(key: string): string[] {
  const words = keyWords(key);
  const core = words.filter((word) => !legalForms.has(word));
  return core.length > 0 ? core : words;
}

/** First letters, e.g. "ibm"; null for names of one word. */
export function acronymOf(key: string): string | null {
  const words = coreWords(key).filter((word) => !small.has(word));
  return words.length > 1 ? words.map((word) => String.fromCodePoint(word.codePointAt(0)!)).join('') : null;
}
const small = new Set('of and the for in on at to de la le du der die das und et y'.split(' '));

/** Numbers in a name: "iOS 16" and "iOS 17" differ only in these. */
export const numbersOf = (key: string): string[] => keyWords(key).filter((word) => /\p{N}/u.test(word));

/**
 * Blocks of a name: two names that may be the same share a block. `w:` a word, `s:` the sound of one, `a:` an
 * acronym, `j:` all letters joined (for "Data Dog" and "Datadog").
 */
export function blocksOf(key: string): string[] {
  const core = coreWords(key);
  const blocks = new Set<string>();
  for (const word of core) {
    if (small.has(word)) continue;
    blocks.add(`w:${beginning(word, 40)}`);
    if (/^\p{L}{4,}$/u.test(word)) for (const sound of doubleMetaphone(word)) if (sound.length > 1) blocks.add(`s:${sound.slice(0, 12)}`);
  }
  // A name of another script shares a block with its Latin form.
  if (/[^\u0000-\u007f]/.test(key))
    for (const word of companyName(key).split(' ')) if (word.length >= 2) blocks.add(`w:${beginning(word, 40)}`);
  const acronym = acronymOf(key);
  if (acronym && acronym.length >= 2 && acronym.length <= 6) blocks.add(`a:${acronym}`);
  if (core.length === 1 && core[0]!.length >= 2 && core[0]!.length <= 6) blocks.add(`a:${core[0]}`);
  const joined = core.join('');
  if (joined.length >= 5) blocks.add(`j:${beginning(joined, 40)}`);
  return [...blocks];
}

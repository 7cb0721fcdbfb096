import anyAscii from 'any-ascii';

/** Pure: texts of all scripts in Latin letters, so that "Αθήνα" and "Athina", "Łódź" and "Lodz" can be compared. */

const ascii = /^[\u0000-\u007f]*$/;
const han = /\p{Script=Han}/u;
const letters = /[\p{L}\p{M}\p{N}]+/gu;
const lettersButHan = /(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu;

/**
 * @param keepHan leaves Chinese characters, because different words sound the same
 * @returns lower case, with signs and spaces as they are
 */
export function latin(text: string, keepHan = false): string {
  const lower = text.toLowerCase();
  // Composed: a mark may belong to the letter, as in Japanese and Korean.
  return ascii.test(lower)
    ? lower
    : lower.normalize('NFKC').replace(keepHan ? lettersButHan : letters, (word) => anyAscii(word).toLowerCase().replaceAll("'", ''));
}

/** "&amp;" and the like. */
export const entities = /&(?:#\d{2,5}|[a-z]{2,6});/g;
/** Also those of "Cooper 's". */
export const apostrophes = /(?:\s+['’`](?=\p{L}{1,2}\b))|['’`]/gu;

export const hasHan = (text: string): boolean => han.test(text);

/** Whether one text is in Latin letters and the other has letters of another script. */
export const acrossScripts = (a: string, b: string): boolean => isLatin(a) !== isLatin(b);
const isLatin = (text: string): boolean => !/(?!\p{Script=Latin})\p{L}/u.test(text);

/**
 * Whether two words may be one, once transliterated: the same consonants in the same order. Languages write the vowels
 * of a name, and its voiced consonants, in different ways.
 */
export function soundsAcross(x: string, y: string): boolean {
  const [a, b] = [x, y].map((word) => word.replaceAll('y', 'i').replace(/(.)\1+/g, '$1')) as [string, string];
  if (a === b) return true;
  const [p, q] = [consonants(a), consonants(b)];
  return p.length >= 3 && p === q && vowel.test(a[0]!) === vowel.test(b[0]!);
}

const vowel = /[aeiou]/;
const voiceless: Record<string, string> = { d: 't', g: 'k', q: 'k', c: 'k', z: 's', b: 'p', v: 'p', l: 'r' };
const consonants = (word: string): string =>
  word
    .replace(/ph/g, 'f')
    .replace(/x/g, 'ks')
    .replace(/[aeiouhw\W]/g, '')
    .replace(/./g, (letter) => voiceless[letter] ?? letter)
    .replace(/(.)\1+/g, '$1');

/** Whether some values are in Chinese characters and others are not. */
export function mixesHan(lists: readonly (readonly string[])[]): boolean {
  let [having, lacking] = [0, 0];
  for (const values of lists) {
    for (const value of values) {
      if (han.test(value)) having++;
      else if (value !== '') lacking++;
    }
  }
  return having > 0 && lacking > 0.05 * having;
}

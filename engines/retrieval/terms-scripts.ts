/** Rules for scripts and languages: the same word, written in several ways, gets the same term. */

/**
 * NFKC, except that the vowel am of Thai and Lao stays one letter: words with it stand in the segmenter's dictionary in
 * this form only.
 */
export const normalText = (text: string): string =>
  text.normalize('NFKC').replace(/\u0e4d\u0e32|\u0ecd\u0eb2/g, (pair) => (pair[0] === '\u0e4d' ? '\u0e33' : '\u0eb3'));

/**
 * Forms under which a word is found, mostly one.
 * @param word lower case, with letters beyond ASCII
 */
export function foldedWord(word: string): string[] {
  if (/^[\p{Script=Latin}\p{M}]+$/u.test(word)) return latin(word);
  if (/^[\p{Script=Arabic}\p{M}\u0640]+$/u.test(word)) return [arabicStem(arabic(word))];
  if (/^[\p{Script=Hebrew}\p{M}]+$/u.test(word)) return [word.replace(/\p{M}/gu, '')];
  if (/^[\p{Script=Greek}\p{M}]+$/u.test(word)) return [unmarked(word).replaceAll('ς', 'σ')];
  if (/^\p{Script=Cyrillic}+$/u.test(word)) return [word.replaceAll('ё', 'е')];
  return [word];
}

const unmarked = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');

const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };
const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** café → cafe; Straße → strasse; Müller → muller and mueller, because both are written where the keyboard has no ü. */
function latin(word: string): string[] {
  const plain = word.normalize('NFC').replace(/[ßæœøłđðþı]/g, (letter) => letters[letter]!);
  const bare = unmarked(plain);
  return /[äöü]/.test(plain) ? [bare, unmarked(plain.replace(/[äöü]/g, (letter) => umlauts[letter]!))] : [bare];
}

/** Without vowel signs and the stretching tatweel; one form of alef, yeh, kaf and the final t. */
const arabic = (word: string): string =>
  word
    .replace(/[\p{M}\u0640]/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/[ىی]/g, 'ي')
    .replaceAll('ک', 'ك')
    .replaceAll('ة', 'ه');

const articles = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال'];
const endings = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي'];

/** The light stemmer "light10": the article and conjunctions before a word, and common endings, while two letters stay. */
function arabicStem(word: string): string {
  let stem = word;
  const article = articles.find((each) => stem.startsWith(each) && stem.length >= each.length + 2);
  if (article) stem = stem.slice(article.length);
  else if (stem.startsWith('و') && stem.length >= 4) stem = stem.slice(1);
  for (const ending of endings) if (stem.endsWith(ending) && stem.length >= ending.length + 2) stem = stem.slice(0, -ending.length);
  return stem;
}

/**
 * Pairs of neighbouring characters of Chinese characters in a row, and of the syllables of a Korean word, with their places.
 * The segmenter may cut a query in another way than a passage, and Korean words have their particles attached.
 */
export function* pairsOf(text: string): Generator<{ pair: string; at: number }> {
  for (const { 0: run, index } of text.matchAll(/\p{Script=Han}{2,}|\p{Script=Hangul}{3,}/gu)) {
    const characters = Array.from(run);
    let at = index;
    for (let i = 0; i + 1 < characters.length; i += 1) {
      yield { pair: characters[i]! + characters[i + 1]!, at };
      at += characters[i]!.length;
    }
  }
}

import { stemmer } from 'stemmer';
import { foldedWord, normalText, pairsOf } from './terms-scripts.ts';

/**
 * Raise it when `terms` gives other terms for some texts: documents whose words were written by an earlier version are written
 * again in the background (services/knowledge/reindex.ts), if `changedSince` says so.
 */
export const termsVersion = 2;

/** Whether the terms of a text have changed since a version. Version 2 changed words with letters beyond ASCII. */
export const changedSince = (version: number, text: string): boolean => version < 2 && /[^\x00-\x7f]/.test(text);

/** English stop words; contractions without apostrophe. */
const stopwords = new Set(
  (
    'a about above after again against all also am an and any are arent as at be because been before being below between both but by ' +
    'can cant cannot could couldnt did didnt do does doesnt doing dont down during each few for from further had hadnt has hasnt have havent having ' +
    'he her here hers herself him himself his how i id ill im ive if in into is isnt it its itself just me more most my myself no nor not of off on once only or ' +
    'other our ours ourselves out over own same she should shouldnt so some such than that thats the their theirs them themselves then there these they ' +
    'this those through to too under until up very was wasnt we were werent what when where which while who whom why will with wont would wouldnt ' +
    'you your yours yourself yourselves'
  ).split(' '),
);

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Longer "words" are data (hashes, base64): their start is sufficient, and keeps the index small. */
const maxTermLength = 64;

/** Tokens that the segmenter would split or drop: ticket ids (ABC-123) and the languages C++, C#, F#. */
const wholes = /(?<![\p{L}\p{N}_-])(?:[A-Za-z][A-Za-z0-9]{0,9}-\d{1,9}(?![\p{L}\p{N}])|[Cc]\+\+|[CcFf]#(?![\p{L}\p{N}]))/gu;

/**
 * The terms of a text for BM25; the same for passages and queries. Words from Unicode segmentation (Chinese, Japanese
 * and Thai by dictionary), NFKC, lower case, without English stop words; words in Latin script without accents and
 * with the Porter stem; other scripts as terms-scripts.ts says. Chinese characters and Korean words also by pairs. Identifiers (`getUserName`, `user_name`, `node.js`) count whole and by parts; numbers,
 * versions (`v2.1.3`, also as `2.1.3`) and ticket ids (`ABC-123`) stay whole. In order.
 */
export function terms(text: string): string[] {
  const normal = normalText(text);
  const found: string[] = [];
  for (const match of normal.matchAll(wholes)) found.push(match[0].toLowerCase());
  // In windows, because the segmenter's cost per call grows with the length of its input.
  for (const window of windows(normal)) {
    const whole = new Set<number>();
    for (const { segment, index, isWordLike } of segmenter.segment(window)) {
      if (isWordLike !== true) continue;
      if (segment.length === 2) whole.add(index);
      addWord(segment, found);
    }
    // A word of two characters is such a pair itself.
    for (const { pair, at } of pairsOf(window)) if (!whole.has(at)) found.push(pair);
  }
  return found;
}

/** Places in the text whose terms are among the wanted ones, in order. UTF-16 offsets. */
export function termPlaces(text: string, wanted: ReadonlySet<string>, most: number): [start: number, end: number][] {
  const places: [number, number][] = [];
  for (const match of text.matchAll(wholes)) {
    if (wanted.has(match[0].normalize('NFKC').toLowerCase())) places.push([match.index, match.index + match[0].length]);
  }
  let from = 0;
  for (const window of windows(text)) {
    for (const { segment, index, isWordLike } of segmenter.segment(window)) {
      if (isWordLike !== true || !terms(segment).some((term) => wanted.has(term))) continue;
      places.push([from + index, from + index + segment.length]);
    }
    for (const { pair, at } of pairsOf(window)) if (wanted.has(pair)) places.push([from + at, from + at + pair.length]);
    from += window.length;
  }
  places.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  // A part of a place that is marked as a whole is not marked again.
  let end = 0;
  return places.filter((place) => place[0] >= end && (end = place[1]) > 0).slice(0, most);
}

/**
 * Term frequencies of a passage; the words of its title count twice, because they describe its subject. The passage's
 * length for `bm25` is the sum of the values.
 */
export function termFrequencies(text: string, title?: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (term: string, weight: number): void => void counts.set(term, (counts.get(term) ?? 0) + weight);
  for (const term of terms(text)) add(term, 1);
  if (title !== undefined) for (const term of terms(title)) add(term, titleWeight);
  return counts;
}

const titleWeight = 2;

/** Weight of a term that `df` of `n` passages contain; never negative. */
export const idf = (df: number, n: number): number => Math.log(1 + (n - df + 0.5) / (df + 0.5));

/**
 * The part of one term in a passage's score (Okapi BM25).
 * @param tf occurrences of the term in the passage
 * @param dl length of the passage in terms
 * @param avgdl average length in the collection
 * @param df number of passages with the term
 * @param n number of passages
 */
export function bm25(tf: number, dl: number, avgdl: number, df: number, n: number, k1 = 1.2, b = 0.75): number {
  return (idf(df, n) * tf * (k1 + 1)) / (tf + k1 * (1 - b + (b * dl) / (avgdl || 1)));
}

const windowSize = 4096;

/** Cuts at white space near every 4096 characters, or anywhere in a longer run without any. */
function* windows(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > windowSize) {
    let end = start + windowSize;
    while (end > start && !/\s/.test(text[end]!)) end--;
    if (end === start) end = start + windowSize;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

function addWord(word: string, found: string[]): void {
  if (/^[a-z]+$/.test(word) || /^[\p{Lu}\p{Ll}]\p{Ll}*$/u.test(word) || /^\p{Lu}+$/u.test(word)) {
    addPlain(word, found);
  } else if (/^[\d.,]+$/.test(word)) {
    // 1,000.50 and 1000.50 are the same number.
    found.push(word.replaceAll(',', '').slice(0, maxTermLength));
  } else if (/['’]/.test(word)) {
    addPlain(word.replace(/['’]s$/i, '').replace(/['’]/g, ''), found);
  } else if (/^v\d[\d.]*$/i.test(word)) {
    found.push(word.toLowerCase().slice(0, maxTermLength));
    if (word.includes('.')) found.push(word.slice(1, maxTermLength + 1));
  } else {
    addIdentifier(word, found);
  }
}

/**
 * Words with an inner upper-case letter, dot, underscore or colon: whole, by dotted parts, and by the words in those.
 * Whole ones are stemmed like words, because a query may write them in lower case. Other scripts are unchanged.
 */
function addIdentifier(word: string, found: string[]): void {
  const bounded = word.slice(0, 4 * maxTermLength);
  const parts = bounded.split(/[._:]+/).filter((part) => part !== '');
  if (parts.length > 1) addPlain(bounded, found);
  for (const part of parts) {
    addPlain(part, found);
    const words = part.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
    if (words.length > 1) for (const each of words) if (each.length > 1) addPlain(each, found);
  }
}

function addPlain(word: string, found: string[]): void {
  const lower = word.toLowerCase();
  for (const plain of /^[\x00-\x7f]*$/.test(lower) ? [lower] : foldedWord(lower)) {
    if (plain === '' || stopwords.has(plain)) continue;
    found.push((plain.length <= maxTermLength && /^[a-z]{3,}$/.test(plain) ? stem(plain) : plain).slice(0, maxTermLength));
  }
}

/** Few words make up most of any text. The cache is cleared when full, which is simple and rare. */
const stems = new Map<string, string>();
const maxStems = 50_000;

function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= maxStems) stems.clear();
  const stemmed = stemmer(word);
  stems.set(word, stemmed);
  return stemmed;
}

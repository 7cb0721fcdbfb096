import { scan, type Scanned, type Sentence, type Token } from '../extraction/tokens.ts';
import { calendarWords, demonyms, foreignWords, honorifics, openers, stopWords } from '../extraction/words.ts';
import { monthOf } from './when-dates.ts';
import type { EvidenceInput, Layout, Unit } from './types.ts';

/** Reading of names in a document's units. */

export interface Segment {
  unit: Unit;
  text: string;
  scanned: Scanned;
}

/** A run of capitalised words in a segment. */
export interface WrittenName {
  text: string;
  /** UTF-16 offsets in the segment. */
  start: number;
  end: number;
  words: number;
  /** Its capital is no evidence: it begins a sentence, or all words around it have capitals. */
  weak: boolean;
}

/** Omissions that are not language about the product. */
const mute: ReadonlySet<string | null> = new Set(['signature', 'header', 'automatic', 'empty', 'instruction']);

export function segmentsOf(input: EvidenceInput, layout: Layout): Segment[] {
  return layout.units.flatMap((unit): Segment[] => {
    const body = input.passages[unit.passage]?.text.slice(unit.start, unit.end) ?? '';
    // A ticket's text continues its subject: "it" is what the subject names.
    const text = unit.row?.subject ? `${unit.row.subject}\n${body}` : body;
    return mute.has(unit.omitted) || body === '' ? [] : [{ unit, text, scanned: scan(text) }];
  });
}

/** A name for a regular expression: up to four capitalised words. Bounded, so that matching stays linear. */
export const namePattern = String.raw`\p{Lu}[\p{L}\p{N}\p{M}'’&-]{0,40}(?:[ \u00a0][\p{Lu}\p{N}][\p{L}\p{N}\p{M}'’&-]{0,40}){0,3}`;

/** Names of months, days and peoples, function words: no part of a name may be only these. */
const empty = (lower: string): boolean =>
  stopWords.has(lower) ||
  foreignWords.has(lower) ||
  calendarWords.has(lower) ||
  demonyms.has(lower) ||
  openers.has(lower) ||
  honorifics.has(lower);

/** Without leading function words, possessive and punctuation; '' if nothing is left that can be a name. */
export function trimmedName(written: string): string {
  const words = written
    .replace(/['’]s?$/u, '')
    .replace(/[-&'’]+$/u, '')
    .split(/[ \u00a0]+/);
  while (words.length > 0 && empty(plainWord(words[0]!))) words.shift();
  while (words.length > 0 && empty(plainWord(words.at(-1)!))) words.pop();
  const isDate =
    words.some((word) => calendarWords.has(plainWord(word)) || monthOf(word) !== undefined || /^\d{4}$/.test(word)) ||
    /^\d/.test(words[0] ?? '');
  return words.length > 0 && !isDate && /\p{L}{2}/u.test(words.join('')) ? words.join(' ') : '';
}

const plainWord = (word: string): string => word.toLowerCase().replaceAll('’', "'");

/** All runs of capitalised words, without leading function words. */
export function writtenNames({ scanned }: Pick<Segment, 'scanned'>): WrittenName[] {
  return scanned.sentences.flatMap((sentence) => (sentence.shouted ? [] : runsOf(scanned, sentence)));
}

function runsOf({ tokens, text, english }: Scanned, sentence: Sentence): WrittenName[] {
  const names: WrittenName[] = [];
  for (let i = sentence.from; i < sentence.to; i += 1) {
    if (!isPart(tokens[i]!)) continue;
    let end = i + 1;
    while (end < sentence.to && end - i < 5 && tokens[end]!.tight && isPart(tokens[end]!)) end += 1;
    const { start } = tokens[i]!;
    const stop = tokens[end - 1]!.end;
    names.push({
      text: text.slice(start, stop),
      start,
      end: stop,
      words: end - i,
      weak: sentence.titled || tokens[i]!.first || (end - i === 1 && !english),
    });
    i = end - 1;
  }
  return names;
}

const isPart = (token: Token): boolean => token.cap && !empty(token.lower) && !/[\d_]/.test(token.text[0]!);

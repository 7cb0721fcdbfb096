import type { Reading, Span } from './spans.ts';
import type { Sentence, Token } from './tokens.ts';
import { typeOf } from './typing.ts';
import { calendarWords, demonyms, honorifics, legalForms, openers, plainWords, roleWords, stopWords } from './words.ts';

/** Maximum words of a name. */
const longest = 9;
/** Maximum for other languages, where capitals have other meanings. */
const mostForeign = 8;
const inner = new Set('of the de la le du von van der den del della di da dos el al bin ibn y e und for'.split(' '));
/** After these and "of" another name follows: "President of France". */
const offices = new Set(
  'president vice-president mayor governor minister ceo cto cfo coo director member head captain chairman chairwoman king queen prince princess emperor empress secretary ambassador leader founder owner author manager professor vp chief governor-general chancellor premier archbishop bishop'.split(
    ' ',
  ),
);
/** Ordinals of a role. */
const rankWords = new Set(
  'prime vice deputy assistant associate executive managing creative technical senior junior former acting lead first second us u.s'.split(
    ' ',
  ),
);
/** Roles and titles that are often part of a name: "Queen Latifah", "General Electric", "St. Louis". */
const partsOfNames = new Set(
  'st saint lord lady general major prince princess king queen count countess sir dame duke duchess earl baron golf head lead father mother sister brother pope emperor empress artist fashion model driver'.split(
    ' ',
  ),
);
/** "American-based", "Grammy-winning": a property, not a name. */
const compound =
  /-(?:based|born|winning|speaking|style|styled|like|wide|led|owned|era|made|trained|nominated|only|free|ready|level|related|backed|controlled|occupied|listed|centered|themed|oriented|friendly|side|day|year|time|end|in|up|out|off|on)$/;

/** Files and settings. */
const technical = /\.(?:md|ts|tsx|py|json|ya?ml|txt|csv|pdf|docx?|xlsx?|pptx?|html?|png|jpe?g|zip)$|_/i;

/** Written names: sequences of capitalized words, without mere sentence openers and form labels. */
export function properNames(reading: Reading): Span[] {
  const { tokens, sentences, english } = reading.scanned;
  const spans: Span[] = [];
  for (const sentence of sentences) {
    if (sentence.shouted) continue;
    for (let i = sentence.from; i < sentence.to;) {
      if (!canOpen(tokens[i]!, sentence)) {
        i += 1;
        continue;
      }
      const end = runEnd(tokens, i, sentence);
      for (const [from, to] of parted(tokens, i, end)) {
        const span = named(reading, sentence, from, to);
        if (span && (english || isForeignName(reading, span, from))) spans.push(span);
      }
      i = end;
    }
  }
  return english ? spans : spans.slice(0, mostForeign);
}

const isWord = (token: Token): boolean =>
  token.cap &&
  !compound.test(token.lower) &&
  !technical.test(token.text) &&
  !calendarWords.has(token.lower) &&
  !isStop(token) &&
  token.text !== 'I';

/** Function words, except "US", "IT" and "WHO". */
const isStop = (token: Token): boolean => stopWords.has(token.lower) && !(token.upper && /^(?:us|who)$/.test(token.lower));

const canOpen = (token: Token, sentence: Sentence): boolean =>
  isWord(token) && !(token.first && openers.has(token.lower)) && !(sentence.titled && token.text.length === 1);

/** The end of a name; numbers may follow ("iOS 17"), small words may be inside ("Bank of America"). */
function runEnd(tokens: readonly Token[], from: number, sentence: Sentence): number {
  let end = from + 1;
  for (let i = from + 1; i < sentence.to && i - from < longest; i += 1) {
    const token = tokens[i]!;
    if (!token.tight) return token.cap && legalForms.has(token.lower) && i === end ? i + 1 : end;
    if (isWord(token)) {
      end = i + 1;
    } else if (token.digit) {
      // A year is not part of the name, another number is.
      return i === end && !/^(?:1[5-9]|20)\d\d/.test(token.text) && token.text.length <= 4 ? i + 1 : end;
    } else if (!inner.has(token.lower) || i - end >= 2 || (token.lower === 'for' && sentence.titled)) {
      return end;
    } else if (token.lower === 'of' && offices.has(tokens[i - 1]!.lower)) {
      return end;
    }
  }
  return end;
}

/** "General Assembly of the League of Nations" is two names, the second one complete. */
function parted(tokens: readonly Token[], from: number, to: number): [number, number][] {
  const at = tokens.slice(from, to).flatMap((token, i) => (token.lower === 'of' ? [from + i] : []));
  if (at.length < 2) return [[from, to]];
  const next = tokens.findIndex((token, i) => i > at[0]! && isWord(token));
  return [
    [from, at[0]!],
    [next, to],
  ];
}

function named({ scanned, evidence }: Reading, sentence: Sentence, from: number, to: number): Span | null {
  const { tokens, text } = scanned;
  let start = from;
  // A sentence's first word is a name only with further evidence.
  while (start < to && tokens[start]!.first && drops(tokens, start, to, evidence.named)) start += 1;
  const { name, titled: person } = afterTitles(tokens, start, to);
  start = name;
  while (start < to && inner.has(tokens[start]!.lower) && !isWord(tokens[start]!)) start += 1;
  if (start >= to) return null;
  const words = tokens.slice(start, to);
  const capitals = words.filter((each) => each.cap);
  const distinct = capitals.filter((each) => !plainWords.has(each.lower) && !calendarWords.has(each.lower) && !isStop(each));
  if (distinct.every((each) => isTitle(each) || demonyms.has(each.lower))) return null;
  if (
    words.length === 1
      ? !standsAlone(words[0]!, tokens[start + 1], text, sentence, evidence)
      : sentence.titled && distinct.length < capitals.length && !words.some((each) => legalForms.has(each.lower))
  )
    return null;
  const guess = typeOf({ tokens, text, from: start, to, person });
  const weak = words.length === 1 && words[0]!.first && !evidence.named.has(words[0]!.lower);
  const base = weak ? 0.45 : words.length > 1 ? 0.8 : 0.65;
  return {
    start: words[0]!.start,
    end: words.at(-1)!.end,
    type: guess.type,
    certain: guess.certain,
    origin: 'rules',
    confidence: Math.min(0.95, Math.round((base + guess.confidence) * 100) / 100),
  };
}

const isTitle = (token: Token): boolean => roleWords.has(token.lower) || honorifics.has(token.lower) || rankWords.has(token.lower);

/** "British Prime Minister Winston Churchill", "Dr. Lee": the name follows. */
function afterTitles(tokens: readonly Token[], from: number, to: number): { name: number; titled: boolean } {
  let i = from;
  while (i < to - 1 && (demonyms.has(tokens[i]!.lower) || rankWords.has(tokens[i]!.lower)) && isTitle(tokens[i + 1]!)) i += 1;
  let titled = false;
  while (i < to - 1 && isTitle(tokens[i]!) && !partsOfNames.has(tokens[i]!.lower) && (isWord(tokens[i + 1]!) || isTitle(tokens[i + 1]!))) {
    titled ||= !rankWords.has(tokens[i]!.lower);
    i += 1;
  }
  return titled ? { name: i, titled } : { name: from, titled };
}

/**
 * Whether a single capitalized word is a name: not a plain word at the start of a sentence, as a list head or
 * stressed.
 */
function standsAlone(
  token: Token,
  next: Token | undefined,
  text: string,
  sentence: Sentence,
  { plain, named }: Reading['evidence'],
): boolean {
  if (demonyms.has(token.lower) || openers.has(token.lower) || isTitle(token) || token.text.length < 2) return false;
  if (looksMade(token)) return true;
  const often = named.get(token.lower) ?? 0;
  if (sentence.titled && often === 0) return false;
  if (!token.first) return !plain.has(token.lower) || often >= 2;
  if (often > 0) return true;
  if (plain.has(token.lower) || /(?:ly|ing|ed|ness|ment|tions?|able|ible|ful|less|ies|n't)$/.test(token.lower)) return false;
  // A verb or an adverb may begin a sentence, too: the next word must fit a name.
  if (/^['’]s/.test(text.slice(token.end, token.end + 2))) return true;
  return next !== undefined && next.end <= sentence.end ? followsName(next) : /^[ \t]{0,3}\|/.test(text.slice(token.end, token.end + 4));
}

const followsName = ({ lower, text }: Token): boolean =>
  /^(?:is|was|are|were|has|had|have|will|can|could|would|does|did|and|or|also|never|now|just|who|which|said|got|became|went|isn't|wasn't|doesn't|didn't|won't|can't|hasn't)$/.test(
    lower,
  ) ||
  (/^\p{Ll}/u.test(text) && lower.length > 3 && !stopWords.has(lower) && /(?:ed|[^suai]s)$/.test(lower));

function drops(tokens: readonly Token[], at: number, to: number, named: ReadonlyMap<string, number>): boolean {
  const token = tokens[at]!;
  if (openers.has(token.lower) || isStop(token)) return true;
  // "Customer Acme wants …"
  if (
    to - at > 1 &&
    /^(?:customer|client|account|prospect|company|vendor|partner|supplier)$/.test(token.lower) &&
    !legalForms.has(tokens[at + 1]!.lower)
  )
    return true;
  return to - at === 1 && (plainWords.has(token.lower) || calendarWords.has(token.lower)) && !named.has(token.lower);
}

/** Unlike plain words: "iPhone", "QuickBooks", "NASA", "R2D2". */
const looksMade = (token: Token): boolean =>
  /\p{Ll}\p{Lu}/u.test(token.text) || (token.upper && token.text.length >= 3) || (/\p{N}/u.test(token.text) && /\p{L}/u.test(token.text));

/** Other languages capitalize differently: only several in a row inside a sentence, or invented words, count. */
function isForeignName(reading: Reading, span: Span, at: number): boolean {
  const { tokens, text } = reading.scanned;
  Object.assign(span, { type: 'thing', certain: false, confidence: 0.4 });
  return looksMade(tokens[at]!) || (!tokens[at]!.first && /\s/.test(text.slice(span.start, span.end)));
}

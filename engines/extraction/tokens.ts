import { foreignWords, plainWords, stopWords } from './words.ts';

export interface Token {
  /** UTF-16 offsets in the passage. */
  start: number;
  end: number;
  text: string;
  lower: string;
  /** Written like a name: an upper-case letter first, or inside ("iPhone"). */
  cap: boolean;
  /** Upper case only, two letters or more. */
  upper: boolean;
  digit: boolean;
  /** Only a space between it and the previous token; in a wrapped line also a line break. */
  tight: boolean;
  /** First in a sentence, cell or label value: its capital is no evidence. */
  first: boolean;
}

/** A sentence, as tokens [from, to) and offsets in the text. */
export interface Sentence {
  from: number;
  to: number;
  start: number;
  end: number;
  /** Nearly all words are capitalized: a heading, a menu, shouting. Capitals are no evidence there. */
  titled: boolean;
  /** All upper case, including small words. */
  shouted: boolean;
}

export interface Scanned {
  text: string;
  /** The text with code, data and addresses blanked; same offsets. */
  seen: string;
  tokens: Token[];
  sentences: Sentence[];
  /** False: other function words than English ones, or none in a long text. */
  english: boolean;
}

/** Maximum characters and tokens read per passage; the rest is data. */
const maxText = 20_000;
const maxTokens = 4_000;
/** Longer ones are not words. */
const maxWord = 60;

// Scripts without spaces are skipped: rules cannot find the ends of words.
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map((script) => `\\p{Script=${script}}`).join('');
const opening = `[[\\p{L}\\p{N}]--[${unspaced}]]`;
const following = `[[\\p{L}\\p{N}\\p{M}'’\\&_+#\\-]--[${unspaced}]]*`;
// A full stop stays inside "4.2" and "node.js", not in "end.The next".
const word = new RegExp(`${opening}${following}(?:\\.(?!\\p{Lu}\\p{Ll})${opening}${following})*`, 'gv');
const abbreviations = new Set(
  'mr mrs ms dr prof st mt ft sr jr vs no vol fig inc corp ltd co gen col capt lt sgt rev hon gov sen rep approx dept est ca cf e.g i.e u.s u.k u.n d.c p.m a.m'.split(
    ' ',
  ),
);

/** A line with its own label. */
const labelled = /^[^\n:]{1,48}:\s/;

/** Splits into words and sentences in linear time, without code, data, addresses and stage directions. */
export function scan(text: string): Scanned {
  const seen = blank(text.length > maxText ? text.slice(0, maxText) : text);
  const tokens: Token[] = [];
  const sentences: Sentence[] = [];
  let opened = 0;
  let end = 0;
  let lineStart = 0;
  const close = (): void => {
    if (tokens.length > opened) sentences.push(sentence(seen, tokens, opened, tokens.length));
    opened = tokens.length;
  };
  for (const match of seen.matchAll(word)) {
    const form = formOf(match[0]);
    if (form === null || tokens.length >= maxTokens) continue;
    const start = match.index;
    const gap = seen.slice(end, start);
    const before = tokens.at(-1);
    const newline = gap === ' ' ? -1 : gap.lastIndexOf('\n');
    // A long line that continues is wrapped; a short one is a separate item.
    const wrapped = newline >= 0 && end - lineStart >= 60 && /^\r?\n$/.test(gap) && !labelled.test(seen.slice(start, start + 60));
    if (newline >= 0) lineStart = end + newline + 1;
    if (before === undefined || (newline >= 0 && !wrapped) || (gap !== ' ' && endsSentence(gap, before, form.opens))) close();
    tokens.push({
      ...form,
      start,
      end: start + form.text.length,
      tight: before !== undefined && (gap === ' ' || gap === '\u00a0' || wrapped || (gap === '. ' && isInitial(before))),
      first:
        tokens.length === opened ||
        (gap !== ' ' && (/[:|•*>"“”„«»‘([]\s*$/.test(gap.slice(-8)) || /(?:^|\n)\s*[-–—·]\s*$/.test(gap.slice(-8)))),
    });
    end = start + form.text.length;
  }
  close();
  return { text, seen, tokens, sentences, english: isEnglish(tokens) };
}

type Form = Pick<Token, 'text' | 'lower' | 'cap' | 'upper' | 'digit'> & { opens: boolean };

/** A cache: few words make up most of a text. */
const forms = new Map<string, Form | null>();

function formOf(raw: string): Form | null {
  let form = forms.get(raw);
  if (form !== undefined) return form;
  const text = trim(raw);
  const upperFirst = /^[\p{Lu}\p{Lt}]/u.test(text);
  const digit = /^\p{N}/u.test(text);
  form =
    text === ''
      ? null
      : {
          text,
          lower: text.toLowerCase().replaceAll('’', "'"),
          cap: upperFirst || /^\p{Ll}{1,3}\p{Lu}/u.test(text),
          upper: /^[\p{Lu}\p{N}.&-]+$/u.test(text) && /\p{Lu}.*\p{Lu}/u.test(text),
          digit,
          opens: upperFirst || digit,
        };
  if (forms.size >= 20_000) forms.clear();
  if (raw.length <= maxWord) forms.set(raw, form);
  return form;
}

/** Possessives and trailing punctuation are not part of the name, except in "C++" and "C#". */
function trim(raw: string): string {
  if (raw.length > maxWord) return '';
  let trimmed = raw.replace(/['’&_-]+$/, '');
  if (!/^\p{L}(?:\+\+|#)$/u.test(trimmed)) trimmed = trimmed.replace(/['’&_+#-]+$/, '');
  return /['’]s$/i.test(trimmed) && /^\p{Lu}/u.test(trimmed) ? trimmed.slice(0, -2) : trimmed;
}

const isInitial = (token: Token): boolean =>
  /^\p{Lu}$/u.test(token.text) || /^(?:\p{Lu}\.)+\p{Lu}$/u.test(token.text) || (token.cap && abbreviations.has(token.lower));

function endsSentence(gap: string, before: Token, upper: boolean): boolean {
  if (gap.includes('|') || gap.includes('\n\n') || (gap === '.' && upper)) return true;
  const mark = gap.search(/[.!?…。！？]/);
  if (mark < 0) return gap.includes(';') && upper;
  if (!/\s/.test(gap.slice(mark + 1))) return false;
  return gap[mark] === '.' ? upper && !(mark === 0 && isInitial(before)) : true;
}

function sentence(text: string, tokens: readonly Token[], from: number, to: number): Sentence {
  let capitals = 0;
  let small = 0;
  let shouted = 0;
  for (let i = from; i < to; i += 1) {
    const token = tokens[i]!;
    if (token.upper && stopWords.has(token.lower)) shouted += 1;
    if (token.cap) capitals += 1;
    else if (!token.digit && !headlineWords.has(token.lower)) small += 1;
  }
  const last = tokens[to - 1]!.end;
  const mark = /^["'”’)\]]*[.!?…]+["'”’)\]]*/.exec(text.slice(last, last + 8))?.[0] ?? '';
  return {
    from,
    to,
    start: tokens[from]!.start,
    end: last + mark.length,
    titled: capitals >= 3 && small * 8 <= capitals && !mark.includes('.'),
    shouted: shouted >= 1 && capitals >= 3 && small === 0,
  };
}

/** Lower case even in headings. */
const headlineWords = new Set('a an the of in on for to and or with at by from as vs via'.split(' '));

/** Blanks text that is not language, keeping offsets. */
function blank(text: string): string {
  // A pair of hyphens is a dash.
  let seen = text.includes('```') ? text.replace(/```[\s\S]*?(?:```|$)/g, spaces) : text;
  if (seen.includes('--')) seen = seen.replaceAll('--', '  ');
  seen = seen.replace(/\S+/g, (chunk) => (chunk.length > 12 && isAddress(chunk) ? spaces(chunk) : chunk));
  if (seen.includes('{')) seen = seen.replace(/\{[a-z]{1,20}\}/g, spaces);
  if (/[{}<>=;$\\]/.test(seen)) seen = seen.replace(/[^\n]+/g, (line) => (isCode(line) ? spaces(line) : line));
  return seen;
}

const spaces = (piece: string): string => piece.replace(/[^\n]/g, ' ');

const isAddress = (chunk: string): boolean =>
  chunk.includes('://') ||
  chunk.startsWith('www.') ||
  (chunk.includes('@') && /@[\w-]{1,60}\./.test(chunk)) ||
  (chunk.length > 200 && !/[^\p{ASCII}]/u.test(chunk));

function isCode(line: string): boolean {
  if (/^\s*["'][\w $.-]{1,60}["']\s*:/.test(line) || /^\s*[{}[\]()]+[,;]?\s*$/.test(line)) return true;
  const length = Math.min(line.length, 2_000);
  let signs = 0;
  for (let i = 0; i < length; i += 1) if ('{}<>=;$\\[]_"'.includes(line[i]!)) signs += 1;
  return signs >= 6 && signs * 10 > length;
}

function isEnglish(tokens: readonly Token[]): boolean {
  let english = 0;
  let foreign = 0;
  let plain = 0;
  for (const { lower } of tokens) {
    if (stopWords.has(lower)) english += 1;
    else if (plainWords.has(lower)) plain += 1;
    if (foreignWords.has(lower)) foreign += 1;
  }
  if (tokens.length < 8) return foreign <= english + plain;
  return (english * 10 + plain * 3 >= tokens.length && foreign <= english * 1.2) || (foreign * 12 < tokens.length && tokens.length < 60);
}

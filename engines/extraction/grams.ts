import { nameKey } from '../text/names.ts';
import type { Scanned, Token } from './tokens.ts';
import { legalForms, stopWords } from './words.ts';

/** Sequences of words that may be known names. */
export interface Gram {
  /** Tokens [from, to). */
  from: number;
  to: number;
  key: string;
  /** Written with a capital or a digit: looked up first. */
  written: boolean;
}

const longest = 6;
/** Without capitals only short sequences are looked up. */
const longestPlain = 3;
/** Lower-case words that may occur inside a name. */
const joints = new Set('of to for and in on the de la du von van der del di al el y with by'.split(' '));

/** Every sequence of 1 to 6 words that could be a known name, within one sentence. */
export function gramsOf(scanned: Scanned, keys: Map<string, string>): Gram[] {
  const { tokens, text } = scanned;
  const grams: Gram[] = [];
  for (const { from: first, to: end } of scanned.sentences) {
    for (let from = first; from < end; from += 1) {
      const head = tokens[from]!;
      if (!opens(head)) continue;
      let key = '';
      let written = false;
      for (let to = from + 1; to <= end && to - from <= longest; to += 1) {
        const token = tokens[to - 1]!;
        if (to - 1 > from && !token.tight && !joined(text, tokens[to - 2]!, token)) break;
        const part = keyOf(token, keys);
        if (part === '') break;
        key = key === '' ? part : `${key} ${part}`;
        written ||= token.cap || token.digit;
        if (!written && to - from > longestPlain) break;
        const stop = stopWords.has(token.lower);
        if (stop && !token.cap && !joints.has(token.lower)) break;
        if (stop && !token.upper && !(token.cap && !token.first && to - from > 1)) continue;
        if (to - from === 1 && (key.length < 2 || (token.digit && !/\p{L}/u.test(token.text)))) continue;
        grams.push({ from, to, key, written });
      }
    }
  }
  return grams;
}

const opens = (token: Token): boolean => !stopWords.has(token.lower) || token.upper || (token.cap && !token.first);

/** "Acme, Inc.", "Darial, Pakistan" */
const joined = (text: string, before: Token, token: Token): boolean =>
  before.cap && token.cap && (legalForms.has(token.lower) || !token.upper) && /^,\s$/.test(text.slice(before.end, token.start));

function keyOf(token: Token, keys: Map<string, string>): string {
  let key = keys.get(token.text);
  if (key === undefined) keys.set(token.text, (key = nameKey(token.text)));
  return key;
}

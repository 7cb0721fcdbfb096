import type { Span } from './statements-sentences.ts';

/**
 * Finds a quotation in a text, although it differs in white space, quotes, dashes, case, and characters that nobody
 * sees. Everything else must be equal. Pure and linear.
 */

/** A text in its comparable form, with the place of each of its UTF-16 units in the text itself. */
export interface Folded {
  /** The text itself. */
  source: string;
  text: string;
  starts: readonly number[];
  ends: readonly number[];
}

/** Soft hyphens, zero widths, marks of direction, control characters, private use, variation selectors. */
const unseen = /^(?:[\p{Cc}\p{Cf}\p{Co}]|[\u{fe00}-\u{fe0f}]|[\u{e0100}-\u{e01ef}])$/u;
/** Without the byte order mark, which nobody sees. */
const blank = /^[^\S\ufeff]$/u;
const singles = /^[‘’‚‛′`´]$/u;
const doubles = /^[“”„‟″«»]$/u;
const dashes = /^[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]$/u;

function foldedMark(mark: string): string {
  if (mark > ' ' && mark < '\u007f' && mark !== '`') return mark.toLowerCase();
  if (blank.test(mark)) return ' ';
  if (unseen.test(mark)) return '';
  if (singles.test(mark)) return "'";
  if (doubles.test(mark)) return '"';
  if (dashes.test(mark)) return '-';
  return mark.toLowerCase();
}

export function foldText(text: string): Folded {
  const folded: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const mark of text) {
    const end = at + mark.length;
    const plain = foldedMark(mark);
    if (plain === ' ' && folded.at(-1) === ' ') ends[ends.length - 1] = end;
    else {
      if (plain !== '') folded.push(plain);
      for (let i = 0; i < plain.length; i += 1) {
        starts.push(at);
        ends.push(end);
      }
    }
    at = end;
  }
  return { source: text, text: folded.join(''), starts, ends };
}

/** Places looked at: a text may repeat one letter ten thousand times. */
const mostPlaces = 200;

/**
 * The first free place of a quotation, at borders of words.
 * @param quote the whole, or its first words
 * @param last its last words; empty: `quote` is the whole
 * @param accepts whether a span may be used: free, and not too long
 */
export function spanOf(text: Folded, quote: string, last = '', accepts: (span: Span) => boolean = () => true): Span | null {
  const [first, final] = [wanted(quote), wanted(last)];
  if (first === null || (final === null && last.trim() !== '')) return null;
  for (
    let [from, place] = [text.text.indexOf(first), 0];
    from >= 0 && place < mostPlaces;
    from = text.text.indexOf(first, from + 1), place += 1
  ) {
    const end = from + first.length;
    if (!isBorder(text.text, from) || (final === null && !isBorder(text.text, end))) continue;
    for (const stop of final === null ? [end] : endsOf(text.text, final, from, end)) {
      const span = { start: text.starts[from]!, end: text.ends[stop - 1]! };
      if (accepts(span)) return span;
    }
  }
  return null;
}

/** Comparable form of a quotation; null: it can be nowhere. */
function wanted(quote: string): string | null {
  if (!quote.isWellFormed()) return null;
  const { text } = foldText(quote.trim());
  return /[\p{L}\p{N}]/u.test(text) ? text.trim() : null;
}

/** Ends of the last words, which may overlap the first ones. */
function* endsOf(text: string, last: string, from: number, least: number): Generator<number> {
  for (let [at, place] = [text.indexOf(last, from), 0]; at >= 0 && place < mostPlaces; at = text.indexOf(last, at + 1), place += 1) {
    const end = at + last.length;
    if (end >= least && isBorder(text, at) && isBorder(text, end)) yield end;
  }
}

/** Whether no word, and no letter with its accents, is cut here. */
function isBorder(text: string, at: number): boolean {
  const [left, right] = [text.slice(Math.max(0, at - 2), at), text.slice(at, at + 2)];
  if (/^\p{M}/u.test(right)) return false;
  return !(/[\p{L}\p{N}\p{M}]$/u.test(left) && /^[\p{L}\p{N}]/u.test(right));
}

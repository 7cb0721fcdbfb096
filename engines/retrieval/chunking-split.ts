/** A piece of a longer text: `text.slice(start, end)`. */
export interface Piece {
  start: number;
  end: number;
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Splits a text into pieces of at most `size` characters (UTF-16 units): at the end of a sentence in the second half
 * of the room, else between words, else between characters. Each further piece begins up to `overlap` characters
 * earlier, at a word. Linear in the text.
 */
export function splitProse(text: string, size: number, overlap = 0): Piece[] {
  return split(text, size, overlap, lastSentenceEnd);
}

/** Cuts at line ends where possible (blank lines first, for code), else as prose. No overlap. */
export function splitLines(text: string, size: number): Piece[] {
  return split(text, size, 0, (window) => {
    const blank = window.lastIndexOf('\n\n');
    if (blank * 2 > window.length) return blank + 2;
    const line = window.lastIndexOf('\n');
    return line > 0 ? line + 1 : lastSentenceEnd(window);
  });
}

function split(text: string, size: number, overlap: number, lastBoundary: (window: string) => number): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let covered = 0;
  while (text.length - start > size) {
    const window = text.slice(start, start + size);
    let length = lastBoundary(window);
    if (length <= 0) length = lastWordEnd(window, text[start + size] ?? ' ');
    if (length <= 0) length = wholeCharacters(window);
    const end = start + length;
    if (end <= covered) {
      // A long word after the overlap would leave nothing new in this piece: skip the overlap.
      start = covered;
      continue;
    }
    covered = end;
    pieces.push({ start, end });
    // The overlap is limited to a quarter of the previous piece, to guarantee progress.
    start = overlap === 0 ? end : backToWord(text, end, Math.min(overlap, Math.floor(length / 4)));
  }
  if (start < text.length || pieces.length === 0) pieces.push({ start, end: text.length });
  return pieces;
}

/** Length up to the last sentence end in the second half of the window, or 0. */
function lastSentenceEnd(window: string): number {
  const half = Math.floor(window.length / 2);
  let last = 0;
  // The window cuts the last segment, so its start is the last known sentence end.
  for (const { index } of sentences.segment(window)) last = index;
  return last > half ? last : 0;
}

function lastWordEnd(window: string, after: string): number {
  if (/\s/.test(after)) return window.length;
  for (let i = window.length; i > 0; i--) if (/\s/.test(window[i - 1]!)) return i;
  return 0;
}

/** The window's length, without a high surrogate whose other half would be cut off. */
function wholeCharacters(window: string): number {
  const last = window.charCodeAt(window.length - 1);
  return last >= 0xd800 && last < 0xdc00 && window.length > 1 ? window.length - 1 : window.length;
}

/** The first word start within the `overlap` characters before `end`, or `end`. */
function backToWord(text: string, end: number, overlap: number): number {
  for (let i = Math.max(1, end - overlap); i < end; i++) if (/\s/.test(text[i - 1]!) && !/\s/.test(text[i]!)) return i;
  return end;
}

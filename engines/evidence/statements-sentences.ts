import type { DocumentKind } from './types.ts';

/** UTF-16 offsets, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** Longer pieces are cut at a space: no single statement is that long. */
const longest = 300;
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Abbreviations before a name, a number or a lower-case word, which never end a sentence; without the last point. */
const titles = new Set('dr prof mr mrs ms st sr sra srta dña mme mlle hr fr dipl ing'.split(' '));
const counted = new Set('no nr nº núm num art fig abs str tel approx ca vol pp vs max min inkl incl exkl excl ext'.split(' '));
const inside = new Set([
  'e.g',
  'i.e',
  'z.b',
  'z. b',
  'd.h',
  'd. h',
  'u.a',
  'u. a',
  'p.ej',
  'p. ej',
  'c.-à-d',
  'bzw',
  'cf',
  'etw',
  'evtl',
  'ggf',
]);
/** German ordinals: "am 3. Oktober". */
const beforeOrdinal = /(?:^|\s)(?:am|vom|zum|zur|bis|der|den|dem|des|die|das|seit|ab|im|jede[nmrs]?|und)\s+\d{1,2}\.$/iu;
const ordinalLast = /(?:^|\s)(?:am|vom|zum|bis|seit|ab|der|den|dem)?\s*\d{1,2}\.$/iu;
const month = /^(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)\p{L}*\b/iu;

/** Whether the text after a point continues its sentence. */
function continues(before: string, after: string): boolean {
  // One letter at the very beginning is an initial: "T. Meyer".
  if (/^[("'„“«]?\p{Lu}\.$/u.test(before)) return true;
  const tail = before.slice(-24);
  // The first half of "z. B.".
  if (/(?:^|\s)\p{L}\.$/u.test(tail) && /^\p{L}\./u.test(after)) return true;
  const last = /(?:^|[\s("'„“«/])((?:\p{L}{1,6}\.[ -]?){0,2}\p{L}{1,6})\.$/u.exec(tail)?.[1]?.toLowerCase();
  if (last !== undefined) {
    if (titles.has(last) || inside.has(last)) return true;
    if (counted.has(last)) return /^[\p{N}\p{Ll}£$€]/u.test(after);
  }
  return (ordinalLast.test(tail) && month.test(after)) || (beforeOrdinal.test(tail) && /^\p{L}/u.test(after));
}

/**
 * Sentences of a piece of text, trimmed. Wrapped lines do not end a sentence; in chat every line does, and a point
 * before a small letter too.
 */
export function sentencesOf(text: string, { start, end }: Span, kind: DocumentKind): Span[] {
  const chat = kind === 'chat';
  const whole = text.slice(start, end);
  const flat = chat ? whole : whole.replaceAll(/[\n\r\t]/g, ' ');
  const spans: Span[] = [];
  let open: number | null = null;
  let at = 0;
  const close = (to: number): void => {
    if (open !== null) spans.push(...trimmed(flat, open, to));
    open = null;
  };
  for (const { segment, index } of segmenter.segment(flat)) {
    open ??= index;
    at = index + segment.length;
    const rest = flat.slice(at, at + 24);
    const lineEnds = segment.endsWith('\n');
    if (!lineEnds && continues(flat.slice(Math.max(open, at - 40), at).trimEnd(), rest)) continue;
    close(at);
  }
  close(at);
  const found = chat ? spans.flatMap((span) => loosely(flat, span)) : withMarks(flat, spans);
  return found.flatMap((span) => cut(flat, span)).map((span) => ({ start: start + span.start, end: start + span.end }));
}

/** "… pas pour le prix. »": a space stands before the mark that ends a quotation. */
function withMarks(text: string, spans: readonly Span[]): Span[] {
  let from = 0;
  return spans.flatMap((span) => {
    const end = span.end + (/^\s?»(?!\p{L})/u.exec(text.slice(span.end, span.end + 3))?.[0].length ?? 0);
    const parts = trimmed(text, Math.max(from, span.start), end);
    from = end;
    return parts;
  });
}

function trimmed(text: string, start: number, end: number): Span[] {
  while (start < end && /\s/.test(text[start]!)) start += 1;
  while (end > start && /\s/.test(text[end - 1]!)) end -= 1;
  return end > start && /[\p{L}\p{N}]/u.test(text.slice(start, end)) ? [{ start, end }] : [];
}

/** "works now. thanks": people who chat write without capitals. */
function loosely(text: string, { start, end }: Span): Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const { index, 0: mark } of text.slice(start, end).matchAll(/(?<=[\p{L}\p{N})"'])(?:[!?]{1,8}|\.)(?=\s+\p{Ll})/gu)) {
    const to = start + index + mark.length;
    if (continues(text.slice(Math.max(from, to - 40), to), '') || to - from < 4) continue;
    spans.push(...trimmed(text, from, to));
    from = to;
  }
  spans.push(...trimmed(text, from, end));
  return spans;
}

function cut(text: string, { start, end }: Span): Span[] {
  const spans: Span[] = [];
  while (end - start > longest) {
    const piece = text.slice(start, start + longest);
    // A clause ends at a semicolon or comma; without one, any space will do.
    const mark = Math.max(piece.lastIndexOf('; '), piece.lastIndexOf(': '));
    const comma = piece.lastIndexOf(', ');
    const space = piece.lastIndexOf(' ');
    const at = mark > longest / 3 ? mark + 1 : comma > longest / 3 ? comma + 1 : space > 0 ? space : longest;
    spans.push(...trimmed(text, start, start + at));
    start += at;
  }
  return [...spans, ...trimmed(text, start, end)];
}

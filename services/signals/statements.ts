import { talkOf } from '../../engines/extraction/talk.ts';
import { scan } from '../../engines/extraction/tokens.ts';
import { isOurs, isTheirs, voicesOf, type Spoken, type Voice } from './conversation.ts';
import { evidence, type Style } from './evidence.ts';

export interface StatementInput {
  passages: readonly Spoken[];
  /** `type` of the source. */
  sourceType: string;
  customer?: string | undefined;
}

/** A customer statement: `text` is the passage from `start` to `end`. */
export interface FoundStatement {
  passage: number;
  /** UTF-16 offsets, `end` exclusive. */
  start: number;
  end: number;
  text: string;
  speaker: string | null;
}

/** Longer ones are cut: more words are not a single statement. */
const longest = 600;
/** Maximum per document; a large collection of feedback reaches it. */
const mostStatements = 20_000;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Customer statements, sentence by sentence or turn by turn, from the passages of a document in order. In
 * conversations with known sides, only the customers' side counts; texts without a user's voice and not about
 * customers (an encyclopedia, a manual) have none. The text is data: nothing in it is executed.
 */
export function statementsOf(input: StatementInput): FoundStatement[] {
  const { feedback, work, product } = talkOf(
    { sourceType: input.sourceType, ...(input.customer === undefined ? {} : { customer: input.customer }) },
    input.passages.slice(0, 200).map(({ text }) => scan(text)),
  );
  if (!feedback && !work && !product) return [];
  const voices = voicesOf(input.passages);
  const style: Style = feedback ? 'feedback' : voices.conversation ? 'talk' : 'prose';
  const found: FoundStatement[] = [];
  let before = new Set<string>();
  for (const [passage, { text }] of input.passages.entries()) {
    const here = new Set<string>();
    for (const piece of piecesOf(text, passage, voices)) {
      if (voices.theirs && !isTheirs(piece.speaker, voices)) continue;
      if (!voices.theirs && isOurs(piece.speaker)) continue;
      for (const { start, end } of sentencesIn(text, piece)) {
        const said = text.slice(start, end);
        if (!evidence(said, style)) continue;
        // Passages overlap by some words: the end of one may be repeated at the start of the next.
        const key = said.replaceAll(/\s+/g, ' ').toLowerCase();
        here.add(key);
        if (before.has(key)) continue;
        found.push({ passage, start, end, text: said, speaker: piece.speaker });
        if (found.length >= mostStatements) return found;
      }
    }
    before = here;
  }
  return found;
}

interface Piece {
  start: number;
  end: number;
  speaker: string | null;
}

const label = /^([^\s:][^:\n]{0,59}): /;

/** Paragraphs, list items, turns and cells, without headings, code and table heads. */
function piecesOf(text: string, passage: number, voices: Voice): Piece[] {
  const pieces: Piece[] = [];
  const turns = voices.turns?.[passage];
  let speaker = voices.openings[passage] ?? null;
  let fenced = false;
  let open: Piece | null = null;
  const close = (): void => {
    if (open) pieces.push(open);
    open = null;
  };
  const lines = linesOf(text);
  for (const [i, { start, end }] of lines.entries()) {
    const line = text.slice(start, end);
    const turn = turns?.get(start);
    if (turn) {
      close();
      fenced = false;
      speaker = turn[2];
      if (turn[1] > start) {
        open = { start: turn[1], end, speaker };
        continue;
      }
    }
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) {
      close();
      fenced = !fenced;
      continue;
    }
    if (fenced || line.trim() === '' || /^#{1,6} /.test(line) || /^\s*>/.test(line)) {
      close();
      continue;
    }
    if (isRow(line)) {
      close();
      const next = lines[i + 1];
      if (!isRule(line) && !(next && isRule(text.slice(next.start, next.end)))) pieces.push(...cells(line, start, speaker));
      continue;
    }
    const named = voices.conversation && !turns ? label.exec(line) : null;
    if (named && voices.names.has(named[1]!)) {
      close();
      speaker = named[1]!;
      open = { start: start + named[0].length, end, speaker };
    } else if (voices.conversation || /^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line)) {
      close();
      const bullet = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/.exec(line)?.[0].length ?? 0;
      open = { start: start + bullet, end, speaker };
    } else if (open) open.end = end;
    else open = { start, end, speaker };
  }
  close();
  return pieces;
}

function linesOf(text: string): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    lines.push({ start, end: at });
    start = at + 1;
  }
  lines.push({ start, end: text.length });
  return lines;
}

const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line) || / \| .* \| /.test(line);
const isRule = (line: string): boolean => line.includes('|') && /^[\s|:+-]{3,2000}$/.test(line);

function cells(line: string, from: number, speaker: string | null): Piece[] {
  const found: Piece[] = [];
  let start = 0;
  for (const part of line.split('|')) {
    if (part.trim() !== '') found.push({ start: from + start, end: from + start + part.length, speaker });
    start += part.length + 1;
  }
  return found;
}

function sentencesIn(text: string, piece: Piece): { start: number; end: number }[] {
  // A wrapped line does not end a sentence; the offsets stay.
  const flat = text.slice(piece.start, piece.end).replaceAll('\n', ' ');
  const found: { start: number; end: number }[] = [];
  for (const { segment, index } of sentences.segment(flat)) {
    let start = piece.start + index + (segment.length - segment.trimStart().length);
    const end = piece.start + index + segment.trimEnd().length;
    while (end - start > longest) {
      const cut = text.lastIndexOf(' ', start + longest);
      const to = cut > start + longest / 2 ? cut : start + longest;
      found.push({ start, end: to });
      start = to + (text[to] === ' ' ? 1 : 0);
    }
    if (end > start) found.push({ start, end });
  }
  return found;
}

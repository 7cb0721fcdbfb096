import type { EvidencePassage } from './types.ts';

/** A piece of a passage as its markup delimits it. */
export interface Block {
  passage: number;
  /** UTF-16 offsets in the passage, `end` exclusive; without marks of headings and lists. */
  start: number;
  end: number;
  kind: 'heading' | 'paragraph' | 'item' | 'turn' | 'row' | 'comment';
  /** `passage.text.slice(start, end)` */
  text: string;
  speaker: string | null;
  /** Headings: 1 is the outermost. */
  level: number;
  /** The first block of a passage that goes on with the last block of the passage before it. */
  goesOn: boolean;
}

interface Line {
  start: number;
  end: number;
  text: string;
}

/** Passages overlap by at most so many characters (engines/retrieval/chunking.ts). */
const longestOverlap = 120;
/** Shorter repetitions are chance. */
const shortestOverlap = 12;

const headingMark = /^ {0,3}#{1,6}[ \t]+/;
/** Bullets, numbers and boxes. */
export const itemMark = /^[ \t]*(?:(?:[-*+•‣▪◦·–—]|\d{1,3}[.)])[ \t]+(?:\[[ xX]?\][ \t]*)?|[☐☑☒✓✔✗□■▢][ \t]*|\[[ xX]?\][ \t]+)/u;
const fence = /^[ \t]*(?:`{3,}|~{3,})/;
const tableLine = /^[ \t]*\|/;
const rule = /^[ \t]*(?:[-*_=][ \t]*){3,80}$/;

/** The blocks of all passages in reading order; text that a passage repeats from the one before is left out. */
export function blocksOf(passages: readonly EvidencePassage[]): Block[] {
  const blocks: Block[] = [];
  for (const [passage, { text, turns }] of passages.entries()) {
    const found: Block[] = [];
    const firstTurn = turns?.[0]?.[0] ?? text.length;
    plainBlocks(text, 0, firstTurn, passage, found);
    for (const [i, [start, said, speaker]] of (turns ?? []).entries()) {
      const end = turns![i + 1]?.[0] ?? text.length;
      // A part between turns that is none.
      if (speaker === null && said === start && text.slice(Math.max(0, start - 2), start) === '\n\n')
        plainBlocks(text, start, end, passage, found);
      else push(found, text, passage, 'turn', said, end, speaker);
    }
    const before = passages[passage - 1]?.text;
    const first = found[0];
    if (before !== undefined && first !== undefined) cutOverlap(before, first, text);
    blocks.push(...found.filter((block) => block.start < block.end));
  }
  return blocks;
}

function push(
  blocks: Block[],
  text: string,
  passage: number,
  kind: Block['kind'],
  from: number,
  to: number,
  speaker: string | null = null,
  level = 0,
): void {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text[start]!)) start += 1;
  while (end > start && /\s/.test(text[end - 1]!)) end -= 1;
  if (start < end) blocks.push({ passage, start, end, kind, text: text.slice(start, end), speaker, level, goesOn: false });
}

function plainBlocks(text: string, from: number, to: number, passage: number, blocks: Block[]): void {
  let open: { kind: 'paragraph' | 'item'; start: number; end: number } | null = null;
  let comment: number | null = null;
  const close = (): void => {
    if (open !== null) push(blocks, text, passage, open.kind, open.start, open.end);
    open = null;
  };
  for (const line of linesOf(text, from, to)) {
    if (comment === null && /^\s*<!--/.test(line.text)) {
      close();
      comment = line.start;
    }
    if (comment !== null) {
      if (!line.text.includes('-->')) continue;
      push(blocks, text, passage, 'comment', comment, line.end);
      comment = null;
      continue;
    }
    const mark = headingMark.exec(line.text) ?? itemMark.exec(line.text);
    if (line.text.trim() === '' || fence.test(line.text) || rule.test(line.text)) close();
    else if (tableLine.test(line.text)) {
      close();
      push(blocks, text, passage, 'row', line.start, line.end);
    } else if (mark !== null && headingMark.test(line.text)) {
      close();
      push(blocks, text, passage, 'heading', line.start + mark[0].length, line.end, null, mark[0].trim().length);
    } else if (mark !== null) {
      close();
      open = { kind: 'item', start: line.start + mark[0].length, end: line.end };
    } else if (open !== null) open.end = line.end;
    else open = { kind: 'paragraph', start: line.start, end: line.end };
  }
  close();
  if (comment !== null) push(blocks, text, passage, 'comment', comment, to);
}

/** The lines of `text.slice(from, to)` with offsets in `text`. */
export function linesOf(text: string, from = 0, to = text.length): Line[] {
  const lines: Line[] = [];
  let start = from;
  while (start < to) {
    const at = text.indexOf('\n', start);
    const end = at < 0 || at > to ? to : at;
    lines.push({ start, end, text: text.slice(start, end) });
    start = end + 1;
  }
  return lines;
}

/** Moves the start of a passage's first block behind the text that it repeats from the end of the passage before. */
function cutOverlap(before: string, first: Block, text: string): void {
  if (first.kind === 'heading' || first.kind === 'row') return;
  const most = Math.min(longestOverlap, before.length - 1, first.end - first.start);
  for (let length = most; length >= shortestOverlap; length -= 1) {
    if (!before.endsWith(text.slice(first.start, first.start + length)) || !/\s/.test(before[before.length - length - 1]!)) continue;
    first.start += length;
    while (first.start < first.end && /\s/.test(text[first.start]!)) first.start += 1;
    first.text = text.slice(first.start, first.end);
    first.goesOn = true;
    return;
  }
}

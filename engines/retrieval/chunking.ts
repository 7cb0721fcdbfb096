import { AppError } from '../../contracts/errors.ts';
import type { Turn } from '../../contracts/knowledge/knowledge.ts';
import type { Block, Parsed, Place } from '../../adapters/parsers/types.ts';
import { splitLines, splitProse } from './chunking-split.ts';

export interface CodeBlock {
  language?: string;
  code: string;
}

/** A passage as it is indexed, found and cited. */
export interface Chunk {
  /** 0-based position in the document. */
  ordinal: number;
  /** At most the requested size. Turns begin with `Speaker: `, code is in ``` fences. */
  text: string;
  /** The document's title and the headings above, joined by " › ". */
  title?: string;
  /** Location of its first block. */
  place: Place;
  /** Location of its last block; with `line` of the last line and `endMs` of the last turn. */
  endPlace: Place;
  hasCode: boolean;
  codeBlocks: CodeBlock[];
  /** For transcripts: text after the start of a turn belongs to it until the next. */
  turns: Turn[];
}

export interface ChunkOptions {
  /** Characters (UTF-16 units), 100 to 8000. */
  size?: number;
}

/** Maximum characters of a speaker's name before the text. */
const maxSpeaker = 60;

export const chunkSize = { min: 100, max: 8000, default: 1000 } as const;

/** A unit that is not split further: a block, or a piece of a long one. */
interface Part {
  text: string;
  block: Block;
  place: Place;
  endPlace: Place;
  code?: CodeBlock;
}

/**
 * Cuts a parsed document into passages along its structure: a heading starts a new one (consecutive headings stay
 * together), blocks are joined while they fit and split only when one alone exceeds the size; then prose at sentences
 * with a small overlap, tables at rows with their header repeated, code and lists at lines.
 * @throws {AppError} VALIDATION_ERROR when the size is out of its range.
 */
export function chunk(parsed: Parsed, options: ChunkOptions = {}): Chunk[] {
  const size = options.size ?? chunkSize.default;
  if (!Number.isInteger(size) || size < chunkSize.min || size > chunkSize.max) {
    throw new AppError(
      'VALIDATION_ERROR',
      `The chunk size must be a whole number of characters from ${chunkSize.min} to ${chunkSize.max}, not ${size}.`,
      {
        details: { field: 'chunk_size', min: chunkSize.min, max: chunkSize.max },
      },
    );
  }
  const chunks: Chunk[] = [];
  let parts: Part[] = [];
  let length = 0;
  const flush = (): void => {
    if (parts.length > 0) chunks.push(assemble(parsed, parts, chunks.length));
    parts = [];
    length = 0;
  };
  for (const block of parsed.blocks) {
    if (block.kind === 'heading' && parts.some((part) => part.block.kind !== 'heading')) flush();
    // Below its heading a long block gets the remaining room; otherwise its first piece starts a chunk.
    const underHeading = parts.length > 0 && parts.every((part) => part.block.kind === 'heading');
    for (const part of toParts(block, size, underHeading ? size - length - 2 : size)) {
      const added = separator(parts.at(-1), part).length + rendered(parts.at(-1), part).length;
      if (parts.length > 0 && length + added > size) flush();
      length += parts.length === 0 ? rendered(undefined, part).length : added;
      parts.push(part);
    }
  }
  flush();
  return chunks;
}

/** @param first room for the first piece, so that a long block still starts below its heading */
function toParts(block: Block, size: number, first: number): Part[] {
  const placeAt = placesOf(block);
  if (block.kind === 'code') return codeParts(block, placeAt, size);
  const text = block.text;
  const speaker = speakerPrefix(block);
  if (text.trim() === '' && speaker === '') return [];
  const limit = size - (block.kind === 'heading' ? 7 : speaker.length);
  if (text.length <= limit) return [{ text, block, place: block.place, endPlace: placeAt(text.trimEnd().length) }];
  if (block.kind === 'table') return tableParts(block, placeAt, limit);
  // If a heading leaves little room, it is better alone.
  const opening = Math.min(limit, first - speaker.length);
  const start = opening >= size / 3 && opening < limit ? splitFor(block, text, opening, 0)[0]!.end : 0;
  const pieces = [
    ...(start > 0 ? [{ start: 0, end: start }] : []),
    ...splitFor(block, text.slice(start), limit, Math.min(120, Math.floor(size / 10))).map((piece) => ({
      start: piece.start + start,
      end: piece.end + start,
    })),
  ];
  return pieces
    .map(({ start: from, end }) => ({
      text: text.slice(from, end).trim(),
      block,
      place: placeAt(from),
      endPlace: placeAt(end - 1),
    }))
    .filter((part) => part.text !== '');
}

const splitFor = (block: Block, text: string, size: number, overlap: number) =>
  block.kind === 'list' ? splitLines(text, size) : splitProse(text, size, block.kind === 'heading' ? 0 : overlap);

function codeParts(block: Block, placeAt: (offset: number) => Place, size: number): Part[] {
  const fence = fenceFor(block.text);
  // A language name is a word; longer text wastes room.
  const language = block.language?.slice(0, 40);
  const room = size - 2 * (fence.length + 1) - (language?.length ?? 0);
  return splitLines(block.text, room).map(({ start, end }) => {
    const code = block.text.slice(start, end).replace(/\n+$/, '');
    return {
      text: `${fence}${language ?? ''}\n${code}\n${fence}`,
      block,
      place: placeAt(start),
      endPlace: placeAt(start + code.length),
      code: { ...(language === undefined ? {} : { language }), code },
    };
  });
}

/** Longer than any run of backticks inside, as Markdown requires; an extreme run is left unchanged. */
function fenceFor(code: string): string {
  let longest = 2;
  for (const run of code.match(/`{3,9}/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** Groups of rows, each with the table's header lines if these are short enough to repeat. */
function tableParts(block: Block, placeAt: (offset: number) => Place, limit: number): Part[] {
  const lines = block.text.split('\n');
  const isRule = /^[\s|:+-]{3,2000}$/.test(lines[1] ?? '');
  const header = isRule ? `${lines[0]}\n${lines[1]}\n` : '';
  const repeat = header.length <= limit / 3 ? header : '';
  return splitLines(block.text.slice(repeat.length), limit - repeat.length).map(({ start, end }) => ({
    text: `${repeat}${block.text.slice(repeat.length + start, repeat.length + end).trimEnd()}`,
    block,
    place: start === 0 ? block.place : placeAt(repeat.length + start),
    endPlace: placeAt(repeat.length + end - 1),
  }));
}

/** Returns the location of a character's offset: blocks with their source's lines know its line. */
function placesOf(block: Block): (offset: number) => Place {
  const { line } = block.place;
  if (line === undefined || block.kind === 'turn' || block.kind === 'heading' || !block.text.includes('\n')) return () => block.place;
  const ends: number[] = [];
  for (let at = block.text.indexOf('\n'); at >= 0; at = block.text.indexOf('\n', at + 1)) ends.push(at);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? block.place : { ...block.place, line: line + low };
  };
}

const speakerPrefix = (block: Block): string =>
  block.kind === 'turn' && block.place.speaker !== undefined ? `${block.place.speaker.slice(0, maxSpeaker)}: ` : '';

/** A part after another one: the speaker is named when it changes. */
function rendered(before: Part | undefined, part: Part): string {
  if (part.block.kind === 'heading') return `${'#'.repeat(Math.min(6, Math.max(1, part.block.level ?? 1)))} ${part.text}`;
  const goesOn = before?.block.kind === 'turn' && before.block.place.speaker === part.block.place.speaker;
  return goesOn ? part.text : `${speakerPrefix(part.block)}${part.text}`;
}

function separator(before: Part | undefined, part: Part): string {
  if (before === undefined) return '';
  return before.block.kind === 'turn' && part.block.kind === 'turn' ? '\n' : '\n\n';
}

function assemble(parsed: Parsed, parts: readonly Part[], ordinal: number): Chunk {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  let text = '';
  const turns: Turn[] = [];
  for (const [i, part] of parts.entries()) {
    text += separator(parts[i - 1], part);
    const start = text.length;
    text += rendered(parts[i - 1], part);
    const { kind, place } = part.block;
    if (kind === 'turn') turns.push([start, text.length - part.text.length, place.speaker?.slice(0, maxSpeaker) ?? null]);
    else if (turns.length > 0) turns.push([start, start, null]);
  }
  // The deepest heading of the whole chunk: that of its first text, not of a heading above it.
  const headed = (parts.find((part) => part.block.kind !== 'heading') ?? last).place.headings ?? [];
  const title = [...new Set([...(parsed.title === undefined ? [] : [parsed.title]), ...headed])].join(' › ');
  const codeBlocks = parts.flatMap((part) => part.code ?? []);
  return {
    ordinal,
    text,
    ...(title === '' ? {} : { title }),
    place: first.place,
    endPlace: last.endPlace,
    hasCode: codeBlocks.length > 0,
    codeBlocks,
    turns,
  };
}

import { decodeText } from './encoding.ts';
import { looksLikeTranscript, readLabel, withoutPhrases, type LabelledLine } from './speakers.ts';
import type { Block, Parsed, ParserAdapter } from './types.ts';

/** Plain text: a transcript if it looks like one, else paragraphs. */
export const textParser: ParserAdapter = {
  format: 'txt',
  extensions: ['txt', 'text', 'log'],
  mediaTypes: ['text/plain'],

  parse({ bytes }): Parsed {
    const { text, encoding, warnings } = decodeText(bytes);
    const lines = text.split('\n');
    const labels = withoutPhrases(lines.map((line) => readLabel(line)));
    const metadata = { encoding, ...(warnings.length === 0 ? {} : { warnings }) };
    if (!isTranscript(lines, labels)) return { format: 'txt', metadata, blocks: paragraphs(lines) };
    const blocks = turns(lines, labels);
    const speakers = [...new Set(blocks.flatMap((block) => block.place.speaker ?? []))];
    return { format: 'txt', metadata: { ...metadata, transcript: true, speakers }, blocks };
  },
};

/** Whether the text consists of speakers' turns. */
export function isTranscript(lines: readonly string[], labels: readonly (LabelledLine | undefined)[] = lines.map(readLabel)): boolean {
  let unlabelled = 0;
  for (const [i, line] of lines.entries()) {
    const opens = i === 0 || lines[i - 1]!.trim() === '';
    if (opens && line.trim() !== '' && labels[i] === undefined) unlabelled++;
  }
  return looksLikeTranscript(
    labels.filter((label) => label !== undefined),
    unlabelled,
  );
}

/** @param firstLine 1-based number of the first line */
function paragraphs(lines: readonly string[], firstLine = 1): Block[] {
  const blocks: Block[] = [];
  let start = -1;
  for (let i = 0; i <= lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() !== '') {
      if (start < 0) start = i;
    } else if (start >= 0) {
      blocks.push({ kind: 'paragraph', text: lines.slice(start, i).join('\n').trimEnd(), place: { line: firstLine + start } });
      start = -1;
    }
  }
  return blocks;
}

function turns(lines: readonly string[], labels: readonly (LabelledLine | undefined)[]): Block[] {
  const first = labels.findIndex((label) => label !== undefined);
  const blocks = paragraphs(lines.slice(0, first));
  let said: string[] = [];
  let open: Block | undefined;
  let day: string | undefined;
  const close = (): void => {
    if (open !== undefined) open.text = said.join('\n').trim();
    said = [];
  };
  for (let i = first; i < lines.length; i++) {
    const label = labels[i];
    if (label === undefined) {
      if (lines[i]!.trim() !== '') said.push(lines[i]!.trim());
      continue;
    }
    close();
    const { speaker, startMs, date, text } = label;
    // A turn's place has no day: it stands above the first turn of the day.
    if (date !== undefined && date !== day) blocks.push({ kind: 'paragraph', text: date, place: { line: i + 1 } });
    day = date ?? day;
    const place = { line: i + 1, ...(startMs === undefined ? {} : { startMs }), ...(speaker === undefined ? {} : { speaker }) };
    open = { kind: 'turn', text: '', place };
    blocks.push(open);
    if (text !== '') said.push(text);
  }
  close();
  endAtNextStart(blocks);
  return blocks;
}

/** Such transcripts have only start times; a turn lasts until the next one. */
function endAtNextStart(blocks: Block[]): void {
  let next: number | undefined;
  for (const block of blocks.toReversed()) {
    const { startMs } = block.place;
    if (startMs === undefined) continue;
    if (next !== undefined && next >= startMs) block.place.endMs = next;
    next = startMs;
  }
}

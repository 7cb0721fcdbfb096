import { BlockList } from './blocks.ts';
import { decodeText } from './encoding.ts';
import { messagesIn, recordsIn, type Message, type Records } from './json-records.ts';
import { refusal } from './refusals.ts';
import type { Block, Parsed, ParseInput } from './types.ts';
import { Warnings } from './warnings.ts';

/**
 * JSON. A list of records with text (reviews, tickets, answers) is a table, the messages of a talk are turns; all else
 * is code that can be cited by line: unchanged, or formatted if it has few lines. JSONL: a record or block per line.
 */
export async function read({ bytes, filename, mediaType }: ParseInput): Promise<Parsed> {
  const decoded = decodeText(bytes);
  const warnings = new Warnings(decoded.warnings);
  const list = new BlockList();
  const text = decoded.text;
  if (text.trim() === '') throw refusal('empty', 'The file is empty.');
  const perLine = /\.(jsonl|ndjson)$/i.test(filename ?? '') || /ndjson|jsonl/.test(mediaType ?? '');
  const format = perLine ? 'jsonl' : 'json';
  const metadata = { encoding: decoded.encoding };
  const value = perLine ? linesOf(text) : valueOf(text);
  const records = value === undefined ? null : (unlessTooDeep(() => recordsIn(value)) ?? null);
  const messages = records === null ? null : messagesIn(records);
  if (messages !== null) {
    const blocks = turnsOf(await plain(messages), text);
    return { format, metadata: { ...metadata, ...countOf(messages), notes: records!.head, ...warnings.toMetadata() }, blocks };
  }
  if (records !== null) {
    if (records.head.length > 0) list.add('paragraph', records.head.join('\n'));
    list.table(rowsOf(records), 1);
    return {
      format,
      metadata: { ...metadata, rows: records.rows.length + 1, ...warnings.toMetadata() },
      blocks: list.blocks,
      tables: list.tables,
    };
  }
  if (perLine) {
    for (const [i, line] of text.split('\n').entries()) list.add('code', line, { line: i + 1 }, 'json');
  } else {
    const packed = text.length / (text.split('\n').length || 1) > 2000;
    const laidOut = packed && value !== undefined ? unlessTooDeep(() => JSON.stringify(value, null, 1)) : undefined;
    if (packed && laidOut === undefined) warnings.add('It is not valid JSON, or nested too deep; it was read as text.');
    list.add('code', laidOut ?? text, laidOut === undefined ? { line: 1 } : {}, 'json');
  }
  return { format, metadata: { ...metadata, ...warnings.toMetadata() }, blocks: list.blocks };
}

/** Messages with days are a chat, else it is a recording. */
const countOf = (messages: readonly Message[]): Record<string, number> => ({
  [messages.some(({ day }) => day !== null) ? 'messages' : 'cues']: messages.length,
});

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined: the value is nested deeper than the stack is. */
function unlessTooDeep<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Undefined: not every line is JSON. */
function linesOf(text: string): unknown[] | undefined {
  const values = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [valueOf(line)]));
  return values.includes(undefined) ? undefined : values;
}

const rowsOf = ({ columns, rows }: Records): string[][] => [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];

const markup = /<\/?(?:p|div|br|span|a|at|b|i|em|strong|ul|ol|li|blockquote)\b[^<>]{0,500}>/i;

/** Without the HTML that some programs write messages in. */
async function plain(messages: readonly Message[]): Promise<Message[]> {
  if (!messages.some(({ text }) => markup.test(text))) return [...messages];
  const { fragmentBlocks } = await import('./html.ts');
  return messages.map((message) => {
    if (!markup.test(message.text)) return message;
    const list = new BlockList();
    fragmentBlocks(message.text, list);
    return { ...message, text: list.blocks.map(({ text }) => text).join('\n') };
  });
}

/** Each message as a turn, below the day on which it was sent. */
function turnsOf(messages: readonly Message[], source: string): Block[] {
  const lines = lineFinder(source);
  const blocks: Block[] = [];
  let day: string | null = null;
  for (const { speaker, text, day: sent, atMs } of messages) {
    const line = lines(text);
    if (sent !== null && sent !== day) {
      day = sent;
      blocks.push({ kind: 'paragraph', text: sent, place: line === undefined ? {} : { line } });
    }
    if (text.trim() === '') continue;
    blocks.push({
      kind: 'turn',
      text,
      place: {
        ...(line === undefined ? {} : { line }),
        ...(speaker === '' ? {} : { speaker }),
        ...(atMs === null ? {} : { startMs: atMs }),
      },
    });
  }
  return blocks;
}

/** So many texts may be missing before the search ends: each is looked for to the end of the source. */
const mostMissing = 20;

/** Finds the lines of texts that are asked for in order; undefined where the source spells one otherwise. */
function lineFinder(source: string): (text: string) => number | undefined {
  // Many programs escape all letters beyond ASCII.
  const escaped = !/[^\u0000-\u007f]/.test(source);
  const spelled = (text: string): string => {
    const plainly = JSON.stringify(text);
    return escaped ? plainly.replace(/[^\u0000-\u007f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`) : plainly;
  };
  let [at, line, missing] = [0, 1, 0];
  return (text) => {
    if (missing >= mostMissing) return undefined;
    const found = source.indexOf(spelled(text), at);
    if (found < 0) {
      missing += 1;
      return undefined;
    }
    for (; at < found; at += 1) if (source.charCodeAt(at) === 10) line += 1;
    return line;
  };
}

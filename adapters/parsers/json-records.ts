/** Lists of records in JSON: exports of reviews, tickets, answers and chats. */
import { cleanText } from './blocks.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** Values by the names of their fields, in words: `createdAt` is "created at", `{ user: { name } }` is "user name". */
export type RecordRow = ReadonlyMap<string, string>;

export interface Records {
  /** What stands beside the list, one `name: value` each. */
  head: string[];
  /** Names of the fields in the order of their appearance. */
  columns: string[];
  rows: RecordRow[];
}

export interface Message {
  speaker: string;
  text: string;
  /** ISO day. */
  day: string | null;
  /** Milliseconds since midnight UTC or since the beginning; null: not told. */
  atMs: number | null;
}

const mostColumns = 40;
/** Fewer entries are no list. */
const fewest = 2;
/** A column with so many words on average is text; data and settings have none. */
const wordsOfText = 4;
const deepest = 2;

/** The list of records that a value is, or holds beside plain fields. Null: it is data of another shape, or without text. */
export function recordsIn(value: unknown): Records | null {
  const found = listIn(value as Json);
  if (found === null || found.entries.length < fewest) return null;
  const columns = new Set<string>();
  const rows = found.entries.map((entry) => {
    const row = new Map<string, string>();
    fill(row, '', entry, 0);
    for (const column of row.keys()) columns.add(column);
    return row;
  });
  const cells = rows.reduce((sum, row) => sum + row.size, 0);
  if (columns.size > mostColumns || cells * 2 < columns.size * rows.length) return null;
  if (![...columns].some((column) => wordsIn(rows, column) >= wordsOfText)) return null;
  return { head: found.head, columns: [...columns], rows };
}

function listIn(value: Json): { head: string[]; entries: JsonObject[] } | null {
  if (Array.isArray(value)) return value.every(isObject) ? { head: [], entries: value } : null;
  if (!isObject(value)) return null;
  const lists = Object.values(value).filter((each) => Array.isArray(each) && each.length > 0);
  const entries = lists[0] as Json[] | undefined;
  if (lists.length !== 1 || !entries!.every(isObject)) return null;
  const head = new Map<string, string>();
  for (const [key, each] of Object.entries(value)) if (each !== entries) fill(head, named(key), each, 1);
  return { head: [...head].map(([name, text]) => `${name}: ${text}`), entries };
}

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

function fill(row: Map<string, string>, name: string, value: Json, depth: number): void {
  if (isObject(value) && depth <= deepest) {
    for (const [key, each] of Object.entries(value)) fill(row, name === '' ? named(key) : `${name} ${named(key)}`, each, depth + 1);
    return;
  }
  const text =
    Array.isArray(value) && value.every((each) => !Array.isArray(each) && !isObject(each)) ? value.map(textOf).join(', ') : textOf(value);
  if (text !== '') row.set(name, text);
}

const textOf = (value: Json): string =>
  value === null
    ? ''
    : typeof value === 'string'
      ? cleanText(value).trim()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

const named = (key: string): string =>
  cleanText(key)
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
    .toLowerCase();

function wordsIn(rows: readonly RecordRow[], column: string): number {
  const filled = rows.flatMap((row) => row.get(column) ?? []);
  return filled.reduce((sum, text) => sum + (text.match(/\p{L}+/gu)?.length ?? 0), 0) / Math.max(1, filled.length);
}

const fields = (names: string): string[] => names.split(/,\s+/);
const speakers =
  fields(`sender name, sender, from name, from user display name, from user name, from, author name, author, speaker name, speaker,
  user real name, user profile real name, user profile display name, user display name, user name, display name, username, participant, nickname,
  name, user, role`);
const texts = fields('text, message, body, body content, content, message text, utterance, msg');
const times = fields(
  'created date time, created at, timestamp, sent at, ts, time, date, sent, created, posted at, start time, start, begin',
);
/** What only records of tickets, answers and reviews have. */
const ofRecords = new Set(
  'rating score stars nps status state subject title customer company account organisation organization priority severity'.split(' '),
);
const fewestMessages = 3;

/** The records as the messages of a talk: two or more write again and again. Null: they are none. */
export function messagesIn({ columns, rows }: Records): Message[] | null {
  const has = new Set(columns);
  const pick = (names: readonly string[]): string | undefined => names.find((name) => has.has(name));
  const [speaker, text, time] = [pick(speakers), pick(texts), pick(times)];
  if (speaker === undefined || text === undefined || columns.some((column) => ofRecords.has(column))) return null;
  const said = rows.filter((row) => row.has(text));
  const names = said.flatMap((row) => row.get(speaker) ?? []);
  const different = new Set(names).size;
  if (said.length < fewestMessages || different < 2 || different * 3 > said.length * 2 || names.length * 2 < said.length) return null;
  return said.map((row) => ({
    speaker: (row.get(speaker) ?? '').replace(/\s+/g, ' '),
    text: row.get(text)!,
    ...momentOf(row.get(time ?? '')),
  }));
}

/** ISO, seconds or milliseconds since 1970, or seconds since the beginning. */
function momentOf(written: string | undefined): Pick<Message, 'day' | 'atMs'> {
  if (written === undefined) return { day: null, atMs: null };
  const number = /^\d+(?:\.\d+)?$/.test(written) ? Number(written) : null;
  if (number !== null && number < 1e7) return { day: null, atMs: Math.round(number * 1000) };
  const time = number === null ? Date.parse(written) : number < 1e11 ? number * 1000 : number;
  if (!/^\d{4}-\d\d-\d\d/.test(written) && number === null) return { day: null, atMs: null };
  if (Number.isNaN(time) || time > 8.64e15) return { day: null, atMs: null };
  const iso = new Date(time).toISOString();
  return { day: iso.slice(0, 10), atMs: time % 86_400_000 };
}

import { parse } from 'csv-parse/sync';
import { AppError } from '../../contracts/errors.ts';
import { tableOf, type Table } from './table.ts';

/** Reads files as tables: CSV and variants with any delimiter, quotes and encoding; JSON as lines or as one array. */

export interface TableSource {
  bytes: Uint8Array;
  /** Shows the format; otherwise it is detected. */
  filename: string | null;
  /** A TextDecoder label; undefined: UTF-8, UTF-16 with a mark, else Windows-1252. */
  encoding?: string | undefined;
  /** Whether the first row has the column names; undefined: detect. */
  header?: boolean | undefined;
}

export interface ReadTable {
  table: Table;
  warnings: string[];
}

/** More rows need a database. */
const maxRows = 2_000_000;
/** An unclosed quote would consume the rest of the file. */
const maxRecord = 1_000_000;

/** @throws AppError VALIDATION_ERROR when it cannot be read as a table */
export function readTable(source: TableSource): ReadTable {
  const text = decode(source.bytes, source.encoding);
  if (text.trim() === '') throw unreadable('it is empty');
  const first = /\S/.exec(text)![0];
  const json = /\.(?:jsonl|ndjson|json)$/i.test(source.filename ?? '') || ((first === '{' || first === '[') && isJson(text));
  return json ? readJson(text) : readDelimited(text, source);
}

function decode(bytes: Uint8Array, encoding: string | undefined): string {
  const told = encoding === undefined ? null : decoderOf(encoding);
  const [a, b] = [bytes[0], bytes[1]];
  const marked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  if (told) return told.decode(bytes);
  if (marked) return new TextDecoder(a === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw new AppError('VALIDATION_ERROR', `"${encoding}" is no known encoding.`, { hint: 'For example utf-8, latin1 or utf-16le.' });
  }
}

function isJson(text: string): boolean {
  const line = text.trimStart().split('\n', 1)[0]!.trim();
  try {
    JSON.parse(line.startsWith('[') && !line.endsWith(']') ? '[]' : line);
    return true;
  } catch {
    return false;
  }
}

/** One object per line, or an array of them; nested values are compared as JSON text. */
function readJson(text: string): ReadTable {
  const warnings: string[] = [];
  const objects: unknown[] = [];
  if (text.trimStart().startsWith('[')) {
    try {
      objects.push(...(JSON.parse(text) as unknown[]));
    } catch {
      throw unreadable('it is no valid JSON');
    }
  } else {
    let broken = 0;
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue;
      try {
        objects.push(JSON.parse(line));
      } catch {
        broken++;
      }
    }
    if (objects.length === 0) throw unreadable('none of its lines is JSON');
    if (broken > 0) warnings.push(`${broken} lines are no JSON and were left out.`);
  }
  const names: string[] = [];
  const places = new Map<string, number>();
  const rows = objects.slice(0, maxRows).flatMap((object) => {
    if (object === null || typeof object !== 'object') return [];
    const row: string[] = [];
    for (const [name, value] of Object.entries(object)) {
      let place = places.get(name);
      if (place === undefined) {
        place = names.push(name) - 1;
        places.set(name, place);
      }
      row[place] = cellOf(value);
    }
    return [Array.from(row, (cell) => cell ?? '')];
  });
  if (rows.length < Math.min(objects.length, maxRows))
    warnings.push(`${objects.length - rows.length} entries are no records and were left out.`);
  if (objects.length > maxRows) warnings.push(cutAt(objects.length - maxRows));
  return { table: tableOf([names, ...rows], true), warnings };
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(', ') : JSON.stringify(value);
}

function readDelimited(text: string, { filename, header }: TableSource): ReadTable {
  const sample = text.slice(0, 64 * 1024);
  const quote = sniffQuote(sample);
  const delimiter = sniffDelimiter(sample, quote, /\.(?:tsv|tab)$/i.test(filename ?? '') ? '\t' : ',');
  const escape = quote !== null && count(sample, `\\w\\\\${quote}\\w`) > count(sample, `\\w${quote}${quote}\\w`) ? '\\' : quote;
  const warnings: string[] = [];
  const read = (marks: string | null): string[][] => {
    const rows: string[][] = [];
    let dropped = 0;
    parse(text, {
      delimiter,
      quote: marks,
      escape: marks === null ? null : escape,
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRecord,
      on_record: (row: string[]) => {
        if (rows.length < maxRows) rows.push(row);
        else dropped++;
        return null;
      },
    });
    if (dropped > 0) warnings.push(cutAt(dropped));
    return rows;
  };
  let rows: string[][];
  try {
    rows = read(quote);
  } catch {
    try {
      rows = read(null);
      warnings.push('A quotation mark is never closed; they were read as characters like any other.');
    } catch (error) {
      throw unreadable(error instanceof Error ? error.message : 'its rows cannot be told apart');
    }
  }
  if (rows.length === 0) throw unreadable('it has no rows');
  return { table: tableOf(rows, header), warnings };
}

const count = (text: string, pattern: string): number => (text.match(new RegExp(pattern, 'gm')) ?? []).length;

/** The quote character most often found at both ends of a cell. */
function sniffQuote(sample: string): '"' | "'" | null {
  const cells = (mark: string): number => count(sample, `(?:^|[,;\\t|])${mark}[^\\n]*?${mark}(?=[,;\\t|\\r\\n]|$)`);
  const single = cells("'");
  return single >= 3 && single > cells('"') ? "'" : '"';
}

/** The delimiter that splits the first lines most evenly. */
function sniffDelimiter(sample: string, quote: string | null, usual: string): string {
  const plain =
    quote === null ? sample : sample.replace(new RegExp(`${quote}(?:[^${quote}\\\\]|\\\\.|${quote}${quote})*${quote}`, 'g'), '');
  const lines = plain
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 100);
  let best = { delimiter: usual, score: 0 };
  for (const delimiter of [usual, ',', ';', '\t', '|']) {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const often = new Map<number, number>();
    for (const count of counts) if (count > 0) often.set(count, (often.get(count) ?? 0) + 1);
    const [columns, times] = [...often].sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
    const score = (times / Math.max(1, lines.length)) * (1 + Math.min(columns, 20) / 100);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

const cutAt = (left: number): string => `${left} rows after the first ${maxRows} were not read.`;

const unreadable = (why: string): AppError =>
  new AppError('VALIDATION_ERROR', `The table cannot be read: ${why}.`, { hint: 'CSV, TSV, XLSX or JSON lines, with one record per row.' });

/** Output for people. Plain text unless stdout is a terminal and NO_COLOR is not set. */
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Ref } from '../contracts/envelope.ts';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** `styleText` checks the stream, NO_COLOR and FORCE_COLOR. */
export const paint = (colour: Colour, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(colour, text, { stream });

/** Colours of status words. */
export const painted =
  (colours: Record<string, Colour>) =>
  (text: string): string => {
    const colour = colours[text.trim()];
    return colour ? paint(colour, text) : text;
  };

/** Removes control codes, which text from a server may contain. */
export const clean = (text: string): string => stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');

export const oneLine = (text: string): string => clean(text).replaceAll(/\s+/g, ' ').trim();

let outlivesReader = false;
/** For `up`: the stack keeps running when the reader of its output ends (`… | head`). */
export const outliveReader = (): void => void (outlivesReader = true);
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!outlivesReader) process.exit();
  });
}

export const say = (line = ''): void => void process.stdout.write(`${line}\n`);
/** Progress and errors: on stderr, because a program may read stdout. */
export const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** Prints the single document of `--json`. */
export const sayJson = (document: unknown): void => say(JSON.stringify(document, null, 2));

const width = (): number => (process.stdout.isTTY ? process.stdout.columns : 0);

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, Math.max(1, length - 1))}…` : text);

export type Cell = string | number | null | undefined;

type Field<R> = Extract<{ [K in keyof R]-?: R[K] extends Cell | readonly string[] ? K : never }[keyof R], string>;
/** A field, or a renamed field: `phase_id as phase`. */
type Named<R> = Field<R> | `${Field<R>} as ${string}`;
export type Column<R> = Named<R> | Record<string, (row: R) => Cell>;
/** Colours by column title; applied after the widths are measured. */
export type Looks<R> = Record<string, (text: string, row: R) => string>;

const named = (name: string): [field: string, title: string] => {
  const [field = '', title = field] = name.split(' as ');
  return [field, title];
};
const joined = (value: unknown): Cell => (Array.isArray(value) ? value.join(', ') : (value as Cell));

/** Selects and renames fields of a row for display. */
export const pick = <R>(row: R, ...fields: Named<R>[]): Record<string, Cell> =>
  Object.fromEntries(fields.map(named).map(([field, title]) => [title, joined(row[field as keyof R])]));

/** Aligned columns; the last one is cut to the terminal's width. */
export function table<R>(rows: readonly R[], columns: readonly Column<R>[], looks: Looks<R> = {}): void {
  const sources = columns.flatMap((column): [string, (row: R) => Cell][] => {
    if (typeof column !== 'string') return Object.entries(column);
    const [field, title] = named(column);
    return [[title, (row) => joined(row[field as keyof R])]];
  });
  const shown = sources.map(([title, of], i) => {
    const values = rows.map(of);
    const cells = values.map((value) => oneLine(String(value ?? '-')));
    const numeric = rows.length > 0 && values.every((value) => typeof value === 'number' || value == null);
    return { title, cells, numeric, last: i === sources.length - 1, widest: Math.max(title.length, ...cells.map((cell) => cell.length)) };
  });
  const before = shown.slice(0, -1).reduce((sum, { widest }) => sum + widest + 2, 0);
  const room = width() > 0 ? Math.max(20, width() - before) : Infinity;
  const padded = (text: string, { numeric, last, widest }: (typeof shown)[number]): string => {
    if (numeric) return text.padStart(widest);
    return last ? cut(text, room) : text.padEnd(widest);
  };
  const line = (cells: string[]): string => cells.join('  ').trimEnd();
  say(paint('dim', line(shown.map((column) => padded(column.title, column)))));
  rows.forEach((row, r) => say(line(shown.map((column) => (looks[column.title] ?? String)(padded(column.cells[r]!, column), row)))));
}

/** Prints one label and value per line. Values with several lines are indented. */
export function facts(values: Record<string, Cell>): void {
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const widest = Math.max(...shown.map(([label]) => label.length));
  for (const [label, value] of shown) {
    const text = clean(String(value))
      .trim()
      .split('\n')
      .join(`\n${' '.repeat(widest + 2)}`);
    say(`${paint('dim', label.padEnd(widest))}  ${text}`);
  }
}

/** Prints an answer's warnings and links. */
export function aside({ warnings, refs }: { warnings: string[]; refs: Ref[] }): void {
  for (const warning of warnings) note(`${paint('yellow', 'Note', process.stderr)}: ${clean(warning)}`);
  for (const ref of refs) if (ref.url) note(`${paint('dim', `${ref.type} ${ref.id}`, process.stderr)}  ${clean(ref.url)}`);
}

export function duration(seconds: number | null): string {
  if (seconds === null) return '-';
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

export const megabytes = (bytes: number | null): string => (bytes === null ? '-' : `${Math.round(bytes / 1_048_576)} MB`);

/** Seconds since `since`, for progress lines. */
export const elapsed = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1).padStart(5)} s`;

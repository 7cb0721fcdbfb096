/** What people see. Plain text unless stdout is a terminal and NO_COLOR is not set. */
import { stripVTControlCharacters, styleText } from 'node:util';

type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** `styleText` itself looks at the stream, NO_COLOR and FORCE_COLOR. */
export const paint = (colour: Colour, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(colour, text, { stream });

/** Text from a server may hold control codes; none of them reaches the terminal. */
export const clean = (text: string): string => stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');

export const oneLine = (text: string): string => clean(text).replaceAll(/\s+/g, ' ').trim();

let outlivesReader = false;
/** For `up`: whoever read its lines may go (`… | head`), the stack stays. */
export const outliveReader = (): void => void (outlivesReader = true);
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!outlivesReader) process.exit();
  });
}

export const say = (line = ''): void => void process.stdout.write(`${line}\n`);
/** Progress and complaints: never on stdout, which may be read by a machine. */
export const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** The one document of `--json`. */
export const sayJson = (document: unknown): void => say(JSON.stringify(document, null, 2));

const width = (): number => (process.stdout.isTTY ? process.stdout.columns : 0);

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, Math.max(1, length - 1))}…` : text);

export type Cell = string | number | null | undefined;

/** Aligned columns; the last one is cut to the terminal's width. Colours are given by `look`, after measuring. */
export function table(head: string[], rows: Cell[][], look: (text: string, row: number, column: number) => string = (text) => text): void {
  const cells = rows.map((row) => row.map((cell) => oneLine(String(cell ?? '-'))));
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  const room = width() > 0 ? Math.max(20, width() - before) : Infinity;
  const last = head.length - 1;
  const numeric = head.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number' || row[i] == null));
  const pad = (text: string, i: number): string => {
    if (numeric[i]) return text.padStart(widths[i] ?? 0);
    return i === last ? cut(text, room) : text.padEnd(widths[i] ?? 0);
  };
  say(paint('dim', head.map(pad).join('  ').trimEnd()));
  cells.forEach((row, r) =>
    say(
      row
        .map((text, i) => look(pad(text, i), r, i))
        .join('  ')
        .trimEnd(),
    ),
  );
}

/** Label and value, a line each. Long values keep their lines, indented. */
export function facts(pairs: [label: string, value: Cell][]): void {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const widest = Math.max(...shown.map(([label]) => label.length));
  for (const [label, value] of shown) {
    const text = clean(String(value))
      .trim()
      .split('\n')
      .join(`\n${' '.repeat(widest + 2)}`);
    say(`${paint('dim', label.padEnd(widest))}  ${text}`);
  }
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

/** Without the keys that were not given: what a tool receives as arguments. */
export const defined = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

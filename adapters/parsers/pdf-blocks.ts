/** Converts rows in reading order into headings, paragraphs, lists and tables. */
import type { BlockList } from './blocks.ts';
import { median, type Flow } from './pdf-layout.ts';
import { tableAt } from './pdf-tables.ts';
import { bullet, type Row } from './pdf-text.ts';
import type { Place } from './types.ts';

/** The usual style of a document's text, to recognize headings. */
export interface Style {
  size: number;
  font: string;
  /** Sizes of headings, largest first. */
  headingSizes: number[];
  /** Fonts rare enough for headings. */
  rareFonts: ReadonlySet<string>;
  /** Words of the document in lower case: they show whether a hyphen at a line's end belongs to the word. */
  words: ReadonlySet<string>;
}

export function styleOf(rows: Iterable<Row>): Style {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  const words = new Set<string>();
  let all = 0;
  for (const row of rows) {
    for (const { text, size, font } of row.segments) {
      const rounded = Math.round(size * 2) / 2;
      sizes.set(rounded, (sizes.get(rounded) ?? 0) + text.length);
      fonts.set(font, (fonts.get(font) ?? 0) + text.length);
      all += text.length;
      if (words.size < 200_000) for (const word of text.toLowerCase().match(/[\p{L}\d]+(?:-[\p{L}\d]+)*(?!-)/gu) ?? []) words.add(word);
    }
  }
  const most = <T>(counts: Map<T, number>): T | undefined => [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
  const size = most(sizes) ?? 10;
  const large = [...sizes.keys()].filter((each) => each >= size * 1.15).sort((one, other) => other - one);
  const headingSizes = large.filter((each, i) => i === 0 || each < large[i - 1]! * 0.95);
  fonts.delete('');
  const rareFonts = new Set([...fonts].filter(([, count]) => count < 0.2 * all).map(([font]) => font));
  return { size, font: most(fonts) ?? '', headingSizes, rareFonts, words };
}

interface Open {
  lines: string[];
  kind: 'paragraph' | 'list';
  last: Row;
  /** Left edge of its first line and of the following lines. */
  x0: number;
  right: number;
}

/** Adds a page's flows. A paragraph may continue in the next column. */
export function addFlows(flows: readonly Flow[], list: BlockList, place: Place, style: Style): void {
  let open: Open | undefined;
  const close = (): void => {
    if (open !== undefined) list.add(open.kind, joinLines(open.lines, style.words), place);
    open = undefined;
  };
  for (const flow of flows) {
    const shape = shapeOf(flow, style);
    let first = true;
    for (let i = 0; i < flow.length; i++) {
      const table = tableAt(flow, i);
      if (table !== undefined) {
        close();
        list.table(table.rows, 0, place);
        i += table.taken - 1;
        continue;
      }
      const row = flow[i]!;
      const level = headingLevel(flow, i, style, shape);
      if (level !== undefined) {
        close();
        const lines = [textOf(row)];
        // A long heading continues in the same font.
        while (
          lines.length < 4 &&
          i + 1 < flow.length &&
          continues(row, flow[i + 1]!) &&
          headingLevel(flow, i + 1, style, shape) === level
        ) {
          lines.push(textOf(flow[++i]!));
        }
        list.heading(level, joinLines(lines, style.words), place);
        continue;
      }
      const text = textOf(row);
      const goesOn: boolean = open !== undefined && (first ? flowsOver(open, row, text) : belongs(open, row, text, shape));
      first = false;
      if (!goesOn) {
        const item = isItem(text);
        if (!(item && open?.kind === 'list' && row.y - open.last.y < 2.2 * row.size && row.y > open.last.y)) close();
        open ??= { lines: [], kind: item ? 'list' : 'paragraph', last: row, x0: row.segments[0]!.x0, right: shape.right };
        if (open.lines.length > 0) open.lines.push('\n');
      } else if (endsEarly(open!) && !/\p{L}-$/u.test(open!.lines.at(-1)!)) open!.lines.push('\n');
      open!.lines.push(text);
      open!.last = row;
      open!.right = shape.right;
    }
  }
  close();
}

const textOf = (row: Row): string => row.segments.map((segment) => segment.text).join('  ');
const isItem = (text: string): boolean =>
  bullet.test(text[0] ?? '') && text[1] === ' ' ? true : /^(?:\(?\d{1,2}[.)]|[a-z][.)])\s+\S/.test(text);

interface Shape {
  left: number;
  right: number;
  /** Usual distance of baselines. */
  pitch: number;
}

function shapeOf(flow: Flow, style: Style): Shape {
  const pitches: number[] = [];
  for (let i = 1; i < flow.length; i++) {
    const distance = flow[i]!.y - flow[i - 1]!.y;
    if (distance > 0 && distance < 2.2 * flow[i]!.size) pitches.push(distance);
  }
  const lefts = flow.map((row) => row.segments[0]!.x0).sort((one, other) => one - other);
  return {
    left: lefts[Math.floor(lefts.length * 0.1)] ?? 0,
    right: Math.max(...flow.map((row) => row.segments.at(-1)!.x1)),
    pitch: pitches.length > 0 ? median(pitches) : 1.2 * style.size,
  };
}

const endsEarly = ({ last, right, x0 }: Open): boolean => last.segments.at(-1)!.x1 < right - 0.3 * (right - x0);

function belongs(open: Open, row: Row, text: string, shape: Shape): boolean {
  const distance = row.y - open.last.y;
  if (distance > 1.35 * Math.max(shape.pitch, 1.1 * row.size) || distance < 0) return false;
  if (
    Math.abs(row.size - open.last.size) > 0.15 * row.size &&
    Math.min(row.segments[0]!.size, open.last.segments[0]!.size) < 0.85 * row.size
  )
    return false;
  if (isItem(text)) return false;
  const x0 = row.segments[0]!.x0;
  if (open.kind === 'list') return x0 > open.x0 + 1 || !endsEarly(open);
  // The first line of a new paragraph is indented, or all lines of a quotation.
  const indented = x0 > shape.left + 0.8 * row.size && open.last.segments[0]!.x0 < x0 - 0.8 * row.size;
  return !(indented && /[.!?:"”)]$/.test(textOf(open.last)));
}

/** From the end of a column to the next. */
const flowsOver = (open: Open, row: Row, text: string): boolean =>
  open.kind === 'paragraph' &&
  /^[\p{Ll}\d(]/u.test(text) &&
  !/[.!?:]["”)]?$/.test(textOf(open.last)) &&
  Math.abs(row.size - open.last.size) < 0.1 * row.size &&
  !endsEarly(open);

const continues = (row: Row, next: Row): boolean =>
  next.y > row.y && next.y - row.y < 1.6 * row.size && Math.abs(next.size - row.size) < 0.05 * row.size;

function headingLevel(flow: Flow, at: number, style: Style, shape: Shape): number | undefined {
  const row = flow[at]!;
  const text = textOf(row);
  if (row.segments.length > 1 || text.length > 200 || (text.match(/\p{L}/gu)?.length ?? 0) < Math.max(3, text.length / 3)) return undefined;
  const size = Math.round(row.size * 2) / 2;
  const segment = row.segments[0]!;
  const rank = style.headingSizes.findIndex((each) => size >= each * 0.97);
  if (rank >= 0 && segment.size >= 0.97 * row.size) return Math.min(6, rank + 1);
  // A bold heading of normal size: the only text in its font, short, with a gap above and normal text below.
  if (!style.rareFonts.has(segment.font) || size < style.size * 0.97 || text.length > 90) return undefined;
  if (/[.,;:!]$/.test(text) || !/^[\p{Lu}\d]/u.test(text) || /^(figure|fig\.|table|source|note)\b/i.test(text)) return undefined;
  const [above, below] = [flow[at - 1], flow[at + 1]];
  const apart = above === undefined || row.y - above.y > 1.25 * shape.pitch;
  return apart && below !== undefined && below.y - row.y < 3 * row.size && below.segments[0]!.font !== segment.font
    ? Math.min(6, style.headingSizes.length + 1)
    : undefined;
}

/** Joins lines: hyphens at line ends are removed when the word occurs elsewhere without one, or is unknown. */
export function joinLines(lines: readonly string[], words: ReadonlySet<string>): string {
  let text = '';
  for (const line of lines) {
    if (text === '' || text.endsWith('\n') || line === '\n') text += line;
    else {
      const [head, tail] = [/([\p{L}\d]+(?:-[\p{L}\d]+)*)[-‐]$/u.exec(text)?.[1], /^[\p{L}\d]+(?:-[\p{L}\d]+)*/u.exec(line)?.[0]];
      if (head === undefined || tail === undefined) text += ` ${line}`;
      else if (!/^\p{Ll}/u.test(tail) || (words.has(`${head}-${tail}`.toLowerCase()) && !words.has(`${head}${tail}`.toLowerCase())))
        text += line;
      else text = text.slice(0, -1) + line;
    }
  }
  return text;
}

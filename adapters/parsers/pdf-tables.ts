/** Tables by layout: consecutive rows of several segments. */
import { median } from './pdf-layout.ts';
import type { Row, Segment } from './pdf-text.ts';

export interface FoundTable {
  rows: string[][];
  /** Number of rows used. */
  taken: number;
}

interface Column {
  x0: number;
  x1: number;
}

const maxCellCharacters = 80;

/** The table that begins at row `from`, or undefined. */
export function tableAt(rows: readonly Row[], from: number): FoundTable | undefined {
  if (rows[from]!.segments.length < 2) return undefined;
  let end = from + 1;
  while (end < rows.length && goesOn(rows, end)) end++;
  // Trailing rows with one segment belong to the next paragraph.
  while (end > from && rows[end - 1]!.segments.length < 2) end--;
  const part = rows.slice(from, end);
  const split = part.filter((row) => row.segments.length > 1);
  const most = Math.max(...split.map((row) => row.segments.length));
  if (split.length < (most > 2 ? 2 : 3)) return undefined;
  const columns = columnsOf(split, most);
  if (columns.length < 2) return undefined;
  const segments = split.flatMap((row) => row.segments);
  const fitting = segments.filter((segment) => columns.filter((column) => overlap(segment, column) > 0).length === 1);
  if (fitting.length < 0.8 * segments.length || median(segments.map((each) => each.text.length)) > maxCellCharacters) return undefined;
  return { rows: toCells(part, columns), taken: part.length };
}

/** Whether the next row belongs to the same table: near, and with several segments or between such rows. */
function goesOn(rows: readonly Row[], at: number): boolean {
  const [before, row] = [rows[at - 1]!, rows[at]!];
  if (row.y - before.y > 2.6 * Math.max(row.size, before.size)) return false;
  if (row.segments.length > 1) return true;
  const [next, only] = [rows[at + 1], row.segments[0]!];
  if (next === undefined || next.segments.length < 2 || before.segments.length < 2) return false;
  // A row at the left edge is more likely a heading between two tables than a continuation.
  const reach = (only.x0 > before.segments[0]!.x1 ? 2.2 : 1.5) * row.size;
  return next.y - row.y < reach && row.y - before.y < reach;
}

/** Columns from the segments of the fullest rows; segments at the same position are one column. */
function columnsOf(rows: readonly Row[], most: number): Column[] {
  const columns: Column[] = [];
  for (const row of rows) {
    if (row.segments.length < Math.max(2, most - 1)) continue;
    for (const { x0, x1 } of row.segments) {
      const same = columns.filter((column) => overlap({ x0, x1 }, column) > 0);
      if (same.length === 0) columns.push({ x0, x1 });
      else if (same.length === 1) Object.assign(same[0]!, { x0: Math.min(same[0]!.x0, x0), x1: Math.max(same[0]!.x1, x1) });
    }
  }
  return columns.sort((one, other) => one.x0 - other.x0);
}

const overlap = (one: Column, other: Column): number => Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);

function toCells(rows: readonly Row[], columns: readonly Column[]): string[][] {
  const cells: string[][] = [];
  for (const [i, row] of rows.entries()) {
    const line = columns.map(() => '');
    for (const segment of row.segments) {
      const column = nearest(segment, columns);
      line[column] = line[column] === '' ? segment.text : `${line[column]} ${segment.text}`;
    }
    const above = cells.at(-1);
    const near = i > 0 && row.y - rows[i - 1]!.y < 1.45 * row.size;
    // The second line of a cell.
    if (above !== undefined && near && line[0] === '' && line.filter((cell) => cell !== '').length * 2 <= columns.length) {
      for (const [x, cell] of line.entries()) if (cell !== '') above[x] = above[x] === '' ? cell : `${above[x]} ${cell}`;
    } else cells.push(line);
  }
  return cells;
}

function nearest(segment: Segment, columns: readonly Column[]): number {
  let best = 0;
  for (const [i, column] of columns.entries()) if (overlap(segment, column) > overlap(segment, columns[best]!)) best = i;
  return best;
}

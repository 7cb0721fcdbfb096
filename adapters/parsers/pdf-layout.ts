/** Reading order of a page's rows: columns one after the other, spanning rows in between. */
import type { Row, Segment } from './pdf-text.ts';

/** Consecutive rows: a column, or rows above or below columns. */
export type Flow = Row[];

const minColumnRows = 4;

export function flowsOf(rows: readonly Row[], depth = 0): Flow[] {
  if (rows.length === 0) return [];
  const gutter = depth < 6 ? findGutter(rows) : undefined;
  if (gutter === undefined) return [[...rows]];
  const flows: Flow[] = [];
  let [left, right, across]: [Row[], Row[], Row[]] = [[], [], []];
  const flushColumns = (): void => {
    flows.push(...flowsOf(left, depth + 1), ...flowsOf(right, depth + 1));
    [left, right] = [[], []];
  };
  const flushAcross = (): void => {
    flows.push(...flowsOf(across, depth + 1));
    across = [];
  };
  for (const row of rows) {
    if (row.segments.some((segment) => crosses(segment, gutter))) {
      flushColumns();
      across.push(row);
      continue;
    }
    flushAcross();
    const sides = [row.segments.filter((each) => each.x1 <= gutter + 1), row.segments.filter((each) => each.x0 >= gutter - 1)];
    if (sides[0]!.length > 0) left.push({ ...row, segments: sides[0]! });
    if (sides[1]!.length > 0) right.push({ ...row, segments: sides[1]! });
  }
  flushAcross();
  flushColumns();
  return flows;
}

const crosses = (segment: Segment, x: number): boolean => segment.x0 < x - 1 && segment.x1 > x + 1;

/** An x position that few rows cross, with text on both sides. Table cells are short and stay together. */
function findGutter(rows: readonly Row[]): number | undefined {
  const starts = new Map<number, number>();
  for (const row of rows) for (const { x0 } of row.segments) starts.set(Math.round(x0), (starts.get(Math.round(x0)) ?? 0) + 1);
  let best: { x: number; score: number } | undefined;
  for (const [x, count] of starts) {
    if (count < Math.min(minColumnRows, rows.length / 4)) continue;
    const score = scoreOf(rows, x);
    if (score > (best?.score ?? 0)) best = { x, score };
  }
  return best?.x;
}

function scoreOf(rows: readonly Row[], x: number): number {
  const [left, right]: [Side, Side] = [newSide(), newSide()];
  let crossing = 0;
  for (const row of rows) {
    if (row.segments.some((segment) => crosses(segment, x))) {
      crossing++;
      continue;
    }
    note(
      left,
      row,
      row.segments.filter((each) => each.x1 <= x + 1),
    );
    note(
      right,
      row,
      row.segments.filter((each) => each.x0 >= x - 1),
    );
  }
  const fewer = Math.min(left.rows, right.rows);
  if (fewer < minColumnRows || crossing > rows.length * 0.4) return 0;
  if (!isProse(left) || !isProse(right)) return 0;
  const overlap = Math.min(left.bottom, right.bottom) - Math.max(left.top, right.top);
  if (overlap < 0.25 * (Math.min(left.bottom - left.top, right.bottom - right.top) || 1)) return 0;
  return fewer - crossing * 0.5;
}

interface Side {
  rows: number;
  characters: number[];
  widths: number[];
  /** Number of rows with several segments. */
  split: number;
  top: number;
  bottom: number;
}

const newSide = (): Side => ({
  rows: 0,
  characters: [],
  widths: [],
  split: 0,
  top: Number.POSITIVE_INFINITY,
  bottom: Number.NEGATIVE_INFINITY,
});

function note(side: Side, row: Row, segments: Segment[]): void {
  const [first, last] = [segments[0], segments.at(-1)];
  if (first === undefined || last === undefined) return;
  side.rows++;
  side.characters.push(segments.reduce((sum, each) => sum + each.text.length, 0));
  side.widths.push(last.x1 - first.x0);
  if (segments.length > 1) side.split++;
  side.top = Math.min(side.top, row.y);
  side.bottom = Math.max(side.bottom, row.y);
}

/** Most lines of text are as wide as the column, and have several words. */
function isProse(side: Side): boolean {
  const widths = side.widths.toSorted((one, other) => one - other);
  const full = widths.at(-1 - Math.floor(widths.length * 0.05)) ?? 0;
  const wide = widths.filter((width) => width > 0.7 * full).length;
  return median(side.characters) >= 18 && wide >= 0.4 * widths.length && side.split < 0.7 * side.rows;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

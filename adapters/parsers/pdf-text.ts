/**
 * Converts the drawn pieces of a PDF into rows of text. Coordinates in points, y downwards; pdf.ts describes the
 * whole process.
 */

/** A piece of text as it was drawn. */
export interface Fragment {
  text: string;
  x0: number;
  x1: number;
  /** Baseline. */
  y: number;
  size: number;
  font: string;
  rtl: boolean;
}

/** Text without a wide gap: a line of a column, a cell. */
export interface Segment {
  text: string;
  x0: number;
  x1: number;
  size: number;
  /** The font of most characters; empty when mixed. */
  font: string;
}

/** Segments on one baseline, left to right. */
export interface Row {
  y: number;
  size: number;
  segments: Segment[];
}

/** Text of one direction: a page may also have rotated text in its margin. */
export interface TextFrame {
  /** Degrees clockwise from upright. */
  angle: number;
  rows: Row[];
  width: number;
  height: number;
}

/** The used fields of pdf.js's text items. */
export interface TextItem {
  str: string;
  transform: number[];
  width: number;
  fontName: string;
  dir: string;
}

/** Wider gaps, in font sizes, separate columns and cells. */
const wideGap = 1.1;

/** @param viewport pdf.js's matrix from page coordinates to the upright page */
export function readFrames(items: readonly TextItem[], viewport: { transform: number[]; width: number; height: number }): TextFrame[] {
  const byAngle = new Map<number, Fragment[]>();
  for (const item of items) {
    if (item.str.trim() === '') continue;
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = multiply(viewport.transform, item.transform);
    // Text outside the page is invisible.
    if (e < -20 || f < -20 || e > viewport.width + 20 || f > viewport.height + 20) continue;
    const size = Math.hypot(c, d);
    if (size < 1) continue;
    const angle = roundAngle((Math.atan2(b, a) * 180) / Math.PI);
    const { x, y } = turn(e, f, -angle);
    const fragment = { text: item.str, x0: x, x1: x + item.width, y, size, font: item.fontName, rtl: item.dir === 'rtl' };
    const same = byAngle.get(angle);
    if (same === undefined) byAngle.set(angle, [fragment]);
    else same.push(fragment);
  }
  const weight = (fragments: Fragment[]): number => fragments.reduce((sum, each) => sum + each.text.length, 0);
  return [...byAngle]
    .sort((one, other) => weight(other[1]) - weight(one[1]))
    .map(([angle, fragments]) => ({ angle, rows: toRows(withoutDoubles(fragments)), width: viewport.width, height: viewport.height }));
}

const multiply = (m: number[], n: number[]): number[] => [
  m[0]! * n[0]! + m[2]! * n[1]!,
  m[1]! * n[0]! + m[3]! * n[1]!,
  m[0]! * n[2]! + m[2]! * n[3]!,
  m[1]! * n[2]! + m[3]! * n[3]!,
  m[0]! * n[4]! + m[2]! * n[5]! + m[4]!,
  m[1]! * n[4]! + m[3]! * n[5]! + m[5]!,
];

/** Rounds to right angles, for slightly rotated scans. */
const roundAngle = (degrees: number): number => {
  const right = Math.round(degrees / 90) * 90;
  const angle = Math.abs(degrees - right) < 8 ? right : Math.round(degrees / 5) * 5;
  return angle === -180 ? 180 : angle;
};

function turn(x: number, y: number, degrees: number): { x: number; y: number } {
  if (degrees === 0) return { x, y };
  const radians = (degrees * Math.PI) / 180;
  return { x: x * Math.cos(radians) - y * Math.sin(radians), y: x * Math.sin(radians) + y * Math.cos(radians) };
}

/** Shadows and bold text that is drawn twice. */
function withoutDoubles(fragments: Fragment[]): Fragment[] {
  const seen = new Map<string, Fragment[]>();
  return fragments.filter((each) => {
    const alike = seen.get(each.text) ?? [];
    if (alike.some((other) => Math.abs(other.x0 - each.x0) < each.size * 0.2 && Math.abs(other.y - each.y) < each.size * 0.2)) return false;
    // Only near ones matter, and they are drawn consecutively.
    seen.set(each.text, [...alike.slice(-7), each]);
    return true;
  });
}

interface Line {
  y: number;
  size: number;
  fragments: Fragment[];
}

function toRows(fragments: Fragment[]): Row[] {
  const lines: Line[] = [];
  for (const fragment of fragments.toSorted((one, other) => one.y - other.y || one.x0 - other.x0)) {
    // Baselines are sorted, so a matching line is among the last.
    const line = lines.slice(-4).findLast((each) => Math.abs(fragment.y - each.y) <= 0.25 * Math.min(fragment.size, each.size));
    if (line === undefined) lines.push({ y: fragment.y, size: fragment.size, fragments: [fragment] });
    else {
      line.fragments.push(fragment);
      if (fragment.size > line.size) Object.assign(line, { size: fragment.size, y: fragment.y });
    }
  }
  return withRaised(lines).map(({ y, size, fragments: parts }) => ({ y, size, segments: toSegments(parts) }));
}

/** Indices, exponents and footnote marks have their own baselines and belong to the larger text beside them. */
function withRaised(lines: Line[]): Line[] {
  lines.sort((one, other) => one.y - other.y);
  for (const [i, line] of lines.entries()) {
    const near = [...lines.slice(Math.max(0, i - 4), i), ...lines.slice(i + 1, i + 5)].filter((other) => {
      const shift = line.y - other.y;
      return line.size <= 0.8 * other.size && shift > -0.65 * other.size && shift < 0.3 * other.size;
    });
    if (near.length === 0) continue;
    line.fragments = line.fragments.filter((fragment) => {
      const home = near.find(({ size, fragments }) =>
        fragments.some((each) => fragment.x0 - each.x1 < 0.4 * size && each.x0 - fragment.x1 < 0.4 * size),
      );
      home?.fragments.push(fragment);
      return home === undefined;
    });
  }
  return lines.filter((line) => line.fragments.length > 0);
}

function toSegments(fragments: Fragment[]): Segment[] {
  const rtl = fragments.filter((each) => each.rtl).length * 2 > fragments.length;
  const parts = fragments.toSorted((one, other) => one.x0 - other.x0);
  const groups: Fragment[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    const group = groups.at(-1);
    if (group !== undefined && part.x0 - end <= wideGap * Math.max(part.size, group.at(-1)!.size)) group.push(part);
    else groups.push([part]);
    end = Math.max(group?.includes(part) ? end : Number.NEGATIVE_INFINITY, part.x1);
  }
  const segments = groups.map((group) => join(group, rtl));
  return joinLabels(rtl ? segments.reverse() : segments);
}

function join(group: Fragment[], rtl: boolean): Segment {
  const ordered = rtl ? group.toReversed() : group;
  let text = '';
  let before: Fragment | undefined;
  const fonts = new Map<string, number>();
  let size = 0;
  for (const part of ordered) {
    const gap = before === undefined ? 0 : rtl ? before.x0 - part.x1 : part.x0 - before.x1;
    if (before !== undefined && gap > 0.12 * Math.max(part.size, before.size) && !/\s$/.test(text) && !/^\s/.test(part.text)) text += ' ';
    text += part.text;
    fonts.set(part.font, (fonts.get(part.font) ?? 0) + part.text.length);
    size = Math.max(size, part.size);
    before = part;
  }
  const [font, characters] = [...fonts].sort((one, other) => other[1] - one[1])[0]!;
  return {
    text: text.replace(/\s+/g, ' ').trim(),
    x0: Math.min(...group.map((each) => each.x0)),
    x1: Math.max(...group.map((each) => each.x1)),
    size,
    font: characters >= 0.9 * text.length ? font : '',
  };
}

export const bullet = /^[•◦▪▫‣●○■□◆➢➤✓\uF0B7\uF0A7·–*-]$/;
const label = /^\(?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[a-z]|[ivx]{1,4})[.)]?$/i;

/** A bullet or number has a gap before its text, but is not a cell. */
function joinLabels(segments: Segment[]): Segment[] {
  const [first, second, ...rest] = segments;
  if (first === undefined || second === undefined) return segments;
  const gap = second.x0 - first.x1;
  const isLabel =
    bullet.test(first.text) || (rest.length === 0 && label.test(first.text) && second.text.length > 3 && gap < 3 * second.size);
  if (!isLabel || gap > 5 * second.size) return segments;
  return [{ ...second, text: `${first.text} ${second.text}`, x0: first.x0 }, ...rest];
}

/** Headers, footers and page numbers: text at the same edge of many pages, ignoring digits. */
import type { Row, TextFrame } from './pdf-text.ts';

const minPages = 3;
const edge = 0.12;

/**
 * Removes them from the rows.
 * @returns the number of different ones
 */
export function dropFurniture(pages: readonly (TextFrame | undefined)[]): number {
  const found = new Map<string, Set<number>>();
  const each = (then: (key: string, row: Row, page: number) => void): void => {
    for (const [page, frame] of pages.entries()) {
      if (frame === undefined) continue;
      for (const row of frame.rows) {
        if (row.y < frame.height * edge || row.y > frame.height * (1 - edge)) then(keyOf(row), row, page);
      }
    }
  };
  each((key, _, page) => {
    const on = found.get(key);
    if (on === undefined) found.set(key, new Set([page]));
    else on.add(page);
  });
  const written = pages.filter((frame) => frame !== undefined && frame.rows.length > 0).length;
  // Left and right pages differ, so less than half of the pages may have it.
  const repeated = new Set([...found].filter(([, on]) => on.size >= minPages && on.size >= 0.35 * written).map(([key]) => key));
  const dropped = new Set<Row>();
  each((key, row) => {
    if (repeated.has(key)) dropped.add(row);
  });
  for (const frame of pages) if (frame !== undefined) frame.rows = frame.rows.filter((row) => !dropped.has(row));
  return repeated.size;
}

function keyOf(row: Row): string {
  const text = row.segments.map((segment) => segment.text).join(' ');
  return `${Math.round(row.y / 6)} ${text
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/i, '#')
    .slice(0, 200)}`;
}

/** Maximum cells filled by a merge; a larger merge keeps its value only in the first cell. */
const maxFilled = 10_000;

/** Rows as a Markdown table with the first row as heading. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  let width = 1;
  for (const row of rows) width = Math.max(width, row.length);
  const line = (row: readonly string[]): string => `| ${Array.from({ length: width }, (_, i) => escapeCell(row[i] ?? '')).join(' | ')} |`;
  const [first = [], ...rest] = rows;
  return [line(first), `|${' --- |'.repeat(width)}`, ...rest.map(line)].join('\n');
}

const escapeCell = (cell: string): string => oneLine(cell).replaceAll('|', '\\|');

/** No pattern that begins with white space: it would be quadratic for long runs of spaces. */
const oneLine = (cell: string): string =>
  cell.includes('\n')
    ? cell
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ')
    : cell;

/** A cell that may span rows and columns. */
export interface SpannedCell {
  text: string;
  columns: number;
  rows: number;
}

/** Places spanning cells on a grid, with their text in each covered cell. */
export function fillSpans(rows: readonly (readonly SpannedCell[])[]): string[][] {
  const grid: string[][] = rows.map(() => []);
  let filled = 0;
  for (const [y, row] of rows.entries()) {
    let x = 0;
    for (const cell of row) {
      while (grid[y]![x] !== undefined) x++;
      const columns = Math.max(1, cell.columns);
      const down = Math.min(Math.max(1, cell.rows), rows.length - y);
      const fits = (filled += columns * down - 1) <= maxFilled;
      for (let dy = 0; dy < (fits ? down : 1); dy++) {
        for (let dx = 0; dx < (fits ? columns : 1); dx++) grid[y + dy]![x + dx] ??= cell.text;
      }
      x += fits ? columns : 1;
    }
  }
  // Spans from above leave gaps at the ends of rows.
  return grid.map((row) => Array.from(row, (cell) => cell ?? ''));
}

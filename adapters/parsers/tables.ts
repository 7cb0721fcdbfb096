/** Cells that a merge may fill; beyond, only its first cell keeps the value. */
const maxFilled = 10_000;

/** Rows as a Markdown table, whose heading is the first row. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  let width = 1;
  for (const row of rows) width = Math.max(width, row.length);
  const line = (row: readonly string[]): string => `| ${Array.from({ length: width }, (_, i) => escapeCell(row[i] ?? '')).join(' | ')} |`;
  const [first = [], ...rest] = rows;
  return [line(first), `|${' --- |'.repeat(width)}`, ...rest.map(line)].join('\n');
}

const escapeCell = (cell: string): string => oneLine(cell).replaceAll('|', '\\|');

/** Not by an expression that begins with any white space: a long run of spaces would take the square of its length. */
const oneLine = (cell: string): string =>
  cell.includes('\n')
    ? cell
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ')
    : cell;

/** A cell of a table in which cells may span. */
export interface SpannedCell {
  text: string;
  columns: number;
  rows: number;
}

/** Lays spanning cells out on a grid, their text in each place they cover. */
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
  // Spans from above leave holes at rows' ends.
  return grid.map((row) => Array.from(row, (cell) => cell ?? ''));
}

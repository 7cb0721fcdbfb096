/** A rectangle of cells that form a table. */
export interface Region {
  rows: string[][];
  /** 1-based row numbers in the sheet. */
  lines: number[];
  headerRows: number;
}

/** Splits a sheet at empty rows, then at empty columns; a part that continues after a gap stays with its table. */
export function regionsOf(rows: readonly (readonly string[])[]): Region[] {
  const found: (Part & { from: number; to: number })[] = [];
  for (let start = 0; start < rows.length; start++) {
    if (isEmpty(rows[start]!)) continue;
    let end = start;
    while (end < rows.length && !isEmpty(rows[end]!)) end++;
    for (const [from, to] of columnRuns(rows, start, end)) {
      for (const part of withoutTitle(trimRows(rows, start, end, from, to))) {
        const before = found.findLast((region) => region.from <= to && region.to >= from);
        const goesOn = before?.from === from && before.to === to && isNamed(before.rows[0]!) && !isNamed(part.rows[0]!);
        if (goesOn) {
          for (const row of part.rows) before.rows.push(row);
          for (const line of part.lines) before.lines.push(line);
        } else found.push({ ...part, from, to });
      }
    }
    start = end;
  }
  return found.map(({ rows: cells, lines }) => ({ rows: cells, lines, headerRows: headerRowsOf(cells) }));
}

const isEmpty = (row: readonly string[]): boolean => row.every((cell) => cell === '');

function columnRuns(rows: readonly (readonly string[])[], start: number, end: number): [number, number][] {
  const used: boolean[] = [];
  for (let y = start; y < end; y++) {
    for (const [x, cell] of rows[y]!.entries()) if (cell !== '') used[x] = true;
  }
  const runs: [number, number][] = [];
  for (let x = 0; x < used.length; x++) {
    if (!used[x]) continue;
    let to = x;
    while (used[to]) to++;
    runs.push([x, to]);
    x = to;
  }
  // Beside a table of many rows an empty column is a gap; with few rows it is an empty field.
  return end - start >= 3 || runs.length === 0 ? runs : [[runs[0]![0], runs.at(-1)![1]]];
}

type Part = Pick<Region, 'rows' | 'lines'>;

function trimRows(rows: readonly (readonly string[])[], start: number, end: number, from: number, to: number): Part {
  const part = rows.slice(start, end).map((row) => Array.from({ length: to - from }, (_, i) => row[from + i] ?? ''));
  const first = part.findIndex((row) => !isEmpty(row));
  const last = part.findLastIndex((row) => !isEmpty(row));
  return { rows: part.slice(first, last + 1), lines: Array.from({ length: last - first + 1 }, (_, i) => start + first + i + 1) };
}

/** A first row with a single cell above wider rows is the table's title. */
function withoutTitle({ rows, lines }: Part): Part[] {
  const [first = [], second = []] = rows;
  const filled = (row: readonly string[]): string[] => row.filter((cell) => cell !== '');
  if (rows.length < 3 || filled(first).length !== 1 || filled(second).length < 2) return [{ rows, lines }];
  return [
    { rows: [filled(first)], lines: lines.slice(0, 1) },
    { rows: rows.slice(1), lines: lines.slice(1) },
  ];
}

/** Looks like column names: all filled except one at most, without numbers and dates. */
function isNamed(row: readonly string[]): boolean {
  const filled = row.filter((cell) => cell !== '');
  return (
    filled.length > 0 && filled.length >= row.length - 1 && !filled.some((cell) => /^[-+(]?\p{Sc}?\d[\d.,:/ -]*[%)\p{Sc}]?$/u.test(cell))
  );
}

/** 1 if the first row looks like column names, else 0. */
export const headerRowsOf = (rows: readonly (readonly string[])[]): number => (rows.length > 1 && isNamed(rows[0]!) ? 1 : 0);

import { datesIn, dayOf, isoDay, orderOf, type FoundDate, type Order } from './when-dates.ts';

/** Days of a table's column. All cells of a column are written in one way, so each helps to read the others. */

const folded = (cell: string): string => cell.replace(/\s+/g, ' ').trim().slice(0, 60);

export const isCellDate = (cell: string): boolean => cell.length < 60 && (dateOf(cell) !== null || epochDay(cell) !== null);

const dateOf = (cell: string): FoundDate | null => datesIn(folded(cell)).find(({ day }) => day !== null) ?? null;

/** Seconds or milliseconds since 1970, of the years 2001 to 2096. */
function epochDay(cell: string): string | null {
  const match = /^\s*(1\d{9}|[23]\d{9})(\d{3})?(?:\.\d{1,6})?\s*$/.exec(cell);
  return match === null ? null : new Date(Number(match[1]) * 1000).toISOString().slice(0, 10);
}

/** Days since 30 December 1899 as spreadsheets count, of the years 1995 to 2064: "46085", "46085.67". */
export function serialDay(cell: string): string | null {
  const match = /^\s*([3-5]\d{4})(?:[.,]\d{1,12})?\s*$/.exec(cell);
  const count = match === null ? 0 : Number(match[1]);
  return count < 34_700 || count > 60_000 ? null : isoDay(1899, 12, 30 + count);
}

/**
 * ISO day of each cell, or null.
 * @param latest ISO: no date is expected after it
 */
export function columnDays(cells: readonly string[], latest: string): (string | null)[] {
  const dates = cells.map(dateOf);
  const known = dates.filter((date) => date !== null);
  const order = columnOrder(known, cells.slice(0, 1000).map(folded), latest);
  return dates.map((date, i) => (date === null ? (epochDay(cells[i]!) ?? serialDay(cells[i]!)) : dayOf(date, order, latest)));
}

/**
 * As for other texts; if nothing there decides, the reading in which the rows are in order of time, else the one in
 * which they are closer together.
 */
function columnOrder(dates: readonly FoundDate[], texts: readonly string[], latest: string): Order {
  const sure = orderOf(dates, texts, latest, null);
  if (sure !== null) return sure;
  const readings = (['dmy', 'mdy'] as const).map((order) => ({ order, days: dates.map((date) => dayOf(date, order, latest)) }));
  const sorted = readings.filter(({ days }) => isSorted(days));
  if (sorted.length === 1) return sorted[0]!.order;
  const [first, second] = readings.map(({ days }) => spanOf(days)) as [number, number];
  return second * 2 < first ? 'mdy' : 'dmy';
}

function isSorted(days: readonly string[]): boolean {
  const pairs = days.slice(1).map((day, i) => [days[i]!, day] as const);
  return pairs.length > 1 && (pairs.every(([a, b]) => a <= b) || pairs.every(([a, b]) => a >= b));
}

/** In milliseconds. */
function spanOf(days: readonly string[]): number {
  const sorted = days.toSorted();
  return sorted.length < 2 ? 0 : Date.parse(sorted.at(-1)!) - Date.parse(sorted[0]!);
}

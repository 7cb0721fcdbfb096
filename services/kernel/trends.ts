/** Pure: trends of counts, defined once, in TypeScript and in SQL. */
export type Direction = 'emerging' | 'growing' | 'declining' | 'stable';

export interface Trend {
  direction: Direction;
  current_count: number;
  previous_count: number;
  /** Change from the previous count in percent; null: it was zero. */
  change_pct: number | null;
}

/** A change by this share of the previous count is a trend. */
const moves = 0.2;

/** A window compared with the previous one: emerging from zero, growing from +20 %, declining from −20 %. */
export function trendOf(current: number, previous: number): Trend {
  const change = previous === 0 ? null : (current - previous) / previous;
  return {
    direction: directionOf(current, previous),
    current_count: current,
    previous_count: previous,
    change_pct: change === null ? null : Math.round(change * 1000) / 10,
  };
}

function directionOf(current: number, previous: number): Direction {
  if (previous === 0) return current > 0 ? 'emerging' : 'stable';
  if (current - previous >= moves * previous) return 'growing';
  return current - previous <= -moves * previous ? 'declining' : 'stable';
}

/** The same in SQL, for two trusted expressions. */
export const directionSql = (current: string, previous: string): string =>
  `(case when ${previous} = 0 then case when ${current} > 0 then 'emerging' else 'stable' end
    when ${current} - ${previous} >= ${moves}::float8 * ${previous} then 'growing'
    when ${current} - ${previous} <= -${moves}::float8 * ${previous} then 'declining' else 'stable' end)`;

/** Counts by days ago (0: the last day) as the trend of a window and its counts per day, oldest first. */
export function trendOfDays(on: (ago: number) => number, days: number): Trend & { series: number[] } {
  const series = Array.from({ length: days }, (_, i) => on(days - 1 - i));
  const before = Array.from({ length: days }, (_, i) => on(days + i));
  return { ...trendOf(sum(series), sum(before)), series };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

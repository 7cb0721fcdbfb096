/** Pure: the address of insight, the steps of the heatmap, the geometry of trends, and the addresses of the signals behind a number. */

export const defaults = {
  tab: 'heatmap',
  dimension: 'issues_by_feature',
  metric: 'signal_count',
  from: '',
  as_of: '',
  type: 'issue',
  direction: 'all',
  window: '28',
  /** Id of the entity whose trend is shown large. */
  entity: '',
  focus: '',
  days: '30',
  action: 'fix_issue',
  name: '',
};
export type Url = typeof defaults;

export const tabs = [
  ['heatmap', 'Heatmap'],
  ['trends', 'Trends'],
  ['strategy', 'Strategy'],
  ['whatif', 'What if'],
] as const;

export const dimensions = [
  ['issues_by_feature', 'issues by feature'],
  ['issues_by_customer', 'issues by customer'],
  ['features_by_customer', 'features by customer'],
  ['themes_by_signal_volume', 'themes by customer'],
] as const;
export const metrics = [
  ['signal_count', 'statements'],
  ['customer_count', 'customers'],
  ['severity_weighted', 'sum of severities'],
] as const;
export const metricNames: Record<string, string> = Object.fromEntries(metrics);

export const steps = 7;

/** 0 for nothing, else 1 to 7 by the root of the share of the largest: small numbers differ, too. */
export const stepOf = (value: number, largest: number): number =>
  value <= 0 || largest <= 0 ? 0 : Math.max(1, Math.ceil(steps * Math.sqrt(Math.min(1, value / largest))));

/** Where an arrow key leads in a table with this many rows and columns; null: another key. */
export function moved(
  [row, column]: readonly [number, number],
  key: string,
  [rows, columns]: readonly [number, number],
): [number, number] | null {
  const to: Record<string, [number, number]> = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, columns - 1],
  };
  const [r, c] = to[key] ?? [-1, -1];
  if (to[key] === undefined) return null;
  return [Math.max(0, Math.min(rows - 1, r)), Math.max(0, Math.min(columns - 1, c))];
}

/** The address of the statements about all of these entities, in a period. Folding would show fewer than were counted. */
export const signalsAbout = (
  ids: readonly string[],
  { from, as_of }: { from?: string | null; as_of?: string | null },
): Record<string, string> => ({
  entities: ids.join(','),
  fold: 'no',
  ...(from ? { from } : {}),
  ...(as_of ? { as_of } : {}),
});

export interface Step {
  from: string;
  to: string;
  now: number;
  before: number;
}

const dayMs = 86_400_000;
const dayBefore = (day: string, n: number): string => new Date(Date.parse(`${day}T00:00:00Z`) - n * dayMs).toISOString().slice(0, 10);

/** A series and that of the window before, by step. @param to the last day of the last step */
export function stepsOf({
  series,
  previous,
  days,
  to,
}: {
  series: readonly number[];
  previous: readonly number[];
  days: number;
  to: string;
}): Step[] {
  return series.map((now, i) => {
    const back = (series.length - 1 - i) * days;
    return { from: dayBefore(to, back + days - 1), to: dayBefore(to, back), now, before: previous[i] ?? 0 };
  });
}

export const changeText = ({ change_pct, direction }: { change_pct: number | null; direction: string }): string =>
  change_pct === null ? (direction === 'emerging' ? 'new' : '–') : `${change_pct > 0 ? '+' : ''}${change_pct} %`;

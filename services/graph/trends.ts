/** Pure: how counts move (SPEC G37). */
export type Direction = 'emerging' | 'growing' | 'declining' | 'stable';

export interface Trend {
  direction: Direction;
  current_count: number;
  previous_count: number;
  /** Of the count before, in percent; null: there was none. */
  change_pct: number | null;
}

/** A window beside the one before it: none before is emerging, from +20 % growing, from −20 % declining. */
export function trendOf(current: number, previous: number): Trend {
  const change = previous === 0 ? null : (current - previous) / previous;
  return {
    direction: directionOf(current, change),
    current_count: current,
    previous_count: previous,
    change_pct: change === null ? null : Math.round(change * 1000) / 10,
  };
}

function directionOf(current: number, change: number | null): Direction {
  if (change === null) return current > 0 ? 'emerging' : 'stable';
  if (change >= 0.2) return 'growing';
  return change <= -0.2 ? 'declining' : 'stable';
}

import { describe, expect, it } from 'vitest';
import { change, moved } from './phrases.ts';
import type { Evidence, Ranked } from './types.ts';

const cited = { ref: 's1', at: '2026-11-03T10:00:00.000Z' };
/** 12 statements in total, some of them in the last windows. */
const evidence = (recent: number, previous: number): Evidence =>
  ({
    spec: { windowDays: null },
    windowDays: 28,
    recentFrom: '2026-10-25T00:00:00.000Z',
    previousFrom: '2026-09-27T00:00:00.000Z',
    totals: { signals: 12, customers: 2, recent, previous },
    newestSignals: ['s1'],
    signals: { s1: cited },
  }) as unknown as Evidence;
const entity = (recent: number, previous: number): Ranked =>
  ({ id: 'ent_export', name: 'Export', recent, previous, samples: { any: ['s1'] } }) as unknown as Ranked;

describe('what is said of change', () => {
  it('speaks of the two windows that were compared, and of no time before', () => {
    expect(change(evidence(5, 0))!.text).toBe('The last 28 days brought 5 statements, the 28 days before none.');
    expect(change(evidence(5, 4))!.text).toBe('The last 28 days brought 5 statements, the 28 days before 4.');
    expect(moved(evidence(5, 4), entity(3, 0))!.text).toBe(
      'Talk of Export rises: 3 statements in the last 28 days, none in the 28 days before.',
    );
    expect(moved(evidence(5, 4), entity(0, 3))!.text).toBe(
      'Talk of Export falls: 0 statements in the last 28 days, 3 in the 28 days before.',
    );
  });
});

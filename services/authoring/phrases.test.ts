import { describe, expect, it } from 'vitest';
import { change, moved, quoted } from './phrases.ts';
import { citedFixture } from './cited.fixture.ts';
import type { Evidence, Ranked } from './types.ts';

const cited = { ref: 's1', at: '2026-11-03T10:00:00.000Z' };
/** Statements in the last windows. */
const evidence = (recent: number, previous: number): Evidence =>
  ({
    spec: { windowDays: null },
    windowDays: 28,
    recentFrom: '2026-10-25T00:00:00.000Z',
    previousFrom: '2026-09-27T00:00:00.000Z',
    totals: { signals: 40, customers: 2, recent, previous },
    newestSignals: ['s1'],
    signals: { s1: cited },
  }) as unknown as Evidence;
const entity = (recent: number, previous: number): Ranked =>
  ({ id: 'ent_export', name: 'Export', recent, previous, samples: { any: ['s1'] } }) as unknown as Ranked;

describe('what is said of change', () => {
  it('speaks of the two windows that were compared', () => {
    expect(change(evidence(15, 14))!.text).toBe('The last 28 days brought 15 statements, the 28 days before 14.');
    expect(moved(evidence(30, 24), entity(13, 0))!.text).toBe(
      'Talk of Export rises: 13 statements in the last 28 days, none in the 28 days before.',
    );
    expect(moved(evidence(15, 24), entity(3, 12))!.text).toBe(
      'Talk of Export falls: 3 statements in the last 28 days, 12 in the 28 days before.',
    );
  });

  it.each([
    ['nothing before', 30, 0],
    ['next to nothing before', 30, 3],
    ['few in both', 5, 4],
  ])('says nothing with %s', (_, recent, previous) => {
    expect(change(evidence(recent, previous))).toBeNull();
  });

  it('says nothing of small numbers, nor where everything would be new', () => {
    expect(moved(evidence(30, 24), entity(1, 5))).toBeNull();
    expect(moved(evidence(30, 2), entity(20, 0))).toBeNull();
  });
});

describe('a quotation', () => {
  it('has its speaker, its day, and the days that it names relatively', () => {
    const said = citedFixture({
      statement: 'Since yesterday’s patch the lights on the second floor count again.',
      author: 'Mona Lind',
      severity: 4,
      at: '2026-09-10T08:00:00Z',
    });
    expect(quoted(said)).toBe(
      '“Since yesterday’s patch the lights on the second floor count again.” (Mona Lind, critical severity, 10 Sept 2026, yesterday: 9 Sept 2026)',
    );
  });

  it('is told with what it refers to, unless that stands beside it', () => {
    const said = citedFixture({ statement: 'It no longer happens.', before: 'The door stayed open after closing time.' });
    expect(quoted(said)).toContain('“The door stayed open after closing time.” “It no longer happens.”');
    const beside = citedFixture({ statement: 'The door stayed open after closing time.' });
    expect(quoted(said, 300, [beside])).not.toContain('closing time');
  });
});

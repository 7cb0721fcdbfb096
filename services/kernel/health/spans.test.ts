import { describe, expect, it } from 'vitest';
import { seen, whole, type Span } from './spans.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
const spansOf = (...looks: [seconds: number, status: string][]): Span[] => {
  const spans: Span[] = [];
  for (const [seconds, status] of looks) seen(spans, status, at(seconds));
  return spans;
};
const told = (spans: readonly Span[], since: number, until: number) =>
  whole(spans, at(since), at(until)).map(({ status, seconds }) => [status, seconds]);

describe('looks at a part', () => {
  it('that find it unchanged are one span', () => {
    expect(spansOf([0, 'up'], [15, 'up'], [30, 'up'])).toEqual([{ status: 'up', since: at(0), until: at(30) }]);
  });

  it('that find it changed end one span and begin the next', () => {
    expect(spansOf([0, 'up'], [15, 'down'], [30, 'down'], [45, 'up'])).toEqual([
      { status: 'up', since: at(0), until: at(15) },
      { status: 'down', since: at(15), until: at(45) },
      { status: 'up', since: at(45), until: at(45) },
    ]);
  });

  it('that are more than a minute apart say nothing about the time between', () => {
    expect(spansOf([0, 'up'], [61, 'up'])).toEqual([
      { status: 'up', since: at(0), until: at(0) },
      { status: 'up', since: at(61), until: at(61) },
    ]);
  });
});

describe('a time', () => {
  it('is covered whole, also where nobody looked', () => {
    const spans = spansOf([100, 'up'], [150, 'up'], [300, 'down'], [330, 'up'], [360, 'up']);
    expect(told(spans, 0, 500)).toEqual([
      ['unwatched', 100],
      ['up', 50],
      ['unwatched', 150],
      ['down', 30],
      ['up', 30],
      ['unwatched', 140],
    ]);
  });

  it('begins and ends within spans', () => {
    expect(told(spansOf([0, 'up'], [50, 'up'], [100, 'up'], [150, 'down'], [200, 'down']), 90, 170)).toEqual([
      ['up', 60],
      ['down', 20],
    ]);
  });

  it('goes on with the last state until the next look is due', () => {
    expect(told(spansOf([0, 'up'], [50, 'up']), 0, 90)).toEqual([['up', 90]]);
  });

  it('in which nobody looked is one span', () => {
    expect(told([], 0, 90)).toEqual([['unwatched', 90]]);
  });
});

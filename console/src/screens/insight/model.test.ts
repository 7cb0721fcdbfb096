import { expect, it } from 'vitest';
import { changeText, moved, signalsAbout, stepOf, stepsOf, steps } from './model.ts';

it('the heatmap has seven steps by the root of the share', () => {
  expect([0, 1, 4, 25, 49, 100].map((value) => stepOf(value, 100))).toEqual([0, 1, 2, 4, 5, 7]);
  expect(stepOf(0.001, 100)).toBe(1);
  expect(stepOf(200, 100)).toBe(steps);
  expect(stepOf(0, 0)).toBe(0);
});

it('arrow keys stay in the table', () => {
  expect(moved([0, 0], 'ArrowUp', [3, 4])).toEqual([0, 0]);
  expect(moved([0, 0], 'ArrowDown', [3, 4])).toEqual([1, 0]);
  expect(moved([2, 3], 'ArrowRight', [3, 4])).toEqual([2, 3]);
  expect(moved([2, 1], 'End', [3, 4])).toEqual([2, 3]);
  expect(moved([2, 1], 'a', [3, 4])).toBeNull();
});

it('a number leads to the statements that it counts', () => {
  expect(signalsAbout(['a', 'b'], { from: '2026-03-01', as_of: null })).toEqual({ entities: 'a,b', fold: 'no', from: '2026-03-01' });
});

it('steps of a series have their days', () => {
  expect(stepsOf({ series: [1, 2], previous: [0, 5], days: 7, to: '2026-03-14' })).toEqual([
    { from: '2026-03-01', to: '2026-03-07', now: 1, before: 0 },
    { from: '2026-03-08', to: '2026-03-14', now: 2, before: 5 },
  ]);
  expect(changeText({ change_pct: null, direction: 'emerging' })).toBe('new');
  expect(changeText({ change_pct: 12.5, direction: 'growing' })).toBe('+12.5 %');
});

import { expect, it } from 'vitest';
import type { FactorViews } from '../../../../contracts/signals/opportunities.ts';
import { happened, placeOf, signed, stepsOf } from './model.ts';

const factor = (value: number) => ({ value, computed: value, reason: 'r' });
const factors = (impact: number): FactorViews => ({
  impact: factor(impact),
  confidence: factor(0.5),
  strategic_alignment: factor(5),
  urgency: factor(4),
  effort: factor(2),
});

it('the product grows by each factor, and effort divides', () => {
  const steps = stepsOf(factors(8));
  expect(steps.map(({ after }) => after)).toEqual([8, 4, 20, 80, 40]);
  expect(steps.map(({ before, after }) => signed(after - before))).toEqual(['+7', '−4', '+16', '+60', '−40']);
  const place = placeOf(steps);
  expect([place(1), place(80)]).toEqual([0, 1]);
  expect(place(8)).toBeCloseTo(Math.log(8) / Math.log(80));
});

it('a factor of nothing is drawn, too', () => {
  const steps = stepsOf(factors(0));
  expect(steps.at(-1)!.after).toBe(0);
  for (const { after } of steps) expect(placeOf(steps)(after)).toBeGreaterThanOrEqual(0);
});

it('the history is told in words', () => {
  expect(happened({ event: 'status', data: { from: 'new', to: 'reviewing', reason: 'big' } })).toBe('new → reviewing: big');
  expect(happened({ event: 'factor', data: { factor: 'effort', from: 5, to: 2, reason: null } })).toBe('effort set to 2, was 5');
  expect(happened({ event: 'factor', data: { factor: 'effort', from: 2, to: null } })).toBe('effort reset to its computed value');
  expect(happened({ event: 'merged', data: { from: 'x', signals: 3 } })).toBe('merged, from x, signals 3');
});

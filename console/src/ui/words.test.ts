import { expect, test } from 'vitest';
import { capped, counted, percent, worded } from './words.ts';

test('counts have their noun in the singular or the plural', () => {
  expect([0, 1, 1_204].map((n) => counted(n, 'job'))).toEqual(['0 jobs', '1 job', '1,204 jobs']);
  expect([1, 2].map((n) => counted(n, 'job runs', 'jobs run'))).toEqual(['1 job runs', '2 jobs run']);
  expect([1, 1_234, 10_000, 10_001].map(capped)).toEqual(['1', '1,234', '10,000', '10,000+']);
  expect([percent(0.456), worded('in_progress')]).toEqual(['46 %', 'in progress']);
});

import { expect, it } from 'vitest';
import { slosOf, type Performance } from './usage.ts';

const performance: Performance = {
  id: 'a',
  acceptance_rate: 0.75,
  judged: 4,
  error_rate: 0.1,
  last_action: null,
  last_action_at: null,
  calls: 0,
  tokens: 0,
  cost_usd: 0,
  calls_today: 0,
  tokens_today: 0,
  cost_today: 0,
};

it('meets an objective from its own side: errors at most, the others at least', () => {
  expect(slosOf({ acceptance_rate: 0.75, error_rate: 0.05, coherence: 0.5, other: 'x' }, performance, 0.4)).toEqual([
    { name: 'acceptance_rate', target: 0.75, actual: 0.75, met: true },
    { name: 'error_rate', target: 0.05, actual: 0.1, met: false },
    { name: 'coherence', target: 0.5, actual: 0.4, met: false },
  ]);
});

it('says of what was not measured yet neither yes nor no', () => {
  expect(slosOf({ acceptance_rate: 0.9 }, undefined, null)).toEqual([{ name: 'acceptance_rate', target: 0.9, actual: null, met: null }]);
});

import { expect, it } from 'vitest';
import { hostOf } from '../../ui/words.ts';
import { bars } from './model.ts';

it('topics stand by their number', () => {
  expect(bars({ a: 1, b: 4, c: 4 })).toEqual([
    { name: 'b', n: 4, share: 1 },
    { name: 'c', n: 4, share: 1 },
    { name: 'a', n: 1, share: 0.25 },
  ]);
  expect(bars({})).toEqual([]);
});

it('only addresses of the web are links', () => {
  expect(hostOf('https://example.com/a')).toBe('example.com');
  expect(hostOf('javascript:alert(1)')).toBeNull();
  expect(hostOf('nonsense')).toBeNull();
});

import { expect, it } from 'vitest';
import { namesOf, scopeText, share } from './model.ts';

it('takes names apart, and says what a scope is', () => {
  expect(namesOf(' Mobile app, Billing,,Mobile app ')).toEqual(['Mobile app', 'Billing']);
  expect(scopeText({ product_areas: ['a', 'b'], entity_types: ['c'], data_freshness: 'daily' })).toBe('2 areas, 1 type, a day old');
  expect(scopeText({ product_areas: [], entity_types: [], data_freshness: 'realtime' })).toBe('all areas, all types, of any age');
});

it('tells no share of what was not counted to its end', () => {
  expect([share(1, 3), share(1, 10_001), share(0, 0), share(1, 500), share(0, 5)]).toEqual(['33 %', '', '', '<1 %', '0 %']);
});

import { expect, it } from 'vitest';
import { chosen, cleared, defaults, filtersOf, isChosen, isFiltered, searchOf, undoOf } from './model.ts';

it('the address is the filters of the tools', () => {
  expect(filtersOf(defaults)).toEqual({});
  expect(searchOf(defaults)).toEqual({ limit: 50, fold: true });
  const url = { ...defaults, class: 'bug,complaint', from: '2026-03-01', entities: 'a,b', unsettled: 'yes', fold: 'no', sort: 'severity' };
  expect(filtersOf(url)).toEqual({ class: ['bug', 'complaint'], date_from: '2026-03-01', entity_ids: ['a', 'b'], unsettled: true });
  expect(searchOf(url)).toMatchObject({ sort: 'severity' });
  // A group is shown whole; words have their own order.
  expect(searchOf({ ...url, fold: 'yes', group: 'g', q: ' export ' })).toEqual({
    ...filtersOf(url),
    group_id: 'g',
    limit: 50,
    query: 'export',
  });
});

it('facets are chosen and taken back', () => {
  const one = { ...defaults, ...chosen(defaults, 'class', 'bug') };
  const two = { ...one, ...chosen(one, 'class', 'praise') };
  expect(two.class).toBe('bug,praise');
  expect({ ...two, ...chosen(two, 'class', 'bug') }.class).toBe('praise');
  expect(chosen({ ...defaults, tone: 'negative' }, 'tone', 'negative')).toEqual({ tone: '' });
  expect(isChosen(two, 'class', 'praise')).toBe(true);
  expect(isChosen({ ...defaults, area: 'billing' }, 'area', 'Billing')).toBe(true);
  expect(isFiltered(two)).toBe(true);
  expect(isFiltered({ ...two, ...cleared })).toBe(false);
  expect(isFiltered({ ...defaults, id: 'x', sort: 'severity' })).toBe(false);
});

it('a correction is taken back with what was there before', () => {
  const before = { class: 'bug', tone: null, severity: 'high', state: 'open' } as const;
  expect(undoOf(before, 'severity')).toEqual({ severity: 'high' });
  expect(undoOf(before, 'tone')).toBeNull();
});

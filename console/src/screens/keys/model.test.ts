import { describe, expect, it } from 'vitest';
import { aspectOf, faultOf, isCollectable, presetOf, scopesText, wishArgs } from './model.ts';

const wish = { name: ' builder-1 ', role: 'agent', scopes: ['work:*'], days: 30, rpm: '' };

describe('a new key', () => {
  it('asks for what was chosen, and for nothing else', () => {
    expect(wishArgs(wish, '')).toEqual({ name: 'builder-1', role: 'agent', scopes: ['work:*'], expires_in_days: 30 });
    expect(wishArgs({ ...wish, days: 0, rpm: '120' }, 'devflow')).toEqual({
      name: 'builder-1',
      role: 'agent',
      scopes: ['work:*'],
      rpm: 120,
      profile: 'devflow',
    });
  });

  it('is refused before it is asked for', () => {
    expect(faultOf(wish)).toBeUndefined();
    expect(faultOf({ ...wish, name: ' ' })).toContain('name');
    expect(faultOf({ ...wish, name: 'a\u202eb' })).toContain('Letters');
    expect(faultOf({ ...wish, rpm: '1.5' })).toContain('whole number');
  });

  it('has the preset of its role and scopes, in any order', () => {
    const presets = [{ name: 'worker', title: '', role: 'agent', scopes: ['work:*', 'agent:*'] }];
    expect(presetOf(presets, { role: 'agent', scopes: ['agent:*', 'work:*'] })?.name).toBe('worker');
    expect(presetOf(presets, { role: 'agent', scopes: ['work:*'] })).toBeUndefined();
  });
});

it('a key that ends within a week needs somebody', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(aspectOf({ state: 'valid', expires_at: '2026-01-05T00:00:00Z' }, now)).toEqual({ is: 'caution', word: 'expires soon' });
  expect(aspectOf({ state: 'valid', expires_at: null }, now).word).toBe('valid');
  expect(aspectOf({ state: 'revoked', expires_at: null }, now).is).toBe('stop');
});

it('a secret can be collected by its maker, before the first use, for a day', () => {
  const key = { state: 'valid' as const, last_used_at: null, made_by: 'ann', created_at: '2026-01-01T00:00:00Z' };
  const now = Date.parse('2026-01-01T10:00:00Z');
  expect(isCollectable(key, 'ann', now)).toBe(true);
  expect(isCollectable(key, 'bob', now)).toBe(false);
  expect(isCollectable({ ...key, last_used_at: '2026-01-01T01:00:00Z' }, 'ann', now)).toBe(false);
  expect(isCollectable(key, 'ann', now + 15 * 3_600_000)).toBe(false);
});

it('scopes beyond the first ones are counted', () => {
  expect(scopesText({ scopes: [] }, 1)).toBe('all scopes of the role');
  expect(scopesText({ scopes: ['a', 'b'] }, 2)).toBe('a, b');
  expect(scopesText({ scopes: ['a', 'b', 'c', 'd'] }, 2)).toBe('a, b and 2 more');
});

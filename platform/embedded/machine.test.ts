import { expect, test } from 'vitest';
import { isLinuxSince } from './machine.ts';

test.each([
  ['5.7.19-generic', false],
  ['5.8.0', true],
  ['5.15.0-91-generic', true],
  ['6.1', true],
  ['4.19.0', false],
  ['odd', false],
])('Linux %s is 5.8 or later: %s', (kernel, later) => {
  expect(isLinuxSince(5, 8, 'linux', kernel)).toBe(later);
  expect(isLinuxSince(5, 8, 'darwin', kernel)).toBe(false);
});

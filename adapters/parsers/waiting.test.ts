import { expect, it } from 'vitest';
import { nextFile } from './waiting.ts';

const file = (tenant: string, bytes: number) => ({ tenant, input: { bytes: new Uint8Array(bytes) } });

it('reads as they come while there is room, the smallest of a tenant first', () => {
  const [large, small, other] = [file('a', 30), file('a', 10), file('b', 20)];
  expect(nextFile([large, small, other], [], 2)).toBe(small);
  expect(nextFile([other, large, small], [], 2)).toBe(other);
  expect(nextFile([], [], 2)).toBeUndefined();
});

it('prefers whoever has fewer under way', () => {
  const [mine, theirs] = [file('a', 1), file('b', 50)];
  expect(nextFile([mine, theirs], [file('a', 9)], 2)).toBe(theirs);
  expect(nextFile([mine, theirs], [file('b', 9)], 2)).toBe(mine);
});

it('has one place more, for a tenant that has nothing under way', () => {
  const full = [file('a', 9), file('a', 9)];
  const theirs = file('b', 50);
  expect(nextFile([file('a', 1)], full, 2)).toBeUndefined();
  expect(nextFile([file('a', 1), theirs], full, 2)).toBe(theirs);
  expect(nextFile([file('c', 1)], [...full, theirs], 2)).toBeUndefined();
});

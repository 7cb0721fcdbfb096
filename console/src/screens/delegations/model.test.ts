import { expect, it } from 'vitest';
import { isOpen, keyOf, progressText, readKey, statuses } from './model.ts';

it('a task is known by its direction and id, and an address that names none opens none', () => {
  const task = { direction: 'received', task_id: 'a/b:1' } as const;
  expect(readKey(keyOf(task))).toEqual(task);
  for (const key of ['', 'sent/', 'lost/x', 'x']) expect(readKey(key)).toBeNull();
});

it('tells progress as far as it is known', () => {
  expect(progressText({ progress: null })).toBe('');
  expect(progressText({ progress: { done: 3 } })).toBe('3');
  expect(progressText({ progress: { done: 0, total: 5, message: 'reads' } })).toBe('0 of 5, reads');
});

it('is open until it has ended in one of three ways', () => {
  expect(statuses.filter((status) => !isOpen({ status }))).toEqual(['completed', 'failed', 'cancelled']);
});

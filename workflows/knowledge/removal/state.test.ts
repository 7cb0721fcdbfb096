import { expect, it } from 'vitest';
import { RemovalState } from './state.ts';

const counts = { sources: 1, documents: 1, chunks: 100 };

it('counts down, ends, and begins again when more is removed', () => {
  const state = new RemovalState(3);
  state.started();
  expect(state.snapshot()).toEqual({ rev: 4, status: 'running', progress: { stage: 'delete' } });
  // Includes passages of a former version.
  state.removed({ chunks: 120, more: true, counts });
  expect(state.snapshot().progress).toEqual({ stage: 'delete', done: 0, total: 120 });
  state.removed({ chunks: 0, more: false, counts });
  state.waiting();
  const { rev } = state.snapshot();
  state.waiting();
  expect(state.snapshot()).toMatchObject({ rev, progress: { stage: 'wait', done: 120, total: 120 } });
  state.completed();
  expect(state.snapshot()).toMatchObject({ status: 'completed', progress: { stage: 'done' }, result: counts });
  state.overtake(20);
  expect(state.snapshot().rev).toBe(21);
  state.started();
  expect(state.snapshot()).toMatchObject({ rev: 22, status: 'running' });
  expect(state.snapshot()).not.toHaveProperty('result');
});

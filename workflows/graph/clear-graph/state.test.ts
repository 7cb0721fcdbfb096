import { expect, it } from 'vitest';
import { ClearState } from './state.ts';

const counts = { episodes: 2, nodes: 3, facts: 4, relations: 5 };

it('goes through its stages, adds up, and goes on in the next run where it was', () => {
  const state = new ClearState(3);
  state.started();
  expect(state.next).toEqual({ stage: 'episodes', after: null });
  state.cleared({ place: { stage: 'documents', after: null }, rows: 20, counts });
  expect(state.snapshot()).toMatchObject({ rev: 5, status: 'running', progress: { stage: 'documents', done: 20 } });
  expect(state.snapshot()).not.toHaveProperty('result');
  for (let i = 1; i < 300; i += 1) state.cleared({ place: { stage: 'survivors', after: 'e' }, rows: 1, counts });
  expect(state.full).toBe(true);
  const next = new ClearState(state.revision, JSON.parse(JSON.stringify(state.carried)) as ClearState['carried']);
  expect([next.next, next.full]).toEqual([{ stage: 'survivors', after: 'e' }, false]);
  next.cleared({ place: null, rows: 1, counts });
  expect(next.next).toBeNull();
  next.completed();
  expect(next.snapshot()).toMatchObject({ status: 'completed', progress: { stage: 'done', done: 320 }, result: counts });
});

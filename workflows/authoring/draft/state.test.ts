import { expect, it } from 'vitest';
import { DraftState } from './state.ts';

it('tells its stage, what came of it, and why it failed', () => {
  const state = new DraftState(0);
  state.started();
  expect(state.snapshot()).toEqual({ rev: 1, status: 'running', progress: { stage: 'gather', done: 0, total: 3 } });
  state.begin('write');
  expect(state.snapshot().progress).toEqual({ stage: 'write', done: 1, total: 3 });
  const made = { draft: 'report_1', statements: 12, dropped: 1, sources: 9 };
  state.completed(made);
  expect(state.snapshot()).toEqual({ rev: 3, status: 'completed', progress: { stage: 'done', done: 3, total: 3 }, result: made });

  const other = new DraftState(4);
  other.failed({ code: 'NOT_FOUND', message: 'not enough evidence' });
  expect(other.snapshot()).toMatchObject({ rev: 5, status: 'failed', error: { code: 'NOT_FOUND' } });
});

import { expect, it } from 'vitest';
import { RequestState } from './request-state.ts';
import { DailyBriefState } from './state.ts';

it('tells stage, count and what came of it', () => {
  const state = new DailyBriefState(0);
  state.started();
  expect(state.snapshot()).toEqual({ rev: 1, status: 'running', progress: { stage: 'begin' } });
  state.begin('harvest', 2);
  expect(state.advanced()).toBe(1);
  expect(state.snapshot().progress).toEqual({ stage: 'harvest', done: 1, total: 2 });
  state.harvested(2, 1);
  state.begin('score');
  state.note({ relevant: 7 });
  expect(state.snapshot()).toMatchObject({ progress: { stage: 'score' }, result: { sources: { checked: 2, failed: 1 }, relevant: 7 } });
  state.completed();
  expect(state.snapshot()).toMatchObject({ status: 'completed', progress: { stage: 'done' } });
});

it('says how long to wait when a brief was refused', () => {
  const state = new RequestState(3);
  state.explain({ retry_after_seconds: 9 });
  state.failed({ code: 'RATE_LIMIT_EXCEEDED', message: 'Asked too often.' });
  expect(state.snapshot()).toMatchObject({
    rev: 4,
    status: 'failed',
    error: { code: 'RATE_LIMIT_EXCEEDED' },
    result: { retry_after_seconds: 9 },
  });
});

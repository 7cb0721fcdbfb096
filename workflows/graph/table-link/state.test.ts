import { expect, it } from 'vitest';
import { TableLinkState } from './state.ts';

it('tells its figures once it is done, and why it failed', () => {
  const state = new TableLinkState(0);
  state.started();
  expect(state.snapshot()).toEqual({ rev: 1, status: 'running', progress: { stage: 'link' } });
  const linked = { artifact: 'a'.repeat(64), links: 3, sure: 2, compared: 10, rows: 7 };
  state.completed(linked);
  expect(state.snapshot()).toEqual({ rev: 2, status: 'completed', progress: { stage: 'done', done: 7, total: 7 }, result: linked });

  const other = new TableLinkState(4);
  other.failed({ code: 'VALIDATION_ERROR', message: 'no table' });
  expect(other.snapshot()).toMatchObject({ rev: 5, status: 'failed', error: { code: 'VALIDATION_ERROR' } });
});

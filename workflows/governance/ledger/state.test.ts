import { expect, it } from 'vitest';
import type { LedgerCourse } from '../../../contracts/activities/governance/ledger.ts';
import { VerifyState } from './state.ts';

const course = (events: number, done: boolean): LedgerCourse => ({
  after: null,
  check: { intact: true, events, links: 1, unlinked: 0, head: null, breaches: [] },
  total: 9,
  done,
});

it('tells how far it is, and what was found once all is read', () => {
  const state = new VerifyState(0, null);
  state.started();
  expect(state.snapshot()).toEqual({ rev: 1, status: 'running', progress: { stage: 'verify' } });
  state.read(course(4, false));
  expect(state.snapshot()).toEqual({ rev: 2, status: 'running', progress: { stage: 'verify', done: 4, total: 9 } });
  state.read(course(9, true));
  const { check } = course(9, true);
  expect(state.snapshot()).toEqual({ rev: 3, status: 'completed', progress: { stage: 'done', done: 9, total: 9 }, result: { ...check } });
});

it('goes on in another run where it was', () => {
  const state = new VerifyState(5, course(4, false));
  expect(state.snapshot()).toMatchObject({ rev: 5, progress: { done: 4, total: 9 } });
});

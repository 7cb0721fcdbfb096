import { describe, expect, it } from 'vitest';
import { DelegatedState } from './state.ts';

const fresh = (): DelegatedState => new DelegatedState({ rev: 0, status: 'pending' });

describe('a delegated task', () => {
  it('gets on, never back, and each step is a revision', () => {
    const state = fresh();
    state.advance('accepted');
    state.advance('running');
    state.advance('accepted');
    expect(state.snapshot()).toMatchObject({ status: 'running', rev: 2 });
    expect(state.refusal()).toBeNull();
  });

  it.each([
    ['a result', (s: DelegatedState) => s.report('completed'), 'completed', { reported: true, error: null }],
    ['a cancellation', (s: DelegatedState) => s.cancel(), 'cancelled', { reported: false, error: { code: 'CANCELLED' } }],
    [
      'its deadline',
      (s: DelegatedState) => s.timeOut(),
      'failed',
      { timedOut: true, error: { code: 'TIMEOUT', message: 'Timeout waiting for result' } },
    ],
    ['a failure', (s: DelegatedState) => s.fail('REFUSED', 'no'), 'failed', { error: { code: 'REFUSED', message: 'no' } }],
  ])('is ended by %s, and by nothing after it', (_what, end, status, rest) => {
    const state = fresh();
    end(state);
    const after = state.snapshot();
    expect(after).toMatchObject({ status, rev: 1, ...rest });
    state.report('completed');
    state.cancel();
    state.timeOut();
    state.fail('X', 'x');
    state.advance('running');
    expect(state.snapshot()).toEqual(after);
    expect(state.refusal()).toMatchObject({ code: 'CONFLICT', message: `The task is over: ${status}.` });
  });

  it('tells the other side only when it ended without it', () => {
    const ended = (end: (s: DelegatedState) => void): boolean => {
      const state = fresh();
      end(state);
      return state.abandoned;
    };
    expect(fresh().abandoned).toBe(false);
    expect(ended((s) => s.cancel())).toBe(true);
    expect(ended((s) => s.timeOut())).toBe(true);
    expect(ended((s) => s.fail('REFUSED', 'no'))).toBe(false);
    expect(ended((s) => s.report('cancelled'))).toBe(false);
  });

  it('adopts the final state that stands in its row', () => {
    const state = fresh();
    state.timeOut();
    state.adopt('running');
    expect(state.current).toBe('failed');
    state.adopt('completed');
    expect(state.current).toBe('completed');
    expect(state.abandoned).toBe(false);
  });

  it('goes beyond a row that is ahead of it', () => {
    const state = fresh();
    state.overtake(4);
    expect(state.snapshot().rev).toBe(5);
  });
});

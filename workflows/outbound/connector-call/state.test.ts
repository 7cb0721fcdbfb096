import { describe, expect, it } from 'vitest';
import { ConnectorState } from './state.ts';

const error = { code: 'SERVICE_UNAVAILABLE', message: 'no' };
const again = { kind: 'again' as const, afterMs: 700, error };
const unknown = { kind: 'unknown' as const, error };
const completed = { kind: 'completed' as const, response: { ts: '1.2' } };

/**
 * Makes attempts until it is over.
 * @returns the attempts, and the state
 */
function run(state: ConnectorState, ...outcomes: Parameters<ConnectorState['attempted']>[0][]) {
  const asked = [];
  for (const outcome of outcomes) {
    asked.push(state.next());
    if (state.attempted(outcome) === null) break;
  }
  return { asked, state };
}

describe('a call to another system', () => {
  it('is over when it is done', () => {
    const { state } = run(new ConnectorState(0), completed);
    expect(state.end).toEqual({ status: 'completed', response: { ts: '1.2' } });
    expect(state.snapshot()).toMatchObject({ status: 'completed', progress: { stage: 'done', done: 1 }, result: { ts: '1.2' } });
  });

  it('waits as it is told after it was not received, and is not looked for', () => {
    const state = new ConnectorState(0);
    state.next();
    expect(state.attempted(again)).toBe(700);
    expect(state.snapshot().progress.stage).toBe('waiting');
    expect(state.next()).toEqual({ attempt: 2, check: false });
  });

  it('is looked for from the moment on that it may have arrived', () => {
    const { asked } = run(new ConnectorState(0), unknown, again, completed);
    expect(asked).toEqual([
      { attempt: 1, check: false },
      { attempt: 2, check: true },
      { attempt: 3, check: true },
    ]);
  });

  it('is looked for first when a process before it made attempts', () => {
    expect(new ConnectorState(0, 2).next()).toEqual({ attempt: 3, check: true });
  });

  it.each([
    ['it stays unclear', [unknown, unknown, unknown, completed], 3, 'ambiguous'],
    ['nobody can tell', [{ kind: 'ambiguous' as const, error }], 1, 'ambiguous'],
    ['it is refused', [{ kind: 'failed' as const, error }], 1, 'failed'],
    ['it is never received', Array(20).fill(again), 12, 'failed'],
    ['it is never received after it may have been', [unknown, ...Array(20).fill(again)], 12, 'ambiguous'],
  ])('ends when %s', (_what, outcomes, attempts, status) => {
    const { asked, state } = run(new ConnectorState(0), ...outcomes);
    expect([asked.length, state.end?.status, state.snapshot().status]).toEqual([attempts, status, 'failed']);
  });

  it('called back says whether anything may have been sent', () => {
    const clear = new ConnectorState(0);
    clear.next();
    clear.attempted(again);
    clear.calledBack();
    expect([clear.end?.status, clear.snapshot().status]).toEqual(['failed', 'cancelled']);
    const unclear = new ConnectorState(0);
    unclear.next();
    unclear.attempted(unknown);
    unclear.calledBack();
    expect([unclear.end?.status, unclear.snapshot().status]).toEqual(['ambiguous', 'failed']);
  });
});

import { describe, expect, it } from 'vitest';
import type { A2aStanding } from '../../../contracts/activities/agents/a2a.ts';
import { A2aTaskState } from './state.ts';

const row = (more: Partial<A2aStanding> = {}): A2aStanding => ({
  rev: 1,
  state: 'working',
  pending: true,
  pushes: false,
  workTaskId: null,
  ...more,
});
const at = (more: Partial<A2aStanding>): A2aTaskState => {
  const state = new A2aTaskState();
  state.loaded(row(more));
  return state;
};

describe('an A2A task', () => {
  it('that has no row is over, and refuses everything', () => {
    const state = new A2aTaskState();
    expect([state.known, state.over]).toEqual([false, false]);
    state.loaded(null);
    expect([state.known, state.over]).toEqual([true, true]);
    expect([state.checkSay()?.code, state.checkCancel()?.code]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });

  it('takes a message only when it has asked, and one at a time', () => {
    expect(at({ state: 'working' }).checkSay()?.reason).toBe('unsupported');
    const state = at({ state: 'input_required', pending: false });
    expect([state.waiting, state.checkSay()]).toEqual([true, null]);
    state.say();
    expect([state.waiting, state.checkSay()?.reason]).toEqual([false, 'unsupported']);
    state.planning();
    state.wrote(row({ rev: 2, state: 'input_required', pending: false }));
    expect([state.waiting, state.checkSay()]).toEqual([true, null]);
  });

  it('that was asked again before its process died does not wait', () => {
    const state = at({ state: 'input_required', pending: true });
    expect([state.waiting, state.checkSay()]).toEqual([false, null]);
  });

  it.each(['completed', 'failed', 'canceled', 'rejected'] as const)('that is %s is over for good', (over) => {
    const state = at({ state: over });
    expect([state.over, state.checkSay()?.reason, state.checkCancel()?.reason]).toEqual([true, 'unsupported', 'not_cancelable']);
  });

  it('is cancelled until it is over', () => {
    const state = at({ state: 'working' });
    expect(state.checkCancel()).toBeNull();
    state.cancel();
    expect(state.toCancel).toBe(true);
    state.wrote(row({ rev: 2, state: 'completed' }));
    expect([state.toCancel, state.checkCancel()?.reason]).toEqual([false, 'not_cancelable']);
  });

  it('forgets a change that lost against a later one', () => {
    const state = at({ rev: 5, state: 'completed' });
    state.wrote(row({ rev: 4, state: 'working' }));
    expect([state.rev, state.nextRev, state.status]).toEqual([5, 6, 'completed']);
  });

  it('has something to tell to callbacks after each change, where there are any', () => {
    const state = at({ pushes: false });
    expect(state.toPush).toBe(false);
    state.wrote(row({ rev: 2, pushes: true }));
    expect(state.toPush).toBe(true);
    state.pushing();
    expect(state.toPush).toBe(false);
    state.news();
    expect(state.toPush).toBe(true);
  });
});

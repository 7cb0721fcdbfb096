import { describe, expect, it } from 'vitest';
import { RereadingState } from './state.ts';

describe('the course of rereading', () => {
  it('collects changes first, then goes on while there is more, and adds up', () => {
    const state = new RereadingState({ compared: 5, read: 1 });
    expect([state.busy, state.gathering]).toEqual([true, 1]);
    state.looking();
    state.did({ state: 'more', compared: 3, read: 2 });
    expect([state.busy, state.gathering]).toEqual([true, 0]);
    state.did({ state: 'empty', compared: 1, read: 0 });
    expect([state.busy, state.carried]).toEqual([false, { compared: 9, read: 3 }]);
  });

  it('does not miss a change that comes while it works', () => {
    const state = new RereadingState();
    state.looking();
    state.wake();
    state.did({ state: 'empty', compared: 0, read: 0 });
    expect([state.busy, state.gathering]).toEqual([true, 1]);
  });
});

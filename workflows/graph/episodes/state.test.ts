import { describe, expect, it } from 'vitest';
import { EpisodesState } from './state.ts';

const taken = (state: 'empty' | 'more' | 'again', more = {}) => ({ state, taken: 0, failed: 0, pause: 0, ...more });

describe('the queue of episodes', () => {
  it('ends when nothing is queued, and goes on while there is more', () => {
    const state = new EpisodesState();
    state.looking();
    state.took(taken('more', { taken: 3 }));
    expect([state.busy, state.pause]).toEqual([true, 0]);
    state.looking();
    state.took(taken('empty', { taken: 1, failed: 1 }));
    expect([state.busy, state.carried]).toEqual([false, { taken: 4, failed: 1 }]);
  });

  it('does not miss a signal that comes while it looks', () => {
    const state = new EpisodesState();
    state.looking();
    state.wake();
    state.took(taken('empty'));
    expect(state.busy).toBe(true);
    state.looking();
    state.took(taken('empty'));
    expect(state.busy).toBe(false);
  });

  it('waits before it tries a failed one again, whoever knocks, and lets nobody pass', () => {
    const state = new EpisodesState({ taken: 2, failed: 0 });
    state.looking();
    state.took(taken('again', { pause: 4 }));
    state.wake();
    expect([state.busy, state.pause]).toEqual([true, 4]);
    expect(state.describe()).toContain('tried again in 4 s');
    state.took(taken('empty', { failed: 1 }));
    expect([state.pause, state.carried]).toEqual([0, { taken: 2, failed: 1 }]);
  });
});

import { describe, expect, it } from 'vitest';
import { OpportunitiesState } from './state.ts';

const worked = (state: 'empty' | 'more', more = {}) => ({ state, changes: 0, refined: 0, counted: 0, ...more });

describe('the course of clustering', () => {
  it('goes on at once while there is more, and adds up what was done', () => {
    const state = new OpportunitiesState({ changes: 5, refined: 0, counted: 1 });
    state.looking();
    state.worked(worked('more', { changes: 3 }));
    expect([state.busy, state.gathering]).toEqual([true, 0]);
    state.worked(worked('empty', { refined: 2, counted: 4 }));
    expect([state.busy, state.carried]).toEqual([false, { changes: 8, refined: 2, counted: 5 }]);
  });

  it('does not miss a signal that comes while it works, and lets further ones gather first', () => {
    const state = new OpportunitiesState();
    state.looking();
    state.wake();
    state.worked(worked('empty'));
    expect([state.busy, state.gathering]).toEqual([true, 2]);
    state.looking();
    state.worked(worked('empty'));
    expect(state.busy).toBe(false);
  });
});

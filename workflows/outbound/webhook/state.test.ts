import { describe, expect, it } from 'vitest';
import type { Delivered } from '../../../contracts/activities/outbound/webhook.ts';
import { DeliveryState } from './state.ts';

const done = (state: Delivered['state'], more: Partial<Delivered> = {}): Delivered => ({
  state,
  seconds: 0,
  delivered: 0,
  givenUp: 0,
  ...more,
});

describe('the course of a delivery', () => {
  it('goes on at once while there is more, adds up, and may end when there is nothing', () => {
    const state = new DeliveryState({ delivered: 2, givenUp: 1 });
    state.looking();
    state.worked(done('more', { delivered: 3 }));
    expect(state.busy).toBe(true);
    state.worked(done('empty', { delivered: 1, givenUp: 1 }));
    expect([state.busy, state.waiting, state.over, state.pause]).toEqual([false, false, false, 10]);
    expect(state.carried).toEqual({ delivered: 6, givenUp: 2 });
  });

  it('does not miss what is told while it works', () => {
    const state = new DeliveryState();
    state.looking();
    state.wake();
    state.worked(done('empty'));
    expect(state.busy).toBe(true);
    state.looking();
    state.worked(done('empty'));
    expect(state.busy).toBe(false);
  });

  it('lets a failing target recover whatever happens meanwhile, but for a person', () => {
    const state = new DeliveryState();
    state.looking();
    state.worked(done('waiting', { seconds: 60 }));
    state.wake();
    expect([state.busy, state.waiting, state.pause]).toEqual([false, true, 60]);
    state.hurry();
    expect(state.busy).toBe(true);
  });

  it('ends when it is paused or removed, unless it was resumed just then', () => {
    const state = new DeliveryState();
    state.looking();
    state.wake();
    state.worked(done('paused'));
    expect([state.over, state.busy, state.waiting]).toEqual([true, false, false]);
    state.looking();
    state.hurry();
    state.worked(done('paused'));
    expect([state.over, state.busy]).toEqual([false, true]);
  });
});

import { describe, expect, it } from 'vitest';
import type { CaughtUp, RebuildStep } from '../../../contracts/activities/kernel/projection.ts';
import { ProjectionState } from './state.ts';

const caught = (more: Partial<CaughtUp> = {}): CaughtUp => ({ state: 'done', documents: 0, passages: 0, unprojected: null, ...more });
const counts = { tenants: 0, documents: 0, passages: 0, strays: 0 };
const half = { only: null, tenant: 'acme', stage: 'documents', after: 'doc_5' } as const;
const step = (place: RebuildStep['place'], done: Partial<RebuildStep['done']> = {}): RebuildStep => ({
  place,
  done: { ...counts, ...done },
});

describe('following', () => {
  it('looks less and less often while nothing happens, and often again after something did', () => {
    const state = new ProjectionState();
    const pauses = Array.from({ length: 6 }, () => {
      state.looking();
      state.caughtUp(caught());
      return state.pause;
    });
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBe(30);
    state.caughtUp(caught({ documents: 1 }));
    expect(state.pause).toBe(2);
    expect(state.busy).toBe(false);
  });

  it('does not miss a signal that comes while it looks', () => {
    const state = new ProjectionState();
    state.looking();
    state.wake();
    state.caughtUp(caught());
    expect(state.busy).toBe(true);
    state.looking();
    state.caughtUp(caught());
    expect(state.busy).toBe(false);
  });

  it('goes on at once while there is more', () => {
    const state = new ProjectionState();
    state.looking();
    state.caughtUp(caught({ state: 'more', documents: 50 }));
    expect(state.busy).toBe(true);
    state.caughtUp(caught());
    expect(state.busy).toBe(false);
  });

  it('waits long where no copy is configured, whatever is to be done, and goes on when one is', () => {
    const state = new ProjectionState();
    state.request('u1', 'acme');
    state.looking();
    state.caughtUp(caught({ state: 'off' }));
    expect([state.busy, state.next, state.pause, state.status]).toEqual([false, null, 60, 'off']);
    const next = new ProjectionState(state.carried());
    expect(next.status).toBe('off');
    next.caughtUp(caught());
    expect(next.next).toMatchObject({ only: 'acme' });
    expect([next.busy, next.status]).toEqual([true, 'rebuilding']);
  });
});

describe('rebuilding', () => {
  it('is done a step at a time and adds up what the steps did', () => {
    const state = new ProjectionState();
    expect(state.progress()).toEqual({ ...counts, state: 'none', tenant: null });
    expect(state.request('u1', null)).toEqual({ ...counts, state: 'running', tenant: null });
    expect(state.next).toEqual({ only: null, tenant: null, stage: 'begin', after: null });
    state.looking();
    state.stepped(step(half, { documents: 5, passages: 20 }));
    expect([state.next, state.busy, state.status]).toEqual([half, true, 'rebuilding']);
    state.stepped(step(null, { documents: 1, passages: 2, strays: 3, tenants: 1 }));
    expect(state.progress()).toEqual({ state: 'done', tenant: null, documents: 6, passages: 22, strays: 3, tenants: 1 });
    expect([state.next, state.status]).toEqual([null, 'following']);
  });

  it('refuses a second one while one is under way, but knows a repeated request', () => {
    const state = new ProjectionState();
    expect(state.check('u1')).toBeNull();
    state.request('u1', 'acme');
    state.stepped(step(half, { documents: 5 }));
    expect(state.check('u2')).toMatchObject({ code: 'CONFLICT', reason: 'running' });
    expect(state.check('u1')).toBeNull();
    expect(state.request('u1', 'acme')).toMatchObject({ state: 'running', documents: 5 });
    state.stepped(step(null));
    expect(state.check('u2')).toBeNull();
    state.request('u1', 'acme');
    expect(state.next).toBeNull();
  });

  it('completes the copy of a tenant that never had one, one after the other, after what was asked for', () => {
    const state = new ProjectionState();
    state.caughtUp(caught({ unprojected: 'first' }));
    expect(state.next).toMatchObject({ only: 'first', tenant: null });
    state.stepped(step(half));
    state.caughtUp(caught({ unprojected: 'first' }));
    expect(state.next).toEqual(half);
    state.stepped(step(null));
    // The state immediately checks for another tenant.
    expect(state.busy).toBe(true);
    state.looking();
    state.request('u1', 'asked');
    state.caughtUp(caught({ unprojected: 'second' }));
    expect(state.next).toMatchObject({ only: 'asked' });
  });

  it('goes on in the next run where it was', () => {
    const state = new ProjectionState();
    state.request('u1', null);
    state.stepped(step(half, { documents: 5, passages: 9 }));
    const next = new ProjectionState(JSON.parse(JSON.stringify(state.carried())) as ReturnType<ProjectionState['carried']>);
    expect(next.next).toEqual(half);
    expect(next.check('u1')).toBeNull();
    expect(next.check('u2')).not.toBeNull();
    next.stepped(step(null, { documents: 1, tenants: 1 }));
    expect(next.progress()).toMatchObject({ state: 'done', documents: 6, passages: 9, tenants: 1 });
  });

  it('remembers a bounded number of requests', () => {
    const state = new ProjectionState();
    for (let i = 0; i < 50; i += 1) {
      state.request(`u${i}`, null);
      state.stepped(step(null));
    }
    expect(state.carried().recent).toHaveLength(16);
  });
});

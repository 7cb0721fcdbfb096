import { describe, expect, it } from 'vitest';
import type { TaskSnapshot } from '../../../contracts/activities/work/work.ts';
import type { Actor } from './lease.ts';
import type { TaskState } from './state.ts';
import { actor, fresh } from './testing.ts';

const task = (changes: Partial<TaskSnapshot> = {}): TaskState =>
  fresh({ token: 6, createdBy: 'maker', createdLine: 'k-maker', ...changes });
/** Unnamed sessions of one key. */
const session = (name: string, fields: Partial<Actor> = {}): Actor => actor('k1', 'key1', { id: `key1/${name}`, session: name, ...fields });
const claimed = (by: Actor, changes: Partial<TaskSnapshot> = {}): TaskState => {
  const state = task(changes);
  state.claim(by, undefined, 0);
  return state;
};

describe('a lease', () => {
  it('is changed by whoever shows its token, and by the same worker without it not', () => {
    const ann = actor('k1', 'ann');
    const state = claimed(ann);
    for (const check of ['checkHeld', 'checkHeartbeat', 'checkComplete', 'checkFail'] as const) {
      expect(state[check](ann, 7, 1), check).toBeNull();
      expect(state[check](ann, undefined, 1), check).toMatchObject({ code: 'FORBIDDEN', reason: 'fencing_token_required' });
      expect(state[check](ann, 6, 1), check).toMatchObject({ code: 'CONFLICT', reason: 'stale_fencing_token' });
    }
  });

  it('of a person needs the token, too', () => {
    const pm = actor('k1', 'pm', { person: true });
    expect(claimed(pm).checkComplete(pm, undefined, 1)?.reason).toBe('fencing_token_required');
  });

  it('is not changed by the same name under another key, with or without the token', () => {
    const state = claimed(actor('k1', 'ann', { named: true }));
    const other = actor('k2', 'ann', { named: true });
    expect(state.checkHeld(other, undefined, 1)).toMatchObject({ code: 'FORBIDDEN', reason: 'not_yours' });
    expect(state.checkHeld(other, 7, 1)).toMatchObject({ code: 'FORBIDDEN', reason: 'not_yours' });
    expect(state.checkClaim(other, true, 1)?.reason).toBe('claimed');
    // The creator's name under another key does not count as the creator.
    expect(state.checkHeld(actor('k2', 'maker', { named: true }), undefined, 1)?.reason).toBe('not_yours');
    expect(state.checkHeld(actor('k-maker', 'maker'), undefined, 1)).toBeNull();
  });

  it("belongs to the worker that is named under a person's key; another one there is no person to it", () => {
    const state = claimed(actor('k1', 'codex', { named: true, person: true }));
    const other = actor('k1', 'opencode', { named: true, person: true });
    expect(state.checkComplete(other, undefined, 1)?.reason).toBe('not_yours');
    expect(state.checkComplete(actor('k1', 'local', { person: true }), undefined, 1)).toBeNull();
    expect(state.checkComplete(actor('k2', 'claude', { named: true, person: true }), undefined, 1)).toBeNull();
    const reviewed = claimed(actor('k1', 'codex', { named: true, person: true }), { needsReview: true });
    reviewed.complete('x', 1, actor('k1', 'codex', { named: true, person: true }), 7);
    expect(reviewed.checkComplete(actor('k1', 'codex', { named: true, person: true }), undefined, 2)?.reason).toBe('own_review');
  });

  it('of one session is changed from another of the same key with its token only', () => {
    for (const person of [false, true]) {
      const state = claimed(session('a', { person }));
      const other = session('b', { person });
      expect(state.checkClaim(other, true, 1)?.reason).toBe('claimed');
      expect(state.checkComplete(other, undefined, 1)).toMatchObject({ reason: 'fencing_token_required' });
      expect(state.checkComplete(other, 7, 1)).toBeNull();
    }
    // Without a session, a person of that key counts as a person.
    const state = claimed(session('a', { person: true }));
    expect(state.checkFail(actor('k1', 'key1', { person: true }), undefined, 1)).toBeNull();
    expect(state.checkFail(actor('k1', 'key1'), undefined, 1)?.reason).toBe('fencing_token_required');
  });

  it('goes over to the session in which its worker claims again, and keeps its token within one', () => {
    const inSession = (name: string): Actor => actor('k1', 'w', { named: true, session: name });
    const state = claimed(inSession('a'));
    expect(state.claim(inSession('a'), undefined, 1)).toBe(true);
    expect(state.current).toMatchObject({ token: 7, session: 'a', attempts: 1 });
    expect(state.claim(inSession('b'), undefined, 1)).toBe(true);
    expect(state.current).toMatchObject({ token: 8, session: 'b', attempts: 1, leaseExpiresAt: 60_000 });
    expect(state.checkComplete(inSession('a'), 7, 2)?.reason).toBe('stale_fencing_token');
  });

  it('that was taken before there were owners goes by the name of its worker', () => {
    const state = claimed({ id: 'key1', person: false });
    expect(state.current.owner).toBeNull();
    expect(state.checkComplete(actor('k1', 'key1'), 7, 1)).toBeNull();
    expect(state.checkComplete(session('a'), 7, 1)).toBeNull();
    expect(state.checkComplete(actor('k1', 'key1'), undefined, 1)?.reason).toBe('fencing_token_required');
    expect(state.checkComplete(actor('k2', 'bob'), 7, 1)?.code).toBe('FORBIDDEN');
  });
});

describe('refusals', () => {
  it('never tell the valid token, and tell an agent to stop where it must', () => {
    const late = claimed(actor('k1', 'ann'), { token: 4710 });
    late.expireLease();
    const ready = late.checkComplete(actor('k1', 'ann'), 4711, 70_000);
    late.claim(actor('k2', 'bob'), undefined, 70_000);
    const lapsed = claimed(actor('k1', 'ann'), { token: 4711 });
    const all = [
      ready,
      late.checkComplete(actor('k1', 'ann'), 4711, 71_000),
      late.checkComplete(actor('k1', 'ann'), undefined, 71_000),
      late.checkComplete(actor('k2', 'bob'), undefined, 71_000),
      late.checkComplete(actor('k2', 'bob'), 1, 71_000),
      late.checkComplete(actor('k3', 'eve'), 9_999, 71_000),
      lapsed.checkComplete(actor('k1', 'ann'), 4712, 60_000),
    ];
    for (const refusal of all) {
      expect(refusal?.hint.toLowerCase()).toContain('stop working on this task');
      expect(JSON.stringify(refusal)).not.toContain('4712');
    }
    expect(late.current.token).toBe(4712);
  });
});

describe('who ended it, and as what', () => {
  it('is kept on the task', () => {
    const ann = actor('k1', 'ann');
    const ended = (by: Actor, token?: number) => {
      const state = claimed(ann);
      expect(state.checkFail(by, token, 1)).toBeNull();
      state.fail('so', false, by, token);
      return [state.current.endedBy, state.current.endedAs];
    };
    expect(ended(ann, 7)).toEqual(['ann', 'holder']);
    expect(ended(actor('k2', 'pm', { person: true }))).toEqual(['pm', 'person']);
    expect(ended(actor('k-maker', 'maker'))).toEqual(['maker', 'creator']);
    expect(ended({ id: 'signalbox', person: true, owner: { line: '', principal: 'signalbox' } }, 7)).toEqual(['signalbox', 'platform']);
    const reviewed = claimed(ann, { needsReview: true });
    reviewed.complete('x', 1, ann, 7);
    reviewed.complete(undefined, 2, actor('k2', 'bob'));
    expect(reviewed.current).toMatchObject({ status: 'done', endedBy: 'bob', endedAs: 'reviewer' });
  });

  it('begins anew with the next lease', () => {
    const state = claimed(actor('k1', 'ann'));
    state.release(actor('k1', 'ann'), 7);
    expect(state.current.endedAs).toBe('holder');
    state.claim(actor('k2', 'bob'), undefined, 1);
    expect(state.current.endedAs).toBeNull();
  });
});

describe('what nobody has claimed', () => {
  it('is failed by a person or its creator, by nobody else, and not by the token of an old lease', () => {
    const pm = actor('k2', 'pm', { person: true });
    expect(task().checkFail(pm, undefined, 0)).toBeNull();
    expect(task().checkFail(actor('k-maker', 'maker'), undefined, 0)).toBeNull();
    expect(task().checkFail(actor('k3', 'eve'), undefined, 0)?.code).toBe('CONFLICT');
    expect(task().checkFail(actor('k3', 'maker', { named: true }), undefined, 0)?.code).toBe('CONFLICT');
    expect(task().checkFail(pm, 6, 0)?.code).toBe('CONFLICT');
    const state = task();
    state.fail('moot', true, pm);
    expect(state.current).toMatchObject({ status: 'failed', failure: 'moot', endedAs: 'person' });
  });
});

describe('handing in twice', () => {
  it('changes nothing when the first answer was lost', () => {
    const ann = actor('k1', 'ann');
    const state = claimed(ann, { needsReview: true });
    state.complete('mine', 1, ann, 7);
    const { rev } = state.current;
    expect(state.checkComplete(ann, 7, 2)).toBeNull();
    state.complete('again', 2, ann, 7);
    expect(state.current).toMatchObject({ rev, status: 'review', result: 'mine' });
    expect(state.checkComplete(ann, 6, 2)?.reason).toBe('own_review');
  });
});

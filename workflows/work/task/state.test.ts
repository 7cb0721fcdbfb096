import { describe, expect, it } from 'vitest';
import { actor, fresh } from './testing.ts';

const ann = actor('key-of-ann', 'ann');
const bob = actor('key-of-bob', 'bob');
const pm = actor('key-of-pm', 'pm', { person: true });

describe('a task', () => {
  it('gives each lease a higher token, and refuses the older one', () => {
    const task = fresh();
    expect(task.checkClaim(ann, false, 0)).toBeNull();
    task.claim(ann, undefined, 0);
    expect(task.current).toMatchObject({ token: 1, leaseExpiresAt: 60_000, attempts: 1 });
    task.expireLease();
    task.claim(bob, 5, 70_000);
    expect(task.current).toMatchObject({ token: 2, agent: 'bob', leaseExpiresAt: 75_000 });
    expect(task.checkHeld(ann, 1, 71_000)?.reason).toBe('stale_fencing_token');
    expect(task.checkHeld(ann, undefined, 71_000)?.code).toBe('FORBIDDEN');
    expect(task.checkHeld(bob, 2, 71_000)).toBeNull();
  });

  it('starts a new lease when the same agent comes back after its end', () => {
    const task = fresh();
    task.claim(ann, undefined, 0);
    expect(task.claim(ann, undefined, 30_000)).toBe(true);
    expect(task.current.token).toBe(1);
    expect(task.claim(ann, undefined, 60_000)).toBe(false);
    expect(task.current).toMatchObject({ token: 2, leaseExpiresAt: 120_000 });
  });

  it('is not cancelled under whoever works on it, or before a review, where only idle tasks are', () => {
    const task = fresh({ needsReview: true });
    expect(task.checkUnheld()).toBeNull();
    task.claim(ann, undefined, 0);
    expect(task.checkUnheld()?.reason).toBe('in_progress');
    task.complete('Done', 1, ann, 1);
    expect(task.checkUnheld()?.reason).toBe('review');
    task.sendBack(bob);
    expect(task.checkUnheld()).toBeNull();
  });

  it('never extends a lease that has ended, nor for anybody but its holder', () => {
    const task = fresh();
    task.claim(ann, undefined, 0);
    expect(task.checkHeartbeat(ann, 1, 60_000)?.reason).toBe('lease_expired');
    expect(task.checkHeartbeat(pm, undefined, 1_000)?.code).toBe('FORBIDDEN');
  });

  it('counts lapsed leases as attempts and handed-back ones not', () => {
    const task = fresh();
    task.claim(ann, undefined, 0);
    task.release(ann, 1);
    expect(task.current).toMatchObject({ status: 'ready', attempts: 0 });
    task.claim(ann, undefined, 0);
    task.expireLease();
    expect(task.current).toMatchObject({ status: 'ready', attempts: 1 });
    task.claim(ann, undefined, 0);
    task.expireLease();
    expect(task.current).toMatchObject({ status: 'failed', attempts: 2 });
    expect(task.checkClaim(bob, false, 0)?.code).toBe('CONFLICT');
    expect(task.checkClaim(bob, true, 0)).toBeNull();
  });

  it('counts each blocker off once', () => {
    const task = fresh({ status: 'blocked', pendingBlockers: ['a', 'b'] });
    expect([task.blockerDone('a'), task.blockerDone('a'), task.blockerDone('b'), task.blockerDone('b')]).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(task.current.status).toBe('ready');
    task.block(['c']);
    expect(task.current.status).toBe('blocked');
    expect(task.blockerDone('c')).toBe(true);
    expect(fresh({ status: 'blocked' }).blockerDone('long done')).toBe(true);
  });

  it('lets an author hand in but not approve', () => {
    const task = fresh({ needsReview: true });
    task.claim(ann, undefined, 0);
    task.complete('mine', 1, ann);
    expect(task.current).toMatchObject({ status: 'review', completedAt: null });
    expect(task.checkComplete(ann, undefined, 2)?.reason).toBe('own_review');
    expect(task.checkComplete(bob, undefined, 2)).toBeNull();
    task.complete(undefined, 3, bob);
    expect(task.current).toMatchObject({ status: 'done', agent: 'ann', result: 'mine', completedAt: 3 });
  });

  it('is sent back by whoever may approve it, without using up the attempt', () => {
    const task = fresh({ needsReview: true });
    task.claim(ann, undefined, 0);
    expect(task.checkSendBack(bob, 1)?.reason).toBe('in_progress');
    task.complete('mine', 1, ann);
    expect(task.checkSendBack(ann, 2)?.reason).toBe('own_review');
    expect(task.checkSendBack(bob, 2)).toBeNull();
    task.sendBack(bob);
    expect(task.current).toMatchObject({ status: 'ready', agent: null, attempts: 0, token: 1, endedBy: 'bob', endedAs: 'reviewer' });
    expect(task.checkSendBack(bob, 3)?.code).toBe('CONFLICT');
    task.claim(ann, undefined, 4);
    task.fail('stuck', false, ann, 2);
    expect(task.checkSendBack(ann, 5)).toBeNull();
    task.sendBack(pm);
    expect(task.current).toMatchObject({ status: 'ready', attempts: 0, endedAs: 'person' });
  });

  it('is completed without a claim by its creator or a person, and by nobody whose lease has ended', () => {
    const task = fresh({ createdBy: 'ann', createdLine: 'key-of-ann' });
    expect(task.checkComplete(ann, undefined, 0)).toBeNull();
    expect(task.checkComplete(pm, undefined, 0)).toBeNull();
    expect(task.checkComplete(bob, undefined, 0)?.code).toBe('CONFLICT');
    expect(task.checkComplete(ann, 1, 0)?.code).toBe('CONFLICT');
    task.complete('did it', 1, ann);
    expect(task.current).toMatchObject({ status: 'done', agent: 'ann', result: 'did it', completedAt: 1 });
    const reviewed = fresh({ createdBy: 'ann', createdLine: 'key-of-ann', needsReview: true });
    reviewed.complete(undefined, 1, ann);
    expect(reviewed.checkComplete(ann, undefined, 2)?.reason).toBe('own_review');
  });

  it('remembers the last 64 updates', () => {
    const task = fresh();
    for (let i = 0; i < 100; i += 1) task.remember(`u${i}`, { task: task.snapshot() });
    expect(task.carried()).toHaveLength(64);
    expect(task.recall('u35')).toBeUndefined();
    expect(task.recall('u36')).toBeDefined();
  });

  it('raises its revision with every change, and beyond a row that is ahead', () => {
    const task = fresh();
    task.claim(ann, undefined, 0);
    task.heartbeat('x', 1);
    expect(task.current.rev).toBe(2);
    task.overtake(9);
    expect(task.current.rev).toBe(10);
  });
});

import type { Standing, TaskSnapshot, TaskStatus } from '../../../contracts/activities/work.ts';
import { checkHeld, conflict, created, forbidden, holds, owns, standing, standingBeside, type Actor, type Refusal } from './lease.ts';

export type { Actor, Refusal } from './lease.ts';

/** Kept across runs, so that a repeated update is answered and not done twice. */
export interface Remembered {
  id: string;
  answer: TaskAnswer;
}

/** What an update answers: the lifecycle after it, and tasks it set free. */
export interface TaskAnswer {
  task: TaskSnapshot;
  unblocked?: string[];
  /** The caller already held this task. */
  held?: boolean;
}

const remembered = 64;

/**
 * The kanban task as a plain state machine: no clock, no I/O. Each change raises `rev`.
 * `check*` methods refuse without changing anything; the change itself then cannot fail.
 */
export class TaskState {
  current: TaskSnapshot;
  private recent: Remembered[];

  constructor(initial: TaskSnapshot, recent: Remembered[] = []) {
    this.current = { ...initial };
    this.recent = [...recent];
  }

  get open(): boolean {
    return this.current.status !== 'done';
  }

  snapshot(): TaskSnapshot {
    return { ...this.current, pendingBlockers: [...this.current.pendingBlockers] };
  }

  recall(updateId: string): TaskAnswer | undefined {
    return this.recent.find((entry) => entry.id === updateId)?.answer;
  }

  remember(id: string, answer: TaskAnswer): void {
    this.recent = [...this.recent.slice(1 - remembered), { id, answer }];
  }

  carried(): Remembered[] {
    return this.recent;
  }

  leaseLapsed(now: number): boolean {
    return this.current.status === 'in_progress' && (this.current.leaseExpiresAt ?? 0) <= now;
  }

  checkClaim(actor: Actor, resume: boolean, now: number): Refusal | null {
    const { status, agent, pendingBlockers } = this.current;
    if (status === 'ready' || this.leaseLapsed(now)) return null;
    if (status === 'in_progress') {
      return holds(this.current, actor)
        ? null
        : conflict('claimed', `The task is held by "${agent}".`, 'Claim another one, or wait until its lease ends.');
    }
    if (status === 'blocked') {
      return conflict(
        'blocked',
        `The task waits for ${pendingBlockers.join(', ')}.`,
        'Finish its blockers first; it becomes ready by itself.',
      );
    }
    if (status === 'done') return conflict('done', 'The task is done.', 'Create a new task for further work.');
    if (!resume) {
      return conflict(status, `The task is in review (${status}).`, 'work.task.update_status with status "in_progress" takes it up again.');
    }
    // Rework of reviewed work, or a retry of failed work.
    return actor.person || owns(this.current, actor) || created(this.current, actor) || status === 'failed'
      ? null
      : forbidden('not_yours', 'Only its assignee, its creator or a person may take this task up again.', 'Claim a ready task instead.');
  }

  /** @returns whether the caller already held it. */
  claim(actor: Actor, leaseSeconds: number | undefined, now: number): boolean {
    const task = this.current;
    const lease = { owner: actor.owner ?? null, session: actor.session ?? null };
    if (task.status === 'in_progress' && task.agent === actor.id && !this.leaseLapsed(now)) {
      // The worker goes on in another session: what the former one still does is refused.
      if ((actor.session ?? null) !== (task.session ?? null)) this.change({ ...lease, token: task.token + 1 });
      return true;
    }
    this.change({
      ...lease,
      status: 'in_progress',
      agent: actor.id,
      token: task.token + 1,
      attempts: task.attempts + 1,
      leaseSeconds: leaseSeconds ?? task.leaseSeconds,
      leaseExpiresAt: now + (leaseSeconds ?? task.leaseSeconds) * 1000,
      startedAt: now,
      failure: null,
      endedBy: null,
      endedAs: null,
    });
    return false;
  }

  checkHeld(actor: Actor, token: number | undefined, now: number): Refusal | null {
    return checkHeld(this.current, actor, token, this.leaseLapsed(now));
  }

  /** Only the holder has a lease to extend: a creator's or person's heartbeat would keep a dead agent's work locked. */
  checkHeartbeat(actor: Actor, token: number | undefined, now: number): Refusal | null {
    const refusal = this.checkHeld(actor, token, now);
    if (refusal || standing(this.current, actor, token) === 'holder') return refusal;
    return forbidden('not_yours', `The lease belongs to "${this.current.agent}".`, 'Only the holder extends its lease.');
  }

  heartbeat(progress: string | undefined, now: number): void {
    this.change({ leaseExpiresAt: now + this.current.leaseSeconds * 1000, progress: progress ?? this.current.progress });
  }

  checkComplete(actor: Actor, token: number | undefined, now: number): Refusal | null {
    const task = this.current;
    if (this.unclaimed(actor, token) || this.handedIn(actor, token)) return null;
    if (task.status !== 'review') return this.checkHeld(actor, token, now);
    // Under a person's key, a worker that is named is no person to its own work.
    return owns(task, actor) && !(actor.person && !actor.named)
      ? forbidden('own_review', 'You cannot approve your own work.', 'A person or another agent reviews it.')
      : null;
  }

  complete(result: string | undefined, now: number, actor: Actor, token?: number): void {
    if (this.handedIn(actor, token)) return;
    const { status, needsReview, agent } = this.current;
    const reviewed = status === 'review' || !needsReview;
    this.change({
      ...this.endedBy(actor, token),
      ...(agent === null && actor.owner ? { owner: actor.owner, session: actor.session ?? null } : {}),
      status: reviewed ? 'done' : 'review',
      agent: agent ?? actor.id,
      leaseExpiresAt: null,
      result: result ?? this.current.result,
      completedAt: reviewed ? now : null,
    });
  }

  /** Its answer was lost, and the holder hands it in again: that is no approval. */
  private handedIn(actor: Actor, token: number | undefined): boolean {
    const task = this.current;
    return task.status === 'review' && actor.owner !== undefined && owns(task, actor) && token === task.token;
  }

  /** Nobody has claimed it, and its creator or a person says how it ends. A token stands for a lease, which has ended then. */
  private unclaimed(actor: Actor, token: number | undefined): boolean {
    return this.current.status === 'ready' && token === undefined && (actor.person || created(this.current, actor));
  }

  checkFail(actor: Actor, token: number | undefined, now: number): Refusal | null {
    if (this.unclaimed(actor, token)) return null;
    return this.current.status === 'review' ? this.checkComplete(actor, undefined, now) : this.checkHeld(actor, token, now);
  }

  /** @param retry back to `ready` while attempts are left, instead of to triage. */
  fail(reason: string, retry: boolean, actor?: Actor, token?: number): void {
    const { status, attempts, maxAttempts, agent } = this.current;
    const again = retry && status !== 'ready' && attempts < maxAttempts;
    this.change({
      ...(actor ? this.endedBy(actor, token) : {}),
      status: again ? 'ready' : 'failed',
      agent: again ? null : agent,
      leaseExpiresAt: null,
      failure: reason,
    });
  }

  release(actor: Actor, token?: number): void {
    // Handing back unfinished work is no failed attempt.
    this.change({
      ...this.endedBy(actor, token),
      status: 'ready',
      agent: null,
      leaseExpiresAt: null,
      attempts: Math.max(0, this.current.attempts - 1),
    });
  }

  private endedBy(actor: Actor, token: number | undefined): { endedBy: string; endedAs: Standing } {
    const task = this.current;
    const as = task.status === 'in_progress' ? standing(task, actor, token) : standingBeside(task, actor);
    return { endedBy: actor.id, endedAs: as ?? 'reviewer' };
  }

  expireLease(): void {
    this.fail(`The lease of "${this.current.agent}" ended without a sign of life (attempt ${this.current.attempts}).`, true);
  }

  checkBlock(): Refusal | null {
    const { status } = this.current;
    return status === 'ready' || status === 'blocked'
      ? null
      : conflict(status, `A task that is ${status} cannot be given blockers.`, 'Release it first.');
  }

  block(blockers: string[]): void {
    const pending = [...new Set([...this.current.pendingBlockers, ...blockers])].sort();
    this.change({ pendingBlockers: pending, status: pending.length > 0 ? 'blocked' : this.current.status });
  }

  /** @returns whether the task became ready by this, which happens once. */
  blockerDone(blocker: string): boolean {
    const pending = this.current.pendingBlockers.filter((id) => id !== blocker);
    // Also one that was started again from a row which had its blockers gone, and was not let go.
    const released = this.current.status === 'blocked' && pending.length === 0;
    if (!released && pending.length === this.current.pendingBlockers.length) return false;
    this.change({ pendingBlockers: pending, status: released ? 'ready' : this.current.status });
    return released;
  }

  /** The row was found ahead of us (a write outlived its workflow task): go beyond it. */
  overtake(rev: number): void {
    this.current = { ...this.current, rev: Math.max(this.current.rev, rev) + 1 };
  }

  private change(changes: Partial<Omit<TaskSnapshot, 'rev'>> & { status?: TaskStatus }): void {
    this.current = { ...this.current, ...changes, rev: this.current.rev + 1 };
  }
}

import type { Settings } from './shape.ts';
import type { Standing, TaskSnapshot, TaskStatus } from '../../../contracts/activities/work/work.ts';
import {
  cancelledRefusal,
  checkHeld,
  checkReserved,
  conflict,
  created,
  forbidden,
  holds,
  owns,
  standing,
  standingBeside,
  type Actor,
  type Refusal,
} from './lease.ts';

export type { Actor, Refusal } from './lease.ts';

/** Kept across runs, so that a repeated update gets the same answer and acts once. */
export interface Remembered {
  id: string;
  answer: TaskAnswer;
}

/** Answer of an update: the resulting state, and tasks it unblocked. */
export interface TaskAnswer {
  task: TaskSnapshot;
  unblocked?: string[];
  /** The caller already held this task. */
  held?: boolean;
}

const remembered = 64;

/**
 * The kanban task as a plain state machine: no clock, no I/O. Each change raises `rev`. `check*` methods refuse
 * without changing anything; after them the change cannot fail.
 */
export class TaskState {
  current: TaskSnapshot;
  private recent: Remembered[];

  constructor(initial: TaskSnapshot, recent: Remembered[] = []) {
    this.current = { ...initial };
    this.recent = [...recent];
  }

  /** Nothing else may change it: its rows are being deleted. */
  removing = false;
  /** Its rows are deleted. */
  gone = false;

  get open(): boolean {
    return this.current.status !== 'done' && !this.gone;
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
    // Its holder keeps it, whomever it is reserved for meanwhile.
    const held = status === 'in_progress' && !this.leaseLapsed(now) && holds(this.current, actor);
    const kept = held ? null : checkReserved(this.current, actor);
    if (kept) return kept;
    if (status === 'ready' || this.leaseLapsed(now)) return null;
    if (status === 'in_progress') {
      return held ? null : conflict('claimed', `The task is held by "${agent}".`, 'Claim another one, or wait until its lease ends.');
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
    if (this.current.cancelled && !standingBeside(this.current, actor)) return cancelledRefusal(this.current);
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
      // The worker continues in another session: calls of the former session are refused.
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
      ...(task.cancelled ? { cancelled: false } : {}),
    });
    return false;
  }

  checkHeld(actor: Actor, token: number | undefined, now: number): Refusal | null {
    return checkHeld(this.current, actor, token, this.leaseLapsed(now));
  }

  /** Only the holder extends a lease: a heartbeat of a creator or person would keep a dead agent's task locked. */
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
    // A named worker under a person's key does not count as a person for its own work.
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

  /** @param of token of the work that a reviewer has decided about; undefined: whatever is there @param among states in which it waits for that */
  checkDecided(of: number | undefined, among: readonly TaskStatus[]): Refusal | null {
    const { status, token } = this.current;
    if (of === undefined || (of === token && among.includes(status))) return null;
    const what = of === token ? `is ${status}` : 'was claimed anew';
    return conflict(status, `The work waits for no decision any more: the task ${what}.`, 'work.run.get shows what was decided.');
  }

  /** A repeated complete whose first answer was lost is not an approval. */
  private handedIn(actor: Actor, token: number | undefined): boolean {
    const task = this.current;
    return task.status === 'review' && actor.owner !== undefined && owns(task, actor) && token === task.token;
  }

  /**
   * Nobody has claimed it, and its creator or a person ends it. With a token it would refer to a lease that has
   * ended.
   */
  private unclaimed(actor: Actor, token: number | undefined): boolean {
    return this.current.status === 'ready' && token === undefined && (actor.person || created(this.current, actor));
  }

  checkFail(actor: Actor, token: number | undefined, now: number): Refusal | null {
    if (this.unclaimed(actor, token)) return null;
    return this.current.status === 'review' ? this.checkComplete(actor, undefined, now) : this.checkHeld(actor, token, now);
  }

  /** @param retry back to `ready` while attempts are left, instead of to review */
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
    // Releasing unfinished work is not a failed attempt.
    this.change({
      ...this.endedBy(actor, token),
      status: 'ready',
      agent: null,
      leaseExpiresAt: null,
      attempts: Math.max(0, this.current.attempts - 1),
    });
  }

  /** Of work in review by whoever may approve it, of failed work by anybody: they could take it up themselves. */
  checkSendBack(actor: Actor, now: number): Refusal | null {
    const { status } = this.current;
    if (status === 'failed') return null;
    if (status === 'ready') return conflict('ready', 'The task is ready already.', 'Whoever wants it claims it.');
    return status === 'review'
      ? this.checkComplete(actor, undefined, now)
      : conflict(status, `The task is not in review but ${status}.`, 'work.task.get shows where it stands.');
  }

  /** Ready again, for whoever claims it next; the attempt does not count. */
  sendBack(actor: Actor): void {
    this.release(actor);
  }

  private endedBy(actor: Actor, token: number | undefined): { endedBy: string; endedAs: Standing } {
    const task = this.current;
    const as = task.status === 'in_progress' ? standing(task, actor, token) : standingBeside(task, actor);
    return { endedBy: actor.id, endedAs: as ?? 'reviewer' };
  }

  expireLease(): void {
    this.fail(`The lease of "${this.current.agent}" ended without a sign of life (attempt ${this.current.attempts}).`, true);
  }

  /** Changes what claims and leases go by. */
  shape(settings: Settings): void {
    const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
    this.change({ ...given, shaped: this.current.rev + 1 });
  }

  checkUnheld(): Refusal | null {
    const { status } = this.current;
    return status === 'in_progress' || status === 'review'
      ? conflict(status, `The task is ${status}.`, 'Whoever decides about it may cancel it all the same.')
      : null;
  }

  /** Ends the task at once, also one that is held, blocked or has failed: its lease is over. A repeat changes nothing. */
  cancel(reason: string, actor: Actor): void {
    if (this.current.cancelled) return;
    const endedAs = standingBeside(this.current, actor) ?? (actor.person ? 'person' : 'creator');
    this.change({ status: 'failed', leaseExpiresAt: null, failure: reason, cancelled: true, endedBy: actor.id, endedAs });
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

  /** @returns whether this made the task ready, which happens once */
  blockerDone(blocker: string): boolean {
    const pending = this.current.pendingBlockers.filter((id) => id !== blocker);
    // Also a task restarted from a row whose blockers were already removed but which was not released.
    const released = this.current.status === 'blocked' && pending.length === 0;
    if (!released && pending.length === this.current.pendingBlockers.length) return false;
    this.change({ pendingBlockers: pending, status: released ? 'ready' : this.current.status });
    return released;
  }

  /** The row has a higher revision (a write survived its workflow task): continue above it. */
  overtake(rev: number): void {
    this.current = { ...this.current, rev: Math.max(this.current.rev, rev) + 1 };
  }

  private change(changes: Partial<Omit<TaskSnapshot, 'rev'>> & { status?: TaskStatus }): void {
    this.current = { ...this.current, ...changes, rev: this.current.rev + 1 };
  }
}

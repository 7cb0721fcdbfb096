import type { TaskSnapshot, TaskStatus } from '../../contracts/activities/work.ts';

/** Who asks. `person` marks human principals, who may act on any task of their tenant. */
export interface Actor {
  id: string;
  person: boolean;
}

/** A refusal the caller can act on: an error code and a sentence. */
export interface Refusal {
  code: 'CONFLICT' | 'FORBIDDEN';
  message: string;
  hint: string;
  reason: string;
}

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
    const { status, agent, createdBy, pendingBlockers } = this.current;
    if (status === 'ready' || this.leaseLapsed(now)) return null;
    if (status === 'in_progress') {
      return agent === actor.id
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
    return actor.person || actor.id === agent || actor.id === createdBy || status === 'failed'
      ? null
      : {
          code: 'FORBIDDEN',
          reason: 'not_yours',
          message: 'Only its assignee, its creator or a person may take this task up again.',
          hint: 'Claim a ready task instead.',
        };
  }

  /** @returns whether the caller already held it. */
  claim(actor: Actor, leaseSeconds: number | undefined, now: number): boolean {
    const task = this.current;
    if (task.status === 'in_progress' && task.agent === actor.id && !this.leaseLapsed(now)) return true;
    this.change({
      status: 'in_progress',
      agent: actor.id,
      token: task.token + 1,
      attempts: task.attempts + 1,
      leaseSeconds: leaseSeconds ?? task.leaseSeconds,
      leaseExpiresAt: now + (leaseSeconds ?? task.leaseSeconds) * 1000,
      startedAt: now,
      failure: null,
    });
    return false;
  }

  /** Whether the actor may change the running work: its holder with the current token, its creator, or a person. */
  checkHeld(actor: Actor, token: number | undefined, now: number): Refusal | null {
    const task = this.current;
    if (task.status !== 'in_progress') {
      return conflict(task.status, `The task is not in progress but ${task.status}.`, 'Claim it first.');
    }
    if (token !== undefined && token !== task.token) {
      return conflict(
        'stale_fencing_token',
        `Your lease ${token} has ended; the current one is ${task.token}.`,
        'Somebody else may be working on it: stop, and claim another task.',
      );
    }
    if (actor.id === task.agent) {
      return this.leaseLapsed(now) ? conflict('lease_expired', 'Your lease has ended.', 'Claim the task again before you go on.') : null;
    }
    return actor.person || actor.id === task.createdBy
      ? null
      : {
          code: 'FORBIDDEN',
          reason: 'not_yours',
          message: `The task is held by "${task.agent}".`,
          hint: 'Only its holder, its creator or a person may change it.',
        };
  }

  /** Only the holder has a lease to extend: a creator's or person's heartbeat would keep a dead agent's work locked. */
  checkHeartbeat(actor: Actor, token: number | undefined, now: number): Refusal | null {
    const refusal = this.checkHeld(actor, token, now);
    if (refusal || actor.id === this.current.agent) return refusal;
    return {
      code: 'FORBIDDEN',
      reason: 'not_yours',
      message: `The lease belongs to "${this.current.agent}".`,
      hint: 'Only the holder extends its lease.',
    };
  }

  heartbeat(progress: string | undefined, now: number): void {
    this.change({ leaseExpiresAt: now + this.current.leaseSeconds * 1000, progress: progress ?? this.current.progress });
  }

  checkComplete(actor: Actor, token: number | undefined, now: number): Refusal | null {
    const task = this.current;
    // Done without having been claimed: its creator knows. A token stands for a lease, which has ended then.
    if (task.status === 'ready' && token === undefined && (actor.person || actor.id === task.createdBy)) return null;
    if (task.status !== 'review') return this.checkHeld(actor, token, now);
    return actor.person || actor.id !== task.agent
      ? null
      : {
          code: 'FORBIDDEN',
          reason: 'own_review',
          message: 'You cannot approve your own work.',
          hint: 'A person or another agent reviews it.',
        };
  }

  complete(result: string | undefined, now: number, actor: Actor): void {
    const reviewed = this.current.status === 'review' || !this.current.needsReview;
    this.change({
      status: reviewed ? 'done' : 'review',
      agent: this.current.agent ?? actor.id,
      leaseExpiresAt: null,
      result: result ?? this.current.result,
      completedAt: reviewed ? now : null,
    });
  }

  checkFail(actor: Actor, token: number | undefined, now: number): Refusal | null {
    return this.current.status === 'review' ? this.checkComplete(actor, token, now) : this.checkHeld(actor, token, now);
  }

  /** @param retry back to `ready` while attempts are left, instead of to triage. */
  fail(reason: string, retry: boolean): void {
    const again = retry && this.current.attempts < this.current.maxAttempts;
    this.change({ status: again ? 'ready' : 'failed', agent: again ? null : this.current.agent, leaseExpiresAt: null, failure: reason });
  }

  release(): void {
    // Handing back unfinished work is no failed attempt.
    this.change({ status: 'ready', agent: null, leaseExpiresAt: null, attempts: Math.max(0, this.current.attempts - 1) });
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

const conflict = (reason: string, message: string, hint: string): Refusal => ({ code: 'CONFLICT', reason, message, hint });

import type { TaskRef } from '../../contracts/activities/work/work.ts';
import { isPerson, lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Comment, Phase, Task } from '../../contracts/work/work.ts';
import type { Actor } from '../../workflows/work/task/lease.ts';
import type { TaskAnswer } from '../../workflows/work/task/state.ts';
import { lock } from '../kernel/locks.ts';
import { Service } from '../kernel/service.ts';
import { insertBlockers, lockBlockers, markReleased, refuseCycle } from './blockers.ts';
import { actorOf, platform } from './actors.ts';
import type { TaskProcesses } from './commands.ts';
import { commentView, taskView, type CommentRow, type TaskQueries } from './queries.ts';
import { noteRefusal } from './history.ts';
import { annotateTask, tell } from './records.ts';
import type { TaskRow } from './rows.ts';

/** Undefined: unchanged. */
export type PhaseFields = { [K in keyof Omit<Phase, 'id'>]?: Phase[K] | undefined };

/** What a comment is about: a run, a file of its changes, a line of it. */
export interface Place {
  run_id?: string | undefined;
  path?: string | undefined;
  line?: number | undefined;
}

/** What somebody handed in: a task, and the token of the lease under which it was done. */
export interface Work extends TaskRef {
  token: number;
}

/** Changes of tasks: progress, ends, blockers, notes. Each is safe to repeat with the same `callKey`. */
export class TaskChanges extends Service<never, { tasks: TaskProcesses; queries: TaskQueries }> {
  heartbeat(caller: Caller, id: string, token: number | undefined, progress: string | undefined, callKey: string): Promise<TaskResult> {
    return this.change(caller, id, 'heartbeat', { ...held(caller, token), ...(progress === undefined ? {} : { progress }) }, callKey);
  }

  complete(caller: Caller, id: string, token: number | undefined, result: string | undefined, callKey: string): Promise<TaskResult> {
    return this.change(caller, id, 'complete', { ...held(caller, token), ...(result === undefined ? {} : { result }) }, callKey);
  }

  fail(caller: Caller, id: string, token: number | undefined, reason: string, retry: boolean, callKey: string): Promise<TaskResult> {
    return this.change(caller, id, 'fail', { ...held(caller, token), reason, retry }, callKey);
  }

  release(caller: Caller, id: string, token: number | undefined, callKey: string): Promise<TaskResult> {
    return this.change(caller, id, 'release', held(caller, token), callKey);
  }

  /** Ready again, for whoever claims it next: held work is released, failed work and work in review are sent back. */
  async putBack(caller: Caller, id: string, token: number | undefined, callKey: string): Promise<TaskResult> {
    const { status } = await this.deps.queries.row(caller.tenant, id);
    if (status === 'in_progress') return await this.release(caller, id, token, callKey);
    return await this.change(caller, id, 'sendBack', { actor: actorOf(caller) }, callKey);
  }

  /**
   * Makes work in review, or failed work, ready again; the attempt does not count.
   * @throws AppError CONFLICT (decided meanwhile), FORBIDDEN (own work)
   */
  async sendBack({ tenant, id, token }: Work, actor: Actor, key: string): Promise<void> {
    await this.deps.tasks.ask(tenant, id, 'sendBack', { actor, of: token }, key);
  }

  /** Completes work in review in the name of whoever approved it. @throws AppError CONFLICT (decided meanwhile), FORBIDDEN (own work) */
  async approve({ tenant, id, token }: Work, actor: Actor, key: string): Promise<void> {
    await this.deps.tasks.ask(tenant, id, 'complete', { actor, of: token }, key);
  }

  /** Ends a task that is no longer wanted; later results of its holder are refused. Does nothing if the task has ended. */
  async withdraw({ tenant, id }: TaskRef, reason: string): Promise<void> {
    const row = await this.deps.queries.row(tenant, id);
    if (row.status === 'done' || row.status === 'failed') return;
    try {
      if (row.status !== 'blocked')
        await this.deps.tasks.ask(tenant, id, 'fail', { actor: platform, reason, retry: false }, `withdraw:${id}`);
    } catch (error) {
      // The task was completed or claimed meanwhile. A result of that claim is simply not used.
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
    }
  }

  /** Adds blockers. @throws AppError VALIDATION_ERROR for a cycle, with the path. */
  async block(caller: Caller, id: string, blockers: string[], callKey: string): Promise<TaskResult> {
    const { tenant } = caller;
    const row = await this.deps.queries.row(tenant, id);
    const pending = await this.db.transaction(async (query) => {
      // Serialized per tenant, because two concurrent blocks could close a cycle that neither sees.
      await lock(query, `work.block/${tenant}`);
      await refuseCycle(query, tenant, id, blockers);
      const waiting = await lockBlockers(query, tenant, blockers);
      await insertBlockers(query, tenant, id, blockers, waiting);
      return waiting;
    });
    try {
      const answer = await this.deps.tasks.ask(tenant, id, 'block', { blockers: pending }, callKey);
      return view(caller, row, (await this.alreadyDone(tenant, id, pending, callKey)) ?? answer);
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONFLICT') {
        await this.db.query(
          'delete from work_task_dependencies where tenant_id = $1 and task_id = $2 and blocker_id = any($3) and released_at is null',
          [tenant, id, blockers],
        );
      }
      throw error;
    }
  }

  /** A blocker that completed before the task knew about it has sent its notice too early: send it again. */
  private async alreadyDone(tenant: string, id: string, blockers: string[], callKey: string): Promise<TaskAnswer | null> {
    const done = await this.db.query<{ id: string }>(
      `select id from work_tasks where tenant_id = $1 and id = any($2) and status = 'done' order by id`,
      [tenant, blockers],
    );
    let answer: TaskAnswer | null = null;
    for (const blocker of done) {
      answer = await this.deps.tasks.ask(tenant, id, 'blockerDone', { blocker: blocker.id }, `blocked:${callKey}`);
      await markReleased(this.db, tenant, blocker.id, id);
    }
    return answer;
  }

  /** Comments are not part of the lifecycle, so they bypass the workflow, and done tasks can have new comments, too. */
  async comment(caller: Caller, id: string, body: string, place: Place, callKey: string): Promise<Comment> {
    await this.deps.queries.row(caller.tenant, id);
    if (place.run_id !== undefined) await this.assertRunOf(caller.tenant, id, place.run_id);
    const commentId = derivedId('comment', caller.tenant, callKey);
    const [row] = await this.db.query<CommentRow>(
      `with written as (
         insert into work_comments (tenant_id, id, task_id, author, body, run_id, path, line, by_person) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (tenant_id, id) do update set body = work_comments.body returning id, author, body, created_at, run_id, path, line
       ), told as (${tell('work_tasks t')} where t.tenant_id = $1 and t.id = $3)
       select * from written`,
      [
        caller.tenant,
        commentId,
        id,
        caller.principal,
        body,
        place.run_id ?? null,
        place.path ?? null,
        place.line ?? null,
        isPerson(caller) && caller.principal === caller.keyName,
      ],
    );
    return commentView(row!);
  }

  /**
   * A comment from elsewhere, under the id that it has there; a changed one replaces it.
   * @param brought `at`: when it was written; null: now
   * @returns whether it is new
   */
  async bring(tenant: string, id: string, brought: { id: string; author: string; body: string; at: string | null }): Promise<boolean> {
    const [row] = await this.db.query<{ fresh: boolean }>(
      `with written as (
         insert into work_comments as c (tenant_id, id, task_id, author, body, created_at) values ($1, $2, $3, $4, $5, coalesce($6, now()))
         on conflict (tenant_id, id) do update set body = excluded.body where c.body <> excluded.body returning xmax = 0 as fresh
       ), told as (${tell('work_tasks t')} where t.tenant_id = $1 and t.id = $3 and exists (select from written))
       select fresh from written`,
      [tenant, brought.id, id, brought.author, brought.body, brought.at],
    );
    return row?.fresh ?? false;
  }

  private async assertRunOf(tenant: string, id: string, run: string): Promise<void> {
    const rows = await this.db.query('select 1 from work_runs where tenant_id = $1 and id = $2 and task_id = $3', [tenant, run, id]);
    if (rows.length === 0) throw notFound('run', run, 'work.run.list with this task_id shows its runs.');
  }

  /** Merges keys into a task's metadata. */
  async annotate(tenant: string, id: string, metadata: Record<string, unknown>): Promise<void> {
    await annotateTask(this.db, tenant, id, metadata);
  }

  /**
   * Creates a phase or changes the given fields of one.
   * @throws AppError VALIDATION_ERROR: work that becomes pull requests must be reviewed
   */
  async setPhase(tenant: string, id: number, fields: PhaseFields): Promise<Phase> {
    await this.assertReviewed(tenant, id, fields);
    // Null means that a field was not given; nullable fields have an additional flag.
    await this.db.query(
      `with written as (insert into phases as p (tenant_id, id, name, description, done_definitions, additional_notes, working_directory, needs_review,
         setup, checks, merge, stuck_minutes, stuck_repeats)
       values ($1, $2::int, coalesce($3, 'Phase ' || $2::int), coalesce($4, ''), coalesce($5::text[], '{}'), $6, $8, coalesce($10, false),
         coalesce($11::text[], '{}'), coalesce($12::text[], '{}'), $13, $15, $17)
       on conflict (tenant_id, id) do update set name = coalesce($3, p.name), description = coalesce($4, p.description),
         done_definitions = coalesce($5, p.done_definitions), additional_notes = case when $7 then $6 else p.additional_notes end,
         working_directory = case when $9 then $8 else p.working_directory end, needs_review = coalesce($10, p.needs_review), setup = coalesce($11, p.setup),
         checks = coalesce($12, p.checks), merge = case when $14 then $13 else p.merge end,
         stuck_minutes = case when $16 then $15 else p.stuck_minutes end, stuck_repeats = case when $18 then $17 else p.stuck_repeats end, updated_at = now()
         returning tenant_id, id, name, needs_review)
       insert into outbox (tenant_id, type, subject, data)
       select tenant_id, 'work.phase_changed', id::text, jsonb_build_object('name', name, 'needs_review', needs_review) from written`,
      [
        tenant,
        id,
        fields.name ?? null,
        fields.description ?? null,
        fields.done_definitions ?? null,
        fields.additional_notes ?? null,
        fields.additional_notes !== undefined,
        fields.working_directory ?? null,
        fields.working_directory !== undefined,
        fields.needs_review ?? null,
        fields.setup ?? null,
        fields.checks ?? null,
        fields.merge ?? null,
        fields.merge !== undefined,
        fields.stuck_minutes ?? null,
        fields.stuck_minutes !== undefined,
        fields.stuck_repeats ?? null,
        fields.stuck_repeats !== undefined,
      ],
    );
    return await this.deps.queries.phase(tenant, id);
  }

  /** Approved work becomes a pull request: without a review the task would be done before. */
  private async assertReviewed(tenant: string, id: number, fields: PhaseFields): Promise<void> {
    const [now] = await this.db.query<{ merge: string | null; needs_review: boolean }>(
      'select merge, needs_review from phases where tenant_id = $1 and id = $2',
      [tenant, id],
    );
    const merge = fields.merge === undefined ? now?.merge : fields.merge;
    if (merge !== 'pull_request' || (fields.needs_review ?? now?.needs_review)) return;
    throw new AppError('VALIDATION_ERROR', 'A phase whose work becomes pull requests needs a review.', {
      hint: 'Set needs_review too: approved work is pushed, and the pull request is opened.',
    });
  }

  /**
   * The token of the lease that this session claimed (without a session: this key and worker), for aliases whose contract
   * has no token. Undefined: it holds none.
   */
  async tokenOfClaim(caller: Caller, id: string): Promise<number | undefined> {
    return taskView(caller, await this.deps.queries.row(caller.tenant, id)).fencing_token ?? undefined;
  }

  private async change<A extends Held>(caller: Caller, id: string, update: string, args: A, callKey: string): Promise<TaskResult> {
    const row = await this.deps.queries.row(caller.tenant, id);
    try {
      if (row.status === 'done' && update !== 'complete') throw ended();
      if (update === 'complete' && row.status === 'review' && args.token === undefined) await this.assertMerged(caller.tenant, row);
      return view(caller, row, await this.deps.tasks.ask(caller.tenant, id, update, args, callKey), args.token);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
      if (update === 'complete' && error.details?.['reason'] === 'closed') {
        const handedIn = await this.handedIn(caller, id, args.token);
        if (handedIn) return handedIn;
      }
      // With a token it was sent under a lease that has ended. The refusal counts, whether or not it can be noted.
      if (args.token !== undefined)
        await noteRefusal(this.db, caller, id, { token: args.token, write: update, why: error }).catch(() => {});
      throw error;
    }
  }

  /** Completing a task whose work is still on its branch would let its dependants begin without it. */
  private async assertMerged(tenant: string, { id, fencing_token }: TaskRow): Promise<void> {
    const [run] = await this.db.query<{ id: string }>(
      `select id from work_runs where tenant_id = $1 and task_id = $2 and fencing_token = $3 and outcome = 'done' and merge <> 'patch'
         and branch is not null and merged_commit is null`,
      [tenant, id, fencing_token],
    );
    if (!run) return;
    throw new AppError('CONFLICT', `The work of ${run.id} is not merged yet.`, {
      hint: 'Approve it with work.run.review: its runner merges it, which completes the task. If you merged it yourself, tell the commit with work.run.merged afterwards.',
      details: { reason: 'not_merged', run_id: run.id },
    });
  }

  /** The answer when the holder completes the task again with the lease that completed it: its first answer was lost. */
  private async handedIn(caller: Caller, id: string, token: number | undefined): Promise<TaskResult | null> {
    const row = await this.deps.queries.row(caller.tenant, id);
    const own = row.lease_line === lineOf(caller) && row.lease_principal === caller.principal;
    if (row.status !== 'done' || row.ended_as !== 'holder' || !own || token !== row.fencing_token) return null;
    const unblocked = await this.db.query<{ task_id: string }>(
      `select d.task_id from work_task_dependencies d where d.tenant_id = $1 and d.blocker_id = $2 and d.released_at is not null
         and not exists (select from work_task_dependencies o where o.tenant_id = $1 and o.task_id = d.task_id
           and (o.released_at is null or o.released_at > d.released_at)) order by 1`,
      [caller.tenant, id],
    );
    return { task: taskView(caller, row), unblocked: unblocked.map(({ task_id }) => task_id), holder: row.assigned_agent_id };
  }
}

export interface TaskResult {
  task: Task;
  unblocked: string[];
  /** The holder of the lease. */
  holder: string | null;
}

interface Held {
  actor: Actor;
  token?: number;
}

const ended = (): AppError =>
  new AppError('CONFLICT', 'The task is done.', {
    hint: 'Stop working on this task; create a new one for further work.',
    details: { reason: 'done' },
  });

/** @param known a token that the caller sent: it may see it, from whichever session */
const view = (caller: Caller, row: TaskRow, answer: TaskAnswer, known?: number): TaskResult => ({
  task: { ...taskView(caller, row, answer.task), ...(known !== undefined && known === answer.task.token ? { fencing_token: known } : {}) },
  unblocked: answer.unblocked ?? [],
  holder: answer.task.agent ?? row.assigned_agent_id,
});
const held = (caller: Caller, token: number | undefined): Held => ({ actor: actorOf(caller), ...(token === undefined ? {} : { token }) });

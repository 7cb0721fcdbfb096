import type { Database } from '../../adapters/postgres/database.ts';
import { isPerson, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { priorityRank, type Comment, type Phase, type Priority, type Task } from '../../contracts/work.ts';
import type { Actor, TaskAnswer } from '../../workflows/task/state.ts';
import type { TaskProcesses } from './processes.ts';
import { commentView, type TaskQueries } from './queries.ts';
import { taskColumns, taskView, type TaskRow } from './records.ts';

export interface NewTask {
  description: string;
  phaseId: number;
  priority: Priority;
  blockedBy: string[];
  tags: string[];
  metadata: Record<string, unknown>;
  leaseSeconds: number;
  maxAttempts: number;
  needsReview: boolean | undefined;
}

/** Undefined: left as it is. */
export type PhaseFields = { [K in keyof Omit<Phase, 'id'>]?: Phase[K] | undefined };

/** Seconds a reservation keeps other claims off a row while its workflow is being asked. */
const reserveFor = 15;
/** Candidates tried before a claim answers "nothing ready": each miss means somebody else was faster. */
const claimTries = 20;

const actorOf = (caller: Caller): Actor => ({ id: caller.principal, person: isPerson(caller) });

/** What callers may ask of tasks. Each command is safe to repeat under the same `callKey`. */
export class TaskCommands {
  private readonly db: Database;
  private readonly processes: TaskProcesses;
  private readonly queries: TaskQueries;

  constructor(db: Database, processes: TaskProcesses, queries: TaskQueries) {
    this.db = db;
    this.processes = processes;
    this.queries = queries;
  }

  /** @throws AppError NOT_FOUND (phase), VALIDATION_ERROR (unknown blocker) */
  async create(caller: Caller, wanted: NewTask, callKey: string): Promise<Task> {
    const { tenant } = caller;
    const id = derivedId('task', tenant, callKey);
    const phase = await this.queries.phase(tenant, wanted.phaseId);
    const row = await this.db.transaction(async (query) => {
      const pending = await lockBlockers(query, tenant, wanted.blockedBy);
      const [created] = await query<TaskRow>(
        `insert into work_tasks as t (tenant_id, id, description, phase_id, priority, priority_rank, status, tags, metadata,
           created_by, lease_seconds, max_attempts, needs_review)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict do nothing returning t.*, $14::text[] as blocked_by`,
        [
          tenant, id, wanted.description, wanted.phaseId, wanted.priority, priorityRank[wanted.priority],
          pending.length > 0 ? 'blocked' : 'ready', wanted.tags, JSON.stringify(wanted.metadata),
          caller.principal, wanted.leaseSeconds, wanted.maxAttempts, wanted.needsReview ?? phase.needs_review, pending,
        ],
      );
      if (created) await insertBlockers(query, tenant, id, wanted.blockedBy, pending);
      // A repeat after a death in between finds its own row and starts the workflow now.
      return created ?? (await query<TaskRow>(`select ${taskColumns} from work_tasks t where tenant_id = $1 and id = $2`, [tenant, id]))[0]!;
    });
    if (row.status !== 'done') await this.processes.start(tenant, row);
    return taskView(row);
  }

  /**
   * The next ready task of a phase (high before low, then oldest first), under a lease. One statement
   * reserves a candidate row; the candidate's workflow decides.
   * @returns null when nothing is ready; `held` when the caller has a task in hand already.
   */
  async claim(caller: Caller, phaseId: number, leaseSeconds: number | undefined, callKey: string): Promise<{ task: Task; held: boolean } | null> {
    const { tenant, principal } = caller;
    let phaseKnown = false;
    for (let attempt = 0; attempt < claimTries; attempt += 1) {
      const row = await this.pick(tenant, phaseId, principal);
      if (row === 'busy') continue;
      if (!row) {
        if (!phaseKnown) await this.queries.phase(tenant, phaseId);
        return null;
      }
      phaseKnown = true;
      try {
        const args = { actor: actorOf(caller), ...(leaseSeconds === undefined ? {} : { leaseSeconds }) };
        const answer = await this.processes.ask(tenant, row.id, 'claim', args, `${callKey}:${attempt}`, row);
        return { task: taskView(row, answer.task), held: answer.held ?? false };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
        await this.unreserve(tenant, row.id, principal);
      }
    }
    return null;
  }

  private async pick(tenant: string, phaseId: number, agent: string): Promise<TaskRow | 'busy' | undefined> {
    try {
      for (const candidates of [readyCandidates, lapsedCandidates]) {
        const rows = await this.db.query<TaskRow>(pickSql(candidates), [tenant, agent, phaseId]);
        if (rows[0]) return rows[0];
      }
      return undefined;
    } catch (error) {
      // Two claims of one agent at once: the unique index lets one reserve; the other then finds it held.
      // A reservation of its own that was never taken up (its claim died) is given back here.
      if ((error as { code?: string }).code !== '23505') throw error;
      await this.db.query(
        `update work_tasks set holder = null, hold_until = null
         where tenant_id = $1 and holder = $2 and status <> 'in_progress' and hold_until < now()`,
        [tenant, agent],
      );
      return 'busy';
    }
  }

  /** Gives a refused row's reservation back, and keeps it from being offered again before its workflow has shown itself. */
  private async unreserve(tenant: string, id: string, agent: string): Promise<void> {
    await this.db.query(
      `update work_tasks set holder = null, hold_until = now() + interval '1 second'
       where tenant_id = $1 and id = $2 and holder = $3 and (status <> 'in_progress' or lease_expires_at < now())`,
      [tenant, id, agent],
    );
  }

  /** Takes up one certain task: a ready one, or (rework, retry) one in review or failed. @throws AppError CONFLICT */
  async take(caller: Caller, id: string, leaseSeconds: number | undefined, callKey: string): Promise<{ task: Task; held: boolean }> {
    const { tenant, principal } = caller;
    const row = await this.queries.row(tenant, id);
    const [other] = await this.db.query<{ id: string }>(
      `select id from work_tasks where tenant_id = $1 and holder = $2 and id <> $3 and hold_until > now()`,
      [tenant, principal, id],
    );
    if (other) {
      throw new AppError('CONFLICT', `You already hold ${other.id}.`, {
        hint: 'Complete, fail or release it first.',
        details: { reason: 'holding', task_id: other.id },
      });
    }
    const args = { actor: actorOf(caller), resume: true, ...(leaseSeconds === undefined ? {} : { leaseSeconds }) };
    const answer = await this.processes.ask(tenant, id, 'claim', args, callKey, row);
    return { task: taskView(row, answer.task), held: answer.held ?? false };
  }

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

  /** Adds blockers. @throws AppError VALIDATION_ERROR for a cycle, with the path. */
  async block(caller: Caller, id: string, blockers: string[], callKey: string): Promise<TaskResult> {
    const { tenant } = caller;
    const row = await this.queries.row(tenant, id);
    const pending = await this.db.transaction(async (query) => {
      // Serialised per tenant: two blocks at once could close a cycle that neither sees.
      await query('select pg_advisory_xact_lock(hashtext($1))', [`work.block/${tenant}`]);
      await refuseCycle(query, tenant, id, blockers);
      const waiting = await lockBlockers(query, tenant, blockers);
      await insertBlockers(query, tenant, id, blockers, waiting);
      return waiting;
    });
    try {
      return view(row, await this.processes.ask(tenant, id, 'block', { blockers: pending }, callKey, row));
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONFLICT') {
        await this.db.query('delete from work_task_dependencies where tenant_id = $1 and task_id = $2 and blocker_id = any($3) and released_at is null', [tenant, id, blockers]);
      }
      throw error;
    }
  }

  /** Comments are records, not lifecycle: they need no process, and a done task can be commented too. */
  async comment(caller: Caller, id: string, body: string, callKey: string): Promise<Comment> {
    await this.queries.row(caller.tenant, id);
    const commentId = derivedId('comment', caller.tenant, callKey);
    const row = await this.db.prisma.workComment.upsert({
      where: { tenantId_id: { tenantId: caller.tenant, id: commentId } },
      create: { tenantId: caller.tenant, id: commentId, taskId: id, author: caller.principal, body },
      update: {},
    });
    return commentView(row);
  }

  /** Merges keys into a task's metadata: a record, not lifecycle. */
  async annotate(tenant: string, id: string, metadata: Record<string, unknown>): Promise<void> {
    await this.db.query('update work_tasks set metadata = metadata || $3::jsonb, updated_at = now() where tenant_id = $1 and id = $2', [
      tenant, id, JSON.stringify(metadata),
    ]);
  }

  /** Creates a phase or changes the given fields of one. */
  async setPhase(tenant: string, id: number, fields: PhaseFields): Promise<Phase> {
    const data = {
      ...(fields.name === undefined ? {} : { name: fields.name }),
      ...(fields.description === undefined ? {} : { description: fields.description }),
      ...(fields.done_definitions === undefined ? {} : { doneDefinitions: fields.done_definitions }),
      ...(fields.additional_notes === undefined ? {} : { additionalNotes: fields.additional_notes }),
      ...(fields.working_directory === undefined ? {} : { workingDirectory: fields.working_directory }),
      ...(fields.needs_review === undefined ? {} : { needsReview: fields.needs_review }),
    };
    await this.db.prisma.phase.upsert({
      where: { tenantId_id: { tenantId: tenant, id } },
      create: { tenantId: tenant, id, name: `Phase ${id}`, description: '', ...data },
      update: data,
    });
    return await this.queries.phase(tenant, id);
  }

  private async change(caller: Caller, id: string, update: string, args: object, callKey: string): Promise<TaskResult> {
    const row = await this.queries.row(caller.tenant, id);
    if (row.status === 'done' && update !== 'complete') {
      throw new AppError('CONFLICT', 'The task is done.', { hint: 'Create a new task for further work.', details: { reason: 'done' } });
    }
    return view(row, await this.processes.ask(caller.tenant, id, update, args, callKey, row));
  }
}

export interface TaskResult {
  task: Task;
  unblocked: string[];
}

const view = (row: TaskRow, answer: TaskAnswer): TaskResult => ({ task: taskView(row, answer.task), unblocked: answer.unblocked ?? [] });
const held = (caller: Caller, token: number | undefined) => ({ actor: actorOf(caller), ...(token === undefined ? {} : { token }) });

type Query = Database['query'];

/**
 * Locks the blockers' rows (a blocker about to be done waits, and then sees the new dependant).
 * @returns those not done. @throws AppError VALIDATION_ERROR naming unknown ids.
 */
async function lockBlockers(query: Query, tenant: string, blockers: string[]): Promise<string[]> {
  if (blockers.length === 0) return [];
  const rows = await query<{ id: string; status: string }>(
    'select id, status from work_tasks where tenant_id = $1 and id = any($2) order by id for share',
    [tenant, blockers],
  );
  const unknown = blockers.filter((id) => !rows.some((row) => row.id === id));
  if (unknown.length > 0) {
    throw new AppError('VALIDATION_ERROR', `blocked_by names tasks that do not exist: ${unknown.join(', ')}.`, {
      hint: 'work.task.list shows the ids.',
      details: { unknown },
    });
  }
  return rows.filter((row) => row.status !== 'done').map((row) => row.id);
}

async function insertBlockers(query: Query, tenant: string, id: string, blockers: string[], pending: string[]): Promise<void> {
  if (blockers.length === 0) return;
  await query(
    `insert into work_task_dependencies (tenant_id, task_id, blocker_id, released_at)
     select $1, $2, b, case when b = any($4) then null else now() end from unnest($3::text[]) b
     on conflict do nothing`,
    [tenant, id, blockers, pending],
  );
}

async function refuseCycle(query: Query, tenant: string, id: string, blockers: string[]): Promise<void> {
  const rows = await query<{ path: string[] }>(
    `with recursive up as (
       select b as id, array[b] as path from unnest($3::text[]) b
       union all
       select d.blocker_id, up.path || d.blocker_id from up
       join work_task_dependencies d on d.tenant_id = $1 and d.task_id = up.id and d.released_at is null
       where up.id <> $2 and not d.blocker_id = any(up.path))
     select path from up where id = $2 limit 1`,
    [tenant, id, blockers],
  );
  if (rows[0]) {
    const path = [id, ...rows[0].path].join(' → ');
    throw new AppError('VALIDATION_ERROR', `blocked_by would close a cycle: ${path}.`, {
      hint: 'Each task of the cycle would wait for itself. Leave one of these edges out.',
      details: { cycle: [id, ...rows[0].path] },
    });
  }
}

const free = `(t.hold_until is null or t.hold_until < now())`;
const readyCandidates = `t.status = 'ready' and ${free} order by t.priority_rank, t.created_at, t.id`;
// A lease that has passed without its workflow having noticed yet (its worker is down, say).
const lapsedCandidates = `t.status = 'in_progress' and t.lease_expires_at < now() - interval '1 second' order by t.lease_expires_at`;

/** What the caller holds already, else the first free candidate, reserved. $1 tenant, $2 agent, $3 phase. */
const pickSql = (candidates: string): string => `
  with held as (
    select ${taskColumns} from work_tasks t where t.tenant_id = $1 and t.holder = $2 and (t.status = 'in_progress' or t.hold_until > now())
  ), picked as (
    update work_tasks set holder = $2, hold_until = now() + interval '${reserveFor} seconds'
    where tenant_id = $1 and not exists (select from held) and id = (
      select t.id from work_tasks t where t.tenant_id = $1 and t.phase_id = $3 and ${candidates} limit 1 for update skip locked)
    returning *
  )
  select * from held
  union all
  select ${taskColumns} from picked t`;


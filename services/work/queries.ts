import type { Database } from '../../adapters/postgres/database.ts';
import { prepared } from '../../adapters/postgres/prepared.ts';
import type { WatchedTask } from '../../contracts/activities/work/watching.ts';
import type { TaskSnapshot } from '../../contracts/activities/work/work.ts';
import { lineOf, workerOf, type Caller } from '../../contracts/caller.ts';
import { notFound } from '../../contracts/errors.ts';
import {
  columnOf,
  countedTasks,
  type Comment,
  type PartsCount,
  type ListedTask,
  type Phase,
  type Task,
  type TaskLink,
  type taskOrders,
} from '../../contracts/work/work.ts';
import type { Columns } from '../../prisma/rows.ts';
import { countedPage, keysetPage, type CountedPage, type Paging } from '../kernel/paging.ts';
import { actorOf, holderOf } from './actors.ts';
import { taskList, type ListedRow } from './board.ts';
import { TaskCounts } from './counts.ts';
import type { TaskFilter } from './filter.ts';
import { attachmentsOf } from './attachments.ts';
import { issueName, type TrackerKind } from '../../contracts/work/tracker-kinds.ts';
import type { PullRequest, TaskIssue } from '../../contracts/work/trackers.ts';
import type { Attachment } from '../../contracts/work/attachments.ts';
import { pausedAgent } from './records.ts';
import { snapshotOf, taskColumns, type TaskRow } from './rows.ts';
import { Service } from '../kernel/service.ts';

type Parts = PartsCount & { tasks: TaskLink[] };
/** In the tracker that the task came from, or its work went to. */
interface Elsewhere {
  issue: TaskIssue | null;
  pull_request: PullRequest | null;
}

interface ElsewhereRow extends Record<string, unknown> {
  issue: (Omit<TaskIssue, 'name'> & { kind: TrackerKind; repository: string }) | null;
  pull_request: PullRequest | null;
}

const shownComments = 200;
const shownLinks = 100;

const rowSql = prepared(`select ${taskColumns} from work_tasks t where t.tenant_id = $1 and t.id = $2`);
const phasesSql = prepared(`
  select id, name, description, done_definitions, additional_notes, working_directory, needs_review, setup, checks, merge, stuck_minutes, stuck_repeats
  from phases where tenant_id = $1 order by id`);

/** Queries of work: one SQL statement each, without Temporal. */
export class TaskQueries extends Service {
  private readonly counts = new TaskCounts(this.deps);

  /** @throws AppError NOT_FOUND, also for another tenant's id */
  async row(tenant: string, id: string): Promise<TaskRow> {
    const rows = await this.db.query<TaskRow>(rowSql, [tenant, id]);
    if (!rows[0]) throw notFound('task', id, 'work.task.list shows the tasks of your tenant.');
    return rows[0];
  }

  /** What prevents a caller from claiming a task: it holds another one, or it is paused. */
  async hindrances(caller: Caller, id: string | null): Promise<{ other: string | null; paused: boolean }> {
    const [row] = await this.db.query<{ other: string | null; paused: boolean }>(
      `select (select id from work_tasks where tenant_id = $1 and holder = $4 and id <> $3 and hold_until > now()) as other, ${pausedAgent} as paused`,
      [caller.tenant, caller.principal, id, holderOf(lineOf(caller), workerOf(caller))],
    );
    return row!;
  }

  /** With its latest comments, oldest first, and their total number. */
  async get(
    caller: Caller,
    id: string,
  ): Promise<{
    task: Task & { comments: Comment[]; blockers: TaskLink[]; dependants: TaskLink[]; parts: Parts; attachments: Attachment[] } & Elsewhere;
    comments: number;
  }> {
    const { tenant } = caller;
    const task = taskView(caller, await this.row(tenant, id));
    const [latest, links, parts, attachments, elsewhere] = await Promise.all([
      this.db.query<CommentRow & { all: number }>(
        `select id, author, body, created_at, run_id, path, line, count(*) over ()::int as all from work_comments
         where tenant_id = $1 and task_id = $2 order by created_at desc, id desc limit ${shownComments}`,
        [tenant, id],
      ),
      this.links(tenant, id),
      this.parts(tenant, id),
      attachmentsOf(this.db, tenant, id),
      this.elsewhere(tenant, id),
    ]);
    return {
      task: { ...task, comments: latest.reverse().map(commentView), ...links, parts, attachments, ...elsewhere },
      comments: latest[0]?.all ?? 0,
    };
  }

  /** The task that the worker holds, or null. */
  async current(caller: Caller): Promise<Task | null> {
    const rows = await this.db.query<TaskRow>(
      `select ${taskColumns} from work_tasks t
       where t.tenant_id = $1 and t.assigned_agent_id = $2 and t.status = 'in_progress' and t.lease_expires_at > now()
         and (t.lease_line is null or (t.lease_line, t.lease_principal) = ($3, $4))
       order by t.started_at desc limit 1`,
      [caller.tenant, workerOf(caller), lineOf(caller), caller.principal],
    );
    return rows[0] ? taskView(caller, rows[0]) : null;
  }

  /** @returns `total` up to `countedTasks`. @throws AppError VALIDATION_ERROR (cursor) */
  async list(
    tenant: string,
    { order, details, limit, cursor, ...filter }: TaskFilter & Paging & { order: (typeof taskOrders)[number]; details: boolean },
  ): Promise<CountedPage<ListedTask>> {
    const list = taskList(tenant, filter, order, details);
    const view = (row: ListedRow): ListedTask => row;
    const total = await this.counts.total(tenant, filter);
    if (total === null) return await countedPage(this.db.query, list, { limit, cursor }, view, countedTasks);
    return { ...(await keysetPage(this.db.query, list, { limit, cursor }, view)), total: Math.min(total, countedTasks) };
  }

  private async elsewhere(tenant: string, id: string): Promise<Elsewhere> {
    const [row] = await this.db.query<ElsewhereRow>(
      `select (select jsonb_build_object('tracker_id', i.tracker_id, 'number', i.number, 'url', i.url, 'state', i.state, 'left', i.left_as, 'kind', w.kind,
             'repository', w.repository) from work_task_issues i join work_trackers w on w.tenant_id = i.tenant_id and w.id = i.tracker_id
           where i.tenant_id = $1 and i.task_id = $2) as issue,
         (select jsonb_build_object('number', p.number, 'url', p.url, 'state', p.state, 'error', p.error) from work_pulls p
           where p.tenant_id = $1 and p.task_id = $2 order by p.created_at desc limit 1) as pull_request`,
      [tenant, id],
    );
    const { issue, pull_request } = row!;
    if (issue === null) return { issue, pull_request };
    const { kind, repository, ...rest } = issue;
    return { issue: { ...rest, name: issueName({ kind, repository }, rest.number) }, pull_request };
  }

  /** The parts of a task, those that are done at the end, and how many there are. */
  private async parts(tenant: string, id: string): Promise<Parts> {
    const [row] = await this.db.query<Parts & Record<string, unknown>>(
      `select count(*)::int as total, (count(*) filter (where status = 'done'))::int as done, (count(*) filter (where cancelled))::int as cancelled,
         (select coalesce(json_agg(l), '[]') from (select id, left(description, 200) as description, status, assigned_agent_id from work_tasks
           where tenant_id = $1 and parent_id = $2 order by status = 'done', created_at, id limit ${shownLinks}) l) as tasks
       from work_tasks where tenant_id = $1 and parent_id = $2`,
      [tenant, id],
    );
    return row!;
  }

  /** The tasks that a task waits for, and those that wait for it; those that are done at the end. */
  private async links(tenant: string, id: string): Promise<{ blockers: TaskLink[]; dependants: TaskLink[] }> {
    const beside = (mine: string, other: string): string => `(select coalesce(json_agg(l), '[]') from (
      select t.id, left(t.description, 200) as description, t.status, t.assigned_agent_id from work_task_dependencies d
      join work_tasks t on t.tenant_id = d.tenant_id and t.id = d.${other}
      where d.tenant_id = $1 and d.${mine} = $2 order by t.status = 'done', t.id limit ${shownLinks}) l)`;
    const [row] = await this.db.query<{ blockers: TaskLink[]; dependants: TaskLink[] }>(
      `select ${beside('task_id', 'blocker_id')} as blockers, ${beside('blocker_id', 'task_id')} as dependants`,
      [tenant, id],
    );
    return row!;
  }

  /** @throws AppError NOT_FOUND */
  async phase(tenant: string, id: number): Promise<Phase> {
    const phases = await this.phases(tenant);
    const found = phases.find((phase) => phase.id === id);
    if (!found) throw notFound('phase', String(id), `Phases: ${phases.map((phase) => `${phase.id} ${phase.name}`).join(', ')}.`);
    return found;
  }

  async phases(tenant: string): Promise<Phase[]> {
    return await this.db.query<Phase>(phasesSql, [tenant]);
  }
}

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * A row in the form for this caller; `latest`, the workflow's current answer, overrides the row. Only the claimer sees
 * the fencing token: the same worker, in the session of the claim.
 */
export function taskView(caller: Caller, row: TaskRow, latest: TaskSnapshot = snapshotOf(row)): Task {
  return {
    id: row.id,
    description: row.description,
    title: row.title,
    phase_id: latest.phaseId ?? row.phase_id,
    priority: latest.priority ?? row.priority,
    status: latest.status,
    kanban_column: columnOf[latest.status],
    tags: row.tags,
    // Computed, not stored, because a blocker that is claimed again no longer counts as failed.
    metadata: row.failed_blockers.length > 0 ? { ...row.metadata, failed_blockers: row.failed_blockers } : row.metadata,
    created_by: row.created_by,
    assigned_agent_id: latest.agent,
    fencing_token: claimedBy(caller, latest) ? latest.token : null,
    lease_seconds: latest.leaseSeconds,
    lease_expires_at: isoOf(latest.leaseExpiresAt),
    attempts: latest.attempts,
    max_attempts: latest.maxAttempts,
    needs_review: latest.needsReview,
    blocked_by: latest.pendingBlockers,
    progress: latest.progress,
    result: latest.result,
    failure: latest.failure,
    ended_by: latest.endedBy ?? null,
    ended_as: latest.endedAs ?? null,
    due_at: row.due_at?.toISOString() ?? null,
    reserved_for: latest.reservedFor ?? null,
    parent_id: row.parent_id,
    cancelled: latest.cancelled ?? false,
    archived_at: row.archived_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    rev: latest.rev,
    edit_rev: row.edits,
    started_at: isoOf(latest.startedAt),
    completed_at: isoOf(latest.completedAt),
  };
}

const claimedBy = (caller: Caller, task: TaskSnapshot): boolean => {
  const { id, owner, session } = actorOf(caller);
  const same = task.owner ? task.owner.line === owner.line && task.owner.principal === owner.principal : task.token > 0;
  return same && task.agent === id && (task.session ?? null) === session;
};

/** A task for the workflow that had it created; null: it was deleted. */
export async function watchedTask(db: Database, tenant: string, id: string): Promise<WatchedTask | null> {
  const [row] = await db.query<WatchedTask & Record<string, unknown>>(
    `select id as "taskId", status, assigned_agent_id as agent, progress, result, failure from work_tasks where tenant_id = $1 and id = $2`,
    [tenant, id],
  );
  return row ?? null;
}

export type CommentRow = Columns<'work_comments', 'id' | 'author' | 'body' | 'created_at' | 'run_id' | 'path' | 'line'>;

export const commentView = (row: CommentRow): Comment => ({
  id: row.id,
  author: row.author,
  body: row.body,
  created_at: row.created_at.toISOString(),
  run_id: row.run_id,
  path: row.path,
  line: row.line,
});

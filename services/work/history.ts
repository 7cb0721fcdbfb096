import type { Database } from '../../adapters/postgres/database.ts';
import { isPerson, workerOf, type Caller } from '../../contracts/caller.ts';
import type { AppError } from '../../contracts/errors.ts';
import type { EditedField, HistoryEntry, Heartbeats, RunningLease, TaskChange } from '../../contracts/work/history.ts';
import type { Standing, TaskStatus } from '../../contracts/activities/work/work.ts';
import type { Columns } from '../../prisma/rows.ts';
import { down, keysetPage, up, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { changeOf } from './change.ts';
import { taskView, type TaskQueries } from './queries.ts';
import { tell } from './records.ts';

type EventRow = Columns<
  'work_task_events',
  | 'rev'
  | 'mark'
  | 'at'
  | 'agent'
  | 'token'
  | 'attempts'
  | 'lease_expires_at'
  | 'ended_by'
  | 'reason'
  | 'pending'
  | 'beats'
  | 'first_beat_at'
  | 'last_beat_at'
  | 'longest_gap_ms'
  | 'refused_token'
  | 'refused_agent'
  | 'refused_write'
  | 'refused_times'
  | 'refused_last_at'
  | 'cancelled'
> & {
  edited: EditedField[] | null;
  status: TaskStatus;
  ended_as: Standing | null;
  former: { status: TaskStatus; token: number; attempts: number; agent: string | null } | null;
};

/** The change before, by which a change is named. */
const former = `(select json_build_object('status', p.status, 'token', p.token, 'attempts', p.attempts, 'agent', p.agent) from work_task_events p
  where p.tenant_id = e.tenant_id and p.task_id = e.task_id and p.rev < e.rev and p.mark = '' order by p.rev desc limit 1)`;

export interface TaskHistory extends Page<HistoryEntry> {
  lease: RunningLease | null;
}

/** What happened to a task: its changes, and writes that were refused because their lease had ended. */
export class TaskHistories extends Service<never, { queries: Pick<TaskQueries, 'row'> }> {
  /** @throws AppError NOT_FOUND, VALIDATION_ERROR (cursor) */
  async get(caller: Caller, id: string, { oldestFirst, ...paging }: Paging & { oldestFirst: boolean }): Promise<TaskHistory> {
    const { tenant } = caller;
    const row = await this.deps.queries.row(tenant, id);
    // Who may not act under the running lease is not told its number.
    const knows = mayAnyway(caller) || taskView(caller, row).fencing_token !== null;
    const running = row.status === 'in_progress' ? row.fencing_token : null;
    const key = oldestFirst ? up : down;
    const list = {
      select: `e.*, ${former} as former`,
      from: 'work_task_events e',
      // An edit that changed nothing, or whose change was refused, is none.
      where: `e.tenant_id = $1 and e.task_id = $2 and (e.edited is null or e.edited <> '[]')`,
      values: [tenant, id],
      order: [key('e.rev', 'int'), key('e.mark')],
    };
    const page = await keysetPage(this.db.query, list, paging, (event: EventRow) =>
      entryOf(event, !knows && event.token === running ? null : event.token),
    );
    const lease: RunningLease | null =
      running === null
        ? null
        : {
            agent: row.assigned_agent_id ?? '',
            fencing_token: knows ? running : null,
            since: (row.changed_at ?? row.started_at ?? row.updated_at).toISOString(),
            expires_at: row.lease_expires_at?.toISOString() ?? null,
            heartbeats: beatsOf(row),
          };
    return { ...page, lease };
  }
}

/** A person whose own name is no worker's acts on every task, with or without its token. */
const mayAnyway = (caller: Caller): boolean => isPerson(caller) && caller.principal === caller.keyName && caller.mcpSession === undefined;

const entryOf = (row: EventRow, token: number | null): HistoryEntry => {
  const refusal = row.refused_token !== null;
  const change: TaskChange | null = refusal || row.edited ? null : changeOf(row, row.former);
  return {
    id: `${row.rev}${row.mark && `/${row.mark}`}`,
    at: row.at.toISOString(),
    rev: row.rev,
    kind: refusal ? 'refusal' : row.edited ? 'edit' : 'change',
    change,
    status: row.status,
    agent: row.agent,
    fencing_token: token === 0 ? null : token,
    attempt: row.attempts,
    lease_expires_at: row.lease_expires_at?.toISOString() ?? null,
    by: change === 'claimed' || change === 'taken_over' ? row.agent : row.ended_by,
    as: row.ended_as,
    reason: change === 'failed' || change === 'retried' || change === 'lapsed' || change === 'cancelled' ? row.reason : null,
    edited: row.edited,
    blocked_by: row.pending,
    heartbeats: beatsOf(row),
    refused: refusal
      ? {
          fencing_token: row.refused_token!,
          agent: row.refused_agent ?? '',
          write: row.refused_write ?? '',
          times: row.refused_times ?? 1,
          last_at: (row.refused_last_at ?? row.at).toISOString(),
          why: row.reason ?? '',
        }
      : null,
  };
};

const beatsOf = (row: Columns<'work_tasks', 'beats' | 'first_beat_at' | 'last_beat_at' | 'longest_gap_ms'>): Heartbeats | null =>
  row.beats === 0 || !row.first_beat_at || !row.last_beat_at
    ? null
    : {
        count: row.beats,
        first_at: row.first_beat_at.toISOString(),
        last_at: row.last_beat_at.toISOString(),
        longest_gap_seconds: (row.longest_gap_ms ?? 0) / 1000,
      };

/**
 * Notes that a write with an old token was refused; repeats of the same caller since the last change are counted in one
 * row. The first of them is told.
 */
export async function noteRefusal(
  db: Database,
  caller: Caller,
  id: string,
  { token, write, why }: { token: number; write: string; why: AppError },
): Promise<void> {
  await db.query(
    `with task as (
       select t.* from work_tasks t where t.tenant_id = $1 and t.id = $2
     ), noted as (
       insert into work_task_events as e (tenant_id, task_id, rev, mark, status, agent, token, attempts, lease_expires_at, reason,
         refused_token, refused_agent, refused_write, refused_times, refused_last_at)
       select $1, $2, coalesce((select max(rev) from work_task_events where tenant_id = $1 and task_id = $2 and mark = ''), 0), $3,
         t.status, t.assigned_agent_id, t.fencing_token, t.attempts, t.lease_expires_at, left($7, 1000), $4, $5, $6, 1, now() from task t
       on conflict (tenant_id, task_id, rev, mark) do update set refused_times = e.refused_times + 1, refused_last_at = now()
       returning refused_times
     )
     ${tell('task t, noted')} where noted.refused_times = 1`,
    [caller.tenant, id, `${token}/${workerOf(caller)}/${write}`, token, workerOf(caller), write, why.message],
  );
}

import type { Database } from '../../adapters/postgres/database.ts';
import { prepared } from '../../adapters/postgres/prepared.ts';
import { AppError } from '../../contracts/errors.ts';

type Query = Database['query'];

/**
 * Locks the blockers' rows, so that a blocker that is being completed waits and then sees the new dependant.
 * @returns those not done.
 * @throws AppError VALIDATION_ERROR naming unknown ids.
 */
export async function lockBlockers(query: Query, tenant: string, blockers: string[]): Promise<string[]> {
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

export async function insertBlockers(query: Query, tenant: string, id: string, blockers: string[], pending: string[]): Promise<void> {
  if (blockers.length === 0) return;
  await query(
    `insert into work_task_dependencies (tenant_id, task_id, blocker_id, released_at)
     select $1, $2, b, case when b = any($4) then null else now() end from unnest($3::text[]) b
     on conflict do nothing`,
    [tenant, id, blockers, pending],
  );
}

export async function refuseCycle(query: Query, tenant: string, id: string, blockers: string[]): Promise<void> {
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

const dependantsSql = prepared(`
  select task_id from work_task_dependencies
  where tenant_id = $1 and blocker_id = $2 and (released_at is null or released_at > now() - interval '10 minutes') order by 1`);

/** Tasks that still wait for this one. */
export async function waitingFor(db: Database, tenant: string, id: string): Promise<{ id: string; status: string }[]> {
  return await db.query<{ id: string; status: string }>(
    `select t.id, t.status from work_task_dependencies d join work_tasks t on t.tenant_id = d.tenant_id and t.id = d.task_id
     where d.tenant_id = $1 and d.blocker_id = $2 and d.released_at is null and t.status = 'blocked' order by 1 limit 100`,
    [tenant, id],
  );
}

/** Tasks that wait for this one, or did until recently, because a repeat of an interrupted release must return them again. */
export async function dependantsOf(db: Database, tenant: string, id: string): Promise<string[]> {
  const rows = await db.query<{ task_id: string }>(dependantsSql, [tenant, id]);
  return rows.map((row) => row.task_id);
}

export async function markReleased(db: Database, tenant: string, blocker: string, dependant: string): Promise<void> {
  await db.query(
    `update work_task_dependencies set released_at = coalesce(released_at, now())
     where tenant_id = $1 and blocker_id = $2 and task_id = $3`,
    [tenant, blocker, dependant],
  );
}

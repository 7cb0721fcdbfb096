/** Records of edits: the row's labels, the history's entries, and the deletion of a task. */
import type { Database } from '../../adapters/postgres/database.ts';
import type { EditNote } from '../../contracts/activities/work/shape.ts';
import type { TaskRef } from '../../contracts/activities/work/work.ts';
import { workerOf, type Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { canonicalJson, hashOf } from '../../contracts/ids.ts';
import type { EditedField } from '../../contracts/work/history.ts';
import { lock } from '../kernel/locks.ts';
import { tell } from './records.ts';
import { taskColumns, type TaskRow } from './rows.ts';

/** What is no state of the process. Undefined: unchanged. */
export interface Labels {
  title?: string | null | undefined;
  description?: string | undefined;
  tags?: string[] | undefined;
  /** Merged; a null removes its key. */
  metadata?: Record<string, unknown> | undefined;
  due_at?: string | null | undefined;
  parent_id?: string | null | undefined;
  archived?: boolean | undefined;
}

export interface EditWanted {
  labels: Labels;
  /** The task's `edit_rev` that the editor has seen. */
  expected: number | undefined;
  key: string;
}

const cut = (text: string | null): string | null => (text !== null && text.length > 300 ? `${text.slice(0, 299)}…` : text);
const iso = (value: Date | string | null): string | null => (value === null ? null : new Date(value).toISOString());

/** The row with the labels, and what they change, as text. */
function relabelled(row: TaskRow, labels: Labels) {
  const title = labels.title === undefined ? row.title : labels.title;
  let description = labels.description ?? row.description;
  // The description begins with the title, for clients whose contract has no title.
  const [first = ''] = description.split('\n', 1);
  if (labels.description === undefined && title && row.title !== null && first.trim() === row.title)
    description = `${title}${description.slice(first.length)}`;
  const metadata = Object.fromEntries(Object.entries({ ...row.metadata, ...labels.metadata }).filter(([, value]) => value !== null));
  const next = {
    title,
    description,
    tags: labels.tags ?? row.tags,
    metadata,
    due_at: labels.due_at === undefined ? iso(row.due_at) : iso(labels.due_at),
    parent_id: labels.parent_id === undefined ? row.parent_id : labels.parent_id,
    archived_at: labels.archived === undefined ? iso(row.archived_at) : labels.archived ? (iso(row.archived_at) ?? iso(new Date())) : null,
  };
  const before = { ...next, ...row, due_at: iso(row.due_at), archived_at: iso(row.archived_at) };
  const text = (value: unknown): string | null => cut(value === null || typeof value === 'string' ? value : canonicalJson(value));
  const fields = (Object.keys(next) as (keyof typeof next)[])
    .map((field): EditedField & { same: boolean } => ({
      field: field === 'archived_at' ? 'archived' : field,
      from: field === 'archived_at' ? String(before.archived_at !== null) : text(before[field]),
      to: field === 'archived_at' ? String(next.archived_at !== null) : text(next[field]),
      same: hashOf(before[field] ?? null) === hashOf(next[field] ?? null),
    }))
    .filter(({ same }) => !same)
    .map(({ field, from, to }) => ({ field, from, to }));
  return { next, fields };
}

/**
 * Writes labels and opens the edit's entry in the history, once for a key. `expected` is compared under the row's lock, so
 * of two editors who have seen the same one is refused.
 * @returns the row before the edit
 * @throws AppError NOT_FOUND, CONFLICT (reason `edited`, with the current `edit_rev`)
 */
export async function openEdit(db: Database, caller: Caller, id: string, { labels, expected, key }: EditWanted): Promise<TaskRow> {
  const { tenant } = caller;
  return await db.transaction(async (query) => {
    // Serialized per tenant, because two concurrent edits could close a cycle that neither sees.
    if (labels.parent_id) await lock(query, `work.parent/${tenant}`);
    const [row] = await query<TaskRow>(`select ${taskColumns} from work_tasks t where t.tenant_id = $1 and t.id = $2 for update of t`, [
      tenant,
      id,
    ]);
    if (!row) throw notFound('task', id, 'work.task.list shows the tasks of your tenant.');
    const [known] = await query(
      `select 1 from work_task_events where tenant_id = $1 and task_id = $2 and mark like 'edit/%' and right(mark, 20) = $3`,
      [tenant, id, key],
    );
    if (known) return row;
    if (expected !== undefined && expected !== row.edits) throw edited(row);
    if (labels.parent_id) await checkParent(query, tenant, id, labels.parent_id);
    const { next, fields } = relabelled(row, labels);
    if (labels.archived && row.status !== 'done' && row.status !== 'failed') {
      throw new AppError('CONFLICT', `The task is ${row.status}; only what has ended is archived.`, {
        hint: 'work.task.cancel ends a task that is not wanted any more and archives it.',
        details: { reason: row.status },
      });
    }
    await query(
      `with written as (
         update work_tasks set title = $3, description = $4, metadata = $5, due_at = $6, archived_at = $7, edits = edits + 1, tags = $13, parent_id = $14,
           updated_at = case when $12 = '[]' then updated_at else now() end where tenant_id = $1 and id = $2 returning *
       ), noted as (
         insert into work_task_events (tenant_id, task_id, rev, mark, status, agent, token, attempts, lease_expires_at, ended_by, ended_as, pending, edited)
         select tenant_id, id, rev, 'edit/' || lpad(edits::text, 8, '0') || '/' || $8, status, assigned_agent_id, fencing_token, attempts,
           lease_expires_at, $9, $10, $11::text[], $12::jsonb from written
       ) ${tell('written t')}`,
      [
        tenant,
        id,
        next.title,
        next.description,
        JSON.stringify(next.metadata),
        next.due_at,
        next.archived_at,
        key,
        workerOf(caller),
        caller.principalKind === 'human' ? 'person' : 'creator',
        row.blocked_by,
        JSON.stringify(fields),
        next.tags,
        next.parent_id,
      ],
    );
    return row;
  });
}

/** @throws AppError VALIDATION_ERROR: no such task, or it would be a part of itself */
async function checkParent(query: Database['query'], tenant: string, id: string, parent: string): Promise<void> {
  const above = await query<{ id: string }>(
    `with recursive above as (
       select id, parent_id from work_tasks where tenant_id = $1 and id = $2
       union select t.id, t.parent_id from above a join work_tasks t on t.tenant_id = $1 and t.id = a.parent_id)
     select id from above`,
    [tenant, parent],
  );
  if (above.length === 0)
    throw new AppError('VALIDATION_ERROR', `parent_id names a task that does not exist: ${parent}.`, {
      hint: 'work.task.list shows the ids.',
    });
  if (above.some((task) => task.id === id))
    throw new AppError('VALIDATION_ERROR', 'The task would be a part of itself.', { hint: 'Take a parent that is not one of its parts.' });
}

const edited = (row: TaskRow): AppError =>
  new AppError('CONFLICT', `The task was edited meanwhile: its edit_rev is ${row.edits}.`, {
    hint: 'Read it with work.task.get, then send the edit again with that edit_rev (not rev) as expected_rev.',
    details: {
      reason: 'edited',
      current: {
        edit_rev: row.edits,
        title: row.title,
        description: row.description,
        tags: row.tags,
        phase_id: row.phase_id,
        priority: row.priority,
        due_at: iso(row.due_at),
        reserved_for: row.reserved_for,
      },
    },
  });

/** Adds what an edit's settings changed to its entry. A repeat adds nothing. */
export async function noteEdit(db: Database, { tenant, id }: TaskRef, { key, fields }: EditNote): Promise<void> {
  await db.query(
    `update work_task_events set edited = edited || $4::jsonb
     where tenant_id = $1 and task_id = $2 and mark like 'edit/%' and right(mark, 20) = $3 and not edited @> $4::jsonb`,
    [tenant, id, key, JSON.stringify(fields)],
  );
}

/** Deletes a task with its comments, runs, history, dependencies and tags, and tells of it. A repeat does nothing. */
export async function removeTask(db: Database, { tenant, id }: TaskRef): Promise<void> {
  await db.transaction(async (query) => {
    const [row] = await query<{ phase_id: number; rev: number }>(
      'select phase_id, rev from work_tasks where tenant_id = $1 and id = $2 for update',
      [tenant, id],
    );
    if (!row) return;
    await query('delete from work_task_dependencies where tenant_id = $1 and (task_id = $2 or blocker_id = $2)', [tenant, id]);
    await query('delete from work_comments where tenant_id = $1 and task_id = $2', [tenant, id]);
    await query('delete from work_runs where tenant_id = $1 and task_id = $2', [tenant, id]);
    await query('delete from work_task_events where tenant_id = $1 and task_id = $2', [tenant, id]);
    await query('update work_tasks set parent_id = null where tenant_id = $1 and parent_id = $2', [tenant, id]);
    await query('delete from work_tasks where tenant_id = $1 and id = $2', [tenant, id]);
    await query(
      `insert into outbox (tenant_id, type, subject, data) values ($1, 'work.task_changed', $2,
         jsonb_build_object('status', 'deleted', 'agent', null, 'token', null, 'rev', $3::int + 1, 'phase_id', $4::int))`,
      [tenant, id, row.rev, row.phase_id],
    );
  });
}

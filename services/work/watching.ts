import type { Database } from '../../adapters/postgres/database.ts';
import type { WatchedTask } from '../../contracts/activities/watching.ts';
import type { TaskRef, TaskSnapshot } from '../../contracts/activities/work.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import { priorities, type Priority } from '../../contracts/work/work.ts';
import type { Processes } from '../kernel/processes.ts';
import { platform } from './actors.ts';
import type { WorkService } from './index.ts';
import { writeTask } from './records.ts';

/**
 * Writes a task's row and notifies the process that watches it, if any.
 * @returns the row's revision
 */
export async function writeAndTell(
  { db, processes }: { db: Database; processes: Processes },
  ref: TaskRef,
  snapshot: TaskSnapshot,
): Promise<number> {
  const { rev, watcher } = await writeTask(db, ref, snapshot);
  // If the signal is lost, the watcher polls.
  if (watcher) await processes.signal(watcher, 'taskChanged', watched(ref.id, snapshot)).catch(() => {});
  return rev;
}

const watched = (taskId: string, { status, agent, progress, result, failure }: TaskSnapshot): WatchedTask => ({
  taskId,
  status,
  agent,
  progress,
  result,
  failure,
});

export async function watchedTask(db: Database, tenant: string, id: string): Promise<WatchedTask | null> {
  const [row] = await db.query<WatchedTask & Record<string, unknown>>(
    `select id as "taskId", status, assigned_agent_id as agent, progress, result, failure from work_tasks where tenant_id = $1 and id = $2`,
    [tenant, id],
  );
  return row ?? null;
}

/** The tool that creates board tasks for requests of other agents. */
export const workTool = 'work.task.create';

/**
 * Its arguments, unvalidated: the tool validates them.
 * @param wanted `description` (or `text`); optional `phase_id` (1), `priority` (medium, or 1 to 10), `tags`
 * @throws AppError VALIDATION_ERROR (no description)
 */
export function workArguments(wanted: Record<string, unknown>, metadata: Record<string, unknown>): Record<string, unknown> {
  const description = wanted.description ?? wanted.text;
  if (typeof description !== 'string' || description.trim() === '') {
    throw new AppError('VALIDATION_ERROR', 'Work needs a description.', { hint: 'Send {"description": "what is to be done"}.' });
  }
  return {
    description: description.trim().slice(0, 20_000),
    phase_id: wanted.phase_id ?? 1,
    priority: priorityOf(wanted.priority),
    tags: Array.isArray(wanted.tags) ? wanted.tags.filter((tag) => typeof tag === 'string').slice(0, 20) : [],
    metadata,
  };
}

/**
 * Finds the created task and registers its watcher.
 * @returns its id; null: it was not created
 */
export async function watchMade(db: Database, tenant: string, { data }: Pick<Envelope, 'data'>, watcher: string): Promise<string | null> {
  const id = (data as { task?: { id?: string } } | null)?.task?.id;
  if (id === undefined) return null;
  await db.query('update work_tasks set watcher = $3 where tenant_id = $1 and id = $2', [tenant, id, watcher]);
  return id;
}

/** Maps a peer's priority from 1 to 10 to the board's three. */
function priorityOf(value: unknown): Priority {
  if (typeof value === 'number') return value >= 7 ? 'high' : value >= 4 ? 'medium' : 'low';
  return priorities.find((priority) => priority === value) ?? 'medium';
}

/** Ends a task that is no longer wanted; later results of its holder are refused. Does nothing if it has ended. */
export async function withdrawTask(work: WorkService, { tenant, id }: TaskRef, reason: string): Promise<void> {
  const row = await work.queries.row(tenant, id);
  if (row.status === 'done' || row.status === 'failed') return;
  try {
    if (row.status !== 'blocked') await work.processes.ask(tenant, id, 'fail', { actor: platform, reason, retry: false }, `withdraw:${id}`);
  } catch (error) {
    // It was completed or claimed concurrently; nobody waits for its result.
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
  }
}

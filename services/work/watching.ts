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

/** Writes a task's row and tells the process that watches it, if one does. @returns the row's revision */
export async function writeAndTell(
  { db, processes }: { db: Database; processes: Processes },
  ref: TaskRef,
  snapshot: TaskSnapshot,
): Promise<number> {
  const { rev, watcher } = await writeTask(db, ref, snapshot);
  // Late or never told, the watcher looks by itself.
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

/** The tool through which what another agent asks to have done becomes a task on this platform's board. */
export const workTool = 'work.task.create';

/**
 * Its arguments. What is wrong with them is the tool's to say.
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

/** The task that was made, from now on watched by the process that asked for it. @returns its id; null: it was not made */
export async function watchMade(db: Database, tenant: string, { data }: Pick<Envelope, 'data'>, watcher: string): Promise<string | null> {
  const id = (data as { task?: { id?: string } } | null)?.task?.id;
  if (id === undefined) return null;
  await db.query('update work_tasks set watcher = $3 where tenant_id = $1 and id = $2', [tenant, id, watcher]);
  return id;
}

/** A peer's 1 to 10 as the board's three. */
function priorityOf(value: unknown): Priority {
  if (typeof value === 'number') return value >= 7 ? 'high' : value >= 4 ? 'medium' : 'low';
  return priorities.find((priority) => priority === value) ?? 'medium';
}

/** Ends a task that nobody wants any more; what its holder still hands in is refused. One that is over stays as it is. */
export async function withdrawTask(work: WorkService, { tenant, id }: TaskRef, reason: string): Promise<void> {
  const row = await work.queries.row(tenant, id);
  if (row.status === 'done' || row.status === 'failed') return;
  try {
    if (row.status !== 'blocked') await work.processes.ask(tenant, id, 'fail', { actor: platform, reason, retry: false }, `withdraw:${id}`);
  } catch (error) {
    // Somebody was faster: it is done, or claimed this moment, and then its result finds nobody waiting.
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
  }
}

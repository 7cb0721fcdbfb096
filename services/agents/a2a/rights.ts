import type { Database } from '../../../adapters/postgres/database.ts';
import { decidersNamed, isPerson, lineOf, mayDecide, type Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { findA2aTask, type A2aTaskRow } from './tasks-records.ts';

type Query = Database['query'];

export const noTask = (id: string): AppError =>
  new AppError('NOT_FOUND', `Task not found: "${id.slice(0, 128)}".`, {
    hint: 'ListTasks shows your tasks.',
    details: { reason: 'task' },
  });

export const isOwn = (row: A2aTaskRow, caller: Caller): boolean => row.line === lineOf(caller);

/** The caller is a person of the tenant, and not in a team with restricted sight. */
export const seesOthers = (caller: Caller): boolean => isPerson(caller) && caller.team === null;

/**
 * The task, if the caller's line created it or the caller sees the tasks of others. @throws AppError NOT_FOUND, also when
 * the caller may not see it
 */
export async function visibleA2aTask(query: Query, caller: Caller, id: string): Promise<A2aTaskRow> {
  const row = await findA2aTask(query, caller.tenant, id);
  if (row && (isOwn(row, caller) || seesOthers(caller))) return row;
  throw noTask(id);
}

/**
 * The task, if the caller may change it: the caller's line created it, or the caller's role may decide about the tasks of
 * others. @throws AppError NOT_FOUND, FORBIDDEN
 */
export async function changeableA2aTask(query: Query, caller: Caller, id: string): Promise<A2aTaskRow> {
  const row = await visibleA2aTask(query, caller, id);
  if (isOwn(row, caller) || mayDecide(caller)) return row;
  throw new AppError('FORBIDDEN', 'The task belongs to another key.', {
    hint: `Only that key, or a person with the role ${decidersNamed}, may change it.`,
  });
}

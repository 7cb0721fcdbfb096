import type { Database } from '../../adapters/postgres/database.ts';
import type { WatchedTask } from '../../contracts/activities/work/watching.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import { priorities, type Priority } from '../../contracts/work/work.ts';
import type { Execute, Execution } from '../kernel/execution.ts';
import { watchedTask } from '../work/index.ts';

/** A request of another agent, in any protocol: a tool call, or work for the board. */
interface Asked {
  tenant_id: string;
  key_id: string;
  work_task_id: string | null;
}

type Call = (
  tool: string,
  args: Record<string, unknown>,
  callKey: string,
  following?: Pick<Execution, 'waitMs' | 'signal' | 'onProgress'>,
) => Promise<Envelope>;

/** Tool calls on behalf of the key that asked. A write acts once per `callKey`. */
export const onBehalf =
  ({ tenant_id: tenant, key_id: keyId }: Asked, principal: string, execute: Execute): Call =>
  (tool, args, callKey, following) =>
    execute({ tenant, keyId, principal, front: 'a2a', tool, arguments: args, callKey, ...following });

/** The tool that puts another agent's request on this platform's board. */
const workTool = 'work.task.create';

/**
 * Its arguments; the tool validates them.
 * @param wanted `description` (or `text`); optional `phase_id` (1), `priority` (medium, or 1 to 10), `tags`
 * @throws AppError VALIDATION_ERROR (no description)
 */
function workArguments(wanted: Record<string, unknown>, metadata: Record<string, unknown>): Record<string, unknown> {
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

/** Puts the work on the board by a normal tool call. @throws AppError VALIDATION_ERROR (no description) */
export const putOnBoard = (call: Call, wanted: Record<string, unknown>, metadata: Record<string, unknown>, callKey: string) =>
  call(workTool, workArguments(wanted, metadata), callKey);

/** Maps a peer's priority from 1 to 10 to the board's three. */
function priorityOf(value: unknown): Priority {
  if (typeof value === 'number') return value >= 7 ? 'high' : value >= 4 ? 'medium' : 'low';
  return priorities.find((priority) => priority === value) ?? 'medium';
}

/** Its task on the board; null: it has none, or the task was deleted. */
export const workOf = async (db: Database, { tenant_id: tenant, work_task_id: id }: Asked): Promise<WatchedTask | null> =>
  id === null ? null : await watchedTask(db, tenant, id);

/** The id of the job or the approval that an unfinished call waits for. */
export function goesOnAs({ status, refs }: Envelope): string | undefined {
  const later = status === 'accepted' ? 'job' : status === 'pending_approval' ? 'approval' : null;
  return refs.find(({ type }) => type === later)?.id;
}

import type { Dropped } from '../../contracts/activities/work/shape.ts';
import type { TaskRef } from '../../contracts/activities/work/work.ts';
import { isPerson, lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Task } from '../../contracts/work/work.ts';
import type { Settings } from '../../workflows/work/task/shape.ts';
import type { TaskAnswer } from '../../workflows/work/task/state.ts';
import { Service } from '../kernel/service.ts';
import { actorOf } from './actors.ts';
import { dependantsOf, markReleased, waitingFor } from './blockers.ts';
import type { TaskProcesses } from './commands.ts';
import { openEdit, removeTask, type Labels } from './edits.ts';
import { taskView, type TaskQueries } from './queries.ts';
import { tell } from './records.ts';
import type { TaskRow } from './rows.ts';

/** Undefined: unchanged. */
export type EditRequest = Labels & { [K in keyof Settings]?: Settings[K] | undefined } & { expected?: number | undefined };

/** What happens to tasks that wait for one that ends without being done. */
export type Dependants = 'refuse' | 'free';

/** Dependants that are told at a time. */
const releasedAtOnce = 8;

interface Releasing {
  /** What became of the task. */
  kind?: string;
  told?: ((dependant: string) => Promise<void>) | undefined;
  released?: string[];
}

export interface Ended {
  task: Task;
  /** Dependants that became ready. */
  unblocked: string[];
}

/** A person as such, or the worker that created the task under the same key. */
const isCreator = (caller: Caller, { created_by, created_line }: TaskRow): boolean =>
  created_by === caller.principal && (created_line ? created_line === lineOf(caller) : caller.principal === caller.keyName);

/** What people and creators decide about tasks: edits, reservations, ends. Each is safe to repeat with the same `callKey`. */
export class TaskShaping extends Service<never, { tasks: TaskProcesses; queries: TaskQueries }> {
  /**
   * Labels go to the row; what claims and leases go by goes through the task's workflow.
   * @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT (edited meanwhile; settings of a task that is done)
   */
  async edit(caller: Caller, id: string, wanted: EditRequest, callKey: string): Promise<Task> {
    const { tenant } = caller;
    const { title, description, tags, metadata, due_at, parent_id, archived, expected, ...given } = wanted;
    const settings: Settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const shapes = Object.keys(settings).length > 0;
    const row = await this.deps.queries.row(tenant, id);
    mayShape(caller, row);
    if (shapes && row.status === 'done') throw done();
    if (settings.phaseId !== undefined) await this.deps.queries.phase(tenant, settings.phaseId);
    const key = derivedId('', tenant, id, callKey).slice(1);
    const labels = { title, description, tags, metadata, due_at, parent_id, archived };
    const was = await openEdit(this.db, caller, id, { labels, expected, key });
    let answer: TaskAnswer | undefined;
    if (shapes) {
      const edit = { key, was: { phaseId: was.phase_id, priority: was.priority } };
      answer = await this.deps.tasks.ask(tenant, id, 'shape', { actor: actorOf(caller), settings, edit }, callKey);
    }
    return taskView(caller, await this.deps.queries.row(tenant, id), answer?.task);
  }

  /**
   * Ends a task that is not wanted any more, whatever its status but done; its holder's next write is refused.
   * @param ending `unheld`: only if nobody works on it, and nothing waits for a review
   * @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT (done; others wait for it; held)
   */
  async cancel(
    caller: Caller,
    id: string,
    ending: { reason: string; dependants: Dependants; unheld?: boolean },
    callKey: string,
  ): Promise<Ended> {
    const { tenant } = caller;
    const { reason, dependants, unheld = false } = ending;
    const row = await this.deps.queries.row(tenant, id);
    mayShape(caller, row);
    if (row.status === 'done') throw done();
    if (dependants === 'refuse') await this.refuseWaiting(tenant, id);
    const args = { actor: actorOf(caller), reason, free: dependants === 'free', ...(unheld ? { unheld } : {}) };
    const answer = await this.deps.tasks.ask(tenant, id, 'cancel', args, callKey);
    return { task: taskView(caller, await this.deps.queries.row(tenant, id), answer.task), unblocked: answer.unblocked ?? [] };
  }

  /**
   * Deletes a task with all that is known of it, and ends its process.
   * @throws AppError NOT_FOUND, FORBIDDEN (agents), CONFLICT (others wait for it)
   */
  async remove(
    caller: Caller,
    id: string,
    { reason, dependants }: { reason: string; dependants: Dependants },
    callKey: string,
  ): Promise<{ unblocked: string[] }> {
    const { tenant } = caller;
    const row = await this.deps.queries.row(tenant, id);
    if (!isPerson(caller) || caller.principal !== caller.keyName) {
      throw new AppError('FORBIDDEN', 'Only people delete tasks.', {
        hint: 'work.task.cancel ends a task that is not wanted; it stays readable.',
      });
    }
    if (row.status !== 'done') {
      if (dependants === 'refuse') await this.refuseWaiting(tenant, id);
      const answer = await this.deps.tasks.ask(tenant, id, 'remove', { actor: actorOf(caller), reason }, callKey);
      return { unblocked: answer.unblocked ?? [] };
    }
    // Its workflow has ended, or tells its dependants just now: each of them is told once, by whomever.
    const unblocked = await this.release({ tenant, id });
    await removeTask(this.db, { tenant, id });
    return { unblocked };
  }

  /**
   * Tells each dependant that the task is done. One that cannot be told keeps none of the others waiting.
   * @param released gets those that became ready, as they do
   * @returns `released`
   * @throws the first failure, after all were tried
   */
  async release(ref: TaskRef, { kind = 'done', told, released = [] }: Releasing = {}): Promise<string[]> {
    const dependants = await dependantsOf(this.db, ref.tenant, ref.id);
    const failures: unknown[] = [];
    for (let from = 0; from < dependants.length; from += releasedAtOnce) {
      const settled = await Promise.allSettled(
        dependants.slice(from, from + releasedAtOnce).map(async (dependant) => {
          released.push(...(await this.letGo(ref, dependant, { kind, told })));
        }),
      );
      failures.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : [])));
    }
    if (failures.length > 0) throw failures[0];
    return released;
  }

  /** @returns the dependant, if it became ready */
  private async letGo({ tenant, id }: TaskRef, dependant: string, { kind, told }: Pick<Releasing, 'kind' | 'told'>): Promise<string[]> {
    const [row] = await this.db.query<{ status: string }>('select status from work_tasks where tenant_id = $1 and id = $2', [
      tenant,
      dependant,
    ]);
    if (!row) return [];
    // The dependant's workflow counts each blocker off once, however often it is told. One that is done by now was
    // let go by an attempt that died before it could note so.
    const answer =
      row.status === 'done' ? null : await this.deps.tasks.ask(tenant, dependant, 'blockerDone', { blocker: id }, `${kind}:${id}`);
    await told?.(dependant);
    await markReleased(this.db, tenant, id, dependant);
    return answer?.unblocked ?? [];
  }

  /** Frees the dependants of a task that nobody will finish, and says so in a comment on each. */
  async free({ tenant, id }: TaskRef, { by, how, reason }: Dropped): Promise<string[]> {
    const body = `${id}, which this task waited for, was ${how}: ${reason}`;
    const told = async (dependant: string): Promise<void> => {
      await this.db.query(
        `with written as (
           insert into work_comments (tenant_id, id, task_id, author, body) values ($1, $2, $3, $4, $5) on conflict do nothing
         ) ${tell('work_tasks t')} where t.tenant_id = $1 and t.id = $3`,
        [tenant, derivedId('comment', tenant, dependant, how, id), dependant, by, body],
      );
    };
    return await this.release({ tenant, id }, { kind: how, told });
  }

  private async refuseWaiting(tenant: string, id: string): Promise<void> {
    const waiting = await waitingFor(this.db, tenant, id);
    if (waiting.length === 0) return;
    throw new AppError(
      'CONFLICT',
      `${waiting.length === 1 ? 'A task waits' : `${waiting.length} tasks wait`} for it: ${waiting.map((task) => task.id).join(', ')}.`,
      {
        hint: 'Pass dependants "free" to take it off their blockers; each gets a comment.',
        details: { reason: 'awaited', dependants: waiting.map((task) => task.id) },
      },
    );
  }
}

/** @throws AppError FORBIDDEN */
function mayShape(caller: Caller, row: TaskRow): void {
  const person = isPerson(caller) && caller.principal === caller.keyName;
  if (person || isCreator(caller, row)) return;
  throw new AppError('FORBIDDEN', 'Only people and the creator of a task may do this.', {
    hint: 'Leave a comment on it with work.task.comment instead.',
    details: { reason: 'not_yours' },
  });
}

const done = (): AppError =>
  new AppError('CONFLICT', 'The task is done.', {
    hint: 'Its title, description, tags, metadata and due date can be edited, and work.task.archive takes it off the board.',
    details: { reason: 'done' },
  });

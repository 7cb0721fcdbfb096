import { lineOf, workerOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Task } from '../../contracts/work/work.ts';
import { actorOf, holderOf } from './actors.ts';
import type { TaskProcesses } from './processes.ts';
import type { TaskQueries } from './queries.ts';
import { taskColumns, taskView, type TaskRow } from './records.ts';
import { Service } from '../kernel/service.ts';

/** Seconds that a reservation keeps other claims off a row while its workflow is asked. */
const reserveFor = 15;
/** Candidates to try before a claim answers "nothing ready": after each miss another worker was faster. */
const claimTries = 20;

/** Claims: each task has exactly one holder, with concurrent claims and after any crash. */
export class TaskClaims extends Service<never, { tasks: TaskProcesses; queries: TaskQueries }> {
  /**
   * The next ready task of a phase (high before low, then oldest first), under a lease. One statement
   * reserves a candidate row; the candidate's workflow decides.
   * @returns null when nothing is ready; `held` when the caller has a task in hand already.
   */
  async claim(
    caller: Caller,
    phaseId: number,
    leaseSeconds: number | undefined,
    callKey: string,
  ): Promise<{ task: Task; held: boolean } | null> {
    const { tenant, principal } = caller;
    const holder = holderOf(lineOf(caller), workerOf(caller));
    let phaseKnown = false;
    for (let attempt = 0; attempt < claimTries; attempt += 1) {
      const row = await this.pick(tenant, phaseId, holder, principal);
      if (row === 'busy') continue;
      if (!row) {
        if (!phaseKnown) await this.deps.queries.phase(tenant, phaseId);
        const [agent] = await this.db.query<{ paused: boolean }>(`select ${pausedAgent} as paused`, [tenant, principal]);
        if (agent?.paused) throw paused(principal);
        return null;
      }
      phaseKnown = true;
      try {
        const args = { actor: actorOf(caller), ...(leaseSeconds === undefined ? {} : { leaseSeconds }) };
        const answer = await this.deps.tasks.ask(tenant, row.id, 'claim', args, `${callKey}:${attempt}`);
        return { task: taskView(caller, row, answer.task), held: answer.held ?? false };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
        await this.unreserve(tenant, row.id, holder);
      }
    }
    return null;
  }

  private async pick(tenant: string, phaseId: number, holder: string, agent: string): Promise<TaskRow | 'busy' | undefined> {
    try {
      for (const candidates of [readyCandidates, lapsedCandidates]) {
        const rows = await this.db.query<TaskRow>(pickSql(candidates), [tenant, agent, phaseId, holder]);
        if (rows[0]) return rows[0];
      }
      return undefined;
    } catch (error) {
      // Two concurrent claims of one agent: the unique index lets one reserve, and the other then finds it held. An
      // earlier reservation whose claim died is released here.
      if ((error as { code?: string }).code !== '23505') throw error;
      await this.db.query(
        `update work_tasks set holder = null, hold_until = null
         where tenant_id = $1 and holder = $2 and status <> 'in_progress' and hold_until < now()`,
        [tenant, holder],
      );
      return 'busy';
    }
  }

  /** Releases a refused row's reservation, and keeps it from being offered again until its workflow has updated it. */
  private async unreserve(tenant: string, id: string, holder: string): Promise<void> {
    await this.db.query(
      `update work_tasks set holder = null, hold_until = now() + interval '1 second'
       where tenant_id = $1 and id = $2 and holder = $3 and (status <> 'in_progress' or lease_expires_at < now())`,
      [tenant, id, holder],
    );
  }

  /**
   * Claims a specific task: a ready one, or (rework, retry) one in review or failed.
   * @throws AppError CONFLICT (also when paused)
   */
  async take(caller: Caller, id: string, leaseSeconds: number | undefined, callKey: string): Promise<{ task: Task; held: boolean }> {
    const { tenant, principal } = caller;
    const row = await this.deps.queries.row(tenant, id);
    const [agent] = await this.db.query<{ other: string | null; paused: boolean }>(
      `select (select id from work_tasks where tenant_id = $1 and holder = $4 and id <> $3 and hold_until > now()) as other, ${pausedAgent} as paused`,
      [tenant, principal, id, holderOf(lineOf(caller), workerOf(caller))],
    );
    if (agent?.paused) throw paused(principal);
    if (agent?.other) {
      throw new AppError('CONFLICT', `You already hold ${agent.other}.`, {
        hint: 'Complete, fail or release it first.',
        details: { reason: 'holding', task_id: agent.other },
      });
    }
    const args = { actor: actorOf(caller), resume: true, ...(leaseSeconds === undefined ? {} : { leaseSeconds }) };
    const answer = await this.deps.tasks.ask(tenant, id, 'claim', args, callKey);
    return { task: taskView(caller, row, answer.task), held: answer.held ?? false };
  }
}

/** Whether $2 is a paused agent. */
const pausedAgent = `exists (select from agents a where a.tenant_id = $1 and a.id = $2 and a.admin_status = 'paused' and a.removed_at is null)`;

const paused = (agent: string): AppError =>
  new AppError('CONFLICT', `"${agent}" is paused and gets no new work.`, {
    hint: 'agent.registry.activate lets it go on; agent.registry.list tells why it was paused.',
    details: { reason: 'paused' },
  });

const free = `(t.hold_until is null or t.hold_until < now())`;
const readyCandidates = `t.status = 'ready' and ${free} order by t.priority_rank, t.created_at, t.id`;
// Expired leases that their workflow has not noticed yet, e.g. because its worker is down.
const lapsedCandidates = `t.status = 'in_progress' and t.lease_expires_at < now() - interval '1 second' order by t.lease_expires_at`;

/**
 * The task that the caller already holds, else the first free candidate, reserved. $1 tenant, $2 agent, $3 phase, $4
 * holder. The reservation is a hint that a crash of Postgres may lose, so its commit does not wait for the disk.
 */
const pickSql = (candidates: string): string => `
  with held as (
    select ${taskColumns} from work_tasks t where t.tenant_id = $1 and t.holder = $4 and (t.status = 'in_progress' or t.hold_until > now())
  ), picked as (
    update work_tasks set holder = $4, hold_until = now() + interval '${reserveFor} seconds'
    where tenant_id = $1 and not exists (select from held) and not ${pausedAgent} and set_config('synchronous_commit', 'off', true) = 'off' and id = (
      select t.id from work_tasks t where t.tenant_id = $1 and t.phase_id = $3 and ${candidates} limit 1 for update skip locked)
    returning *
  )
  select * from held
  union all
  select ${taskColumns} from picked t`;

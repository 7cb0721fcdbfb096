import type { Database } from '../../adapters/postgres/database.ts';
import type { TaskStatus } from '../../contracts/activities/work/work.ts';
import { lineOf, workerOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { storable } from '../../contracts/json.ts';
import { topics } from '../../contracts/notices.ts';
import { withoutSecretsIn } from '../../contracts/secrets.ts';
import type { Briefing, RunCheck, RunEvent, RunOutcome, RunUsage, MergeWay, WorkRun } from '../../contracts/work/runs.ts';
import { notify } from '../kernel/notify.ts';
import { Service } from '../kernel/service.ts';
import type { TaskChanges } from './changes.ts';
import { taskView, type TaskQueries } from './queries.ts';
import { storeEvents, type Stored } from './run-events.ts';
import type { RunQueries } from './run-queries.ts';
import { runView, type RunRow } from './run-rows.ts';
import { settleSql, tellRun } from './run-state.ts';
import { noteSilentSql, stuckAfter, tellStuck } from './run-stuck.ts';

export interface RunStart {
  task_id: string;
  fencing_token: number;
  agent: string;
  agent_version: string | null;
  host: string;
  repository: string | null;
  branch: string | null;
  base: string | null;
  base_commit: string | null;
  merge: MergeWay;
}

export interface RunEnd {
  outcome: RunOutcome;
  summary: string | null;
  reason: string | null;
  retry: boolean;
  head_commit: string | null;
  merged_commit: string | null;
  commits: number;
  files_changed: number;
  insertions: number;
  deletions: number;
  checks: RunCheck[];
  usage?: RunUsage | undefined;
  session_id?: string | undefined;
  patch_artifact: string | null;
  log_artifact: string | null;
}

/** How the usage of a run grows: sums, which a late repeat does not lower. Parameters from `n` on: three counts and the cost. */
const usageSet = (
  n: number,
): string => `input_tokens = greatest(input_tokens, $${n}::bigint), output_tokens = greatest(output_tokens, $${n + 1}::bigint),
  cached_tokens = greatest(cached_tokens, $${n + 2}::bigint), cost_usd = greatest(cost_usd, $${n + 3}::float8)`;
const usageValues = (usage: RunUsage | undefined): (number | null)[] => [
  usage?.input_tokens ?? null,
  usage?.output_tokens ?? null,
  usage?.cached_tokens ?? null,
  usage?.cost_usd ?? null,
];

const clean = (text: string | null): string | null => (text === null ? null : storable(withoutSecretsIn(text)));

/**
 * Runs of agents under leases of tasks. The record is written first, then the task's workflow is asked; each command may
 * be repeated, by anybody who holds the lease, with or without its idempotency key.
 */
export class Runs extends Service<never, { changes: TaskChanges; queries: TaskQueries; runs: RunQueries }> {
  /**
   * Opens the run of a lease; a repeat finds it.
   * @throws AppError NOT_FOUND; FORBIDDEN when somebody else holds the task; CONFLICT when the lease has ended
   */
  async open(caller: Caller, start: RunStart): Promise<{ run: WorkRun; briefing: Briefing }> {
    const { tenant } = caller;
    const task = await this.deps.queries.row(tenant, start.task_id);
    const held = task.status === 'in_progress' && (task.lease_expires_at?.getTime() ?? 0) > Date.now();
    if (!held || task.fencing_token !== start.fencing_token) throw leaseEnded();
    if (taskView(caller, task).fencing_token !== start.fencing_token) {
      throw new AppError('FORBIDDEN', `The task is held by "${task.assigned_agent_id}".`, {
        hint: 'Only the worker that claimed it opens its run: send the X-Agent-Id of the claim.',
        details: { reason: 'not_yours' },
      });
    }
    const id = derivedId('wrun', tenant, task.id, String(start.fencing_token));
    await this.db.query(
      `with written as (
         insert into work_runs (tenant_id, id, task_id, phase_id, fencing_token, attempt, agent, agent_version, worker, principal, line,
           host, repository, branch, base, base_commit, merge)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         on conflict do nothing returning *, 'running' as state
       ) ${tellRun('work.run_opened', 'written')}`,
      [
        tenant,
        id,
        task.id,
        task.phase_id,
        start.fencing_token,
        task.attempts,
        start.agent,
        start.agent_version,
        workerOf(caller),
        caller.principal,
        lineOf(caller),
        start.host,
        start.repository,
        start.branch,
        start.base,
        start.base_commit,
        start.merge,
      ],
    );
    // Former runs of the task have ended for good.
    await this.db.query(settleSql('r.task_id = $2 and r.id <> $3'), [tenant, task.id, id]);
    const [row, briefing] = await Promise.all([this.deps.runs.row(tenant, id), this.deps.runs.briefing(tenant, task, id)]);
    if (row.outcome !== null) throw closedAs(row);
    return { run: runView(row), briefing };
  }

  /**
   * Stores events once, by number, and the usage so far.
   * @returns the first number that is not stored
   * @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT (the lease has ended)
   */
  async append(
    caller: Caller,
    runId: string,
    token: number,
    { events, usage, session_id }: { events: RunEvent[]; usage?: RunUsage | undefined; session_id?: string | undefined },
  ): Promise<number> {
    const { tenant } = caller;
    return await this.db.transaction(async (query) => {
      const row = await this.lockRow(query, tenant, runId);
      assertHeld(caller, row, token);
      if (row.state !== 'running' || row.outcome !== null)
        throw row.outcome === null || row.state === 'lost' ? leaseEnded() : closedAs(row);
      const now = await storeEvents(query, tenant, runId, row, events);
      const { stuck, signs } = await stuckAfter(query, tenant, row, events);
      const changed = (stuck?.reason ?? null) !== row.stuck_reason;
      const update = `update work_runs set next_seq = $3, head_bytes = $4, head_to = $5, tail_bytes = $6, tail_from = $7, dropped_bytes = $8,
           session_id = coalesce($9, session_id), last_event_at = now(), ${usageSet(10)},
           moved_at = case when $3 > next_seq then now() else moved_at end, stuck_reason = $14, stuck_since = $15, stuck_detail = $16, signs = $17 where tenant_id = $1 and id = $2`;
      await query(
        changed || isTold(row.last_event_at, new Date())
          ? `with written as (${update} returning *, 'running' as state), told as (${tellRun('work.run_changed', 'written')})
             ${changed && stuck ? tellStuck('written') : 'select 1'}`
          : update,
        [
          tenant,
          runId,
          now.next_seq,
          now.head_bytes,
          now.head_to,
          now.tail_bytes,
          now.tail_from,
          now.dropped,
          session_id ?? null,
          ...usageValues(usage),
          stuck?.reason ?? null,
          stuck?.since ?? null,
          stuck?.detail ?? null,
          signs && JSON.stringify(signs),
        ],
      );
      if (now.next_seq > row.next_seq) await notify(query, topics.workRun(tenant, runId));
      return now.next_seq;
    });
  }

  /**
   * Ends a run: writes what it did, then moves its task. A repeat with the same outcome gets the same answer.
   * @throws AppError NOT_FOUND, FORBIDDEN; CONFLICT when the lease has ended, or the run was closed otherwise
   */
  async close(caller: Caller, runId: string, token: number, end: RunEnd): Promise<{ run: WorkRun; task_status: TaskStatus }> {
    const { tenant } = caller;
    const { runs } = this.deps;
    let row = await runs.row(tenant, runId);
    assertHeld(caller, row, token);
    if (row.state === 'running' && row.outcome === null) {
      await this.record(caller, row, end);
      row = await runs.row(tenant, runId);
    }
    if (row.outcome !== null && row.outcome !== end.outcome) throw closedAs(row);
    if (row.outcome === null || row.state === 'lost') throw leaseEnded();
    // A repeat: the first one was killed before its task knew, or its answer was lost.
    if (row.state === 'running') await this.endTask(caller, row);
    await this.db.query(settleSql('r.id = $2', true), [tenant, runId]);
    await notify(this.db.query, topics.workRun(tenant, runId));
    return await runs.standing(tenant, runId);
  }

  /**
   * Notes the ends of runs that nobody closed and runs without output, and deletes what agents said long ago.
   * @returns how many runs lost their events
   */
  async tend(tenant: string, keepDays: number): Promise<number> {
    await this.db.query(settleSql('true'), [tenant]);
    await this.db.query(noteSilentSql, [tenant]);
    const rows = await this.db.query(
      `with old as (
         update work_runs set head_to = 0, head_bytes = 0, tail_bytes = 0, tail_from = next_seq
         where tenant_id = $1 and id in (select id from work_runs where tenant_id = $1 and started_at < now() - make_interval(days => $2)
           and ended_at < now() - make_interval(days => $2) and (head_to > 0 or tail_from < next_seq) limit 500)
         returning id
       ), gone as (delete from work_run_events where tenant_id = $1 and run_id in (select id from old))
       select id from old`,
      [tenant, keepDays],
    );
    return rows.length;
  }

  private async lockRow(query: Database['query'], tenant: string, id: string): Promise<RunRow & Stored> {
    await query('select 1 from work_runs where tenant_id = $1 and id = $2 for update', [tenant, id]);
    return (await this.deps.runs.row(tenant, id, query)) as RunRow & Stored;
  }

  /** The first to write the end decides it. What waits for a person is said in a comment, too. */
  private async record(caller: Caller, row: RunRow, end: RunEnd): Promise<void> {
    const { tenant, principal } = caller;
    const reason = clean(end.reason);
    const checks = end.checks.map((check) => ({ ...check, command: clean(check.command), output: clean(check.output) }));
    const asks = end.outcome === 'blocked' || end.outcome === 'question';
    await this.db.query(
      `with written as (
         update work_runs set outcome = $3, summary = $4, reason = $5, retry = $6, head_commit = $7, merged_commit = $8, commits = $9,
           files_changed = $10, insertions = $11, deletions = $12, checks = $13, session_id = coalesce($14, session_id), patch_artifact = $15,
           log_artifact = $16, ${usageSet(17)} where tenant_id = $1 and id = $2 and outcome is null and final is null returning *
       )
       insert into work_comments (tenant_id, id, task_id, author, body, run_id)
       select tenant_id, $21, task_id, $22, $23, id from written where $24 on conflict do nothing`,
      [
        tenant,
        row.id,
        end.outcome,
        clean(end.summary),
        reason,
        end.retry,
        end.head_commit,
        end.merged_commit,
        end.commits,
        end.files_changed,
        end.insertions,
        end.deletions,
        JSON.stringify(checks),
        end.session_id ?? null,
        end.patch_artifact,
        end.log_artifact,
        ...usageValues(end.usage),
        derivedId('comment', tenant, row.id, 'end'),
        principal,
        reason?.trim() || clean(end.summary)?.trim() || 'No reason was given.',
        asks,
      ],
    );
  }

  /** Asks the task's workflow under a key of the run: a repeat, from wherever, is the same request. */
  private async endTask(caller: Caller, row: RunRow): Promise<void> {
    const { changes } = this.deps;
    const { id, task_id: task, fencing_token: token } = row;
    const why = (row.reason ?? row.summary ?? '').trim().slice(0, 3_900) || 'No reason was given.';
    const key = `run:${id}`;
    switch (row.outcome) {
      case 'done':
        await changes.complete(caller, task, token, row.summary ?? undefined, key);
        return;
      case 'failed':
        await changes.fail(caller, task, token, why, row.retry, key);
        return;
      case 'blocked':
        await changes.fail(caller, task, token, `Blocked: ${why}`, false, key);
        return;
      case 'question':
        await changes.fail(caller, task, token, `Question: ${why}`, false, key);
        return;
      case 'released':
      case null:
        await changes.release(caller, task, token, key);
    }
  }
}

/** Who holds the lease writes to its run, as `owns` of the task's workflow. */
function assertHeld(caller: Caller, row: RunRow, token: number): void {
  if (row.line !== lineOf(caller) || row.principal !== caller.principal) {
    throw new AppError('FORBIDDEN', `The run belongs to "${row.worker}".`, {
      hint: 'Only the worker that holds its task writes to it: send the X-Agent-Id of the claim.',
      details: { reason: 'not_yours' },
    });
  }
  if (row.fencing_token !== token) throw leaseEnded('stale_fencing_token');
}

/**
 * The first append in each stretch of this length is told in an event. Who follows a run reads once more when the stretch is
 * over, so that nothing later in it is missed.
 */
const toldMs = 2_000;
const isTold = (before: Date | null, now: Date): boolean =>
  Math.floor((before?.getTime() ?? 0) / toldMs) !== Math.floor(now.getTime() / toldMs);

const leaseEnded = (reason = 'lease_expired'): AppError =>
  new AppError('CONFLICT', 'The lease of this run has ended.', {
    hint: 'Stop the agent and hand nothing in; work.run.get shows how the run ended.',
    details: { reason },
  });

const closedAs = ({ outcome }: Pick<RunRow, 'outcome'>): AppError =>
  new AppError('CONFLICT', `The run was closed as "${outcome}".`, {
    hint: 'A repeat with this outcome gets the first answer.',
    details: { reason: 'closed', outcome },
  });

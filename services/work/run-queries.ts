import type { Database } from '../../adapters/postgres/database.ts';
import type { TaskStatus } from '../../contracts/activities/work/work.ts';
import { notFound } from '../../contracts/errors.ts';
import { topics } from '../../contracts/notices.ts';
import {
  earlierRuns,
  type Briefing,
  type RunEvent,
  type RunState,
  type UsageGroup,
  type UsageRow,
  type WorkRun,
} from '../../contracts/work/runs.ts';
import { countedPage, down, matching, type CountedPage, type List, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { untilSeen } from '../kernel/waiting.ts';
import { commentView, type CommentRow, type TaskQueries } from './queries.ts';
import type { TaskRow } from './rows.ts';
import { eventsAfter } from './run-events.ts';
import { listedRun, runColumns, runView, type RunRow } from './run-rows.ts';
import { runsFrom, runsIn, runState } from './run-state.ts';

export interface RunFilter {
  task_id?: string | undefined;
  phase_id?: number | undefined;
  state?: RunState | undefined;
  worker?: string | undefined;
  host?: string | undefined;
  repository?: string | undefined;
  since?: string | undefined;
}

/** Lists count up to this number. */
const countedRuns = 10_000;
/** Of a briefing. */
const latestComments = 100;

const runList = (tenant: string, { state, ...filter }: RunFilter): List => ({
  select: runColumns,
  from: runsFrom(runsIn(state)),
  ...matching({
    'r.tenant_id = $': tenant,
    'r.task_id = $': filter.task_id,
    'r.phase_id = $': filter.phase_id,
    'r.worker = $': filter.worker,
    'r.host = $': filter.host,
    'r.repository = $': filter.repository,
    'r.started_at >= $': filter.since,
    [`${runState} = $`]: state,
  }),
  order: [down('r.started_at', 'timestamptz'), down('r.id')],
});

const groups: Record<UsageGroup, string> = {
  task: 'r.task_id',
  agent: 'r.agent',
  phase: 'r.phase_id::text',
  day: `to_char(r.started_at at time zone 'UTC', 'YYYY-MM-DD')`,
};

/** Reads runs: one SQL statement each. */
export class RunQueries extends Service<'notices', { queries: TaskQueries }> {
  /** @throws AppError NOT_FOUND, also for another tenant's id */
  async row(tenant: string, id: string, query: Database['query'] = this.db.query): Promise<RunRow> {
    const [row] = await query<RunRow>(`select ${runColumns} from ${runsFrom()} where r.tenant_id = $1 and r.id = $2`, [tenant, id]);
    if (!row) throw notFound('run', id, 'work.run.list shows the runs of your tenant.');
    return row;
  }

  async get(tenant: string, id: string): Promise<WorkRun> {
    return runView(await this.row(tenant, id));
  }

  async standing(tenant: string, id: string): Promise<{ run: WorkRun; task_status: TaskStatus }> {
    const row = await this.row(tenant, id);
    return { run: runView(row), task_status: row.task_status };
  }

  /** Newest first. @throws AppError VALIDATION_ERROR (cursor) */
  async list(tenant: string, filter: RunFilter, paging: Paging): Promise<CountedPage<WorkRun>> {
    return await countedPage(this.db.query, runList(tenant, filter), paging, listedRun, countedRuns);
  }

  /** Events after a number; waits for the next one while the run goes on. @throws AppError NOT_FOUND */
  async tail(
    tenant: string,
    id: string,
    { after, limit, waitMs, signal }: { after: number; limit: number; waitMs: number; signal: AbortSignal },
  ): Promise<{ events: RunEvent[]; run: WorkRun }> {
    return await untilSeen(this.deps.notices, topics.workRun(tenant, id), waitMs, signal, async () => {
      const row = await this.row(tenant, id);
      const events = row.next_seq - 1 > after ? await eventsAfter(this.db.query, tenant, id, row, after, limit) : [];
      return { seen: { events, run: runView(row) }, enough: events.length > 0 || row.state !== 'running' };
    });
  }

  /** What an agent must know to work on a task. */
  async briefing(tenant: string, task: TaskRow, runId: string): Promise<Briefing> {
    const [phase, blockers, comments, earlier] = await Promise.all([
      this.deps.queries.phase(tenant, task.phase_id),
      this.db.query<Briefing['blockers'][number] & Record<string, unknown>>(
        `select b.id, b.description, b.result from work_task_dependencies d join work_tasks b on b.tenant_id = d.tenant_id and b.id = d.blocker_id
         where d.tenant_id = $1 and d.task_id = $2 order by b.completed_at nulls last, b.id limit 50`,
        [tenant, task.id],
      ),
      this.db.query<CommentRow>(
        `select id, author, body, created_at, run_id, path, line from work_comments where tenant_id = $1 and task_id = $2
         order by created_at desc, id desc limit ${latestComments}`,
        [tenant, task.id],
      ),
      this.db.query<RunRow>(
        `select ${runColumns} from ${runsFrom()} where r.tenant_id = $1 and r.task_id = $2 and r.id <> $3
         order by r.fencing_token desc limit ${earlierRuns}`,
        [tenant, task.id, runId],
      ),
    ]);
    const { working_directory: _directory, ...told } = phase;
    return {
      task: {
        id: task.id,
        description: task.description,
        tags: task.tags,
        attempt: task.attempts,
        max_attempts: task.max_attempts,
      },
      phase: told,
      blockers,
      comments: comments.toReversed().map((row) => {
        const { id: _id, ...comment } = commentView(row);
        return comment;
      }),
      earlier: earlier.map(runView),
    };
  }

  /** Sums over the runs that began since a time, those that cost most first; days in their order. */
  async usage(
    tenant: string,
    by: UsageGroup,
    { since, phase_id: phaseId, limit }: { since: string; phase_id: number | undefined; limit: number },
  ): Promise<{ rows: UsageRow[]; total: Omit<UsageRow, 'key'> }> {
    const sums = `count(*)::int as runs, coalesce(sum(r.input_tokens), 0)::float8 as input_tokens,
      coalesce(sum(r.output_tokens), 0)::float8 as output_tokens, coalesce(sum(r.cached_tokens), 0)::float8 as cached_tokens, sum(r.cost_usd) as cost_usd,
      coalesce(sum(extract(epoch from coalesce(r.ended_at, r.last_event_at, r.started_at) - r.started_at)), 0)::float8 as seconds`;
    const { where, values } = matching({ 'r.tenant_id = $': tenant, 'r.started_at >= $': since, 'r.phase_id = $': phaseId });
    const order = by === 'day' ? 'key desc' : 'cost_usd desc nulls last, input_tokens + output_tokens desc, key';
    const rows = await this.db.query<UsageRow & Record<string, unknown>>(
      `select * from (select ${groups[by]} as key, ${sums} from work_runs r where ${where} group by 1) summed
       order by ${order} limit $${values.length + 1}`,
      [...values, limit],
    );
    const [total] = await this.db.query<Omit<UsageRow, 'key'> & Record<string, unknown>>(
      `select ${sums} from work_runs r where ${where}`,
      values,
    );
    return { rows, total: total! };
  }
}

/** Whether a run still works under its lease: a key of it ends with it. */
export async function isRunning(db: Database, tenant: string, id: string): Promise<boolean> {
  const [row] = await db.query<{ running: boolean }>(
    `select ${runState} = 'running' as running from ${runsFrom()} where r.tenant_id = $1 and r.id = $2 and r.outcome is null`,
    [tenant, id],
  );
  return row?.running ?? false;
}

/** Rows of runs as they are read. */

import type { Row } from '../../adapters/postgres/database.ts';
import type { TaskStatus } from '../../contracts/activities/work/work.ts';
import type { MergeWay, RunOutcome, RunState, RunStuck, WorkRun } from '../../contracts/work/runs.ts';
import type { PullRequest } from '../../contracts/work/trackers.ts';
import type { Actor } from '../../workflows/work/task/lease.ts';
import type { Columns } from '../../prisma/rows.ts';
import { runEnd, runState } from './run-state.ts';

export interface RunRow
  extends
    Row,
    Columns<
      'work_runs',
      | 'id'
      | 'task_id'
      | 'phase_id'
      | 'fencing_token'
      | 'attempt'
      | 'agent'
      | 'agent_version'
      | 'worker'
      | 'principal'
      | 'line'
      | 'host'
      | 'repository'
      | 'branch'
      | 'base'
      | 'base_commit'
      | 'head_commit'
      | 'merged_commit'
      | 'session_id'
      | 'summary'
      | 'reason'
      | 'retry'
      | 'commits'
      | 'files_changed'
      | 'insertions'
      | 'deletions'
      | 'patch_artifact'
      | 'log_artifact'
      | 'cost_usd'
      | 'next_seq'
      | 'head_to'
      | 'tail_from'
      | 'reviewed_by'
      | 'reviewed_at'
      | 'review_note'
      | 'stuck_since'
      | 'stuck_detail'
      | 'final'
      | 'started_at'
      | 'last_event_at'
      | 'ended_at'
    > {
  title: string;
  state: RunState;
  end_at: Date | null;
  outcome: RunOutcome | null;
  merge: MergeWay;
  checks: WorkRun['checks'];
  /** Of bigint columns, as numbers. */
  tokens_in: number;
  tokens_out: number;
  tokens_cached: number;
  dropped: number;
  stuck_reason: RunStuck['reason'] | null;
  /** The signs of `run-stuck.ts`. */
  signs: unknown;
  verdict: 'approve' | 'send_back' | null;
  reviewer: Actor | null;
  task_status: TaskStatus;
  task_token: number;
  pull_request: PullRequest | null;
}

/** Columns of a `RunRow` over `runsFrom`. */
export const runColumns = `r.*, ${runState} as state, ${runEnd} as end_at, left(split_part(t.description, E'\\n', 1), 200) as title,
  r.input_tokens::float8 as tokens_in, r.output_tokens::float8 as tokens_out, r.cached_tokens::float8 as tokens_cached,
  r.dropped_bytes::float8 as dropped, t.status as task_status, t.fencing_token as task_token,
  (select jsonb_build_object('number', p.number, 'url', p.url, 'state', p.state, 'error', p.error) from work_pulls p
    where p.tenant_id = r.tenant_id and p.run_id = r.id) as pull_request`;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const stuckOf = ({ stuck_reason: reason, stuck_since: since, stuck_detail: detail }: RunRow): RunStuck | null =>
  reason === null ? null : { reason, since: iso(since) ?? '', detail };

export const runView = (row: RunRow): WorkRun => ({
  id: row.id,
  task_id: row.task_id,
  title: row.title,
  phase_id: row.phase_id,
  attempt: row.attempt,
  agent: row.agent,
  agent_version: row.agent_version,
  worker: row.worker,
  host: row.host,
  repository: row.repository,
  branch: row.branch,
  base: row.base,
  base_commit: row.base_commit,
  head_commit: row.head_commit,
  session_id: row.session_id,
  state: row.state,
  stuck: row.state === 'running' ? stuckOf(row) : null,
  outcome: row.outcome,
  summary: row.summary,
  reason: row.reason,
  checks: row.checks,
  commits: row.commits,
  files_changed: row.files_changed,
  insertions: row.insertions,
  deletions: row.deletions,
  patch_artifact: row.patch_artifact,
  log_artifact: row.log_artifact,
  events: row.next_seq - 1,
  usage: { input_tokens: row.tokens_in, output_tokens: row.tokens_out, cached_tokens: row.tokens_cached, cost_usd: row.cost_usd },
  merge: row.merge,
  merged_commit: row.merged_commit,
  pull_request: row.pull_request,
  review:
    row.verdict === null
      ? null
      : { verdict: row.verdict, by: row.reviewed_by ?? '', at: iso(row.reviewed_at) ?? '', note: row.review_note },
  started_at: row.started_at.toISOString(),
  last_event_at: iso(row.last_event_at),
  ended_at: row.state === 'running' ? null : iso(row.end_at),
});

/** In a list: the output of checks can be long. */
export const listedRun = (row: RunRow): WorkRun => ({ ...runView(row), checks: row.checks.map((check) => ({ ...check, output: '' })) });

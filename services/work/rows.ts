/** Rows of tasks as they are read. */

import type { Row } from '../../adapters/postgres/database.ts';
import type { Standing, TaskSnapshot, TaskStatus } from '../../contracts/activities/work/work.ts';
import type { Priority } from '../../contracts/work/work.ts';
import type { Columns } from '../../prisma/rows.ts';

/** A row of `work_tasks` with its pending blockers. */
export interface TaskRow
  extends
    Row,
    Columns<
      'work_tasks',
      | 'id'
      | 'description'
      | 'phase_id'
      | 'tags'
      | 'created_by'
      | 'assigned_agent_id'
      | 'fencing_token'
      | 'lease_seconds'
      | 'lease_expires_at'
      | 'attempts'
      | 'max_attempts'
      | 'needs_review'
      | 'progress'
      | 'result'
      | 'failure'
      | 'created_line'
      | 'lease_line'
      | 'lease_principal'
      | 'lease_session'
      | 'ended_by'
      | 'rev'
      | 'changed_at'
      | 'beats'
      | 'first_beat_at'
      | 'last_beat_at'
      | 'longest_gap_ms'
      | 'created_at'
      | 'updated_at'
      | 'started_at'
      | 'completed_at'
      | 'title'
      | 'due_at'
      | 'reserved_for'
      | 'archived_at'
      | 'cancelled'
      | 'parent_id'
      | 'edits'
    > {
  priority: Priority;
  status: TaskStatus;
  metadata: Record<string, unknown>;
  ended_as: Standing | null;
  blocked_by: string[];
  /** Its failed blockers. */
  failed_blockers: string[];
}

/** Columns of a `TaskRow`, for `select` and `returning` over the table under the name `t`. */
export const taskColumns = `t.*, array(select d.blocker_id from work_task_dependencies d
  where d.tenant_id = t.tenant_id and d.task_id = t.id and d.released_at is null order by 1) as blocked_by,
  case when t.status = 'blocked' then array(select d.blocker_id from work_task_dependencies d
    join work_tasks b on b.tenant_id = d.tenant_id and b.id = d.blocker_id and b.status = 'failed'
    where d.tenant_id = t.tenant_id and d.task_id = t.id and d.released_at is null order by 1) else '{}' end as failed_blockers`;

const ms = (value: Date | null): number | null => value?.getTime() ?? null;

/** The state in a row, sufficient to restart its workflow. */
export const snapshotOf = (row: TaskRow): TaskSnapshot => ({
  status: row.status,
  rev: row.rev,
  pendingBlockers: row.blocked_by,
  agent: row.assigned_agent_id,
  token: row.fencing_token,
  leaseSeconds: row.lease_seconds,
  leaseExpiresAt: ms(row.lease_expires_at),
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  needsReview: row.needs_review,
  createdBy: row.created_by,
  progress: row.progress,
  result: row.result,
  failure: row.failure,
  startedAt: ms(row.started_at),
  completedAt: ms(row.completed_at),
  owner: row.lease_line === null ? null : { line: row.lease_line, principal: row.lease_principal ?? '' },
  session: row.lease_session,
  createdLine: row.created_line,
  endedBy: row.ended_by,
  endedAs: row.ended_as,
  reservedFor: row.reserved_for,
  cancelled: row.cancelled,
});

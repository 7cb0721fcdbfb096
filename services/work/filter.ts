import { priorityRank, type Priority, type StuckReason } from '../../contracts/work/work.ts';
import { matching, type Matching } from '../kernel/paging.ts';
import { isStuck } from '../kernel/stuck.ts';
import { hasWordsOrId, wordsOf } from '../kernel/words.ts';

/** As `taskFilter` of the contract. */
export interface TaskFilter {
  phase_id?: number | undefined;
  status?: string | undefined;
  search?: string | undefined;
  priority?: Priority | undefined;
  tags?: string[] | undefined;
  assigned_to?: string | undefined;
  stuck?: 'any' | StuckReason | undefined;
  overdue?: boolean | undefined;
  reserved_for?: string | undefined;
  parent_id?: string | undefined;
  archived?: boolean | undefined;
}

/** Conditions on tasks `t`; `$1` is the tenant. */
export function tasksLike(tenant: string, wanted: TaskFilter): Matching {
  const { phase_id, status, search, priority, tags = [], assigned_to, stuck, overdue, archived } = wanted;
  // One subquery per tag, so that Postgres starts with the rarest tag: because of row-level security `tags @> $` would
  // not use the index and read all tasks.
  const tagged = tags.map((_, i) => `t.id in (select task_id from work_task_tags where tenant_id = $1 and tag = ($::text[])[${i + 1}])`);
  return matching({
    't.tenant_id = $': tenant,
    't.phase_id = $': phase_id,
    't.status = $': status,
    't.priority_rank = $': priority === undefined ? undefined : priorityRank[priority],
    [tagged.join(' and ')]: tags.length > 0 ? tags : undefined,
    't.assigned_agent_id = $': assigned_to === '' ? undefined : assigned_to,
    ...(assigned_to === '' ? { 't.assigned_agent_id is null': true } : {}),
    [hasWordsOrId('t.id', "coalesce(t.title || ' ', '') || t.description")]: wordsOf(search),
    't.reserved_for = $': wanted.reserved_for,
    't.parent_id = $': wanted.parent_id,
    [archived === true ? 't.archived_at is not null' : 't.archived_at is null']: true,
    ...(overdue === true ? { [`t.due_at < now() and t.status not in ('done', 'failed')`]: true } : {}),
    ...(stuck === undefined ? {} : { [isStuck(stuck)]: true }),
  });
}

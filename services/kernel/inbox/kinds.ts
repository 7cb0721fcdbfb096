import type { InboxKind } from '../../../contracts/inbox.ts';

/** How the items of a kind are read. In all SQL `$1` is the tenant. */
export interface KindSql {
  /** Table, as `x`. */
  from: string;
  /** Which of its rows wait. `$2` is the caller's line if it sees its own calls only, else null. */
  open: string;
  id: string;
  since: string;
  /** Absent: it does not expire. */
  expires?: string;
  /** Tables that details need besides. */
  join?: string;
  /** Details; texts are cut to `$3` characters. */
  title: string;
  who: string;
  note: string;
  data: string;
}

const visible = '($2::text is null or x.line = $2)';
const call = `'tool', x.tool, 'requester_kind', x.principal_kind, 'input_hash', x.input_hash, 'policy', x.policy, 'policy_version', x.policy_version,
  'status', x.status, 'four_eyes', x.four_eyes, 'line', x.line, 'principal', x.principal, 'decided_by', x.decided_by`;
const cut = (text: string): string => `left(${text}, $3)`;

export const kindSql: Record<InboxKind, KindSql> = {
  call: {
    from: 'approvals',
    open: `x.status = 'pending' and x.expires_at > now() and ${visible}`,
    id: 'x.id',
    since: 'x.created_at',
    expires: 'x.expires_at',
    title: 'x.tool',
    who: 'x.principal',
    note: cut('x.reason'),
    data: call,
  },
  ambiguous: {
    from: 'approvals',
    open: `x.status = 'ambiguous' and ${visible}`,
    id: 'x.id',
    since: 'coalesce(x.finished_at, x.updated_at)',
    title: 'x.tool',
    who: 'x.principal',
    note: `${cut(`x.resolution->>'why'`)}`,
    data: call,
  },
  review: {
    from: 'reviews',
    open: `x.kind = 'entity_match' and x.status = 'pending'`,
    id: 'x.id',
    since: 'x.created_at',
    join: `left join entities a on a.tenant_id = $1 and a.id = x.subject->>'a' left join entities b on b.tenant_id = $1 and b.id = x.subject->>'b'`,
    title: cut(`concat_ws(' · ', a.name, coalesce(b.name, x.subject->>'name', x.subject->>'alias'))`),
    who: 'x.created_by',
    note: cut(`coalesce(x.notes, x.evidence->>0)`),
    data: `'action', x.action, 'type', x.type, 'confidence', x.confidence, 'status', x.status, 'decided_by', x.decided_by, 'evidence', x.evidence,
      'a', json_build_object('entity_id', x.subject->>'a', 'name', ${cut('a.name')}),
      'b', json_build_object('entity_id', x.subject->>'b', 'name', ${cut(`coalesce(b.name, x.subject->>'name', x.subject->>'alias')`)})`,
  },
  run: {
    from: `(select r.*, t.description, t.status as task_status, t.fencing_token as task_token from work_runs r
      join work_tasks t on t.tenant_id = r.tenant_id and t.id = r.task_id)`,
    // A run that was handed in and is not to be merged, or one whose agent asks.
    open: `x.task_status in ('review', 'failed') and x.task_token = x.fencing_token and x.outcome is not null
      and case when x.task_status = 'review' then x.verdict is distinct from 'approve' or x.merge = 'patch' or x.branch is null
        else x.outcome in ('blocked', 'question') end`,
    id: 'x.id',
    since: 'coalesce(x.ended_at, x.started_at)',
    title: cut(`split_part(x.description, E'\\n', 1)`),
    who: `concat_ws(', ', x.agent, x.worker)`,
    note: cut(`case when x.outcome in ('blocked', 'question') then x.reason else coalesce(x.summary, x.reason) end`),
    data: `'task_id', x.task_id, 'outcome', x.outcome, 'verdict', x.verdict, 'branch', x.branch, 'files_changed', x.files_changed,
      'insertions', x.insertions, 'deletions', x.deletions`,
  },
  output: {
    from: 'agent_outputs',
    open: `x.status = 'pending'`,
    id: 'x.id',
    since: 'x.created_at',
    title: cut('x.title'),
    who: 'x.agent_id',
    note: 'x.kind',
    data: `'output_kind', x.kind, 'content', ${cut('x.content')}, 'characters', length(x.content), 'artifact_ref', x.artifact_ref,
      'agent_version', x.agent_version, 'status', x.status, 'decided_by', x.decided_by`,
  },
  dead_letter: {
    from: 'dlq_items',
    open: `x.status in ('parked', 'refused')`,
    id: 'x.id',
    since: 'x.first_failed_at',
    title: cut('x.title'),
    who: 'x.source_id',
    note: cut('x.error'),
    data: `'stage', x.stage, 'step', x.step, 'error_code', x.error_code, 'attempts', x.attempts, 'status', x.status, 'job_id', x.job_id,
      'workflow_id', x.workflow_id, 'last_failed_at', x.last_failed_at, 'decided_by', x.decided_by`,
  },
  definition: {
    from: 'external_tools',
    open: 'x.gone_at is null and x.pinned_hash is distinct from x.hash',
    id: `x.server || '/' || x.name`,
    since: 'x.updated_at',
    title: cut('x.name'),
    who: 'x.server',
    note: `case when x.pinned_hash is null then 'waits for its first approval' else 'has changed since it was approved' end`,
    data: `'server', x.server, 'tool', x.name, 'state', case when x.pinned_hash is null then 'waiting' else 'changed' end, 'hash', x.hash,
      'description', ${cut(`x.definition->>'description'`)}, 'approved_description', ${cut(`x.pinned_definition->>'description'`)},
      'decided_by', x.pinned_by`,
  },
  undelivered: {
    from: 'event_deliveries',
    open: `x.status = 'dead'`,
    id: 'x.id',
    since: 'x.first_failed_at',
    join: 'left join event_subscriptions s on s.tenant_id = $1 and s.id = x.subscription_id',
    title: 'x.type',
    who: cut(`coalesce(nullif(s.description, ''), s.shown, x.subscription_id)`),
    note: cut('x.last_error'),
    data: `'subscription_id', x.subscription_id, 'event_id', x.event_id, 'subject', x.event->>'subject', 'attempts', x.attempts, 'status', x.status`,
  },
  notice: {
    from: 'notifications',
    open: `x.status in ('failed', 'unknown') and x.digest_id is null`,
    id: 'x.id',
    since: 'x.created_at',
    title: cut('x.title'),
    who: 'x.recipient_shown',
    note: cut(`x.error->>'message'`),
    data: `'channel', x.channel, 'attempts', x.attempts, 'status', x.status, 'error_code', x.error->>'code', 'body', ${cut('x.body')}`,
  },
};

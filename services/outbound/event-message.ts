import { nameOf, type Event, type EventName, type EventType } from '../../contracts/outbound/events.ts';
import type { NotificationMessage } from '../../contracts/outbound/notifications.ts';
import { clean, escaped } from '../../engines/text/markdown.ts';

/** An event, or the ping of a subscription test. */
export type Told = Pick<Event, 'subject' | 'occurred_at' | 'data'> & { type: EventType | 'ping' };

/** Characters of one fact. */
const factLength = 300;

/** A short title for each type and name of events, and the facts to list, by their producer's names. Ids are listed last. */
const told: Record<Told['type'] | EventName, { title: string; facts: string[] }> = {
  ping: { title: 'A test of this subscription', facts: [] },
  'signal.ingested': { title: 'New customer statements', facts: ['signals', 'classes', 'source', 'occurred_at'] },
  'signal.corrected': { title: 'A customer statement was corrected', facts: ['class', 'sentiment', 'severity'] },
  'issue.flagged': { title: 'An issue was flagged', facts: ['name', 'severity', 'reason'] },
  'issue.trend_changed': {
    title: 'The trend of an issue has changed',
    facts: ['name', 'from', 'to', 'current_count', 'previous_count', 'change_pct'],
  },
  'entity.review_requested': { title: 'Entities wait for a decision', facts: ['action', 'type', 'confidence'] },
  'entity.merged': { title: 'Two entities were merged', facts: ['type', 'survivor', 'merged'] },
  'entity.split': { title: 'An entity was split', facts: ['type', 'original', 'created'] },
  'opportunity.created': { title: 'A new opportunity', facts: ['title', 'score', 'signal_count'] },
  'opportunity.status_changed': { title: 'An opportunity has another status', facts: ['from', 'to', 'reason', 'by'] },
  'opportunity.changed': { title: 'Somebody changed an opportunity', facts: ['what', 'factor', 'by'] },
  'report.generated': { title: 'A report is ready', facts: ['report_type', 'audience', 'format'] },
  'draft.generated': { title: 'A draft is ready', facts: ['artifact_type', 'audience'] },
  'brief.generated': { title: 'A brief is ready', facts: ['date', 'version', 'highlights'] },
  'agent.output_pending_review': { title: "An agent's output waits for review", facts: ['agent_id', 'kind'] },
  'agent.status_changed': {
    title: 'An agent has another status',
    facts: ['health', 'from', 'status', 'reason', 'version', 'from_version'],
  },
  'agent.message_sent': { title: 'An agent has a message', facts: ['recipient', 'sender'] },
  'agent.a2a_changed': { title: 'An A2A task has changed', facts: ['state', 'skill', 'principal'] },
  'approval.requested': { title: 'A call waits for approval', facts: ['tool', 'principal', 'reason'] },
  'approval.decided': { title: 'An approval was decided', facts: ['tool', 'status', 'by'] },
  'approval.finished': { title: 'An approved call has ended', facts: ['tool', 'status'] },
  'review.decided': { title: 'An entity review was decided', facts: ['kind', 'action', 'status', 'by'] },
  'ingestion.completed': { title: 'An ingestion is done', facts: ['counts', 'source_id', 'document_id'] },
  'ingestion.failed': { title: 'An ingestion has failed', facts: ['error_code', 'counts', 'source_id'] },
  'dlq.item_added': { title: 'A stage waits for a decision', facts: ['stage', 'error_code', 'status', 'attempts', 'job_id', 'source_id'] },
  'dlq.item_closed': { title: 'A failed stage was decided', facts: ['stage', 'status', 'by', 'job_id', 'source_id'] },
  'subscription.paused': { title: 'A subscription was paused', facts: ['description', 'target', 'reason'] },
  'notification.failed': { title: 'A notification did not arrive', facts: ['channel', 'status', 'error_code'] },
  'external.tool_changed': {
    title: 'Tools of another server have changed',
    facts: ['server', 'changed', 'waiting', 'gone', 'approved', 'by'],
  },
  'external.server_health': { title: 'The health of another server has changed', facts: ['server', 'from', 'health'] },
  'policy.saved': { title: 'A policy was saved', facts: ['policy', 'version', 'by'] },
  'job.changed': { title: 'A job has changed', facts: ['job_kind', 'status', 'progress', 'error_code'] },
  'agent.task_changed': { title: 'A delegated task has changed', facts: ['direction', 'from', 'to', 'status', 'progress', 'error_code'] },
  'key.changed': { title: 'A key was changed', facts: ['change', 'by', 'replaces'] },
  'key.used_first': { title: 'A key was used for the first time', facts: ['replaces'] },
  'key.called': { title: 'A new key called a tool', facts: ['n', 'tool', 'by', 'front', 'code'] },
  'work.task_changed': { title: 'A task has changed', facts: ['status', 'agent', 'phase_id'] },
  'work.task_ready': { title: 'A task is ready', facts: ['phase_id'] },
  'work.task_claimed': { title: 'A task was claimed', facts: ['agent', 'phase_id'] },
  'work.task_review': { title: 'A task waits for review', facts: ['agent', 'phase_id'] },
  'work.task_failed': { title: 'A task has failed', facts: ['agent', 'phase_id'] },
  'work.task_done': { title: 'A task is done', facts: ['agent', 'phase_id'] },
  'work.task_stuck': { title: 'An agent is stuck at its task', facts: ['reason', 'since', 'agent', 'run_id', 'phase_id'] },
  'work.agent_waiting': { title: 'An agent waits for a person', facts: ['outcome', 'agent', 'task_id', 'branch'] },
  'work.phase_changed': { title: 'A phase of the board has changed', facts: [] },
  'work.run_opened': { title: 'An agent has begun to work', facts: ['agent', 'task_id', 'host', 'phase_id'] },
  'work.run_changed': { title: 'An agent is at work', facts: ['agent', 'task_id', 'host', 'phase_id'] },
  'work.run_ended': { title: 'The run of an agent has ended', facts: ['state', 'outcome', 'agent', 'task_id', 'branch', 'cost_usd'] },
  'work.run_approved': { title: 'The work of an agent was approved', facts: ['by', 'agent', 'task_id', 'branch'] },
  'work.budget_spent': { title: "Today's budget for runs of agents is spent", facts: ['phase_id', 'tokens', 'usd'] },
};

/** An event as a short message for people. Text from outside is escaped, and facts that are not listed are left out. */
export function messageOf({ type, subject, occurred_at, data }: Told): NotificationMessage {
  // Whoever decides about a call is told what waits rather than who.
  const { title, facts } = told[type === 'approval.requested' ? type : (nameOf(type, data) ?? type)];
  const name = ['name', 'title'].map((field) => data[field]).find((value) => typeof value === 'string');
  const lines = facts.flatMap((field) => {
    const value = worded(data[field]);
    return value === null ? [] : [`- ${field.replaceAll('_', ' ')}: ${value}`];
  });
  return {
    title: clean(name === undefined ? title : `${title}: ${name}`).slice(0, 300),
    body: [...lines, `- about: ${escaped(subject)}`, `- at: ${escaped(occurred_at)}`].join('\n'),
  };
}

/** Formats numbers, texts and counts by name. Null: nothing to show. */
function worded(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value.trim() === '' ? null : escaped(value.slice(0, factLength));
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const counts = Object.entries(value).filter(([, count]) => typeof count === 'number');
  return counts.length === 0
    ? null
    : escaped(
        counts
          .map(([name, count]) => `${name} ${count}`)
          .join(', ')
          .slice(0, factLength),
      );
}

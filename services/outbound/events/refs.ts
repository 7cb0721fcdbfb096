import type { Ref } from '../../../contracts/envelope.ts';
import type { EventType } from '../../../contracts/outbound/events.ts';
import { workflowIds } from '../../../contracts/temporal.ts';

type Data = Record<string, unknown>;

/** Maximum of refs for a list in an event. */
const maxListed = 20;

const ref = (type: Ref['type'], id: unknown): Ref[] => (typeof id === 'string' && id !== '' ? [{ type, id }] : []);
const refs = (type: Ref['type'], ids: unknown): Ref[] => (Array.isArray(ids) ? ids.slice(0, maxListed).flatMap((id) => ref(type, id)) : []);

const ingestion = (subject: string, data: Data): Ref[] => [
  ...ref('job', subject),
  ...ref('source', data['source_id']),
  ...ref('document', data['document_id']),
];

const run = (subject: string, data: Data): Ref[] => [...ref('run', subject), ...ref('task', data['task_id'])];

const of: Record<EventType, (subject: string, data: Data, tenant: string) => Ref[]> = {
  'signal.ingested': (_subject, data) => [...ref('document', data['document_id']), ...ref('source', data['source_id'])],
  'signal.corrected': (subject) => ref('signal', subject),
  'issue.flagged': (subject, data) => [...ref('entity', subject), ...refs('signal', data['signal_ids'])],
  'issue.trend_changed': (subject) => ref('entity', subject),
  'entity.review_requested': (subject, _data, tenant) => ref('workflow', workflowIds.review(tenant, subject)),
  'entity.merged': (_subject, data) => [...ref('entity', data['survivor']), ...ref('entity', data['merged'])],
  'entity.split': (_subject, data) => [...ref('entity', data['original']), ...ref('entity', data['created'])],
  'opportunity.created': (subject) => ref('opportunity', subject),
  'opportunity.status_changed': (subject) => ref('opportunity', subject),
  'opportunity.changed': (subject) => ref('opportunity', subject),
  'report.generated': (subject) => ref('draft', subject),
  'draft.generated': (subject) => ref('draft', subject),
  'brief.generated': (subject) => ref('brief', subject),
  'agent.output_pending_review': (_subject, data) => ref('agent', data['agent_id']),
  'agent.status_changed': (subject) => ref('agent', subject),
  'agent.message_sent': (_subject, data) => [...ref('agent', data['recipient']), ...ref('agent', data['sender'])],
  'agent.a2a_changed': (subject, _data, tenant) => ref('workflow', workflowIds.a2aTask(tenant, subject)),
  'approval.requested': (subject) => ref('approval', subject),
  'approval.decided': (subject) => ref('approval', subject),
  'approval.finished': (subject) => ref('approval', subject),
  'review.decided': (subject, _data, tenant) => ref('workflow', workflowIds.review(tenant, subject)),
  'ingestion.completed': ingestion,
  'ingestion.failed': ingestion,
  'dlq.item_added': (_subject, data) => [...ref('job', data['job_id']), ...ref('source', data['source_id'])],
  'dlq.item_closed': (_subject, data) => [...ref('job', data['job_id']), ...ref('source', data['source_id'])],
  'subscription.paused': (subject) => ref('subscription', subject),
  'notification.failed': (subject) => ref('notification', subject),
  'external.tool_changed': (subject) => ref('server', subject),
  'external.server_health': (subject) => ref('server', subject),
  'policy.saved': (subject) => ref('policy', subject),
  'job.changed': (subject) => ref('job', subject),
  'agent.task_changed': (subject, data, tenant) =>
    ref('workflow', (data['direction'] === 'received' ? workflowIds.received : workflowIds.delegation)(tenant, subject)),
  'key.changed': (subject) => ref('key', subject),
  'key.used_first': (subject) => ref('key', subject),
  'key.called': (subject) => ref('key', subject),
  'work.task_changed': (subject, data) => [...ref('task', subject), ...ref('agent', data['agent'])],
  'work.phase_changed': () => [],
  'work.run_opened': run,
  'work.run_changed': run,
  'work.run_ended': run,
  'work.run_approved': run,
  'work.budget_spent': () => [],
};

/** The refs of an event. */
export const refsOf = (tenant: string, type: EventType, subject: string, data: Data): Ref[] => of[type](subject, data, tenant);

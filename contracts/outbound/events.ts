import { z } from 'zod';
import { ref } from '../envelope.ts';

/**
 * Events that are published to subscribers. The outbox has more types, for projections only. Adding a type is
 * compatible; removing one breaks subscribers.
 */
export const eventTypes = [
  'signal.ingested',
  'signal.corrected',
  'issue.flagged',
  'issue.trend_changed',
  'entity.review_requested',
  'entity.merged',
  'entity.split',
  'opportunity.created',
  'opportunity.status_changed',
  'opportunity.changed',
  'report.generated',
  'draft.generated',
  'brief.generated',
  'agent.output_pending_review',
  'agent.status_changed',
  'agent.message_sent',
  'agent.a2a_changed',
  'approval.requested',
  'approval.decided',
  'approval.finished',
  'review.decided',
  'ingestion.completed',
  'ingestion.failed',
  'dlq.item_added',
  'dlq.item_closed',
  'subscription.paused',
  'notification.failed',
  'external.tool_changed',
  'external.server_health',
  'policy.saved',
  'job.changed',
  'agent.task_changed',
  'key.changed',
  'key.used_first',
  'key.called',
  'work.task_changed',
  'work.phase_changed',
  'work.run_opened',
  'work.run_changed',
  'work.run_ended',
  'work.run_approved',
  'work.budget_spent',
] as const;
export type EventType = (typeof eventTypes)[number];

/**
 * An event in the form of the stream, webhooks and `event.stream.subscribe`. Delivered at least once: `id` identifies
 * repeats.
 */
export const event = z.object({
  /** Opaque; increases within a tenant. A reader resumes after it (`Last-Event-ID`). */
  id: z.string(),
  type: z.enum(eventTypes),
  /** ISO 8601, UTC. */
  occurred_at: z.string(),
  tenant_id: z.string(),
  /** The record it is about; events of one subject are in order. */
  subject: z.string(),
  data: z.record(z.string(), z.unknown()),
  refs: z.array(ref),
});
export type Event = z.infer<typeof event>;

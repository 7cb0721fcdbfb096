import { z } from 'zod';
import { ref } from '../envelope.ts';

/**
 * What is told to those outside who follow what happens. The outbox holds more: what only projections follow stays inside.
 * Adding a type is an addition; removing one breaks who waits for it.
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
  'report.generated',
  'brief.generated',
  'agent.output_pending_review',
  'agent.status_changed',
  'agent.message_sent',
  'approval.requested',
  'ingestion.completed',
  'ingestion.failed',
  'dlq.item_added',
  'subscription.paused',
] as const;
export type EventType = (typeof eventTypes)[number];

/** An event as the stream, webhooks and `event.stream.subscribe` tell it. Told at least once: `id` shows repeats. */
export const event = z.object({
  /** Opaque; grows within a tenant, and is where a reader goes on (`Last-Event-ID`). */
  id: z.string(),
  type: z.enum(eventTypes),
  /** ISO 8601, UTC. */
  occurred_at: z.string(),
  tenant_id: z.string(),
  /** What it is about; events of one subject come in the order in which they happened. */
  subject: z.string(),
  data: z.record(z.string(), z.unknown()),
  refs: z.array(ref),
});
export type Event = z.infer<typeof event>;

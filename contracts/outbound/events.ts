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

interface Naming {
  type: EventType;
  /** A field of the event's data, and the values with which the event has the name. */
  field: string;
  values: readonly string[];
}

/**
 * Names for some events of a type. A reader may ask for a name as for a type; the event is stored once, and keeps its
 * type. No event has two names.
 */
export const eventNames = {
  'work.task_ready': [{ type: 'work.task_changed', field: 'change', values: ['ready'] }],
  'work.task_claimed': [{ type: 'work.task_changed', field: 'change', values: ['claimed'] }],
  'work.task_review': [{ type: 'work.task_changed', field: 'change', values: ['review'] }],
  'work.task_failed': [{ type: 'work.task_changed', field: 'change', values: ['failed'] }],
  'work.task_done': [{ type: 'work.task_changed', field: 'change', values: ['done'] }],
  'work.task_stuck': [{ type: 'work.task_changed', field: 'change', values: ['stuck'] }],
  'work.agent_waiting': [
    { type: 'work.run_ended', field: 'outcome', values: ['blocked', 'question'] },
    { type: 'approval.requested', field: 'principal_kind', values: ['agent'] },
  ],
} as const satisfies Record<string, readonly Naming[]>;
export type EventName = keyof typeof eventNames;

const named = Object.keys(eventNames) as [EventName, ...EventName[]];
/** One row per name and type. */
export const namings = named.flatMap((name) => eventNames[name].map((naming: Naming) => ({ name, ...naming })));

/** The name of an event; undefined: it has none. */
export const nameOf = (type: string, data: Record<string, unknown>): EventName | undefined =>
  namings.find((naming) => naming.type === type && naming.values.includes(String(data[naming.field])))?.name;

/** What a reader may ask for. */
export const wantedTypes = [...eventTypes, ...named] as const;
export type WantedType = EventType | EventName;

/**
 * An event in the form of the stream, webhooks and `event.stream.subscribe`. Delivered at least once: `id` identifies
 * repeats.
 */
export const event = z.object({
  /** Opaque; increases within a tenant. A reader resumes after it (`Last-Event-ID`). */
  id: z.string(),
  type: z.enum(eventTypes),
  name: z.enum(named).optional().describe('What happened in particular; types of a filter may name it'),
  /** ISO 8601, UTC. */
  occurred_at: z.string(),
  tenant_id: z.string(),
  /** The record it is about; events of one subject are in order. */
  subject: z.string(),
  data: z.record(z.string(), z.unknown()),
  refs: z.array(ref),
});
export type Event = z.infer<typeof event>;

import { z } from 'zod';

export const channels = ['slack', 'email', 'webhook'] as const;
export type Channel = (typeof channels)[number];

export const priorities = ['low', 'normal', 'high'] as const;
/** `high` skips batching, `low` may wait for the next digest. */
export type Priority = (typeof priorities)[number];

export const notificationMessage = z.object({
  title: z.string().min(1).max(300),
  /** Markdown; rendered for each channel. */
  body: z.string().max(100_000),
  url: z.string().url().optional(),
});
export type NotificationMessage = z.infer<typeof notificationMessage>;

/** Target of a message: a Slack channel's id, an e-mail address or a webhook's address. */
export const recipient = z.object({ channel: z.enum(channels), recipient: z.string().min(1).max(2048) });
export type Recipient = z.infer<typeof recipient>;

/**
 * `queued`: being sent, or waiting for the next digest. `digested`: delivered in a digest. `dry_run`: not sent.
 * `unknown`: it may have arrived.
 */
export const notificationStatuses = ['queued', 'delivered', 'digested', 'dry_run', 'failed', 'unknown', 'cancelled'] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

export const notificationId = z
  .string()
  .regex(/^notif_[0-9a-z]{20}$/)
  .meta({ examples: ['notif_4tq0zc8m1v6y2k9h5n3w'] });

/** An entry of the delivery log. */
export const notification = z.object({
  notification_id: z.string(),
  channel: z.enum(channels),
  recipient: z.string().describe('Of a webhook the host alone: addresses of webhooks give access'),
  title: z.string(),
  priority: z.enum(priorities),
  status: z.enum(notificationStatuses),
  attempts: z.number(),
  repeats: z.number().describe('Asked for again with equal content while it was fresh, and not sent again'),
  digest_id: z.string().nullable().describe('The notification that it was delivered in'),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).nullable(),
  job_id: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
});
export type Notification = z.infer<typeof notification>;

export const notificationAttempt = z.object({
  number: z.number(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  outcome: z.string().describe('delivered, refused, again (not received), unknown (it may have been), started'),
  reason: z.string().nullable(),
});
export type NotificationAttempt = z.infer<typeof notificationAttempt>;

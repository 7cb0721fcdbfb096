import { z } from 'zod';
import { httpUrl } from '../agents/delegations.ts';
import { event, wantedTypes } from './events.ts';
import { channels } from './notifications.ts';

export const subscriptionTargets = ['webhook', 'notification'] as const;
export type SubscriptionTarget = (typeof subscriptionTargets)[number];

export const subscriptionId = z.string().min(1).max(64).describe('As event.subscription.save answered it');
export const deliveryId = z.string().min(1).max(64).describe('As event.delivery.list shows it');

export const eventFilter = {
  types: z.array(z.enum(wantedTypes)).max(wantedTypes.length).default([]).describe('Only these types or names; empty: all'),
  subject: z.string().min(1).max(256).optional().describe('Only events about this: the id of an entity, agent, job, opportunity, …'),
};

/** The position to read from: the `id` of an event, or a page's `next`. */
export const eventPlace = z
  .string()
  .regex(/^(evt_[0-9a-z]{23}|oldest)$/, 'the id of an event, or "oldest"')
  .describe('The id of the last event you have (or `next` of the last answer); oldest: all that are kept; absent: from now on');

export const webhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'whsec_ and 24 to 64 bytes in base64')
  .describe('What deliveries are signed with (Standard Webhooks); default: one is made, event.subscription.get_secret shows it');

export const subscriptionFields = {
  target: z
    .enum(subscriptionTargets)
    .default('webhook')
    .describe('webhook: events are posted to url; notification: they are told to people'),
  url: httpUrl.optional().describe('Of a webhook; it is posted to, redirects are not followed. Absent in a change: as it was'),
  channel: z.enum(channels).optional().describe('Of a notification'),
  recipient: z.string().min(1).max(2_048).optional().describe('Of a notification: Slack channel, e-mail address or webhook address'),
  ...eventFilter,
  approve_links: z
    .boolean()
    .default(false)
    .describe(
      'Of a notification by Slack or e-mail: alerts about waiting calls carry a link with which the recipient decides without signing in. Only whoever may approve can set it; the link has their rights',
    ),
  description: z.string().max(500).default('').describe('What it is for'),
};

export const subscription = z.object({
  subscription_id: z.string(),
  target: z.enum(subscriptionTargets),
  url: z.string().nullable().describe('The host alone: addresses of webhooks give access'),
  channel: z.enum(channels).nullable(),
  recipient: z.string().nullable().describe('Of a webhook the host alone'),
  types: z.array(z.enum(wantedTypes)).describe('Types and names; empty: all'),
  subject: z.string().nullable(),
  approve_links: z.boolean().describe('Alerts about waiting calls carry a link for the decision'),
  description: z.string(),
  status: z.enum(['active', 'paused']),
  paused_reason: z.string().nullable(),
  delivered: z.number().int().describe('Events delivered so far'),
  last_delivered_at: z.string().nullable(),
  attempts: z.number().int().describe('Failed attempts for the next event'),
  failing_since: z.string().nullable(),
  retry_at: z.string().nullable(),
  last_error: z.string().nullable(),
  dead_letters: z.number().int().describe('Events that could not be delivered: event.delivery.list'),
  missed: z.number().int().describe('Events for it that were no longer kept when it could have been told'),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Subscription = z.infer<typeof subscription>;

export const deliveryStatuses = ['dead', 'retrying', 'delivered'] as const;

/** An event that could not be delivered in time. */
export const delivery = z.object({
  delivery_id: z.string(),
  subscription_id: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int(),
  last_error: z.string().nullable(),
  first_failed_at: z.string(),
  updated_at: z.string(),
  event,
});
export type Delivery = z.infer<typeof delivery>;

import { z } from 'zod';
import { channels, notification, notificationStatuses } from '../../contracts/outbound/notifications.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'notification.message.list',
  title: 'List notifications',
  description: 'The log of deliveries, newest first: what was sent to whom, what is under way, what failed, and of which nobody can tell.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['notification:read'],
  latency: 'L1',
  input: z.object({
    status: z.enum(notificationStatuses).optional(),
    channel: z.enum(channels).optional(),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ notifications: z.array(notification) }),
  intents: ['which notifications were sent', 'log of deliveries', 'which notifications failed', 'was the e-mail delivered'],
  aliases: [],
  async handler(wanted, { caller, services }) {
    return paged('notifications', await services.notifications.list(caller.tenant, wanted));
  },
});

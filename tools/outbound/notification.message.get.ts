import { z } from 'zod';
import { notification, notificationAttempt, notificationId } from '../../contracts/outbound/notifications.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'notification.message.get',
  title: 'Show a notification',
  description: 'One notification with its message and each attempt to deliver it; of a dry run, what would have been sent.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['notification:read'],
  latency: 'L1',
  input: z.object({ notification_id: notificationId }),
  output: z.object({
    notification,
    message: z.object({ title: z.string(), body: z.string(), url: z.string().optional() }),
    attempts: z.array(notificationAttempt),
  }),
  intents: ['what was sent in this notification', 'why did a notification fail', 'how often was it tried'],
  aliases: [],
  async handler({ notification_id }, { caller, services }) {
    return { data: await services.notifications.get(caller.tenant, notification_id) };
  },
});

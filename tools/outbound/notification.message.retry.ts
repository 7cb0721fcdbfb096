import { z } from 'zod';
import { notificationId } from '../../contracts/outbound/notifications.ts';
import { defineTool } from '../catalogue/define.ts';
import { sentAnswer, sentResult } from './notification.shared.ts';

export default defineTool({
  name: 'notification.message.retry',
  title: 'Send a notification again',
  description:
    'Sends one again that failed, was cancelled, or of which nobody can tell whether it arrived: then somebody may get it twice, so look first. It keeps its id.',
  effect: 'write',
  idempotent: false,
  external: true,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['notification:write'],
  latency: 'L3',
  input: z.object({ notification_id: notificationId }),
  output: sentAnswer,
  intents: ['send a failed notification again', 'retry an e-mail', 'repeat a webhook that failed'],
  aliases: [],
  async handler({ notification_id }, { caller, services }) {
    return sentResult(await services.notifications.retry(caller.tenant, notification_id));
  },
});

import { z } from 'zod';
import { channels, notificationMessage, priorities } from '../../contracts/outbound/notifications.ts';
import { defineTool } from '../catalogue/define.ts';
import { sentAnswer, sentResult } from './notification.shared.ts';

const input = z.object({
  channel: z.enum(channels),
  recipient: z
    .string()
    .min(1)
    .max(2_048)
    .describe("Id of a Slack channel, an e-mail address or a webhook's address")
    .meta({ examples: ['C0123456789'] }),
  message: notificationMessage,
  priority: z.enum(priorities).default('normal').describe('low waits for the next digest of its recipient'),
});

export default defineTool({
  name: 'notification.message.send',
  title: 'Send a notification',
  description:
    'Tells somebody by Slack, e-mail or a signed webhook, once. Equal messages within minutes count as one. Not delivered in ten seconds, it goes on as a job. In dry run nothing leaves.',
  effect: 'write',
  idempotent: false,
  external: true,
  approval: 'A1',
  scopes: ['notification:write'],
  latency: 'L3',
  observes: ({ channel, priority }) => ({ 'notification.channel': channel, 'notification.priority': priority }),
  input,
  output: sentAnswer,
  intents: [
    'send a notification',
    'notify somebody by email',
    'send an e-mail',
    'tell the team on slack that it is ready',
    'call a webhook with a message',
    'alert people',
  ],
  aliases: [
    {
      name: 'send_notification',
      system: 'perception',
      input,
      toInput: (args) => args as z.input<typeof input>,
      toAnswer: ({ notification_id, channel, sent_at, status }) => ({ notification_id, channel, sent_at, status }),
    },
  ],
  async handler({ channel, recipient, message, priority }, { caller, services, callKey }) {
    const sending = { channel, recipient, message, priority, createdBy: caller.principal };
    return sentResult(await services.notifications.deliver(caller.tenant, sending, callKey));
  },
});

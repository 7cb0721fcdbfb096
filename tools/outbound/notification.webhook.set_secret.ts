import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { webhookUrl } from './notification.shared.ts';

export default defineTool({
  name: 'notification.webhook.set_secret',
  title: 'Set what webhooks are signed with',
  description:
    'Sets the secret with which notifications to a webhook are signed (Standard Webhooks), or to all that have none of their own, and tells it this once. What was signed before stays signed with the old one.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['notification:admin'],
  latency: 'L1',
  input: z.object({
    url: webhookUrl.optional(),
    secret: z.string().max(128).optional().describe('whsec_ and base64; left out, one is made'),
  }),
  output: z.object({ secret: z.string() }),
  intents: ['secret of a webhook', 'verify the signature of notifications', 'rotate the webhook secret'],
  aliases: [],
  async handler({ url, secret }, { caller, services }) {
    const { notifications } = services;
    const target = url === undefined ? null : notifications.webhook(url);
    return { data: { secret: await notifications.webhooks.set(caller, target, secret) } };
  },
});

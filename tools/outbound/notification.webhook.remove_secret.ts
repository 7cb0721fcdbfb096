import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { webhookUrl } from './notification.shared.ts';

export default defineTool({
  name: 'notification.webhook.remove_secret',
  title: 'Forget the secret of a webhook',
  description: "Forgets a webhook's own secret: notifications to it are then signed with the tenant's. Without url, that one is made anew.",
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['notification:admin'],
  latency: 'L1',
  input: z.object({ url: webhookUrl.optional() }),
  output: z.object({ removed: z.boolean() }),
  intents: ['forget a webhook secret', 'remove the secret of a webhook'],
  aliases: [],
  async handler({ url }, { caller, services }) {
    const { notifications } = services;
    return { data: { removed: await notifications.webhooks.remove(caller.tenant, url === undefined ? null : notifications.webhook(url)) } };
  },
});

import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'notification.webhook.list',
  title: 'List webhooks with a secret',
  description: 'Which webhooks have a secret of their own for signed notifications, by their host. Secrets are not shown.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['notification:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({
    webhooks: z.array(
      z.object({ host: z.string().nullable().describe('Null: for all others'), updated_by: z.string(), updated_at: z.string() }),
    ),
  }),
  intents: ['which webhooks are signed', 'list webhook secrets'],
  aliases: [],
  async handler(_input, { caller, services }) {
    return { data: { webhooks: await services.notifications.webhooks.list(caller.tenant) } };
  },
});

import { z } from 'zod';
import { subscriptionId } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';

// Not part of the answer of saving, which is stored for repeats.
export default defineTool({
  name: 'event.subscription.get_secret',
  title: 'Secret of a webhook',
  description:
    'What the deliveries of a webhook are signed with (Standard Webhooks, whsec_…). The receiver verifies webhook-signature with it.',
  effect: 'read',
  idempotent: true,
  secret: true,
  external: false,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['event:write'],
  latency: 'L1',
  input: z.object({ subscription_id: subscriptionId }),
  output: z.object({ secret: z.string() }),
  intents: ['signing secret of a webhook', 'verify webhook signatures'],
  aliases: [],
  async handler({ subscription_id }, { caller, services }) {
    return { data: { secret: await services.events.subscriptions.secret(caller.tenant, subscription_id) } };
  },
});

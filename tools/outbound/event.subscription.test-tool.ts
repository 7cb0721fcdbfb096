import { z } from 'zod';
import { subscriptionId } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'event.subscription.test',
  title: 'Try a subscription out',
  description:
    'Sends a ping (type "ping", signed like an event) to the target of a subscription, once, and tells whether it arrived. Works while it is paused, too.',
  effect: 'write',
  idempotent: false,
  external: true,
  approval: 'A0',
  scopes: ['event:write'],
  latency: 'L3',
  input: z.object({ subscription_id: subscriptionId }),
  output: z.object({
    arrived: z.boolean().describe('A notification has arrived once it was taken for delivery'),
    error: z.string().nullable(),
    ping_id: z.string(),
    latency_ms: z.number(),
  }),
  intents: ['test a webhook', 'send a test event', 'ping the alert channel'],
  aliases: [],
  async handler({ subscription_id }, { caller, services, signal }) {
    return {
      data: await services.events.test(caller.tenant, subscription_id, signal),
      refs: [{ type: 'subscription', id: subscription_id }],
    };
  },
});

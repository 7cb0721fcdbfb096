import { z } from 'zod';
import { subscription, subscriptionId } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'event.subscription.get',
  title: 'One subscription to events',
  description: 'What it is told, how far it has been told, and why not further.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['event:read'],
  latency: 'L1',
  input: z.object({ subscription_id: subscriptionId }),
  output: z.object({ subscription }),
  intents: ['does my webhook work', 'why is the webhook failing', 'delivery state of a subscription'],
  aliases: [],
  async handler({ subscription_id }, { caller, services }) {
    return {
      data: { subscription: await services.events.subscriptions.get(caller.tenant, subscription_id) },
      refs: [{ type: 'subscription', id: subscription_id }],
    };
  },
});

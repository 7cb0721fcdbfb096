import { z } from 'zod';
import { subscriptionId } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'event.subscription.remove',
  title: 'Remove a subscription to events',
  description: 'Nothing more is delivered to it; its dead letters go with it. One that is not there is an error.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['event:write'],
  latency: 'L1',
  input: z.object({ subscription_id: subscriptionId }),
  output: z.object({ removed: z.boolean() }),
  intents: ['delete a webhook', 'stop an alert', 'unsubscribe from events'],
  aliases: [],
  async handler({ subscription_id }, { caller, services }) {
    await services.events.remove(caller.tenant, subscription_id);
    return { data: { removed: true } };
  },
});

import { z } from 'zod';
import { subscription, subscriptionId } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'event.subscription.resume',
  title: 'Resume a paused subscription',
  description:
    'Has a subscription go on after what it was told last, and at once where it waits for its target. Events older than seven days are no longer kept; missed counts them.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['event:write'],
  latency: 'L1',
  input: z.object({ subscription_id: subscriptionId }),
  output: z.object({ subscription }),
  intents: ['the webhook works again', 'resume a paused webhook', 'retry deliveries now'],
  aliases: [],
  async handler({ subscription_id }, { caller, services }) {
    return {
      data: { subscription: await services.events.resume(caller.tenant, subscription_id) },
      refs: [{ type: 'subscription', id: subscription_id }],
    };
  },
});

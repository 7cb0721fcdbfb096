import { z } from 'zod';
import { eventPlace, subscription, subscriptionFields, subscriptionId, webhookSecret } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'event.subscription.save',
  title: 'Have events delivered',
  description:
    'Has events delivered, in order and at least once: posted to a webhook, signed (Standard Webhooks), or told to people by Slack, e-mail or webhook. It hears of what happens from now on. With subscription_id it replaces what that one says. event.subscription.test tries it out.',
  effect: 'write',
  idempotent: false,
  external: true,
  approval: { people: 'A0', agents: 'A2' },
  scopes: ['event:write'],
  latency: 'L2',
  input: z.object({
    subscription_id: subscriptionId.optional().describe('Of the one to change; absent: a new one'),
    ...subscriptionFields,
    secret: webhookSecret.optional(),
    after: eventPlace.optional().describe('Of a new one: begin after this event instead of now; oldest: all that are kept'),
  }),
  output: z.object({ subscription }),
  intents: [
    'send events to a webhook',
    'set up a webhook',
    'alert me in Slack when an issue is flagged',
    'be notified by e-mail',
    'create an alert',
    'subscribe to events',
    'push changes to another system',
  ],
  aliases: [],
  async handler({ subscription_id, after, ...wanted }, { caller, services, callKey }) {
    const saved = await services.events.save(caller, wanted, { id: subscription_id, callKey, after });
    return {
      data: { subscription: saved },
      refs: [{ type: 'subscription', id: saved.subscription_id }],
      ...(saved.status === 'paused' ? { warnings: ['It is paused: event.subscription.resume continues it.'] } : {}),
    };
  },
});

import { z } from 'zod';
import { delivery, subscriptionId } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'event.delivery.list',
  title: 'Events that could not be delivered',
  description:
    'Dead letters of subscriptions, latest first: the event, why it did not arrive and how often it was tried. event.delivery.retry has them delivered again.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['event:read'],
  latency: 'L1',
  input: z.object({
    subscription_id: subscriptionId.optional(),
    include_delivered: z.boolean().default(false).describe('Those that arrived when they were retried, too'),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(500).optional(),
  }),
  output: z.object({ deliveries: z.array(delivery) }),
  intents: ['which webhooks failed', 'dead letters of a webhook', 'undelivered events'],
  aliases: [],
  async handler({ subscription_id: subscriptionId, include_delivered: all, ...paging }, { caller, services }) {
    return paged('deliveries', await services.events.deliveries.list(caller.tenant, { subscriptionId, all, ...paging }));
  },
});

import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { deliveryId, subscriptionId } from '../../contracts/outbound/subscriptions.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'event.delivery.retry',
  title: 'Deliver an event again',
  description:
    'Has one dead letter, or all of a subscription, delivered again under the same event id. A paused subscription does so once it is resumed.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['event:write'],
  latency: 'L1',
  input: z.object({ delivery_id: deliveryId.optional(), subscription_id: subscriptionId.optional() }),
  output: z.object({ retrying: z.number().int() }),
  intents: ['redeliver a webhook', 'retry failed deliveries', 'replay dead letters'],
  aliases: [],
  async handler({ delivery_id, subscription_id }, { caller, services }) {
    if (delivery_id === undefined && subscription_id === undefined) {
      throw new AppError('VALIDATION_ERROR', 'Give delivery_id, or subscription_id for all of its dead letters.');
    }
    const retrying = await services.events.retry(caller.tenant, { id: delivery_id, subscriptionId: subscription_id });
    return { data: { retrying } };
  },
});

import { condition, continueAsNew, defineSignal, setHandler } from '@temporalio/workflow';
import type { SubscriptionRef, WebhookActivities } from '../../../contracts/activities/outbound/webhook.ts';
import { drain, drainingActivities } from '../../kernel/drain.ts';
import { DeliveryState, type DeliveryCarried } from './state.ts';

/** There are new events for this subscription. */
export const wake = defineSignal('wake');
/** A person resumed or changed the subscription, or retries a dead letter. */
export const hurry = defineSignal('hurry');

const { deliverEvents } = drainingActivities<WebhookActivities>('5m');

/**
 * Delivers the events of one subscription in order, each until it has arrived or is given up; ends when there are
 * none.
 */
export async function eventDelivery(ref: SubscriptionRef, carried?: DeliveryCarried): Promise<DeliveryCarried> {
  const state = new DeliveryState(carried);
  setHandler(wake, () => state.wake());
  setHandler(hurry, () => state.hurry());

  await drain({
    async work() {
      state.looking();
      state.worked(await deliverEvents(ref));
    },
    describe: () => state.describe(),
    afresh: () => continueAsNew<typeof eventDelivery>(ref, state.carried),
    async rest() {
      if (!state.busy && !state.over) await condition(() => state.busy, state.pause * 1_000);
      return state.busy || state.waiting;
    },
  });
  return state.carried;
}

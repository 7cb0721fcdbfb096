import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { SubscriptionRef, WebhookActivities } from '../../contracts/activities/webhook.ts';
import { DeliveryState, type DeliveryCarried } from './state.ts';

/** Something happened that it is to be told. */
export const wake = defineSignal('wake');
/** A person has resumed it, changed it or wants a dead letter tried again. */
export const hurry = defineSignal('hurry');

/** Events after which the history starts afresh. */
const eventsPerRun = 1_000;

// What the target does wrong stands in the row; what fails here is the platform's own trouble, and passes.
const { deliverEvents } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** Tells one subscription its events, in order, each until it has arrived or is given up; ends when there are none. */
export async function eventDelivery(ref: SubscriptionRef, carried?: DeliveryCarried): Promise<DeliveryCarried> {
  const state = new DeliveryState(carried);
  setHandler(wake, () => state.wake());
  setHandler(hurry, () => state.hurry());

  do {
    state.looking();
    state.worked(await deliverEvents(ref));
    setCurrentDetails(state.describe());
    if (workflowInfo().historyLength > eventsPerRun) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof eventDelivery>(ref, state.carried);
    }
    if (!state.busy && !state.over) await condition(() => state.busy, state.pause * 1_000);
  } while (state.busy || state.waiting);
  return state.carried;
}

import { Context } from '@temporalio/activity';
import type { WebhookActivities } from '../../contracts/activities/outbound/webhook.ts';
import type { Events } from '../../services/outbound/events/index.ts';
import { longStage } from '../kernel/stage.ts';

/** Duration of one call before it returns to the workflow, in ms. */
const budgetMs = 20_000;

export const webhookActivities = (events: Pick<Events, 'deliver'>): WebhookActivities => ({
  async deliverEvents(ref) {
    const { cancellationSignal: signal } = Context.current();
    const until = Date.now() + budgetMs;
    return await longStage(ref.tenant, () => events.deliver(ref, { signal, spent: () => signal.aborted || Date.now() >= until }));
  },
});

import { Context } from '@temporalio/activity';
import type { NotifyActivities } from '../../contracts/activities/outbound/notify.ts';
import type { Notifications } from '../../services/outbound/index.ts';
import { longStage, stage } from '../kernel/stage.ts';

export const notifyActivities = (notifications: Notifications): NotifyActivities => ({
  attemptNotification: (ref, attempt, check) =>
    longStage(ref.tenant, () => notifications.attempt(ref, attempt, check, Context.current().cancellationSignal)),
  endNotification: (ref, end, cancelled) => stage(ref.tenant, () => notifications.end(ref, end, cancelled)),
  sendDigest: (ref) => stage(ref.tenant, () => notifications.digest(ref)),
});

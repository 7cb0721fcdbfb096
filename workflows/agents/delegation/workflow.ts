import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { DelegatedRef, DelegatedStart, OutboundDelegationActivities } from '../../../contracts/activities/delegation.ts';
import type { DelegatedStatus } from '../../../contracts/agents/agents.ts';
import { queues } from '../../../contracts/temporal.ts';
import { DelegatedProcess, type DelegatedAnswer } from './process.ts';
import type { DelegatedState } from './state.ts';

/** The target reports progress or the end; the full report is in the row. */
export const report = defineUpdate<DelegatedAnswer, [{ status: DelegatedStatus }]>('report');
export const cancel = defineUpdate<DelegatedAnswer, [{ by: string }]>('cancel');

/** A request may take ten seconds; the heartbeat detects a dead worker sooner. */
const sending = (maximumAttempts: number) =>
  proxyActivities<Pick<OutboundDelegationActivities, 'sendDelegation'>>({
    taskQueue: queues.outbound,
    startToCloseTimeout: '12s',
    heartbeatTimeout: '5s',
    // Later messages to the target must not overtake this one.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts },
  });
const following = proxyActivities<Pick<OutboundDelegationActivities, 'followDelegation'>>({
  taskQueue: queues.outbound,
  startToCloseTimeout: '2h',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
});
/** Best effort: four attempts. */
const telling = proxyActivities<Pick<OutboundDelegationActivities, 'cancelAtTarget' | 'callBack'>>({
  taskQueue: queues.outbound,
  startToCloseTimeout: '12s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '1s', backoffCoefficient: 3, maximumAttempts: 4 },
});

/** A task handed to another agent: sent, then waited for until it is reported, cancelled or timed out. */
export async function delegation(ref: DelegatedRef): Promise<DelegatedStatus | null> {
  const process = new DelegatedProcess(ref);
  setHandler(report, ({ status }: { status: DelegatedStatus }) => process.apply((state) => state.report(status)), {
    validator: (_report: { status: DelegatedStatus }) => process.refuse(),
  });
  setHandler(cancel, (_by: { by: string }) => process.apply((state) => state.cancel()), {
    validator: (_by: { by: string }) => process.refuse(),
  });

  const opened = await process.open();
  if (!opened) {
    await condition(allHandlersFinished);
    return null;
  }
  const { start, state } = opened;
  const scope = new CancellationScope({ cancellable: true });
  // A run that starts after the deadline does not send the task.
  const handed = start.deadline > Date.now() ? scope.run(() => handOver(ref, start, state)) : Promise.resolve();
  await condition(() => state.over, Math.max(1, start.deadline - Date.now()));
  state.timeOut();
  await process.settle();
  scope.cancel();
  await handed;
  await condition(allHandlersFinished);
  if (state.abandoned) await telling.cancelAtTarget(ref).catch(() => {});
  if (start.callback) await telling.callBack(ref).catch(() => {});
  return state.current;
}

async function handOver(ref: DelegatedRef, start: DelegatedStart, state: DelegatedState): Promise<void> {
  try {
    const sent = await sending(start.maxAttempts).sendDelegation(ref);
    // The acceptance was written together with the target's id.
    state.report(sent.status);
    if (state.over || !sent.follow) return;
    state.report(await following.followDelegation(ref));
  } catch (error) {
    if (isCancellation(error)) return;
    const { code, message } = reasonOf(error);
    state.fail(code, message);
  }
}

/** Why it could not be sent: the activity's error, or the activity's failure. */
function reasonOf(error: unknown): { code: string; message: string } {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const known = cause instanceof ApplicationFailure ? /^peer:(.+)$/.exec(cause.type ?? '')?.[1] : undefined;
  const message = cause instanceof Error ? cause.message : String(cause);
  return known ? { code: known, message } : { code: 'SEND_FAILED', message: `The task could not be sent: ${message}` };
}

import { defineUpdate, proxyActivities } from '@temporalio/workflow';
import type { DelegatedRef, DelegatedStart, OutboundDelegationActivities } from '../../../contracts/activities/agents/delegation.ts';
import type { DelegatedStatus } from '../../../contracts/agents/agents.ts';
import { queues } from '../../../contracts/temporal.ts';
import { DelegatedProcess, cancel, telling, type DelegatedAnswer } from './process.ts';
import type { DelegatedState } from './state.ts';

/** The target reports progress or the end; the full report is in the row. */
export const report = defineUpdate<DelegatedAnswer, [{ status: DelegatedStatus }]>('report');

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

/** A task handed to another agent: sent, then waited for until it is reported, cancelled or timed out. */
export async function delegation(ref: DelegatedRef): Promise<DelegatedStatus | null> {
  const process = new DelegatedProcess(ref);
  process.on(report, (state, { status }) => state.report(status));
  process.on(cancel, (state) => state.cancel());
  return await process.run({
    work: (start, state) => handOver(ref, start, state),
    // Why it could not be handed over: what the activity says of it, else what became of the activity.
    reasonOf(type, message) {
      const code = /^peer:(.+)$/.exec(type)?.[1];
      return code === undefined ? { code: 'SEND_FAILED', message: `The task could not be sent: ${message}` } : { code, message };
    },
    async after(state) {
      if (state.abandoned) await telling.cancelAtTarget(ref).catch(() => {});
    },
  });
}

async function handOver(ref: DelegatedRef, start: DelegatedStart, state: DelegatedState): Promise<void> {
  // Started anew after its time, it is not sent any more.
  if (start.deadline <= Date.now()) return;
  const sent = await sending(start.maxAttempts).sendDelegation(ref);
  // That it is accepted has been written with what the target calls it.
  state.report(sent.status);
  if (state.over || !sent.follow) return;
  state.report(await following.followDelegation(ref));
}

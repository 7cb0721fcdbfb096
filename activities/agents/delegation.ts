import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { DelegationActivities, OutboundDelegationActivities } from '../../contracts/activities/agents/delegation.ts';
import { writeDelegated } from '../../services/agents/delegation-records.ts';
import { HandOverFailure } from '../../services/agents/delegation-sending.ts';
import type { Services } from '../../services/index.ts';
import { longStage, stage } from '../kernel/stage.ts';

export const delegationActivities = ({ kernel: { db }, agents }: Services): DelegationActivities => ({
  openDelegated: (ref) => stage(ref.tenant, () => agents.delegation.sending.open(ref)),
  writeDelegated: (ref, snapshot) => stage(ref.tenant, () => writeDelegated(db.query, ref, snapshot)),
});

/** Requests to other agents: each ends when its process is cancelled. */
export const outboundDelegationActivities = ({ agents }: Services): OutboundDelegationActivities => ({
  sendDelegation: (ref) => handingOver(ref.tenant, (signal) => agents.delegation.sending.send(ref, signal)),
  followDelegation: (ref) => handingOver(ref.tenant, (signal) => agents.delegation.sending.follow(ref, signal)),
  cancelAtTarget: (ref) => handingOver(ref.tenant, (signal) => agents.delegation.sending.cancelAtTarget(ref, signal)),
  callBack: (ref) => handingOver(ref.tenant, (signal) => agents.delegation.sending.callBack(ref, signal)),
});

/** Longest pause that another host may request, in seconds. */
const maxPause = 120;

const handingOver = <T>(tenant: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  longStage(tenant, async () => {
    const { cancellationSignal } = Context.current();
    try {
      return await work(cancellationSignal);
    } catch (error) {
      // Report the cancellation with the signal's own reason, as Temporal expects.
      cancellationSignal.throwIfAborted();
      if (!(error instanceof HandOverFailure)) throw error;
      throw ApplicationFailure.create({
        type: `peer:${error.code}`,
        message: error.message,
        nonRetryable: error.final,
        ...(error.retryAfterSeconds === undefined ? {} : { nextRetryDelay: `${Math.min(error.retryAfterSeconds, maxPause)}s` as const }),
      });
    }
  });

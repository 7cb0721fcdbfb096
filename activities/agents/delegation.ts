import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../adapters/postgres/database.ts';
import type { DelegationActivities, OutboundDelegationActivities } from '../../contracts/activities/delegation.ts';
import { writeDelegated } from '../../services/agents/delegation-records.ts';
import { HandOverFailure, type DelegationSending } from '../../services/agents/delegation-sending.ts';
import { longStage, stage } from '../kernel/stage.ts';

export const delegationActivities = (db: Database, sending: DelegationSending): DelegationActivities => ({
  openDelegated: (ref) => stage(ref.tenant, () => sending.open(ref)),
  writeDelegated: (ref, snapshot) => stage(ref.tenant, () => writeDelegated(db.query, ref, snapshot)),
});

/** Requests to other agents: each ends when its process is cancelled. */
export const outboundDelegationActivities = (sending: DelegationSending): OutboundDelegationActivities => ({
  sendDelegation: (ref) => handingOver(ref.tenant, (signal) => sending.send(ref, signal)),
  followDelegation: (ref) => handingOver(ref.tenant, (signal) => sending.follow(ref, signal)),
  cancelAtTarget: (ref) => handingOver(ref.tenant, (signal) => sending.cancelAtTarget(ref, signal)),
  callBack: (ref) => handingOver(ref.tenant, (signal) => sending.callBack(ref, signal)),
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

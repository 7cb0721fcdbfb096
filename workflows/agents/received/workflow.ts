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
import type { OutboundReceivedActivities, ReceivedActivities } from '../../../contracts/activities/received.ts';
import type { DelegatedStatus } from '../../../contracts/agents/agents.ts';
import { queues } from '../../../contracts/temporal.ts';
import { DelegatedProcess, type DelegatedAnswer } from '../delegation/process.ts';
import type { DelegatedState } from '../delegation/state.ts';
import { watchTask } from '../../work/watching.ts';
import { Relay } from './state.ts';

export const cancel = defineUpdate<DelegatedAnswer, [{ by: string }]>('cancel');

// The call may wait for a person, and must not block an ingestion or a claim meanwhile.
const running = proxyActivities<Pick<ReceivedActivities, 'runCapability'>>({
  taskQueue: queues.outbound,
  startToCloseTimeout: '1h',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s' },
});
const records = proxyActivities<Pick<ReceivedActivities, 'openWork' | 'takeWorkResult'>>({
  taskQueue: queues.interactive,
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});
const telling = proxyActivities<Pick<OutboundDelegationActivities, 'callBack'> & OutboundReceivedActivities>({
  taskQueue: queues.outbound,
  startToCloseTimeout: '12s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '1s', backoffCoefficient: 3, maximumAttempts: 4 },
});

/** A task from another agent: a tool call, or a task on the board. Its end is reported to the sender. */
export async function received(ref: DelegatedRef): Promise<DelegatedStatus | null> {
  const process = new DelegatedProcess(ref);
  setHandler(cancel, (_by: { by: string }) => process.apply((state) => state.cancel()), {
    validator: (_by: { by: string }) => process.refuse(),
  });

  const opened = await process.open();
  if (!opened) {
    await condition(allHandlersFinished);
    return null;
  }
  const { start, state } = opened;
  state.advance('running');
  process.showProgress();
  const scope = new CancellationScope({ cancellable: true });
  const done = scope
    .run(() => (start.work ? onBoard(ref, start, state) : byTool(ref, state)))
    .catch((error: unknown) => {
      if (!isCancellation(error)) state.fail(...reasonOf(error));
    });
  await condition(() => state.over, Math.max(1, start.deadline - Date.now()));
  state.timeOut();
  await process.settle();
  if (!start.work) scope.cancel();
  await done;
  await condition(allHandlersFinished);
  if (start.callback) await telling.callBack(ref).catch(() => {});
  return state.current;
}

async function byTool(ref: DelegatedRef, state: DelegatedState): Promise<void> {
  state.report(await running.runCapability(ref));
}

/** A worker on the board does it. If it is cancelled, it is withdrawn from the board. */
async function onBoard(ref: DelegatedRef, start: DelegatedStart, state: DelegatedState): Promise<void> {
  const relay = new Relay(() => telling.relayProgress(ref).catch(() => {}));
  const watch = watchTask(ref.tenant, (task) => {
    if (start.callback && !state.over) relay.tell(task.status, task.progress);
  });
  const id = await records.openWork(ref);
  const ended = await watch.ended(id, () => state.over);
  if (ended && !state.over) state.report(await records.takeWorkResult(ref));
  else if (!state.over) state.fail('NOT_FOUND', 'Its task on the board is gone.');
  if (!ended) await watch.withdraw(id, `The agent that asked for it no longer waits (${state.current}).`).catch(() => {});
  await relay.idle();
}

function reasonOf(error: unknown): [code: string, message: string] {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const known = cause instanceof ApplicationFailure ? /^(?:app|peer):(.+)$/.exec(cause.type ?? '')?.[1] : undefined;
  const message = cause instanceof Error ? cause.message : String(cause);
  return [known ?? 'INTERNAL', message];
}

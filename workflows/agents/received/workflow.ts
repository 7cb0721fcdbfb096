import { proxyActivities } from '@temporalio/workflow';
import type { DelegatedRef, DelegatedStart } from '../../../contracts/activities/agents/delegation.ts';
import type { ReceivedActivities } from '../../../contracts/activities/agents/received.ts';
import type { DelegatedStatus } from '../../../contracts/agents/agents.ts';
import { queues } from '../../../contracts/temporal.ts';
import { DelegatedProcess, cancel, telling } from '../delegation/process.ts';
import type { DelegatedState } from '../delegation/state.ts';
import { watchTask } from '../../work/watching.ts';
import { Relay } from './state.ts';

// It may wait for a person: no ingestion and no claim must wait for that.
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

/** A task from another agent: a tool call, or a task on the board. Its end is reported to the sender. */
export async function received(ref: DelegatedRef): Promise<DelegatedStatus | null> {
  const process = new DelegatedProcess(ref);
  process.on(cancel, (state) => state.cancel());
  return await process.run({
    begin: 'running',
    async work(start, state) {
      if (start.work) await onBoard(ref, start, state);
      else state.report(await running.runCapability(ref));
    },
    endsByItself: (start) => start.work,
    reasonOf: (type, message) => ({ code: /^(?:app|peer):(.+)$/.exec(type)?.[1] ?? 'INTERNAL', message }),
  });
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

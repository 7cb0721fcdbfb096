import { Context } from '@temporalio/activity';
import type { OutboundReceivedActivities, ReceivedActivities } from '../../contracts/activities/received.ts';
import type { ReceivedRunning } from '../../services/agents/received-running.ts';
import type { Execute } from '../../services/kernel/execution.ts';
import { longStage, stage } from '../kernel/stage.ts';

/** Attempts to call an unavailable tool before the task fails. */
const maxAttempts = 4;

export const receivedActivities = (running: ReceivedRunning, execute: Execute): ReceivedActivities => ({
  runCapability: (ref) =>
    longStage(ref.tenant, () => {
      const { cancellationSignal, info } = Context.current();
      return running.run(ref, execute, cancellationSignal, info.attempt >= maxAttempts);
    }),
  openWork: (ref) => stage(ref.tenant, () => running.openWork(ref, execute)),
  takeWorkResult: (ref) => stage(ref.tenant, () => running.takeWorkResult(ref)),
});

export const outboundReceivedActivities = (running: ReceivedRunning): OutboundReceivedActivities => ({
  relayProgress: (ref) => longStage(ref.tenant, () => running.relayProgress(ref, Context.current().cancellationSignal)),
});

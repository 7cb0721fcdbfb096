import { Context } from '@temporalio/activity';
import type { OutboundReceivedActivities, ReceivedActivities } from '../../contracts/activities/agents/received.ts';
import type { Services } from '../../services/index.ts';
import type { Execute } from '../../services/kernel/execution.ts';
import { longStage, stage } from '../kernel/stage.ts';

/** Attempts to call an unavailable tool before the task fails. */
const maxAttempts = 4;

export const receivedActivities = ({ agents }: Services, execute: Execute): ReceivedActivities => ({
  runCapability: (ref) =>
    longStage(ref.tenant, () => {
      const { cancellationSignal, info } = Context.current();
      return agents.delegation.running.run(ref, execute, cancellationSignal, info.attempt >= maxAttempts);
    }),
  openWork: (ref) => stage(ref.tenant, () => agents.delegation.running.openWork(ref, execute)),
  takeWorkResult: (ref) => stage(ref.tenant, () => agents.delegation.running.takeWorkResult(ref)),
});

export const outboundReceivedActivities = ({ agents }: Services): OutboundReceivedActivities => ({
  relayProgress: (ref) => longStage(ref.tenant, () => agents.delegation.running.relayProgress(ref, Context.current().cancellationSignal)),
});

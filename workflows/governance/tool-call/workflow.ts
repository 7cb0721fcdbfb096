import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type {
  ApprovalDecision,
  ApprovalRef,
  ApprovalState,
  ToolCallActivities,
} from '../../../contracts/activities/governance/tool-call.ts';
import { failureType } from '../../../contracts/temporal.ts';
import { attributes } from '../../kernel/attributes.ts';

/** A person's decision, or a cancellation by the caller. Refused after the first decision. */
export const decide = defineUpdate<ApprovalState, [ApprovalDecision]>('decide');

const activities = proxyActivities<ToolCallActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
});
// Only one attempt: a second one might repeat the effect.
const once = proxyActivities<Pick<ToolCallActivities, 'executeApproved'>>({
  startToCloseTimeout: '15m',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },
});

/** Longest pause between two attempts to start, in ms. */
const longestWait = 60_000;

/**
 * A call waits for a person; after approval it runs at most once. If a worker dies while it runs, its outcome is
 * recorded as unknown.
 */
export async function toolCall(ref: ApprovalRef): Promise<string> {
  let decided = false;
  let latest: ApprovalState | undefined;

  setHandler(
    decide,
    async (decision: ApprovalDecision) => {
      decided = true;
      latest = await activities.noteDecision(ref, decision);
      show(latest.status, `${decision.by} says ${decision.decision}`);
      return latest;
    },
    {
      validator: (_decision: ApprovalDecision) => {
        if (decided || (latest && latest.status !== 'pending')) {
          throw ApplicationFailure.nonRetryable('It has been decided already.', failureType('CONFLICT'));
        }
      },
    },
  );

  const found = await activities.approvalState(ref);
  latest ??= found;
  show(latest.status, `${latest.tool} waits for a decision.`);
  if (latest.status === 'pending') {
    const settled = await condition(() => decided || latest!.status !== 'pending', Math.max(1, latest.expiresAt - Date.now()));
    if (!settled) {
      // From here on a decision is too late.
      decided = true;
      await activities.expireApproval(ref);
    }
    await condition(allHandlersFinished);
    latest = await activities.approvalState(ref);
  }
  for (let wait = 1_000; latest.status === 'approved'; wait = Math.min(wait * 2, longestWait)) {
    show('running', `${latest.tool} is being executed.`);
    try {
      await once.executeApproved(ref);
    } catch {
      // If it has not begun, it may be retried; if it has begun without a result, it may not.
      const after = await activities.approvalState(ref);
      if (after.status === 'started') await activities.settleAmbiguous(ref, 'The worker that ran it stopped responding.');
      else await sleep(wait);
    }
    latest = await activities.approvalState(ref);
  }
  // A previous run of this process had started the call.
  if (latest.status === 'started') {
    await activities.settleAmbiguous(ref, 'Its process ended while it ran.');
    latest = await activities.approvalState(ref);
  }
  show(latest.status, latest.status);
  await condition(allHandlersFinished);
  return latest.status;
}

function show(status: string, details: string): void {
  upsertSearchAttributes(attributes({ status }));
  setCurrentDetails(details);
}

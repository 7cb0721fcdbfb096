import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  defineUpdate,
  executeChild,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ReviewActivities, ReviewDecision, ReviewOutcome, ReviewRef } from '../../../contracts/activities/kernel/review.ts';
import { failureType, workflowTaskTimeout } from '../../../contracts/temporal.ts';
import { attributes } from '../attributes.ts';
import type { ChangeInput } from '../../graph/entity-change/workflow.ts';
import { failureOf } from '../failure.ts';

/** A person's decision; answered when it has been carried out. Refused after the first decision. */
export const decide = defineUpdate<ReviewOutcome, [ReviewDecision]>('decide');

const activities = proxyActivities<ReviewActivities>({
  // Short activities: one that takes longer has died with its worker.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
});

// Reads many names; nobody waits for it.
const learning = proxyActivities<ReviewActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 3 },
});

/** A question for a person. Checks daily whether its subject still exists. */
export async function review(ref: ReviewRef): Promise<ReviewOutcome> {
  let outcome: ReviewOutcome | undefined;
  let deciding = false;

  const settle = async (decision: ReviewDecision): Promise<ReviewOutcome> => {
    show('deciding', `${decision.by} says ${decision.decision}`);
    const settled = await carryOut(ref, decision);
    await activities.settleReview(ref, settled.outcome);
    outcome = settled.outcome;
    show(outcome.status, `${decision.by} said ${decision.decision}`);
    if (settled.failure) throw settled.failure;
    return outcome;
  };

  setHandler(
    decide,
    async (decision: ReviewDecision) => {
      deciding = true;
      return await settle(decision);
    },
    {
      validator: (_decision: ReviewDecision) => {
        if (!deciding && outcome === undefined) return;
        throw ApplicationFailure.nonRetryable('It has just been decided.', failureType('CONFLICT'));
      },
    },
  );

  show('pending', 'Waits for a decision.');
  const noted = await activities.notedDecision(ref);
  if (noted && !deciding) {
    deciding = true;
    await settle(noted).catch(() => {});
  }
  while (!(await condition(() => outcome !== undefined, '1 day'))) {
    if (deciding || (await activities.isOpen(ref))) continue;
    if (!deciding) outcome = { status: 'withdrawn', result: null };
  }
  await condition(allHandlersFinished);
  // Only decisions about names train the matcher. If the training fails, the former weights stay.
  if (outcome!.status !== 'withdrawn' && !ref.id.startsWith('out_')) {
    await learning.learnNames(ref.tenant).catch((error: unknown) => {
      if (isCancellation(error)) throw error;
    });
  }
  return outcome!;
}

/** Carries out a decision. If the change is impossible, the question is withdrawn with the reason. */
async function carryOut(ref: ReviewRef, decision: ReviewDecision): Promise<{ outcome: ReviewOutcome; failure?: ApplicationFailure }> {
  try {
    const consequence = await activities.beginDecision(ref, decision);
    if (!consequence) return { outcome: { status: decision.decision === 'confirm' ? 'confirmed' : 'rejected', result: null } };
    const { workflow, workflowId, title, job, rev } = consequence;
    const result = await executeChild<(input: ChangeInput) => Promise<Record<string, unknown> | undefined>>(workflow, {
      workflowId,
      args: [{ job, rev }],
      workflowTaskTimeout,
      staticSummary: title,
      typedSearchAttributes: attributes({ tenant: ref.tenant, kind: workflow, status: 'queued', owner: decision.by }),
      // The change continues even if the question's process ends.
      parentClosePolicy: 'ABANDON',
    });
    return { outcome: { status: 'confirmed', result: result ?? null } };
  } catch (error) {
    const { code, message } = failureOf(rootOf(error), 'Applying the decision');
    const failure = ApplicationFailure.create({ type: failureType(code), message, nonRetryable: true });
    return { outcome: { status: 'withdrawn', result: { error: { code, message } } }, failure };
  }
}

/** The refusal inside a child workflow's failure. */
function rootOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause;
  return cause;
}

function show(status: string, details: string): void {
  upsertSearchAttributes(attributes({ status }));
  setCurrentDetails(details);
}

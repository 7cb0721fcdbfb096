import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  currentUpdateInfo,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ProjectionActivities, RebuildProgress } from '../../contracts/activities/projection.ts';
import { failureType } from '../../contracts/temporal.ts';
import { attributes } from '../attributes.ts';
import { ProjectionState, type Carried } from './state.ts';

export interface RebuildRequest {
  /** Null: every tenant. */
  tenant: string | null;
}

/** There is something new in the outbox. */
export const wake = defineSignal('wake');
/** Answered when it is taken up; `progress` tells how it goes. */
export const rebuild = defineUpdate<RebuildProgress, [RebuildRequest]>('rebuild');
export const progress = defineQuery<RebuildProgress>('progress');

/** Events after which the history starts afresh. */
const eventsPerRun = 1_000;

// The other side may be away for days. What fails shows in Temporal's list of pending activities.
const activities = proxyActivities<ProjectionActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** Keeps the copy of the vectors in step with Postgres, for as long as there is one. */
export async function projection(carried?: Carried): Promise<void> {
  const state = new ProjectionState(carried);
  let shown = state.status;

  setHandler(progress, () => state.progress());
  setHandler(wake, () => state.wake());
  setHandler(rebuild, ({ tenant }) => state.request(currentUpdateInfo()?.id ?? '', tenant), {
    validator: (_request) => {
      const refusal = state.check(currentUpdateInfo()?.id ?? '');
      if (!refusal) return;
      throw ApplicationFailure.create({
        type: failureType(refusal.code),
        message: refusal.message,
        nonRetryable: true,
        details: [refusal],
      });
    },
  });

  for (;;) {
    state.looking();
    state.caughtUp(await activities.catchUpVectors());
    show();
    const place = state.next;
    if (place) {
      state.stepped(await activities.rebuildVectors(place));
      show();
    }
    if (workflowInfo().historyLength > eventsPerRun) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof projection>(state.carried());
    }
    if (!state.busy) await condition(() => state.busy, state.pause * 1_000);
  }

  function show(): void {
    if (state.status !== shown) upsertSearchAttributes(attributes({ status: state.status }));
    shown = state.status;
    setCurrentDetails(describe(state));
  }
}

function describe(state: ProjectionState): string {
  const { state: rebuilt, tenant, tenants, documents, passages, strays } = state.progress();
  const figures = `${documents} documents, ${passages} passages, ${strays} strays removed, ${tenants} tenants completed`;
  return [
    `**${state.status}**`,
    state.status === 'off' ? 'Workers have no QDRANT_URL, or no embedding model.' : '',
    rebuilt === 'none' ? '' : `${rebuilt === 'running' ? 'Rebuilding' : 'Last rebuild:'} ${tenant ?? 'all tenants'}: ${figures}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

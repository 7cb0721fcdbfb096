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
import type {
  CaughtUp,
  ProjectionActivities,
  RebuildPlace,
  RebuildProgress,
  RebuildStep,
} from '../../../contracts/activities/kernel/projection.ts';
import { failureType } from '../../../contracts/temporal.ts';
import { attributes } from '../attributes.ts';
import { ProjectionState, type Carried } from './state.ts';

export interface RebuildRequest {
  /** Null: every tenant. */
  tenant: string | null;
}

/** The outbox has new entries. */
export const wake = defineSignal('wake');
/** Answered when the rebuild begins; `progress` shows its state. */
export const rebuild = defineUpdate<RebuildProgress, [RebuildRequest]>('rebuild');
export const progress = defineQuery<RebuildProgress>('progress');

/** Events per history. */
const eventsPerRun = 1_000;

// Retries without limit: the other store may be unavailable for days. Temporal's list of pending activities shows
// failures.
const activities = proxyActivities<ProjectionActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** A copy, as the loop below keeps it in sync. */
interface Kept {
  catchUp(): Promise<CaughtUp>;
  rebuild(place: RebuildPlace): Promise<RebuildStep>;
  records: string;
  parts: string;
  /** What a worker without this copy lacks. */
  lacking: string;
}

/** Keeps the copy of the vectors in sync with Postgres, as long as one is configured. */
export async function projection(carried?: Carried): Promise<void> {
  await keep(
    {
      catchUp: () => activities.catchUpVectors(),
      rebuild: (place) => activities.rebuildVectors(place),
      records: 'documents',
      parts: 'passages',
      lacking: 'no QDRANT_URL, or no embedding model',
    },
    carried,
  );
}

/** Keeps the copy of the graph in sync with Postgres. */
export async function graphProjection(carried?: Carried): Promise<void> {
  await keep(
    {
      catchUp: () => activities.catchUpGraph(),
      rebuild: (place) => activities.rebuildGraph(place),
      records: 'entities',
      parts: 'relations',
      lacking: 'no NEO4J_URI',
    },
    carried,
  );
}

async function keep(copy: Kept, carried: Carried | undefined): Promise<void> {
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
    state.caughtUp(await copy.catchUp());
    show();
    const place = state.next;
    if (place) {
      state.stepped(await copy.rebuild(place));
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
    setCurrentDetails(describe(copy, state));
  }
}

function describe(copy: Kept, state: ProjectionState): string {
  const { state: rebuilt, tenant, tenants, documents, passages, strays } = state.progress();
  const figures = `${documents} ${copy.records}, ${passages} ${copy.parts}, ${strays} strays removed, ${tenants} tenants completed`;
  return [
    `**${state.status}**`,
    state.status === 'off' ? `Workers have ${copy.lacking}.` : '',
    rebuilt === 'none' ? '' : `${rebuilt === 'running' ? 'Rebuilding' : 'Last rebuild:'} ${tenant ?? 'all tenants'}: ${figures}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

import {
  ApplicationFailure,
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  defineSignal,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { IngestRunActivities, ItemRange } from '../../../contracts/activities/knowledge/ingest-run.ts';
import type { JobActivities, JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import { failureType, jobKinds } from '../../../contracts/temporal.ts';
import { failureOf } from '../../kernel/failure.ts';
import { toGraph } from '../../graph/graph-stages.ts';
import { followJob } from '../../kernel/job.ts';
import { Abandoned, Parking } from '../parking.ts';
import { RunState, type Carried } from './state.ts';

export interface IngestRunInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
  carried?: Carried;
}

/** Items were reset to pending: check again before ending. */
export const wake = defineSignal('wake');

const attempts = 5;
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: attempts } as const;
/** More than any run has. */
const allItems: ItemRange = { from: 0, to: 2 ** 31 - 1 };
/** Batches in progress at once: some are embedded while others are read or written. */
const inFlight = 3;

const collecting = proxyActivities<IngestRunActivities>({ startToCloseTimeout: '1h', heartbeatTimeout: '60s', retry });
const indexing = proxyActivities<IngestRunActivities>({ startToCloseTimeout: '1h', heartbeatTimeout: '15s', retry });
const tidying = proxyActivities<IngestRunActivities & JobActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});

/**
 * Ingests many contents: collect (walk, unpack, crawl, fetch) → index, batch by batch. Each content is published
 * separately and then added to the graph; an unreadable one is refused separately. A batch that fails for another
 * reason (model or Postgres unavailable) waits for a decision, and so does its lane.
 */
export async function ingestRun({ job, rev, carried }: IngestRunInput): Promise<void> {
  const state = new RunState(rev, carried);
  const withGraph = patched('graph');
  let woken = false;
  const { begin, show, end } = followJob(state, {
    job,
    unit: 'contents',
    write: (snapshot) => tidying.writeJob(job, snapshot),
    paced: true,
    continued: carried !== undefined,
  });
  setHandler(wake, () => void (woken = true));
  const parking = new Parking(
    job,
    attempts,
    (waiting) => {
      state.parked(waiting);
      show();
    },
    carried?.parkedEver,
  );

  try {
    state.started();
    await begin();
    if (!state.collected) state.listed(await parking.through('extraction', 'fetch', () => collecting.collectItems(job)));
    show();
    for (;;) {
      await indexAll(job, state, { parking, withGraph, show });
      if (state.exhausted) return await goOn();
      woken = false;
      const pending = await tidying.pendingItems(job);
      if (pending) state.again(pending);
      if (pending || woken) continue;
      const { counts, items } = await CancellationScope.nonCancellable(() => tidying.finishRun(job));
      // Cleaning up takes time: a person may have retried an item meanwhile.
      if (woken && patched('looks-again')) continue;
      state.finished(counts, items);
      break;
    }
    await CancellationScope.nonCancellable(end);
    if (woken && patched('looks-again')) return await goOn();
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const failure = isCancellation(error) ? null : failureOf(error, jobKinds.ingest_run.subject);
    const given = error instanceof Abandoned ? { code: 'CONFLICT', message: error.message } : failure;
    await CancellationScope.nonCancellable(async () => {
      // Otherwise a later retry of one item would also process the pending ones.
      const { code, message } = given ?? { code: 'CONFLICT', message: 'The run was cancelled.' };
      if (patched('fails-rest')) await tidying.failItems(job, allItems, { code, message });
      await tidying.finishRun(job);
      if (given) state.failed({ code: given.code, message: given.message });
      else state.cancelled();
      await end();
    });
    throw given ? ApplicationFailure.create({ type: failureType(given.code), message: given.message, nonRetryable: true }) : error;
  }

  async function goOn(): Promise<never> {
    await end();
    return await continueAsNew<typeof ingestRun>({ job, rev: state.revision, carried: state.carried(parking.parkedEver) });
  }
}

/** Hands out batches, at most `inFlight` at once. Rejects only after all running ones have ended. */
async function indexAll(
  job: JobRef,
  state: RunState,
  { parking, withGraph, show }: { parking: Parking; withGraph: boolean; show: () => void },
): Promise<void> {
  const scope = new CancellationScope();
  const lane = async (): Promise<void> => {
    for (let batch = state.takeBatch(); batch; batch = state.takeBatch()) {
      await indexBatch(job, batch, parking);
      state.batchDone(batch, withGraph ? await toGraph(job.tenant, { job, ...batch }, parking) : null);
      show();
    }
  };
  await scope.run(async () => {
    const lanes = Array.from({ length: inFlight }, lane);
    try {
      await Promise.all(lanes);
    } catch (error) {
      scope.cancel();
      await Promise.allSettled(lanes);
      throw error;
    }
  });
}

async function indexBatch(job: JobRef, batch: ItemRange, parking: Parking): Promise<void> {
  try {
    // Occupies a slot for some seconds at a time, so that others in the queue get theirs.
    while ((await parking.through('embedding', 'index', () => indexing.indexItems(job, batch))).more);
  } catch (error) {
    if (!(error instanceof Abandoned)) throw error;
    await tidying.failItems(job, batch, { code: 'CONFLICT', message: error.message });
  }
}

import { ApplicationFailure, CancellationScope, isCancellation, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { IngestActivities, IngestRef } from '../../contracts/activities/ingest.ts';
import type { JobActivities, JobSnapshot } from '../../contracts/activities/jobs.ts';
import { failureType } from '../../contracts/temporal.ts';
import { failureOf } from '../failure.ts';
import { followJob } from '../job.ts';
import { Abandoned, Parking } from '../parking.ts';
import { IngestState } from './state.ts';

export interface IngestInput {
  ref: IngestRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

/** SPEC G44. */
const attempts = 5;
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: attempts } as const;
/** Batches under way at once. */
const inFlight = 2;

// The heartbeat decides how soon a killed worker's batch is taken over. Parsing is one long breath.
const parsing = proxyActivities<IngestActivities>({ startToCloseTimeout: '15m', heartbeatTimeout: '30s', retry });
const indexing = proxyActivities<IngestActivities>({ startToCloseTimeout: '30m', heartbeatTimeout: '15s', retry });
const publishing = proxyActivities<IngestActivities>({ startToCloseTimeout: '2m', retry });
// What must happen in the end happens, however long the database is away.
const tidying = proxyActivities<IngestActivities & JobActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});
const local = proxyLocalActivities<JobActivities>({ startToCloseTimeout: '2s', retry: { maximumAttempts: 3 } });

/**
 * Content to searchable passages: parse → index (postings and vectors, in batches) → publish. The document is
 * invisible until publish, which replaces the source's former one at once; cancelled or failed before, it is taken back.
 */
export async function ingest({ ref, rev }: IngestInput): Promise<JobSnapshot['result']> {
  const job = { tenant: ref.tenant, id: ref.jobId };
  const state = new IngestState(ref, rev);
  let leftovers = false;
  const { show, end } = followJob(state, {
    unit: 'passages',
    // A local activity's write shows before its workflow task commits: the end is written by a normal one.
    write: (snapshot) => (snapshot.status === 'running' ? local.writeJob(job, snapshot) : tidying.writeJob(job, snapshot)),
  });
  const parking = new Parking(job, attempts, (waiting) => {
    state.parked(waiting);
    show();
  });

  try {
    state.started();
    show();
    const prepared = await parking.through('extraction', 'parse', () => parsing.prepareDocument(ref));
    state.parsed(prepared);
    show();
    if (prepared.state === 'building') await indexAll(ref, state, parking, show);
    state.publishing();
    show();
    // Once begun it is not called back: a cancelled job whose document stands would be a lie.
    await CancellationScope.nonCancellable(async () => {
      const published = await parking.through('embedding', 'publish', () => publishing.publishDocument(ref));
      state.published(published);
      await end();
      leftovers = published.leftovers;
    });
  } catch (error) {
    const failure = isCancellation(error) ? null : failureOf(error);
    const given = error instanceof Abandoned ? { ...failure!, code: 'CONFLICT', message: error.message } : failure;
    await CancellationScope.nonCancellable(async () => {
      // Given up, cancelled or deleted meanwhile is no refusal: nobody has to look at it again.
      const refusal = failure && given === failure && failure.code !== 'GONE' ? { code: failure.code, message: failure.message } : null;
      await tidying.discardDocument(ref, given?.message ?? null, refusal);
      if (given) state.failed({ code: given.code, message: given.message });
      else state.cancelled();
      await end();
    });
    throw given ? ApplicationFailure.create({ type: failureType(given.code), message: given.message, nonRetryable: true }) : error;
  }
  if (leftovers) await CancellationScope.nonCancellable(() => tidying.clearRetired(ref));
  return state.snapshot().result;
}

/** All batches, at most `inFlight` at once. Rejects only when none is under way any more. */
async function indexAll(ref: IngestRef, state: IngestState, parking: Parking, show: () => void): Promise<void> {
  const batches = state.batches();
  const scope = new CancellationScope();
  const lane = async (): Promise<void> => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const range = { ...batch, vectors: state.vectors };
      await parking.through('embedding', 'index', () => indexing.indexChunks(ref, range));
      state.indexed(batch.to - batch.from);
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

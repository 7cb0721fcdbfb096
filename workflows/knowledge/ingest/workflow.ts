import { ApplicationFailure, CancellationScope, isCancellation, patched, proxyActivities } from '@temporalio/workflow';
import type { IngestActivities, IngestRef } from '../../../contracts/activities/knowledge/ingest.ts';
import type { JobActivities, JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { failureType, jobKinds } from '../../../contracts/temporal.ts';
import { failureOf } from '../../kernel/failure.ts';
import { toGraph } from '../../graph/graph-stages.ts';
import { followJob } from '../../kernel/job.ts';
import { Abandoned, Parking } from '../parking.ts';
import { IngestState } from './state.ts';

export interface IngestInput {
  ref: IngestRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

const attempts = 5;
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: attempts } as const;
/** Batches in progress at once. */
const inFlight = 2;

// The heartbeat timeout limits how long a killed worker delays a batch. Parsing is one long activity.
const parsing = proxyActivities<IngestActivities>({ startToCloseTimeout: '15m', heartbeatTimeout: '30s', retry });
const indexing = proxyActivities<IngestActivities>({ startToCloseTimeout: '30m', heartbeatTimeout: '15s', retry });
const publishing = proxyActivities<IngestActivities>({ startToCloseTimeout: '10m', heartbeatTimeout: '15s', retry });
// Final steps retry without limit while the database is unavailable.
const tidying = proxyActivities<IngestActivities & JobActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});

/**
 * Ingests one content: parse → index (postings and vectors, in batches) → publish, then add it to the graph. The
 * document is invisible until publish, which replaces the source's former one atomically. Cancelled or failed before,
 * it is deleted; afterwards it stays, with the graph or without.
 */
export async function ingest({ ref, rev }: IngestInput): Promise<JobSnapshot['result']> {
  const job = { tenant: ref.tenant, id: ref.jobId };
  const state = new IngestState(ref, rev);
  const withGraph = patched('graph');
  let leftovers = false;
  const { show, end } = followJob(state, {
    job,
    unit: 'passages',
    write: (snapshot) => tidying.writeJob(job, snapshot),
    paced: true,
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
    // Not cancellable: a job must not end as cancelled while its document is published.
    const published = await CancellationScope.nonCancellable(() =>
      parking.through('embedding', 'publish', () => publishing.publishDocument(ref)),
    );
    leftovers = published.leftovers;
    if (withGraph && published.state === 'active' && prepared.state !== 'parsed') await graph();
    await CancellationScope.nonCancellable(async () => {
      state.published(published);
      await end();
    });
  } catch (error) {
    const failure = isCancellation(error) ? null : failureOf(error, jobKinds.ingest.subject);
    const given = error instanceof Abandoned ? { ...failure!, code: 'CONFLICT', message: error.message } : failure;
    await CancellationScope.nonCancellable(async () => {
      // An abandoned, cancelled or deleted content is not a refusal: nobody has to decide about it again.
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

  /** A failure here does not remove the document. */
  async function graph(): Promise<void> {
    state.graphing();
    show();
    try {
      state.graphed(await toGraph(ref.tenant, { documents: [ref.documentId] }, parking));
    } catch (error) {
      state.graphed(null, isCancellation(error) ? undefined : failureOf(error, 'Taking it into the graph').message);
    }
  }
}

/** All batches, at most `inFlight` at once. Rejects only after all running ones have ended. */
async function indexAll(ref: IngestRef, state: IngestState, parking: Parking, show: () => void): Promise<void> {
  const batches = state.batches();
  const scope = new CancellationScope();
  const lane = async (): Promise<void> => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const range = { ...batch, vectors: state.vectors };
      // Occupies a slot for some seconds at a time, so that others in the queue get theirs.
      while ((await parking.through('embedding', 'index', () => indexing.indexChunks(ref, range)))?.more);
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

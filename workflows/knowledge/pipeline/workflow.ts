import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  patched,
  proxyActivities,
} from '@temporalio/workflow';
import type { GraphActivities } from '../../../contracts/activities/graph/graph.ts';
import type { JobActivities, JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import type { PipelineActivities } from '../../../contracts/activities/knowledge/pipeline.ts';
import { failureType, jobKinds } from '../../../contracts/temporal.ts';
import { failureOf } from '../../kernel/failure.ts';
import { followJob } from '../../kernel/job.ts';
import { Abandoned, Parking } from '../parking.ts';
import { PipelineState, type PipelineCarried } from './state.ts';

export interface PipelineInput {
  job: JobRef;
  rev: number;
  carried?: PipelineCarried;
  parkedEver?: number;
}

const attempts = 5;
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: attempts } as const;
const stages = proxyActivities<PipelineActivities & GraphActivities>({ startToCloseTimeout: '30m', heartbeatTimeout: '15s', retry });
// Stages that are not parked retry without limit while the database is unavailable.
const patient = { initialInterval: '1s', maximumInterval: '60s' } as const;
const counting = proxyActivities<PipelineActivities>({ startToCloseTimeout: '30m', heartbeatTimeout: '15s', retry: patient });
const rows = proxyActivities<JobActivities>({ startToCloseTimeout: '10s', retry: patient });

/** Repeats the stages after parsing for stored documents: one slice of documents after the other. */
export async function pipeline({ job, rev, carried, parkedEver }: PipelineInput): Promise<void> {
  const state = new PipelineState(rev, carried);
  const withGraph = patched('graph');
  const { settle, show } = followJob(state, {
    job,
    unit: 'documents',
    write: (snapshot) => rows.writeJob(job, snapshot),
    continued: carried !== undefined,
  });
  const parking = new Parking(
    job,
    attempts,
    (waiting) => {
      state.parked(waiting);
      show();
    },
    parkedEver,
  );

  try {
    if (!carried) state.counted(await counting.countDocuments(job));
    while (!state.finished) {
      await settle();
      if (state.full) return await goOn();
      const { after } = state.carried;
      state.sliced(await parking.through('embedding', 'index', () => stages.reindexDocuments(job, after)));
    }
    if (withGraph) {
      if (!state.carried.graph) state.graphing(await counting.countForGraph(job));
      while (!state.graphFinished) {
        await settle();
        if (state.full) return await goOn();
        const { after } = state.carried.graph!;
        const slice = await parking.through('entity_resolution', 'resolve', () => stages.graphDocuments(job, after));
        state.graphed(slice);
        if (slice.reviews.length > 0)
          await parking.through('entity_resolution', 'ask', () => stages.startReviews(job.tenant, slice.reviews));
      }
      await parking.through('entity_resolution', 'tidy', () => stages.tidyGraph(job));
    }
    state.completed();
    await condition(allHandlersFinished);
    await CancellationScope.nonCancellable(settle);
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const failure = isCancellation(error) ? null : failureOf(error, jobKinds.pipeline.subject);
    const given = error instanceof Abandoned ? { code: 'CONFLICT', message: error.message } : failure;
    if (given) state.failed({ code: given.code, message: given.message });
    else state.cancelled();
    await CancellationScope.nonCancellable(settle);
    throw given ? ApplicationFailure.create({ type: failureType(given.code), message: given.message, nonRetryable: true }) : error;
  }

  async function goOn(): Promise<never> {
    await condition(allHandlersFinished);
    return await continueAsNew<typeof pipeline>({ job, rev: state.revision, carried: state.carried, parkedEver: parking.parkedEver });
  }
}

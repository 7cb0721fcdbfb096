import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  ContinueAsNew,
  continueAsNew,
  defineQuery,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { JobActivities, JobRef, JobSnapshot } from '../../contracts/activities/jobs.ts';
import type { PipelineActivities } from '../../contracts/activities/pipeline.ts';
import { failureType } from '../../contracts/temporal.ts';
import { attributes } from '../attributes.ts';
import { failureOf } from '../failure.ts';
import { Abandoned, Parking } from '../parking.ts';
import { Projector } from '../projector.ts';
import { PipelineState, type PipelineCarried } from './state.ts';

export interface PipelineInput {
  job: JobRef;
  rev: number;
  carried?: PipelineCarried;
  parkedEver?: number;
}

export const progress = defineQuery<JobSnapshot>('progress');

/** SPEC G44. */
const attempts = 5;
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: attempts } as const;
const stages = proxyActivities<PipelineActivities>({ startToCloseTimeout: '30m', heartbeatTimeout: '15s', retry });
const rows = proxyActivities<JobActivities>({ startToCloseTimeout: '1m', retry: { initialInterval: '1s', maximumInterval: '60s' } });

/** Runs the stages after reading once more over what is stored: one slice of documents after the other. */
export async function pipeline({ job, rev, carried, parkedEver }: PipelineInput): Promise<void> {
  const state = new PipelineState(rev, carried);
  let shown = carried ? 'running' : 'queued';
  const projector = new Projector<JobSnapshot>({
    snapshot: () => state.snapshot(),
    overtake: (rowRev) => state.overtake(rowRev),
    write: (snapshot) => rows.writeJob(job, snapshot),
    written: (snapshot) => {
      if (snapshot.status !== shown) upsertSearchAttributes(attributes({ status: snapshot.status }));
      shown = snapshot.status;
      const { done, total } = snapshot.progress;
      setCurrentDetails(`**${snapshot.status}** (${done} of ${total} documents)`);
    },
  });
  setHandler(progress, () => state.snapshot());
  const parking = new Parking(
    job,
    attempts,
    (waiting) => {
      state.parked(waiting);
      void projector.settle().catch(() => {});
    },
    parkedEver,
  );

  try {
    if (!carried) state.counted(await stages.countDocuments(job));
    while (!state.finished) {
      await projector.settle();
      if (state.full) {
        await condition(allHandlersFinished);
        return await continueAsNew<typeof pipeline>({
          job,
          rev: state.revision,
          carried: state.carried,
          parkedEver: parking.parkedEver,
        });
      }
      const { after } = state.carried;
      state.sliced(await parking.through('embedding', 'index', () => stages.reindexDocuments(job, after)));
    }
    state.completed();
    await condition(allHandlersFinished);
    await CancellationScope.nonCancellable(() => projector.settle());
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const failure = isCancellation(error) ? null : failureOf(error);
    const given = error instanceof Abandoned ? { code: 'CONFLICT', message: error.message } : failure;
    if (given) state.failed({ code: given.code, message: given.message });
    else state.cancelled();
    await CancellationScope.nonCancellable(() => projector.settle());
    throw given ? ApplicationFailure.create({ type: failureType(given.code), message: given.message, nonRetryable: true }) : error;
  }
}

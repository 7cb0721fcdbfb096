import { ApplicationFailure, CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { JobActivities, JobRef } from '../../../contracts/activities/jobs.ts';
import type { TableLinkActivities } from '../../../contracts/activities/table-link.ts';
import { failureType } from '../../../contracts/temporal.ts';
import { failureOf } from '../../kernel/failure.ts';
import { followJob } from '../../kernel/job.ts';
import { TableLinkState } from './state.ts';

export interface TableLinkInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

const { linkTables } = proxyActivities<TableLinkActivities>({
  startToCloseTimeout: '30m',
  heartbeatTimeout: '15s',
  // SPEC G44.
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 5 },
});
const rows = proxyActivities<JobActivities>({ startToCloseTimeout: '1m', retry: { initialInterval: '1s', maximumInterval: '60s' } });

/** Links tables: one long activity, whose result is named by its content. */
export async function tableLink({ job, rev }: TableLinkInput): Promise<void> {
  const state = new TableLinkState(rev);
  const { show, end } = followJob(state, { unit: 'rows', write: (snapshot) => rows.writeJob(job, snapshot) });
  state.started();
  show();
  try {
    state.completed(await linkTables(job));
    await CancellationScope.nonCancellable(end);
  } catch (error) {
    if (isCancellation(error)) {
      state.cancelled();
      await CancellationScope.nonCancellable(end);
      throw error;
    }
    const { code, message: told } = failureOf(error, 'Linking the tables');
    state.failed({ code, message: told });
    await CancellationScope.nonCancellable(end);
    throw ApplicationFailure.create({ type: failureType(code), message: told, nonRetryable: true });
  }
}

import { proxyActivities } from '@temporalio/workflow';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import type { TableLinkActivities } from '../../../contracts/activities/graph/table-link.ts';
import { runJob } from '../../kernel/job.ts';
import { outlasting } from '../../kernel/outlasting.ts';
import { TableLinkState } from './state.ts';

export interface TableLinkInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

const { linkTables } = proxyActivities<TableLinkActivities>({
  startToCloseTimeout: '30m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 5 },
});

/** Links tables: one long activity; the hash of its result is its name. */
export async function tableLink({ job, rev }: TableLinkInput): Promise<void> {
  const state = new TableLinkState(rev);
  await runJob(state, job, { kind: 'table_link', unit: 'rows' }, async () => state.completed(await outlasting(() => linkTables(job))));
}

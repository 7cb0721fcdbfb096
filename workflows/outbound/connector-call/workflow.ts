import { proxyActivities } from '@temporalio/workflow';
import type { ConnectorActivities, ConnectorRef } from '../../../contracts/activities/outbound/connector.ts';
import type { JobActivities, JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { sendOnce, type OnceInput } from './once.ts';

const sending = proxyActivities<Pick<ConnectorActivities, 'attemptConnectorCall'>>({
  startToCloseTimeout: '30s',
  // May wait for a worker, because nothing is sent before one has it.
  heartbeatTimeout: '8s',
  retry: { maximumAttempts: 1 },
});
const records = proxyActivities<Pick<ConnectorActivities, 'endConnectorCall'> & JobActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '300ms', maximumInterval: '30s' },
});

/** A call to another system. */
export async function connectorCall(input: OnceInput<ConnectorRef>): Promise<JobSnapshot['result']> {
  return await sendOnce(input, {
    attempt: sending.attemptConnectorCall,
    lost: 'It is not known whether it was done: the worker that sent it did not come back.',
    write: (ref, end) => records.endConnectorCall(ref, end),
    writeJob: records.writeJob,
  });
}

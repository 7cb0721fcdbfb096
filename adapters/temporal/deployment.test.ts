import { ServiceError } from '@temporalio/client';
import { expect, test } from 'vitest';
import { promote } from './deployment.ts';
import type { Temporal } from './client.ts';

/** Its version polls everything; Temporal refuses to make it current so many times. */
function server(refusals: number): Temporal {
  const refusal = Object.assign(new Error('9 FAILED_PRECONDITION'), { code: 9, details: 'missing active task queues', metadata: {} });
  const workflowService = {
    describeWorkerDeployment: async () => ({
      workerDeploymentInfo: { versionSummaries: [{ deploymentVersion: { buildId: 'next' }, status: 1 }] },
    }),
    describeTaskQueue: async () => ({ pollers: [{ deploymentOptions: { deploymentName: 'signalbox', buildId: 'next' } }] }),
    setWorkerDeploymentCurrentVersion: async () => {
      refusals -= 1;
      if (refusals >= 0) throw refusals % 2 === 0 ? refusal : new ServiceError('refused', { cause: refusal });
    },
  };
  const client = { connection: { workflowService }, withDeadline: async (_: number, work: () => Promise<unknown>) => await work() };
  return { client, namespace: 'default' } as unknown as Temporal;
}

test('a version whose queues Temporal has not noted yet is made current once it has', async () => {
  const { changed, version } = await promote(server(2), 'signalbox', 'next', { waitMs: 60_000 });
  expect([changed, version.status]).toEqual([true, 'current']);
});

test('a refusal that stays is told', async () => {
  await expect(promote(server(Infinity), 'signalbox', 'next', { waitMs: 0 })).rejects.toMatchObject({ code: 'CONFLICT' });
});

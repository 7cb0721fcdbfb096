/** The time of a stage's retry after an error, as Temporal reports it. */
import { NativeConnection, Worker } from '@temporalio/worker';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { patientStage, stage } from '../../activities/kernel/stage.ts';
import { AppError } from '../../contracts/errors.ts';
import type { pipeline } from '../../workflows/knowledge/pipeline/workflow.ts';
import { workflowBundle } from '../../workers/bundle.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let connection: NativeConnection;
let worker: Worker;
let running: Promise<void>;
const taskQueue = 'stage-delays';

/** The seconds that a stage asks for, by the job's id; `gone`: an error that no repeat helps; `defect`: one of ours. */
const asks: Record<string, number | 'gone' | 'defect'> = {
  'job_7.5': 7.5,
  job_0: 0,
  job_86400: 86_400,
  job_gone: 'gone',
  job_defect: 'defect',
};

beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  const { folder, temporalAddress } = inject('servers');
  connection = await NativeConnection.connect({ address: temporalAddress });
  worker = await Worker.create({
    connection,
    namespace: stack.namespace,
    taskQueue,
    workflowBundle: await workflowBundle(join(folder, 'cache')),
    activities: {
      // The first stage of `workflows/knowledge/pipeline`: backoff from 1 s, doubled up to a minute.
      countDocuments: ({ tenant, id }: { tenant: string; id: string }) => {
        const seconds = asks[id]!;
        if (seconds === 'defect') return patientStage(tenant, () => Promise.reject(new TypeError('not a function')), 1);
        return stage(tenant, () => {
          if (seconds === 'gone') throw new AppError('NOT_FOUND', 'It is gone.');
          throw new AppError('SERVICE_UNAVAILABLE', 'Come back later.', { retryAfterSeconds: seconds });
        });
      },
      writeJob: () => Promise.resolve(1),
    },
  });
  running = worker.run();
});
afterAll(async () => {
  worker?.shutdown();
  await running;
  await connection?.close();
  await stack?.stop();
});

const start = (id: string) =>
  stack.temporal.client.workflow.start<typeof pipeline>('pipeline', {
    workflowId: `delays/${id}`,
    taskQueue,
    args: [{ job: { tenant: 'acme', id }, rev: 1 }],
  });

it.each([
  ['job_7.5', 7.5, 'as what it met says'],
  ['job_0', 1, 'no sooner than its own policy says'],
  ['job_86400', 600, 'after ten minutes at the latest'],
] as const)('%s is tried again after %d s: %s', async (id, seconds, _why) => {
  const handle = await start(id);
  const interval = await eventually('an attempt has failed', async () => {
    const [pending] = (await handle.describe()).raw.pendingActivities ?? [];
    return pending?.attempt === 2 && pending.lastFailure ? pending.currentRetryInterval : null;
  });
  expect(Number(interval.seconds) + (interval.nanos ?? 0) / 1e9).toBeCloseTo(seconds, 2);
  await handle.terminate();
});

it.each(['job_gone', 'job_defect'])('what no repeat helps is not tried again: %s', async (id) => {
  const handle = await start(id);
  await expect(handle.result()).rejects.toThrow();
  const { events } = await handle.fetchHistory();
  const failed = events?.find((event) => event.activityTaskFailedEventAttributes);
  expect(failed?.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo).toMatchObject({ nonRetryable: true });
});

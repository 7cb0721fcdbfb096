/** The time of a stage's retry after an error, as Temporal reports it. */
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { translate } from '../../adapters/postgres/errors.ts';
import { patientStage, stage } from '../../activities/kernel/stage.ts';
import { AppError } from '../../contracts/errors.ts';
import type { tableLink } from '../../workflows/graph/table-link/workflow.ts';
import type { pipeline } from '../../workflows/knowledge/pipeline/workflow.ts';
import { workflowBundle } from '../../workers/bundle.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let connection: NativeConnection;
let worker: Worker;
let running: Promise<void>;
const taskQueue = 'stage-delays';

/** Stages that fail at once in every attempt: while Postgres is away or workers are shut down eight times, and for another reason. */
const attempts = { job_away: 0, job_ended: 0, job_busy: 0, job_linked: 0, job_failed: 0 };
const isQuick = (id: string): id is keyof typeof attempts => id in attempts;
const parked: string[] = [];

/** What `stage` throws for an error of Postgres, except that the next attempt follows at once. */
const atOnce = (tenant: string, error: Error): Promise<never> =>
  stage(tenant, () => Promise.reject(translate(error) as Error)).catch((failure: unknown) => {
    throw Object.assign(failure as ApplicationFailure, { nextRetryDelay: 1 });
  });
/** What Temporal's SDK reports of a stage that outlasts the shutdown of its worker. */
const shutdown = (): Promise<never> =>
  Promise.reject(ApplicationFailure.create({ type: 'WorkerShutdown', message: 'Worker is shutting down', nextRetryDelay: 1 }));
const failures = {
  job_away: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  job_busy: Object.assign(new Error('deadlock'), { code: '40P01' }),
  job_failed: Object.assign(new Error('deadlock'), { code: '40P01' }),
};

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
        if (isQuick(id)) return Promise.resolve(1);
        const seconds = asks[id]!;
        if (seconds === 'defect') return patientStage(tenant, () => Promise.reject(new TypeError('not a function')), 1);
        return stage(tenant, () => {
          if (seconds === 'gone') throw new AppError('NOT_FOUND', 'It is gone.');
          throw new AppError('SERVICE_UNAVAILABLE', 'Come back later.', { retryAfterSeconds: seconds });
        });
      },
      // Parked after five attempts, other than the first one.
      reindexDocuments: ({ tenant, id }: { tenant: string; id: 'job_away' | 'job_ended' | 'job_busy' }) => {
        attempts[id] += 1;
        if (attempts[id] > 8) return stage(tenant, () => Promise.reject(new AppError('NOT_FOUND', 'It is gone.')));
        return id === 'job_ended' ? shutdown() : atOnce(tenant, failures[id]);
      },
      // Of a job that nobody decides about: it fails.
      linkTables: ({ tenant, id }: { tenant: string; id: 'job_linked' | 'job_failed' }) => {
        attempts[id] += 1;
        if (attempts[id] > 8) return Promise.resolve({});
        return id === 'job_linked' ? shutdown() : atOnce(tenant, failures[id]);
      },
      writeJob: () => Promise.resolve(1),
      park: ({ id }: { id: string }) => Promise.resolve(void parked.push(id)),
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

const link = (id: string) =>
  stack.temporal.client.workflow.start<typeof tableLink>('tableLink', {
    workflowId: `delays/${id}`,
    taskQueue,
    args: [{ job: { tenant: 'acme', id }, rev: 1 }],
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
  const pending = await eventually('an attempt has failed', async () => {
    const [found] = (await handle.describe()).raw.pendingActivities ?? [];
    return found?.currentRetryInterval && found.lastFailure ? found : null;
  });
  const interval = pending.currentRetryInterval!;
  // On a slow machine several attempts may have failed; its own policy doubles the pause.
  const wanted = id === 'job_0' ? seconds * 2 ** (pending.attempt! - 2) : seconds;
  expect(Number(interval.seconds) + (interval.nanos ?? 0) / 1e9).toBeCloseTo(wanted, 2);
  await handle.terminate();
});

it.each(['job_gone', 'job_defect'])('what no repeat helps is not tried again: %s', async (id) => {
  const handle = await start(id);
  await expect(handle.result()).rejects.toThrow();
  const { events } = await handle.fetchHistory();
  const failed = events?.find((event) => event.activityTaskFailedEventAttributes);
  expect(failed?.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo).toMatchObject({ nonRetryable: true });
});

it.each([
  ['job_away', 'an absence of Postgres'],
  ['job_ended', 'restarts of its workers'],
] as const)('a stage (%s) outlasts %s beyond its attempts', async (id, _what) => {
  const handle = await start(id);
  await expect(handle.result()).rejects.toThrow();
  expect(attempts[id]).toBe(9);
  expect(parked).not.toContain(id);
});

it('a stage that failed for another reason waits for a person after its attempts', async () => {
  const handle = await start('job_busy');
  await eventually('it is parked', () => Promise.resolve(parked.includes('job_busy')));
  expect(attempts.job_busy).toBe(5);
  await handle.terminate();
});

it('a job outlasts restarts of its workers beyond its attempts', async () => {
  await (await link('job_linked')).result();
  expect(attempts.job_linked).toBe(9);
});

it('a job that failed for another reason fails after its attempts', async () => {
  await expect((await link('job_failed')).result()).rejects.toThrow();
  expect(attempts.job_failed).toBe(5);
});

/** Tenants take turns, and small contents do not wait for large ones: Temporal's queues and the workflows that use them. */
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { fairShare } from '../../adapters/temporal/attributes.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { IngestAnswer } from '../../contracts/knowledge/knowledge.ts';
import { queues } from '../../contracts/temporal.ts';
import type { ingest } from '../../workflows/knowledge/ingest/workflow.ts';
import type { pipeline } from '../../workflows/knowledge/pipeline/workflow.ts';
import { workflowBundle } from '../../workers/bundle.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
});
afterAll(() => stack?.stop());

/** Workers of a queue of our own, with these activities, one at a time. */
async function working(taskQueue: string, activities: object): Promise<() => Promise<void>> {
  const { folder, temporalAddress } = inject('servers');
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: stack.namespace,
    taskQueue,
    workflowBundle: await workflowBundle(join(folder, 'cache')),
    activities,
    maxConcurrentActivityTaskExecutions: 1,
    maxConcurrentActivityTaskPolls: 1,
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    await connection.close();
  };
}

it('hands out the work of tenants in turn, however much of one is waiting', async () => {
  const taskQueue = 'fairness';
  const order: string[] = [];
  const begun = async (tenant: string, count: number) => {
    for (let i = 0; i < count; i += 1) {
      await stack.temporal.client.workflow.start<typeof pipeline>('pipeline', {
        workflowId: `fairness/${tenant}/${i}`,
        taskQueue,
        args: [{ job: { tenant, id: `job_${tenant}_${i}` }, rev: 1 }],
        priority: fairShare(tenant),
      });
    }
  };
  let letGo!: () => void;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const stop = await working(taskQueue, {
    async countDocuments({ tenant }: { tenant: string }) {
      order.push(tenant);
      await gate;
      throw ApplicationFailure.nonRetryable('Only the turn counts.');
    },
    writeJob: () => Promise.resolve(1),
  });
  try {
    // The first task holds the only slot until all others wait.
    await begun('large', 30);
    await begun('small', 3);
    for (const id of ['large/29', 'small/0', 'small/1', 'small/2'])
      await eventually(`${id} waits for its activity`, async () => {
        const { raw } = await stack.temporal.handle(`fairness/${id}`).describe();
        return raw.pendingActivities?.some(({ activityType }) => activityType?.name === 'countDocuments');
      });
    letGo();
    await eventually('all have had their turn', () => Promise.resolve(order.length === 33));
    // Without turns they would come after all thirty.
    expect(order.lastIndexOf('small')).toBeLessThan(20);
  } finally {
    letGo();
    await stop();
  }
});

describe('a content', () => {
  const queueOf = async (workflowId: string) => {
    const { taskQueue, raw } = await stack.temporal.handle(workflowId).describe();
    return { taskQueue, key: raw.workflowExecutionInfo?.priority?.fairnessKey };
  };
  const submit = (args: object) => stack.ok<IngestAnswer>(pm, 'ingest.document.submit', args);

  it('goes to the queue of its size, with the share of its tenant', async () => {
    const small = await submit({ title: 'Small', content: 'The export is empty.' });
    expect(await queueOf(small.workflow_id)).toEqual({ taskQueue: queues.light, key: 'acme' });
    const large = await submit({ title: 'Large', content: 'The export is empty. '.repeat(4_000) });
    expect(await queueOf(large.workflow_id)).toEqual({ taskQueue: queues.background, key: 'acme' });
    const items = (count: number) =>
      asTenant('acme', () =>
        stack.services.knowledge.runs.submitItems(
          pm,
          { title: 'Items', items: [{ identity: `text:${count}`, text: 'x '.repeat(count) }] },
          { waitMs: 60_000 },
        ),
      );
    expect((await queueOf((await items(10)).job.workflow_id)).taskQueue).toBe(queues.light);
    expect((await queueOf((await items(60_000)).job.workflow_id)).taskQueue).toBe(queues.background);
  });

  it('is refused for what it is before anything of it is kept', async () => {
    const count = async () => (await asTenant('acme', () => stack.db.query<{ n: number }>('select count(*)::int as n from jobs')))[0]!.n;
    const before = await count();
    for (const [name, reason] of [
      ['program.exe', 'unsupported'],
      ['sheet.xlsx', 'mislabelled'],
    ] as const) {
      const path = join(stack.config.SIGNALBOX_DATA_DIR, name);
      writeFileSync(path, 'MZ\u0001\u0002 is neither text nor a sheet');
      for (const tool of ['ingest.document.submit', 'document.content.parse']) {
        const { error } = await stack.call(pm, tool, { file_path: path });
        expect([tool, error?.code, error?.details?.['reason']]).toEqual([tool, 'VALIDATION_ERROR', reason]);
      }
    }
    expect(await count()).toBe(before);
  });
});

it('gives up its place every few seconds, and goes on where it was', async () => {
  const calls: string[] = [];
  const slices = { index: 3, extract: 2 };
  const stop = await working('slices', {
    writeJob: () => Promise.resolve(1),
    prepareDocument: () => Promise.resolve({ state: 'building', chunks: 10, vectors: false, warnings: [] }),
    async indexChunks() {
      calls.push('index');
      return { more: (slices.index -= 1) > 0 };
    },
    publishDocument: () => Promise.resolve({ state: 'active', chunks: 10, leftovers: false }),
    async extractMentions() {
      calls.push('extract');
      return { documents: 1, mentions: 0, more: (slices.extract -= 1) > 0 };
    },
    resolveMentions: () => Promise.resolve({ documents: 1, mentions: 0, created: 0, reviews: [] }),
    // This plain worker leaves the stamp behind the arguments.
    async readSignals(_tenant: string, _work: object, given?: unknown) {
      const after = typeof given === 'string' ? given : undefined;
      calls.push(`signals after ${after}`);
      return { documents: 1, signals: 0, ...(after === 'doc_2' ? {} : { next: after === undefined ? 'doc_1' : 'doc_2' }) };
    },
    startReviews: () => Promise.resolve(),
  });
  try {
    await stack.temporal.client.workflow.execute<typeof ingest>('ingest', {
      workflowId: 'slices',
      taskQueue: 'slices',
      args: [{ ref: { tenant: 'acme', jobId: 'job_slices', sourceId: 'source_1', documentId: 'doc_2' }, rev: 1 }],
    });
    const signals = ['signals after undefined', 'signals after doc_1', 'signals after doc_2'];
    expect(calls).toEqual(['index', 'index', 'index', 'extract', 'extract', ...signals]);
  } finally {
    await stop();
  }
});

/**
 * Records histories for replay.test.ts, under concurrency: RECORD_HISTORIES=1 npm test -- test/replay/record
 * Run it once for each new workflow, before its first release; never to make a failing replay pass.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import type { Task } from '../../contracts/work.ts';
import { histories, save } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';
import { startQdrant } from '../vectors/qdrant.ts';

const folder = fileURLToPath(new URL('./histories', import.meta.url));

describe.runIf(process.env['RECORD_HISTORIES'])('recording', () => {
  let stack: TestStack;
  let pm: Caller;
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    stack = await testStack({ model: false });
    pm = await stack.caller({ name: 'pm' });
  });
  afterAll(() => stack?.stop());

  it('records tasks', async () => {
    const create = async (fields: object): Promise<Task> =>
      (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Recorded', phase_id: 2, ...fields })).task;
    const agents = await Promise.all(Array.from({ length: 6 }, (_, i) => stack.caller({ role: 'agent', name: `agent-${i}` })));
    const [one, two] = [agents[0]!, agents[1]!];

    // Heartbeats at once, more than a run holds; completed under a race of two.
    const busy = await create({ priority: 'high' });
    await stack.ok(one, 'work.task.claim', { phase_id: 2 });
    for (let i = 0; i < 30; i += 1) {
      await Promise.all(
        Array.from({ length: 8 }, (_, j) => stack.ok(one, 'work.task.heartbeat', { task_id: busy.id, progress: `${i}.${j}` })),
      );
    }
    const waiting = await create({ blocked_by: [busy.id] });
    await Promise.all([
      stack.call(one, 'work.task.complete', { task_id: busy.id, fencing_token: 1, result: 'done' }),
      stack.call(pm, 'work.task.complete', { task_id: busy.id, result: 'done too' }),
    ]);

    // A lease that ends, a retry, a release, a failure, triage, a rework.
    const rough = await create({ lease_seconds: 1, max_attempts: 2 });
    await stack.ok(two, 'work.task.claim', { task_id: rough.id });
    await eventually(
      'the lease ends',
      async () => (await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: rough.id })).task.status === 'ready',
    );
    await stack.ok(two, 'work.task.claim', { task_id: rough.id, lease_seconds: 60 });
    await stack.ok(two, 'work.task.release', { task_id: rough.id });
    await stack.ok(two, 'work.task.claim', { task_id: rough.id, lease_seconds: 60 });
    await stack.ok(two, 'work.task.fail', { task_id: rough.id, reason: 'no luck' });
    await stack.ok(pm, 'work.task.update_status', { task_id: rough.id, status: 'in_progress' });
    await stack.ok(pm, 'work.task.complete', { task_id: rough.id });

    // A race for a few tasks, with blocks added meanwhile.
    const raced = await Promise.all(Array.from({ length: 6 }, () => create({ needs_review: true })));
    await Promise.all([
      ...agents.map((agent) => stack.call(agent, 'work.task.claim', { phase_id: 2 })),
      ...raced.slice(3).map((task) => stack.call(pm, 'work.task.block', { task_id: task.id, blocked_by: [waiting.id] })),
    ]);
    await Promise.all(raced.map((task) => stack.call(pm, 'work.task.complete', { task_id: task.id })));
    await Promise.all(raced.map((task) => stack.call(pm, 'work.task.complete', { task_id: task.id })));

    let count = 0;
    for await (const { history } of histories(stack.temporal.client, "WorkflowType = 'task'")) {
      count += 1;
      save(join(folder, `task-${String(count).padStart(2, '0')}.history.gz`), history);
    }
    expect(count).toBeGreaterThan(8);
  }, 120_000);

  it('records the projection of vectors', async () => {
    // It needs the model, too.
    const qdrant = await startQdrant();
    if ('missing' in qdrant || !qdrant.control) throw new Error('this takes a Qdrant that may be killed, and an embedding model');
    const env = { QDRANT_URL: qdrant.url, QDRANT_API_KEY: qdrant.apiKey!, QDRANT_COLLECTION: qdrant.prefix };
    const projecting = await testStack({ env });
    const { projections } = projecting.services;
    const callers = await Promise.all(['a', 'b', 'c'].map((tenant) => projecting.caller({ tenant })));
    const id = 'projection/vectors';
    const wake = (): Promise<unknown> => projecting.temporal.handle(id).signal('wake');
    const rebuild = (tenant: string | null) => projections.rebuild(tenant, Math.random().toString()).catch(() => null);

    // Tenants that are new to it, then signals and rebuilds at once, more than a run holds.
    await projections.start();
    await Promise.all(
      callers.map((caller) => projecting.ok(caller, 'ingest.document.submit', { title: 'Recorded', content: 'A lever and a bell.' })),
    );
    const first = (await projecting.temporal.handle(id).describe()).runId;
    await eventually(
      'a run that went on from another',
      async () => {
        await Promise.all([wake(), wake(), rebuild(null), rebuild('b'), wake()]);
        return (await projecting.temporal.handle(id).describe()).runId !== first;
      },
      120_000,
    );

    // Away and back, with rebuilds asked for meanwhile; then without workers.
    await qdrant.control.kill();
    await Promise.all([wake(), rebuild('c'), rebuild('c'), wake()]);
    await qdrant.control.start();
    await eventually('the rebuild', async () => (await projections.progress()).state === 'done', 60_000);
    await projecting.stopWorkers();
    await Promise.all([wake(), wake()]);
    await projecting.startWorkers();
    await projecting.ok(callers[1]!, 'ingest.document.submit', { title: 'Later', content: 'A signal and a train.' });
    await eventually('the later one', async () => (await wake(), (await projections.projectionStatus()).pending === 0));

    // Where no copy is configured.
    await stack.temporal.client.workflow.start('projection', { workflowId: id, taskQueue: 'background', args: [] });
    await eventually('that it is off', async () => {
      const { searchAttributes } = await stack.temporal.handle(id).describe();
      return searchAttributes['SignalboxStatus']?.[0] === 'off';
    });

    let count = 0;
    for (const { temporal } of [projecting, stack]) {
      for await (const { history } of histories(temporal.client, "WorkflowType = 'projection'")) {
        count += 1;
        save(join(folder, `projection-${String(count).padStart(2, '0')}.history.gz`), history);
      }
    }
    expect(count).toBeGreaterThan(2);
    await projecting.stop();
    await qdrant.stop();
  }, 300_000);
});

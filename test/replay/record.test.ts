/**
 * Records histories for replay.test.ts, under concurrency: RECORD_HISTORIES=1 npm test -- test/replay/record
 * Run it once for each new workflow, before its first release; never to make a failing replay pass.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Task } from '../../contracts/work/work.ts';
import { randomGraph, writeGraph } from '../graph/graphs.ts';
import { startNeo4j } from '../graph/neo4j.ts';
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

    // Concurrent heartbeats, more than one run may contain; completed by two racing callers.
    const busy = await create({ priority: 'high' });
    await stack.ok(one, 'work.task.claim', { phase_id: 2 });
    for (let i = 0; i < 30; i += 1) {
      await Promise.all(
        Array.from({ length: 8 }, (_, j) =>
          stack.ok(one, 'work.task.heartbeat', { task_id: busy.id, fencing_token: 1, progress: `${i}.${j}` }),
        ),
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
    await stack.ok(two, 'work.task.release', { task_id: rough.id, fencing_token: 2 });
    await stack.ok(two, 'work.task.claim', { task_id: rough.id, lease_seconds: 60 });
    await stack.ok(two, 'work.task.fail', { task_id: rough.id, fencing_token: 3, reason: 'no luck' });
    await stack.ok(pm, 'work.task.update_status', { task_id: rough.id, status: 'in_progress' });
    await stack.ok(pm, 'work.task.complete', { task_id: rough.id, fencing_token: 4 });

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

  it('records verifications of the ledger', async () => {
    const ann = await stack.caller({ name: 'ann', tenant: 'long' });
    await asTenant('long', () =>
      stack.db.query(
        `insert into ledger_events (tenant_id, tool_call_id, type, tool, called_as, tool_version, effect, front, key_id, principal, principal_kind, persona, input_hash, at)
         select 'long', 'call_' || n, 'tool.call.completed', 'x', 'x', 1, 'read', 'mcp', 'key', 'ann', 'human', 'admin', 'x', now() from generate_series(1, 120000) n`,
      ),
    );
    const begin = (key: string) => asTenant('long', () => stack.services.governance.chain.verification(ann, key, { waitMs: 0 }));
    // Several parts, requested by many; one interrupted; one whose workers stop.
    await Promise.all(['a', 'b', 'c'].map(begin));
    await stack.ok(ann, 'system.job.get', { job_id: (await begin('a')).job_id, wait_seconds: 60 });
    const cut = await begin('cut');
    await stack.ok(ann, 'system.job.cancel', { job_id: cut.job_id });
    await stack.ok(ann, 'system.job.get', { job_id: cut.job_id, wait_seconds: 60 });
    const left = await begin('left');
    await stack.stopWorkers();
    await stack.startWorkers();
    await stack.ok(ann, 'system.job.get', { job_id: left.job_id, wait_seconds: 60 });
    let count = 0;
    for await (const { history } of histories(stack.temporal.client, "WorkflowType = 'verifyLedger'")) {
      count += 1;
      save(join(folder, `verifyLedger-${count}.history.gz`), history);
    }
    expect(count).toBe(3);
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

  it('records episodes and the clearing of the graph', async () => {
    const { episodes, clearing, episodeProcesses } = stack.services.graph;
    const ann = await stack.caller({ tenant: 'told', name: 'ann' });
    const { tenant } = ann;
    const id = workflowIds.episodes(tenant);
    const sql = (text: string, values: unknown[]) => asTenant(tenant, () => stack.db.query(text, values));
    const tell = (body: string): Promise<unknown> =>
      stack.ok(ann, 'graph.episode.add', { name: 'Told', episode_body: body, source: 'json' });
    const emptied = () =>
      eventually(
        'an empty queue',
        async () => (await sql(`select 1 from graph_episodes where tenant_id = $1 and status = 'queued'`, [tenant])).length === 0,
        60_000,
      );
    const runs = async (): Promise<boolean> => (await stack.temporal.handle(id).describe()).status.name === 'RUNNING';

    // Many at once, workers that come and go, one that fails for a while, knocks meanwhile.
    await Promise.all(Array.from({ length: 20 }, (_, i) => tell(`{"name":"Acme","type":"customer","visit":"${i}"}`)));
    await stack.stopWorkers();
    await Promise.all(Array.from({ length: 10 }, () => tell('{"name":"Globex","type":"customer","plan":"Pro"}')));
    await sql(
      `insert into graph_episodes (tenant_id, id, kind, name, body, source, said_at, attempts, created_by) values ($1, 'broken', 'memory', 'Broken', '{', 'json', now(), 2, 'ann')`,
      [tenant],
    );
    await stack.startWorkers();
    await Promise.all([
      episodeProcesses.wake(tenant),
      tell('{"name":"Hooli","type":"customer","plan":"Basic"}'),
      episodeProcesses.wake(tenant),
    ]);
    await emptied();
    // Until it is idle and ends, and once more from there; with a knock while it waits.
    await eventually('its end', async () => !(await runs()), 60_000);
    await tell('{"name":"Umbra","type":"customer","plan":"Basic"}');
    await emptied();
    await episodeProcesses.wake(tenant);
    // More signals than one run may contain.
    const { runId } = await stack.temporal.handle(id).describe();
    await eventually(
      'a run that went on from another',
      async () => {
        await Promise.all([episodeProcesses.wake(tenant), episodeProcesses.wake(tenant)]);
        return (await stack.temporal.handle(id).describe()).runId !== runId;
      },
      120_000,
    );
    await emptied();

    // Stopped in the middle, with additions meanwhile; then once more over what is left.
    const { job } = await asTenant(tenant, () => clearing.run(ann, { waitMs: 0 }));
    await stack.stopWorkers();
    await tell('{"name":"Initech","type":"customer","plan":"Pro"}');
    await stack.startWorkers();
    const ended = async (): Promise<boolean> =>
      (await asTenant(tenant, () => stack.services.jobs.get(tenant, job.job_id))).status === 'completed';
    await eventually('the end of clearing', ended, 60_000);
    await emptied();
    await stack.approved(ann, 'graph.store.clear', {});
    expect(await asTenant(tenant, () => episodes.list(tenant, { limit: 10 }))).toMatchObject({ items: [] });
    await eventually('its end', async () => !(await runs()), 60_000);

    for (const type of ['episodes', 'clearGraph']) {
      let count = 0;
      for await (const { history } of histories(stack.temporal.client, `WorkflowType = '${type}'`)) {
        count += 1;
        save(join(folder, `${type}-${String(count).padStart(2, '0')}.history.gz`), history);
      }
      expect(count).toBeGreaterThan(1);
    }
  }, 300_000);

  it('records the projection of the graph', async () => {
    const neo4j = await startNeo4j({ own: true });
    if ('missing' in neo4j) throw new Error(neo4j.missing);
    const projecting = await testStack({ env: neo4j.env, model: false });
    const { projections } = projecting.services;
    const id = workflowIds.projection('graph');
    const wake = (): Promise<unknown> => projecting.temporal.handle(id).signal('wake');
    const rebuild = (tenant: string | null) => projections.rebuild(tenant, Math.random().toString(), 'graph').catch(() => null);

    // Tenants that are new to it, then signals and rebuilds at once, more than a run holds.
    for (const tenant of ['a', 'b', 'c']) await writeGraph(projecting.db, tenant, randomGraph(1, 30, 60));
    await projections.start();
    const first = (await projecting.temporal.handle(id).describe()).runId;
    await eventually(
      'a run that went on from another',
      async () => {
        await Promise.all([wake(), rebuild(null), rebuild('b'), wake()]);
        return (await projecting.temporal.handle(id).describe()).runId !== first;
      },
      180_000,
    );

    // Away until it shows as a dead letter, a rebuild asked for meanwhile, and back; then without workers.
    await neo4j.control!.kill();
    await Promise.all([wake(), rebuild('c'), rebuild('c'), wake()]);
    for (const tenant of ['a', 'b']) await writeGraph(projecting.db, tenant, randomGraph(2, 40, 60));
    await eventually(
      'the dead letter',
      async () => (await asTenant('c', () => projecting.db.query(`select 1 from dlq_items where tenant_id = 'c'`))).length > 0,
      120_000,
    );
    await neo4j.control!.start();
    await eventually('the rebuild', async () => (await projections.progress('graph')).state === 'done', 60_000);
    await projecting.stopWorkers();
    await Promise.all([wake(), wake()]);
    await projecting.startWorkers();
    await eventually('the later ones', async () => (await wake(), (await projections.projectionStatus('graph')).pending === 0));

    // Where no copy is configured.
    await stack.temporal.client.workflow.start('graphProjection', { workflowId: id, taskQueue: 'background', args: [] });
    await eventually('that it is off', async () => {
      const { searchAttributes } = await stack.temporal.handle(id).describe();
      return searchAttributes['SignalboxStatus']?.[0] === 'off';
    });

    let count = 0;
    for (const { temporal } of [projecting, stack]) {
      for await (const { history } of histories(temporal.client, "WorkflowType = 'graphProjection'")) {
        count += 1;
        save(join(folder, `graphProjection-${String(count).padStart(2, '0')}.history.gz`), history);
      }
    }
    expect(count).toBeGreaterThan(2);
    await projecting.stop();
    await neo4j.stop();
  }, 600_000);
});

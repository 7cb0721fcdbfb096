import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { healthOf } from '../../api/health.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { DlqItem } from '../../contracts/knowledge/knowledge.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { randomGraph, relation, writeGraph } from './graphs.ts';
import { startNeo4j, type TestNeo4j } from './neo4j.ts';
import { histories, replay } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const started = await startNeo4j({ own: true });
const missing = 'missing' in started ? started.missing : null;
if (missing) console.warn(`Tests of the graph projection's process are skipped: ${missing}`);

const tenant = 'acme';

describe.skipIf(missing !== null)("the graph projection's process", { timeout: 180_000 }, () => {
  const server = started as TestNeo4j;
  let stack: TestStack;
  let pm: Caller;

  beforeAll(async () => {
    stack = await testStack({ env: server.env, model: false });
    pm = await stack.caller({ tenant });
    await stack.services.projections.start();
  });
  afterAll(async () => {
    await stack?.stop();
    if (!('missing' in started)) await started.stop();
  });

  const agreed = () =>
    eventually(
      'that the stores agree',
      async () => {
        await stack.services.projections.wake();
        return (await stack.services.projections.agreement(tenant).catch(() => null))?.agrees;
      },
      40_000,
    );
  const sync = async () => (await healthOf(() => stack, () => stack.services.projections.graphSync())())['neo4j_sync']; // prettier-ignore
  const letters = async () => (await stack.ok<{ items: DlqItem[] }>(pm, 'ingest.dlq.list', { failure_stage: 'neo4j_sync' })).items;

  it('brings what is written into the copy, waits for it when asked, and reads go there', async () => {
    await writeGraph(stack.db, tenant, randomGraph(3, 120, 400, true));
    await agreed();
    expect(stack.graph.name).toBe('neo4j');
    await writeGraph(stack.db, tenant, { entities: [{ id: 'late' }], relations: [relation('ent_00000', 'late', 3)] });
    await stack.services.projections.graphCaughtUp(tenant, 20_000);
    expect(await stack.graphCopy!.find(tenant, ['late'])).toHaveLength(1);
    expect(await stack.services.projections.agreement(tenant)).toMatchObject({ agrees: true, missing: [], surplus: [], differing: [] });
    await eventually('in_sync', async () => (await sync())?.detail === 'in_sync', 20_000);
  });

  it('is rebuilt by its tool, once at a time', async () => {
    const key = randomUUID();
    const asked = await stack.call(pm, 'graph.projection.rebuild', {}, { idempotencyKey: key });
    expect(asked.envelope.refs).toMatchObject([{ type: 'workflow', id: workflowIds.projection('graph') }]);
    await eventually('the rebuild', async () => (await stack.services.projections.progress('graph')).state === 'done');
    expect(await stack.services.projections.progress('graph')).toMatchObject({ tenant, documents: 121, strays: 0, tenants: 1 });
    expect((await stack.call(await stack.caller({ tenant, role: 'readonly' }), 'graph.projection.rebuild')).error).toBeTruthy();
  });

  it('shows a copy that is away in health and as a dead letter, traverses Postgres meanwhile, and catches up', async () => {
    const { services } = stack;
    await server.control!.kill();
    // One that was asked for at the wrong moment hides nothing.
    await services.projections.rebuild(tenant, randomUUID(), 'graph');
    await writeGraph(stack.db, tenant, { entities: [{ id: 'meanwhile' }], relations: [relation('late', 'meanwhile', 2)] });
    const related = await asTenant(tenant, () => stack.graph.related(tenant, 'late', { maxHops: 1, limit: 5 }));
    expect(related.map(({ id }) => id)).toEqual(['ent_00000', 'meanwhile']);
    const [item] = await eventually('the dead letter', async () => ((await letters()).length > 0 ? letters() : null), 60_000);
    expect(item).toMatchObject({
      stage: 'neo4j_sync',
      status: 'refused',
      workflow_id: 'projection/graph',
      error_code: 'SERVICE_UNAVAILABLE',
    });
    expect(item!.attempts).toBeGreaterThanOrEqual(5);
    await eventually('down', async () => (await sync())?.detail === 'down', 20_000);
    await expect(services.projections.graphCaughtUp(tenant, 200)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });

    await server.control!.start();
    // It may have caught up by itself this moment.
    const retried = await stack.call(pm, 'ingest.dlq.retry', { dlq_id: item!.dlq_id });
    if (retried.error) expect(retried.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'resolved' } });
    else expect((retried.data as { item: DlqItem }).item.status).toMatch(/retrying|resolved/);
    await agreed();
    await eventually('that it is settled', async () => (await letters()).length === 0, 20_000);
    const decided = await stack.ok<{ items: DlqItem[] }>(pm, 'ingest.dlq.list', { failure_stage: 'neo4j_sync', include_decided: true });
    expect(decided.items).toMatchObject([{ dlq_id: item!.dlq_id, status: 'resolved' }]);
    expect(await services.projections.agreement(tenant)).toMatchObject({ agrees: true });
  });

  it('replays, and is off where no copy is configured', async () => {
    expect(await replay(histories(stack.temporal.client, "WorkflowType = 'graphProjection'"))).toBeGreaterThan(0);
    const plain = await testStack({ workers: false, model: false });
    try {
      const caller = await plain.caller();
      expect(plain.graph.name).toBe('postgres');
      expect((await plain.call(caller, 'graph.projection.rebuild')).error).toMatchObject({
        code: 'CONFLICT',
        details: { reason: 'no_copy' },
      });
      expect(await plain.services.projections.graphSync()).toEqual({ state: 'disabled', pending: 0, lag_seconds: 0 });
      expect(await plain.services.projections.agreement(tenant)).toBeNull();
      await plain.services.projections.graphCaughtUp(tenant);
      const health = await healthOf(() => plain, () => plain.services.projections.graphSync())(); // prettier-ignore
      expect(health['neo4j_sync']).toEqual({ up: true, optional: true, detail: 'disabled' });
      expect('neo4j' in health).toBe(false);
    } finally {
      await plain.stop();
    }
  });
});

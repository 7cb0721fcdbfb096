/** Health: waiting work, last runs, and unavailable parts. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTemporal } from '../../adapters/temporal/client.ts';
import type { JobKind } from '../../contracts/temporal.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { SystemHealth } from '../../contracts/health.ts';
import { HealthService } from '../../services/kernel/health/index.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
});
afterAll(() => stack?.stop());

it('tells that all is well, by the seed’s name, too', async () => {
  // A machine under load may take its time to connect.
  const health = await eventually('all is well', async () => {
    const found = await stack.ok<SystemHealth>(pm, 'get_system_health');
    return found.status === 'healthy' ? found : null;
  });
  expect(health).toMatchObject({
    database: { status: 'up', latency_ms: expect.any(Number) },
    neo4j_sync: { status: 'disabled', pending: 0 },
    workflow_engine: { status: 'up' },
    vector_store: { kind: 'pgvector', status: 'up' },
    embeddings: { status: 'disabled', model: null },
    pending_ingestion_jobs: 0,
    entity_resolution_queue: 0,
    last_pipeline_run: null,
  });
});

it('counts what waits in the tenant that asks, and in no other', async () => {
  await asTenant('acme', async () => {
    const open = (id: string, kind: JobKind, spec = {}) =>
      stack.services.jobs.open('acme', { id, kind, title: id, workflowId: `test/${id}`, spec, createdBy: 'pm' });
    await open('job_a', 'ingest');
    await open('job_b', 'ingest_run');
    await open('job_c', 'export');
    await open('job_d', 'pipeline', { scope: 'recent' });
    await stack.services.jobs.write(
      { tenant: 'acme', id: 'job_d' },
      { rev: 1, status: 'completed', progress: { stage: 'done' }, result: { documents: 4, passages: 9 } },
    );
    await stack.db.query(
      `insert into reviews (tenant_id, id, kind, action, type, subject, confidence, status, origin, created_by)
       values ('acme', 'rev_1', 'entity_match', 'merge', 'customer', '{}', 0.7, 'pending', 'test', 'pm')`,
    );
  });
  const health = await stack.ok<SystemHealth>(pm, 'system.health.get');
  expect(health).toMatchObject({
    pending_ingestion_jobs: 2,
    entity_resolution_queue: 1,
    last_pipeline_run: { job_id: 'job_d', scope: 'recent', status: 'completed', documents: 4 },
  });
  expect(health.last_pipeline_run!.finished_at).toMatch(/Z$/);
  const other = await stack.caller({ tenant: 'globex', name: 'other' });
  expect(await stack.ok<SystemHealth>(other, 'system.health.get')).toMatchObject({
    pending_ingestion_jobs: 0,
    entity_resolution_queue: 0,
    last_pipeline_run: null,
  });
});

it('reports unavailable parts without waiting for them', async () => {
  const temporal = openTemporal({ address: '127.0.0.1:1', namespace: 'none', uiUrl: undefined, secrets: null });
  const graphSync = () => Promise.reject(new Error('away'));
  const away = { health: () => Promise.reject(new Error('away')) };
  const hanging = { health: () => new Promise<never>(() => {}) };
  const service = new HealthService({
    ...stack,
    temporal,
    graphCopy: away as never,
    projected: hanging as never,
    projections: { graphSync },
  });
  // A hanging part does not block the answer.
  const health = await asTenant('acme', () => service.system('acme'));
  expect(health).toMatchObject({
    status: 'degraded',
    database: { status: 'up' },
    workflow_engine: { status: 'down' },
    neo4j_sync: { status: 'down', pending: null },
    vector_store: { kind: 'qdrant', status: 'down' },
    pending_ingestion_jobs: 2,
  });

  const query = () => Promise.reject(new Error('away'));
  const blind = await new HealthService({ ...stack, db: { ...stack.db, query }, projections: { graphSync } }).system('acme');
  expect(blind).toMatchObject({
    status: 'unhealthy',
    database: { status: 'down', latency_ms: null },
    pending_ingestion_jobs: null,
    last_pipeline_run: null,
  });
});

it('asks once for everybody what all tenants share, and each tenant’s own in one statement', async () => {
  const asked = { shared: 0, own: 0 };
  const copy = { health: async () => void (asked.shared += 1) };
  const query: typeof stack.db.query = (text, values) => {
    asked.own += 1;
    return stack.db.query(text, values);
  };
  const service = new HealthService({
    ...stack,
    db: { ...stack.db, query },
    graphCopy: copy as never,
    projections: { graphSync: async () => ({ state: 'in_sync', pending: 0, lag_seconds: 0 }) },
  });
  const probes = ['acme', 'globex', 'acme', 'globex', 'acme'];
  const ask = () => Promise.all(probes.map((tenant) => asTenant(tenant, () => service.system(tenant))));
  const found = await ask();
  expect(found.map((health) => health.pending_ingestion_jobs)).toEqual([2, 0, 2, 0, 2]);
  expect(asked).toEqual({ shared: 1, own: probes.length });

  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  await ask();
  clock.mockRestore();
  expect(asked.shared).toBe(2);
});

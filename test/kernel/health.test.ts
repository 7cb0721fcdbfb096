/** Health: waiting work, last runs, and unavailable parts. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTemporal } from '../../adapters/temporal/client.ts';
import type { JobKind } from '../../contracts/temporal.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { HealthHistory, SystemHealth, WatchedPart } from '../../contracts/health.ts';
import { Duties } from '../../services/kernel/duties.ts';
import { HealthService } from '../../services/kernel/health/index.ts';
import { HealthWatch } from '../../services/kernel/health/watch.ts';
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
    duties: new Duties(stack.db),
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
  const blind = await new HealthService({
    ...stack,
    duties: new Duties(stack.db),
    db: { ...stack.db, query },
    projections: { graphSync },
  }).system('acme');
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
    duties: new Duties(stack.db),
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

describe('the history of health', () => {
  const minutes = (ago: number): Date => new Date(Date.now() - ago * 60_000);
  /** An api whose parts are what the test says. */
  const api = (name: string, state: { now: Map<WatchedPart, string>; away?: boolean }) => {
    const duties = new Duties(stack.db, name);
    const take: Duties['take'] = async (...args) => {
      if (state.away) throw new Error('Postgres is away');
      return await duties.take(...args);
    };
    return new HealthWatch({
      ...stack.services.health['deps'],
      log: pino({ level: 'silent' }),
      duties: Object.assign(Object.create(duties) as Duties, { take }),
      health: { parts: async () => state.now },
    });
  };
  const told = async () => {
    const { parts } = await stack.ok<HealthHistory>(pm, 'system.health.history', { hours: 1 });
    return Object.fromEntries(
      parts.map(({ part, spans }) => [part, spans.map(({ status, seconds }) => [status, Math.round(seconds / 60)])]),
    );
  };
  const up = new Map<WatchedPart, string>([
    ['database', 'up'],
    ['workflow_engine', 'up'],
  ]);

  it('is written by one api, also what was seen while Postgres was away, and by the next when that one is gone', async () => {
    const state = { now: up, away: false };
    const [first, second] = [api('first', state), api('second', { now: up })];
    expect(await first.round(minutes(10))).toBe(true);
    expect(await second.round(minutes(10))).toBe(false);
    for (const ago of [9.5, 9]) expect(await first.round(minutes(ago))).toBe(true);
    Object.assign(state, { now: new Map([...up, ['database', 'down']]), away: true });
    for (const ago of [8.5, 8, 7.5]) await expect(first.round(minutes(ago))).rejects.toThrow('away');
    Object.assign(state, { now: up, away: false });
    for (const ago of [7, 6.5, 6]) await first.round(minutes(ago));
    expect(await told()).toEqual({
      database: [
        ['unwatched', 50],
        ['up', 2],
        ['down', 2],
        ['up', 1],
        ['unwatched', 6],
      ],
      workflow_engine: [
        ['unwatched', 50],
        ['up', 4],
        ['unwatched', 6],
      ],
    });
    await first.close();
    for (const ago of [1, 0.5, 0]) expect(await second.round(minutes(ago))).toBe(true);
    expect((await told())['workflow_engine']).toEqual([
      ['unwatched', 50],
      ['up', 4],
      ['unwatched', 5],
      ['up', 1],
    ]);
    await second.close();
  });

  it('has nothing down that answers a second time: the process that looks may be late itself', async () => {
    await stack.db.query('delete from health_spans');
    const looks = [new Map([...up, ['database', 'down'] as const]), up];
    const late = api('late', { now: up });
    late['deps'].health.parts = async () => looks.shift() ?? up;
    await late.round();
    expect((await told())['database']!.at(-1)).toEqual(['up', 0]);
    expect(looks).toEqual([]);
    await late.close();
  });

  it('is the same when a killed api wrote it and could not say so', async () => {
    const spans = async () => (await stack.db.query('select * from health_spans')).length;
    const state = { now: up };
    const one = api('one', state);
    const duties = one['deps'].duties;
    const done = vi.spyOn(duties, 'done').mockRejectedValueOnce(new Error('killed'));
    const before = await spans();
    await expect(one.round()).rejects.toThrow('killed');
    const after = await spans();
    await one.round();
    expect([after, await spans()]).toEqual([before, before]);
    done.mockRestore();
    await one.close();
  });

  it('is looked at by the api itself', async () => {
    await stack.db.query('delete from health_spans');
    const { watch } = stack.services.health;
    watch.start();
    const { parts } = await eventually('it has looked', async () => {
      const found = await stack.ok<HealthHistory>(pm, 'system.health.history');
      return found.parts.length > 0 && found;
    });
    expect(parts.map(({ part, spans }) => [part, spans.at(-1)!.status])).toEqual([
      ['database', 'up'],
      ['workflow_engine', 'up'],
    ]);
    await watch.close();
  });
});

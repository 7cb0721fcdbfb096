import { pino } from 'pino';
import neo4j from 'neo4j-driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openNeo4j } from '../../adapters/graph/neo4j.ts';
import { postgresGraph } from '../../adapters/graph/postgres.ts';
import { traversedInCopy } from '../../adapters/graph/projected.ts';
import type { GraphCopy } from '../../adapters/graph/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { CaughtUp, RebuildPlace, RebuildStep } from '../../contracts/activities/kernel/projection.ts';
import { agreement } from '../../services/kernel/projections/agreement.ts';
import { graphCopied } from '../../services/kernel/projections/entities.ts';
import { catchUp } from '../../services/kernel/projections/follow.ts';
import { rebuild } from '../../services/kernel/projections/rebuild.ts';
import { statusOf } from '../../services/kernel/projections/status.ts';
import { noteGraph, numbers, randomGraph, relation, testDatabase, writeGraph, type TestGraph } from './graphs.ts';
import { startNeo4j, type TestNeo4j } from './neo4j.ts';
import { newTenant } from './suite.ts';
import { committedVisible } from '../setup/databases.ts';

const started = await startNeo4j({ own: true });
const missing = 'missing' in started ? started.missing : null;
if (missing) console.warn(`Tests of the graph's projection are skipped: ${missing}`);

const patient = { spent: () => false };
/** Stops after each unit of work. */
const hasty = { spent: () => true };
const small: TestGraph = {
  entities: ['a', 'b', 'c'].map((id) => ({ id })),
  relations: [relation('a', 'b', 3), relation('a', 'c', 1, 'uses')],
};

describe.skipIf(missing !== null)('the projection of the graph', { timeout: 120_000 }, () => {
  const server = started as TestNeo4j;
  const { uri, user, password, database } = server;
  let db: Database;
  let copy: GraphCopy;

  beforeAll(async () => {
    ({ db } = await testDatabase());
    copy = openNeo4j({ uri, user, password, database });
  });
  afterAll(async () => {
    await copy?.close();
    await server.stop();
    await db?.close();
  });

  const parts = (of: GraphCopy = copy) => ({ db, copy: graphCopied(db, of) });
  /** Follows everything that was committed before. */
  async function follow(of = parts()): Promise<CaughtUp> {
    await committedVisible(db);
    return await catchUp(of, patient);
  }
  /** Until everything is followed and every tenant has a complete copy. */
  async function project(): Promise<void> {
    for (;;) {
      const caught = await follow();
      if (caught.unprojected === null) return;
      await rebuildAll(caught.unprojected);
    }
  }
  async function rebuildAll(only: string | null, from?: RebuildPlace): Promise<RebuildStep['done']> {
    const sum = { documents: 0, passages: 0, strays: 0, tenants: 0 };
    let place: RebuildPlace | null = from ?? { only, tenant: null, stage: 'begin', after: null };
    while (place) {
      const step: RebuildStep = await rebuild(parts(), place, hasty);
      for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += step.done[key];
      place = step.place;
    }
    return sum;
  }
  const compared = (tenant: string) => asTenant(tenant, () => agreement(db, copy, tenant));
  const agreed = { agrees: true, missing: [], surplus: [], differing: [] };
  async function cypher(query: string, params: object = {}): Promise<void> {
    const driver = neo4j.driver(uri, neo4j.auth.basic(user, password ?? ''));
    await driver.executeQuery(query, params, { database });
    await driver.close();
  }
  const sql = (tenant: string, text: string, values: unknown[] = []) => asTenant(tenant, () => db.query(text, [tenant, ...values]));

  it('takes over what was there before it, and then follows what changes', async () => {
    const tenant = newTenant();
    await writeGraph(db, tenant, randomGraph(1, 300, 900));
    expect(await follow()).toMatchObject({ unprojected: tenant });
    await project();
    const before = await compared(tenant);
    expect(before).toMatchObject(agreed);
    expect([before.entities > 250, before.relations > 600]).toEqual([true, true]);

    await writeGraph(db, tenant, { entities: [{ id: 'new' }], relations: [relation('ent_00000', 'new', 4), relation('new', 'ent_00003', 2, 'owns')] }); // prettier-ignore
    expect(await compared(tenant)).toMatchObject({ agrees: false, missing: expect.arrayContaining(['entity new']) });
    expect(await follow()).toMatchObject({ state: 'done', documents: 3, unprojected: null });
    expect(await compared(tenant)).toMatchObject({ ...agreed, entities: before.entities + 1 });
    expect(await copy.count(tenant)).toBe(before.entities + 1);
  });

  it('loses entities that are merged or deleted, and has them back with all their relations when that is undone', async () => {
    const tenant = newTenant();
    await writeGraph(db, tenant, { ...small, relations: [...small.relations, relation('b', 'c', 5)] });
    await project();
    // Ends their relations with the merge, like folding.
    await writeGraph(db, tenant, { entities: [{ id: 'b', status: 'merged' }], relations: [relation('a', 'b', 0), relation('b', 'c', 0)] });
    await project();
    expect(await compared(tenant)).toMatchObject({ ...agreed, entities: 2, relations: 1 });
    expect(await copy.find(tenant, ['b'])).toEqual([]);

    await writeGraph(db, tenant, { entities: [{ id: 'b' }], relations: [relation('a', 'b', 3), relation('b', 'c', 5)] });
    await project();
    expect(await compared(tenant)).toMatchObject({ ...agreed, entities: 3, relations: 3 });

    // Even where only the entity's row was touched.
    await writeGraph(db, tenant, { entities: [{ id: 'b', status: 'merged' }], relations: [] });
    await project();
    expect(await compared(tenant)).toMatchObject({ ...agreed, relations: 1 });
    await writeGraph(db, tenant, { entities: [{ id: 'b' }], relations: [] });
    await project();
    expect(await compared(tenant)).toMatchObject({ ...agreed, relations: 3 });

    await asTenant(tenant, () =>
      db.transaction(async (query) => {
        await query('delete from entity_relations where tenant_id = $1', [tenant]);
        await query('delete from entities where tenant_id = $1', [tenant]);
        await noteGraph(query, tenant, ['a', 'b', 'c']);
      }),
    );
    await project();
    expect(await compared(tenant)).toMatchObject({ ...agreed, entities: 0 });
    expect(await copy.count(tenant)).toBe(0);
  });

  it('loses no entry that is committed after a later one', async () => {
    const tenant = newTenant();
    await writeGraph(db, tenant, small);
    await project();
    await asTenant(tenant, () =>
      db.transaction(async (query) => {
        // Its entry has the lower number but commits later.
        await query('update entity_relations set passages = 9, changed = this_moment() where tenant_id = $1 and kind = $2', [tenant, 'uses']); // prettier-ignore
        await noteGraph(query, tenant, ['a', 'c']);
        await writeGraph(db, tenant, { entities: [{ id: 'd' }], relations: [relation('a', 'd', 2)] });
        await catchUp(parts(), patient);
      }),
    );
    await project();
    expect(await compared(tenant)).toMatchObject({ ...agreed, entities: 4, relations: 3 });
  });

  it('completes a batch whose worker died at any step, and repeats it harmlessly', async () => {
    for (let step = 1; step <= 4; step += 1) {
      const tenant = newTenant();
      await writeGraph(db, tenant, small);
      await project();
      await writeGraph(db, tenant, { entities: [{ id: 'b', status: 'merged' }], relations: [] });
      await project();
      // Back again with relations that are older than the change.
      await writeGraph(db, tenant, { entities: [{ id: 'b' }, { id: 'd' }], relations: [relation('c', 'd', 2)] });
      let writes = 0;
      const dying: GraphCopy = {
        ...copy,
        async write(of, changes) {
          writes += 1;
          if (of === tenant && writes === step) throw new Error('killed');
          await copy.write(of, changes);
        },
      };
      await expect(follow(parts(dying))).rejects.toThrow('killed');
      await project();
      expect(await compared(tenant)).toMatchObject({ ...agreed, entities: 4, relations: 3 });
      await sql(tenant, `update outbox_cursors set xid = '3', id = 0 where tenant_id = $1`);
      await project();
      expect(await compared(tenant)).toMatchObject(agreed);
    }
  });

  it('loses nothing of what ten write at once, and answers like Postgres at every moment', async () => {
    const tenant = newTenant();
    const graph = randomGraph(5, 60, 200, true);
    await writeGraph(db, tenant, graph);
    await project();
    const postgres = postgresGraph(db.query);
    const store = traversedInCopy(copy, postgres, db.query, pino({ level: 'silent' }));
    let writing = true;
    const random = numbers(9);
    const writer = async (name: number): Promise<void> => {
      for (let round = 0; round < 12; round += 1) {
        const [one, other] = [graph.entities[Math.floor(random() * 60)]!.id, `w${name}-${Math.floor(random() * 5)}`];
        const kind = `kind${name}`;
        await writeGraph(db, tenant, { entities: [{ id: other, status: random() < 0.2 ? 'merged' : 'active' }], relations: [relation(one, other, Math.floor(random() * 6), kind)] }); // prettier-ignore
      }
    };
    const follower = (async () => {
      while (writing) await catchUp(parts(), patient);
    })();
    const reader = (async () => {
      while (writing) {
        await asTenant(tenant, async () => {
          const ask = (of: typeof store) => of.related(tenant, 'ent_00000', { maxHops: 2, limit: 100 });
          const [before, answer, after] = [await ask(postgres), await ask(store), await ask(postgres)];
          // Compared when nothing changed meanwhile.
          if (JSON.stringify(before) === JSON.stringify(after)) expect(answer).toEqual(before);
        });
      }
    })();
    await Promise.all(Array.from({ length: 10 }, (_, name) => writer(name)));
    writing = false;
    await Promise.all([follower, reader]);
    await project();
    expect(await compared(tenant)).toMatchObject(agreed);
  });

  it('removes what should not be there, and mends what is missing or different, when it is made anew', async () => {
    const tenant = newTenant();
    await writeGraph(db, tenant, small);
    await project();
    await cypher(
      `MATCH (a:SignalboxEntity {tenant: $tenant, id: 'a'}), (b:SignalboxEntity {tenant: $tenant, id: 'b'}), (c:SignalboxEntity {tenant: $tenant, id: 'c'})
       CREATE (s:SignalboxEntity {tenant: $tenant, id: 'stray', type: 'theme', name: 'stray'})-[:RELATED {kind: 'x', passages: 1, documents: 1}]->(a)
       CREATE (b)-[:RELATED {kind: 'false', passages: 1, documents: 1}]->(c) SET a.name = 'another'
       WITH a MATCH (a)-[r:RELATED {kind: 'uses'}]->() DELETE r WITH a MATCH (a)-[r:RELATED {kind: 'mentioned_with'}]->() SET r.passages = 77`,
      { tenant },
    );
    const found = await compared(tenant);
    expect(found).toMatchObject({ agrees: false, missing: ['a -uses-> c'], differing: ['entity a', 'a -mentioned_with-> b'] });
    expect([...found.surplus].sort()).toEqual(['b -false-> c', 'entity stray', 'stray -x-> a']);
    expect(await rebuildAll(tenant)).toMatchObject({ tenants: 1, documents: 3, strays: 2 });
    expect(await compared(tenant)).toMatchObject(agreed);
  });

  it('is whole again after it was wiped, also in the middle of being made', async () => {
    const tenant = newTenant();
    await writeGraph(db, tenant, randomGraph(8, 250, 600));
    await project();
    await cypher('MATCH (n) DETACH DELETE n');
    expect(await copy.exists()).toBe(false);
    expect((await compared(tenant)).missing).toHaveLength(100);
    expect(await follow()).not.toMatchObject({ unprojected: null });
    let place: RebuildPlace | null = { only: tenant, tenant: null, stage: 'begin', after: null };
    for (let i = 0; i < 3 && place; i += 1) place = (await rebuild(parts(), place, hasty)).place;
    await cypher('MATCH (n) DETACH DELETE n');
    await rebuildAll(tenant, place!);
    expect(await compared(tenant)).toMatchObject(agreed);
    await project();
  });

  it('says how far behind it is, and starts a tenant without entities at once', async () => {
    const tenant = newTenant();
    await sql(tenant, 'insert into tenants (id) values ($1)');
    expect(await follow()).toMatchObject({ unprojected: null });
    const before = await statusOf(parts(), true);
    expect(before).toMatchObject({ store: 'neo4j', pending: 0, lag_seconds: 0, healthy: true });
    await writeGraph(db, tenant, small);
    expect(await statusOf(parts(), false)).toMatchObject({ pending: 3, projected: before.projected, healthy: false });
    await project();
    expect(await statusOf(parts(), true)).toMatchObject({ pending: 0, projected: before.projected! + 3, healthy: true });
  });
});

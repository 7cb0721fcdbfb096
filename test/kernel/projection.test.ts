import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { pgvector } from '../../adapters/vectors/pgvector.ts';
import { searchedInCopy } from '../../adapters/vectors/projected.ts';
import { collectionName, openQdrant } from '../../adapters/vectors/qdrant.ts';
import type { NearestQuery, ProjectedVectors, VectorPoint, VectorStore } from '../../adapters/vectors/types.ts';
import type { CaughtUp, RebuildPlace } from '../../contracts/activities/kernel/projection.ts';
import { vectorsCopied } from '../../services/kernel/projections/documents.ts';
import { catchUp } from '../../services/kernel/projections/follow.ts';
import { rebuild } from '../../services/kernel/projections/rebuild.ts';
import { statusOf } from '../../services/kernel/projections/status.ts';
import { deleteDocument, publishPassages, retireDocument, testDatabase, writePassages } from '../vectors/passages.ts';
import { committedVisible } from '../setup/databases.ts';
import { startQdrant, type TestQdrant } from '../vectors/qdrant.ts';
import { at, dimensions, newTenant, numbers, point, unit } from '../vectors/suite.ts';

const started = await startQdrant();
const missing = 'missing' in started ? started.missing : null;
if (missing) console.warn(`Tests of the projection are skipped: ${missing}`);

const model = 'projected-model';
const patient = { spent: () => false };
/** Stops after each unit of work. */
const hasty = { spent: () => true };

describe.skipIf(missing !== null)('the projection of vectors', () => {
  const qdrant = started as TestQdrant;
  let db: Database;
  let copy: ProjectedVectors;
  let store: VectorStore;
  const random = numbers(42);
  const axis = unit(random);

  beforeAll(async () => {
    ({ db } = await testDatabase());
    copy = openQdrant({ url: qdrant.url, apiKey: qdrant.apiKey, model, dimensions, prefix: qdrant.prefix });
    store = searchedInCopy(copy, db.query, pino({ level: 'silent' }));
  });
  afterAll(async () => {
    await wipe();
    await qdrant.stop();
    await db?.close();
  });

  const wipe = () =>
    fetch(`${qdrant.url}/collections/${collectionName(qdrant.prefix, model)}`, {
      method: 'DELETE',
      headers: qdrant.apiKey ? { 'api-key': qdrant.apiKey } : {},
    });

  const parts = () => ({ db, copy: vectorsCopied(db, copy) });
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
  async function rebuildAll(only: string | null): Promise<{ documents: number; passages: number; strays: number; tenants: number }> {
    const sum = { documents: 0, passages: 0, strays: 0, tenants: 0 };
    let place: RebuildPlace | null = { only, tenant: null, stage: 'begin', after: null };
    while (place) {
      const step: Awaited<ReturnType<typeof rebuild>> = await rebuild(parts(), place, hasty);
      for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += step.done[key];
      place = step.place;
    }
    return sum;
  }

  async function wantedIn(tenant: string, query: Database['query'], limit = 10): Promise<NearestQuery> {
    const rows = await query<{ id: string }>(`select id from documents where tenant_id = $1 and status <> 'active'`, [tenant]);
    return { tenant, scopes: [1], model, vector: Float32Array.from(axis), limit, hidden: rows.map(({ id }) => id), chunks: 100 };
  }
  const search = (tenant: string, of: VectorStore = store) =>
    asTenant(tenant, () =>
      db.transaction(async (query) => {
        await query('set transaction isolation level repeatable read, read only');
        return (await of.nearest(await wantedIn(tenant, query), query)).map(({ id }) => id);
      }),
    );
  /** What the copy itself has, without Postgres's help. */
  const inCopy = async (tenant: string) =>
    (await copy.nearest({ tenant, scopes: [1], model, vector: Float32Array.from(axis), limit: 100, hidden: [], chunks: 100 })).map(
      ({ id }) => id,
    );
  const passage = (cosine: number, documentId: string, fields: Partial<VectorPoint> = {}): VectorPoint =>
    point({ vector: at(axis, cosine, random), documentId, terms: [['word', 1]], length: 1, ...fields });
  const ids = (points: VectorPoint[]): string[] => points.map(({ id }) => id);

  it('takes over what was there before it, and then follows publications, replacements and deletions', async () => {
    const tenant = newTenant();
    const old = [passage(0.9, 'doc_old'), passage(0.8, 'doc_old')];
    await writePassages(db, tenant, model, old);
    expect(await follow()).toMatchObject({ unprojected: tenant });
    expect(await search(tenant)).toEqual(ids(old));
    await project();
    expect(await inCopy(tenant)).toEqual(ids(old));

    const next = [passage(0.7, 'doc_new')];
    await publishPassages(db, tenant, model, next);
    expect(await inCopy(tenant)).toEqual(ids(old));
    // Not in the copy yet, but found.
    expect(await search(tenant)).toEqual(ids([...old, ...next]));
    expect(await follow()).toMatchObject({ state: 'done', documents: 1, passages: 1, unprojected: null });
    expect(await inCopy(tenant)).toEqual(ids([...old, ...next]));

    await asTenant(tenant, () => db.transaction((query) => retireDocument(db, tenant, 'doc_old', query)));
    expect(await search(tenant)).toEqual(ids(next));
    await project();
    expect(await inCopy(tenant)).toEqual(ids(next));

    await deleteDocument(db, tenant, 'doc_new');
    expect(await search(tenant)).toEqual([]);
    await project();
    expect(await copy.count(tenant)).toBe(0);
  });

  it('holds only what has a vector of its model, with the words, and no other tenant', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const mine = passage(0.5, 'doc_same', { terms: [['zeppelin', 2]], length: 2, hasCode: true });
    await publishPassages(db, tenant, model, [mine]);
    await publishPassages(db, tenant, 'older-model', [passage(0.9, 'doc_older')]);
    const theirs = passage(0.6, 'doc_same', { terms: [['zeppelin', 1]], length: 1 });
    await publishPassages(db, other, model, [theirs]);
    await project();
    expect(await inCopy(tenant)).toEqual([mine.id]);
    expect(await inCopy(other)).toEqual([theirs.id]);
    const words = { tenant, scopes: [1], model, hidden: [], limit: 5, terms: new Map([['zeppelin', 1]]), hasCode: true };
    expect((await copy.byTerms(words)).map(({ id }) => id)).toEqual([mine.id]);
    await deleteDocument(db, other, 'doc_same');
    await project();
    expect([await inCopy(tenant), await inCopy(other)]).toEqual([[mine.id], []]);
  });

  it('loses no entry that is committed after a later one', async () => {
    const tenant = newTenant();
    await writePassages(db, tenant, model, [passage(0.1, 'doc_first')]);
    await project();
    const [slow, fast] = [[passage(0.9, 'doc_slow')], [passage(0.8, 'doc_fast')]];
    await writePassages(db, tenant, model, slow);
    await asTenant(tenant, () =>
      db.transaction(async (query) => {
        // Its entry has the lower number but commits later.
        await query(`insert into outbox (tenant_id, type, subject) values ($1, 'document.published', 'doc_slow')`, [tenant]);
        await publishPassages(db, tenant, model, fast);
        await catchUp(parts(), patient);
        expect(await inCopy(tenant)).not.toContain(fast[0]!.id);
      }),
    );
    expect((await search(tenant)).slice(0, 2)).toEqual(ids([...slow, ...fast]));
    await project();
    expect((await inCopy(tenant)).slice(0, 2)).toEqual(ids([...slow, ...fast]));
  });

  it('repeats a batch whose worker died before it moved the cursor', async () => {
    const tenant = newTenant();
    await writePassages(db, tenant, model, [passage(0.1, 'doc_before')]);
    await project();
    const published = [passage(0.9, 'doc_twice'), passage(0.8, 'doc_twice')];
    await publishPassages(db, tenant, model, published);
    let writes = 0;
    const dying: ProjectedVectors = {
      ...copy,
      async upsert(...args) {
        await copy.upsert(...args);
        writes += 1;
        throw new Error('killed');
      },
    };
    await expect(follow({ db, copy: vectorsCopied(db, dying) })).rejects.toThrow('killed');
    expect(writes).toBe(1);
    expect(await copy.count(tenant)).toBe(3);
    expect((await search(tenant)).slice(0, 2)).toEqual(ids(published));
    await project();
    expect(await copy.count(tenant)).toBe(3);
    expect((await inCopy(tenant)).slice(0, 2)).toEqual(ids(published));
    expect(await follow()).toMatchObject({ documents: 0 });
  });

  it('prevents concurrent writes with a worker that was given up but still runs', async () => {
    const tenant = newTenant();
    await writePassages(db, tenant, model, [passage(0.1, 'doc_a')]);
    await project();
    await publishPassages(db, tenant, model, [passage(0.5, 'doc_b')]);
    let goOn = (): void => {};
    const held = new Promise<void>((done) => (goOn = done));
    let writing = (): void => {};
    const begun = new Promise<void>((done) => (writing = done));
    const slow: ProjectedVectors = {
      ...copy,
      async upsert(...args) {
        writing();
        await held;
        await copy.upsert(...args);
      },
    };
    const first = follow({ db, copy: vectorsCopied(db, slow) });
    await begun;
    await expect(catchUp(parts(), patient)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    goOn();
    await first;
    expect(await follow()).toMatchObject({ documents: 0 });
    expect(await copy.count(tenant)).toBe(2);
  });

  it('shows a search what it saw when it began, however far the copy has come since', async () => {
    const tenant = newTenant();
    const old = [passage(0.9, 'doc_v1'), passage(0.3, 'doc_kept')];
    await publishPassages(db, tenant, model, old);
    await project();
    await asTenant(tenant, () =>
      db.transaction(async (query) => {
        await query('set transaction isolation level repeatable read, read only');
        const wanted = await wantedIn(tenant, query);
        await deleteDocument(db, tenant, 'doc_v1');
        await publishPassages(db, tenant, model, [passage(0.95, 'doc_v2')]);
        // The search's own transaction writes nothing, so it does not delay followers.
        await project();
        expect(await inCopy(tenant)).not.toContain(old[0]!.id);
        expect((await store.nearest(wanted, query)).map(({ id }) => id)).toEqual(ids(old));
      }),
    );
    expect(await search(tenant)).toHaveLength(2);
  });

  it('removes what should not be there, and mends what is missing, when it is made anew', async () => {
    const tenant = newTenant();
    const points = Array.from({ length: 120 }, (_, i) => passage(0.9 - i / 200, `doc_${i}`));
    await publishPassages(db, tenant, model, points);
    await project();
    // Simulates a manual change of the copy.
    await copy.removeDocuments(tenant, ['doc_0', 'doc_7']);
    await copy.upsert(tenant, [passage(0.99, 'doc_stray'), passage(0.98, 'doc_stray')]);
    expect((await inCopy(tenant))[0]).not.toBe(points[0]!.id);
    expect(await rebuildAll(tenant)).toEqual({ documents: 120, passages: 120, strays: 1, tenants: 1 });
    expect(await inCopy(tenant)).toEqual(ids(points).slice(0, 100));
    expect(await search(tenant)).toEqual(await search(tenant, pgvector));
  });

  it('is whole again after it was wiped, also in the middle of being made', async () => {
    const tenant = newTenant();
    const points = Array.from({ length: 110 }, (_, i) => passage(0.9 - i / 200, `doc_${i}`));
    await publishPassages(db, tenant, model, points);
    await project();
    const before = await search(tenant);
    await wipe();
    expect(await search(tenant)).toEqual(before);
    // Far enough to have written a part of the documents.
    let place: RebuildPlace | null = { only: tenant, tenant: null, stage: 'begin', after: null };
    for (let i = 0; i < 3 && place; i += 1) place = (await rebuild(parts(), place, hasty)).place;
    expect(await copy.count(tenant)).toBe(100);
    await wipe();
    const sum = { passages: 0, tenants: 0 };
    while (place) {
      const step: Awaited<ReturnType<typeof rebuild>> = await rebuild(parts(), place, hasty);
      sum.passages += step.done.passages;
      sum.tenants += step.done.tenants;
      place = step.place;
      expect(await search(tenant)).toEqual(before);
    }
    expect(sum).toEqual({ passages: 110, tenants: 1 });
    expect(await copy.count(tenant)).toBe(110);
    expect(await search(tenant)).toEqual(before);
    // The other tenants' copies are gone as well, and that is known.
    await project();
    expect((await statusOf(parts(), true)).pending).toBe(0);
  });

  it('does not trust a cursor of another Postgres', async () => {
    const tenant = newTenant();
    const points = [passage(0.4, 'doc_restored')];
    await publishPassages(db, tenant, model, points);
    await project();
    await asTenant(tenant, () =>
      db.query(`update outbox_cursors set xid = '900000000' where tenant_id = $1 and follower = $2`, [tenant, copy.follower]),
    );
    await copy.removeTenant(tenant);
    expect(await search(tenant)).toEqual(ids(points));
    expect(await follow()).toMatchObject({ unprojected: tenant });
    await project();
    expect(await inCopy(tenant)).toEqual(ids(points));
  });

  it('says how far behind it is', async () => {
    const tenant = newTenant();
    await project();
    const before = await statusOf(parts(), true);
    expect(before).toMatchObject({ store: 'qdrant', pending: 0, lag_seconds: 0, healthy: true });
    await publishPassages(db, tenant, model, [passage(0.4, 'doc_one'), passage(0.3, 'doc_two')]);
    expect(await statusOf(parts(), false)).toMatchObject({ pending: 2, projected: before.projected, healthy: false });
    await project();
    expect(await statusOf(parts(), true)).toMatchObject({ pending: 0, projected: before.projected! + 2, healthy: true });
  });

  it('answers like Postgres at every moment, while documents come and go and the copy runs after them', async () => {
    const tenant = newTenant();
    // Cosines far enough apart that halves keep their order.
    const cosines = Array.from({ length: 160 }, (_, i) => 0.95 - i * 0.008);
    const documents = cosines.map((cosine, i) => [passage(cosine, `doc_${i}`)]);
    await publishPassages(db, tenant, model, documents.slice(0, 40).flat());
    await project();
    let compared = 0;
    let ended = false;
    const compare = async (): Promise<void> => {
      while (!ended) {
        await asTenant(tenant, () =>
          db.transaction(async (query) => {
            await query('set transaction isolation level repeatable read, read only');
            const wanted = await wantedIn(tenant, query, 15);
            const fromCopy = await store.nearest(wanted, query);
            const fromPostgres = await pgvector.nearest(wanted, query);
            expect(fromCopy.map(({ id }) => id)).toEqual(fromPostgres.map(({ id }) => id));
          }),
        );
        compared += 1;
      }
    };
    const run = async (): Promise<void> => {
      while (!ended) await project();
    };
    const change = async (from: number, to: number): Promise<void> => {
      for (let i = from; i < to; i += 1) {
        await publishPassages(db, tenant, model, documents[i]!);
        // One of its own: what others have not published yet cannot be removed.
        const gone = `doc_${i - 10 < from ? i - from : i - 10}`;
        if (i % 2 === 0) await deleteDocument(db, tenant, gone);
        else await asTenant(tenant, () => db.transaction((query) => retireDocument(db, tenant, gone, query)));
      }
    };
    const watching = Promise.all([compare(), compare(), run()]);
    watching.catch(() => (ended = true));
    await Promise.all([change(40, 80), change(80, 120), change(120, 160)]);
    ended = true;
    await watching;
    expect(compared).toBeGreaterThan(20);
    await project();
    const [left] = await asTenant(tenant, () =>
      db.query<{ n: number }>(
        `select count(*)::int as n from chunks c join documents d on d.tenant_id = c.tenant_id and d.id = c.document_id and d.status = 'active'
         where c.tenant_id = $1`,
        [tenant],
      ),
    );
    expect(left!.n).toBeLessThan(80);
    expect(await copy.count(tenant)).toBe(left!.n);
  });

  it('catches up after the copy was away, and searches do not notice', async ({ skip }) => {
    if (!qdrant.control) return skip('this Qdrant is not ours to kill');
    const tenant = newTenant();
    const points = [passage(0.9, 'doc_one'), passage(0.8, 'doc_two')];
    await publishPassages(db, tenant, model, points.slice(0, 1));
    await project();
    await qdrant.control.kill();
    await publishPassages(db, tenant, model, points.slice(1));
    await expect(catchUp(parts(), patient)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await search(tenant)).toEqual(ids(points));
    expect(await statusOf(parts(), true)).toMatchObject({
      healthy: false,
      projected: null,
      pending: 1,
      problem: expect.stringContaining('Qdrant'),
    });
    await qdrant.control.start();
    await project();
    expect(await inCopy(tenant)).toEqual(ids(points));
    expect(await statusOf(parts(), true)).toMatchObject({ healthy: true, pending: 0 });
  });
});

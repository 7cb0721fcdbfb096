import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { pgvector, pgvectorStore } from '../../adapters/vectors/pgvector.ts';
import { testDatabase, writePassages } from './passages.ts';
import { describeStore, model, newTenant, numbers, point, unit } from './suite.ts';

describe('pgvector', () => {
  let db: Database;
  beforeAll(async () => {
    ({ db } = await testDatabase());
  });
  afterAll(() => db?.close());

  describeStore('pgvector, comparing all', () => ({
    put: (tenant, model, points) => writePassages(db, tenant, model, points),
    removeDocuments: (tenant, _model, ids) =>
      asTenant(tenant, async () => {
        await db.query('delete from documents where tenant_id = $1 and id = any($2)', [tenant, ids]);
      }),
    nearest: (wanted) => asTenant(wanted.tenant, () => db.transaction((query) => pgvector.nearest(wanted, query))),
  }));
});

// The index is approximate: the suite's exact answers are no contract of it.
const byIndex = pgvectorStore({ exactUpTo: 0, mostScanned: 60_000 });

it('finds by its index nearly all neighbours, and only those that match the filters', async () => {
  const { db } = await testDatabase();
  try {
    const random = numbers(8);
    const [tenant, other] = [newTenant(), newTenant()];
    const some = (n: number) =>
      Array.from({ length: n }, (_, i) => point({ vector: unit(random), scope: 1 + (i % 2), hasCode: i % 5 === 0 }));
    const own = some(300);
    await writePassages(db, tenant, model, own);
    await writePassages(db, tenant, 'another-model', some(100));
    await writePassages(db, other, model, some(300));
    const hidden = own.slice(0, 60).map(({ documentId }) => documentId);
    const wanted = { tenant, scopes: [2], model, hidden, hasCode: false, limit: 20, chunks: 150 };
    const matching = new Set(own.flatMap(({ id, scope, hasCode }, i) => (i >= 60 && scope === 2 && !hasCode ? [id] : [])));
    let found = 0;
    for (let i = 0; i < 10; i += 1) {
      const vector = Float32Array.from(unit(random));
      const ask = (store: typeof pgvector) =>
        asTenant(tenant, () => db.transaction((query) => store.nearest({ ...wanted, vector }, query)));
      const [near, all] = [await ask(byIndex), await ask(pgvector)];
      expect(near).toHaveLength(20);
      expect(near.filter(({ id }) => !matching.has(id))).toEqual([]);
      const truth = new Set(all.map(({ id }) => id));
      found += near.filter(({ id }) => truth.has(id)).length;
    }
    expect(found).toBeGreaterThan(180);
  } finally {
    await db.close();
  }
});

it('asks the index where it was chosen, though Postgres would rather compare the few rows that it expects, and leaves later statements alone', async () => {
  const { db } = await testDatabase();
  try {
    const [tenant, random] = [newTenant(), numbers(7)];
    await writePassages(
      db,
      tenant,
      model,
      Array.from({ length: 150 }, () => point({ vector: unit(random) })),
    );
    const plans: string[] = [];
    const sorts = await asTenant(tenant, () =>
      db.transaction(async (query) => {
        const explaining: Database['query'] = async (text, values) => {
          if (String(text).startsWith('with near')) {
            const rows = await query<{ 'QUERY PLAN': string }>(`explain (costs off) ${String(text)}`, values);
            plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
          }
          return await query(text, values);
        };
        const wanted = { tenant, scopes: [1], model, vector: Float32Array.from(unit(random)), limit: 100, hidden: [], chunks: 150 };
        expect((await byIndex.nearest(wanted, explaining)).length).toBeGreaterThan(80);
        return await query<{ enable_sort: string }>('show enable_sort');
      }),
    );
    expect(plans).toEqual([expect.stringContaining('chunks_vectors_384')]);
    expect(sorts).toEqual([{ enable_sort: 'on' }]);
  } finally {
    await db.close();
  }
});

import { afterAll, beforeAll, describe } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { pgvector, pgvectorStore } from '../../adapters/vectors/pgvector.ts';
import { testDatabase, writePassages } from './passages.ts';
import { describeStore } from './suite.ts';

describe.each([
  ['comparing all', pgvector],
  ['by its index', pgvectorStore({ exactUpTo: 0, mostScanned: 60_000 })],
])('pgvector, %s', (name, store) => {
  let db: Database;
  beforeAll(async () => {
    ({ db } = await testDatabase());
  });
  afterAll(() => db?.close());

  describeStore(`pgvector, ${name}`, () => ({
    put: (tenant, model, points) => writePassages(db, tenant, model, points),
    removeDocuments: (tenant, _model, ids) =>
      asTenant(tenant, async () => {
        await db.query('delete from documents where tenant_id = $1 and id = any($2)', [tenant, ids]);
      }),
    nearest: (wanted) => asTenant(wanted.tenant, () => db.transaction((query) => store.nearest(wanted, query))),
  }));
});

import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { pgvector } from '../../adapters/vectors/pgvector.ts';
import { testDatabase, writePassages } from './passages.ts';
import { describeStore } from './suite.ts';

let db: Database;
beforeAll(async () => {
  ({ db } = await testDatabase());
});
afterAll(() => db?.close());

describeStore('pgvector', () => ({
  put: (tenant, model, points) => writePassages(db, tenant, model, points),
  removeDocuments: (tenant, _model, ids) =>
    asTenant(tenant, async () => {
      await db.query('delete from documents where tenant_id = $1 and id = any($2)', [tenant, ids]);
    }),
  nearest: (wanted) => asTenant(wanted.tenant, () => db.transaction((query) => pgvector.nearest(wanted, query))),
}));

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresGraph } from '../../adapters/graph/postgres.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { relation, testDatabase, writeGraph } from './graphs.ts';
import { describeStore, newTenant } from './suite.ts';

let db: Database;
beforeAll(async () => {
  ({ db } = await testDatabase());
});
afterAll(() => db?.close());

describeStore('Postgres', () => ({
  put: (tenant, graph) => writeGraph(db, tenant, graph),
  store: postgresGraph((text, values) => db.query(text, values)),
}));

describe('row-level security', () => {
  it('holds a graph back even from a caller who names its tenant', async () => {
    const tenant = newTenant();
    await writeGraph(db, tenant, { entities: [{ id: 'a' }, { id: 'b' }], relations: [relation('a', 'b')] });
    const store = postgresGraph(db.query);
    expect(await asTenant(tenant, () => store.related(tenant, 'a', { maxHops: 1, limit: 5 }))).toHaveLength(1);
    expect(await asTenant(newTenant(), () => store.related(tenant, 'a', { maxHops: 1, limit: 5 }))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Database } from '../postgres/database.ts';
import { pgvectorStore } from './pgvector.ts';
import type { NearestQuery } from './types.ts';

const wanted: NearestQuery = {
  tenant: 'acme',
  scopes: [1],
  model: 'any',
  vector: new Float32Array(384),
  limit: 10,
  hidden: [],
  chunks: 20_000,
};
const { nearest } = pgvectorStore({ exactUpTo: 5_000, mostScanned: 60_000 });

/** A Postgres whose index has `all` vectors and gives `byIndex` rows; a comparison with all finds ten. */
async function asked({
  all,
  byIndex,
  ...more
}: { all: number; byIndex: number } & Partial<NearestQuery>): Promise<{ ways: string[]; found: number }> {
  const ways: string[] = [];
  const rows = (n: number) => Array.from({ length: n }, (_, i) => ({ id: String(i), score: 1 }));
  const query = ((text: string) => {
    if (text.includes('pg_class')) return Promise.resolve([{ all }]);
    if (text.includes('count(*)')) return Promise.resolve([{ n: 3_000 }]);
    if (!text.startsWith('with near')) return Promise.resolve([]);
    const exact = !text.includes(`limit ${wanted.limit})`);
    ways.push(exact ? 'exact' : 'index');
    return Promise.resolve(rows(exact ? wanted.limit : byIndex));
  }) as Database['query'];
  return { found: (await nearest({ ...wanted, ...more }, query)).length, ways };
}

describe('the vectors of one tenant among those of others', () => {
  it('are found by the index in a large tenant', async () => {
    expect(await asked({ all: 30_000, byIndex: 10 })).toEqual({ ways: ['index'], found: 10 });
  });

  it('are all compared where the index would read many rows of others', async () => {
    expect(await asked({ all: 10_000_000, byIndex: 10 })).toEqual({ ways: ['exact'], found: 10 });
  });

  it('are all compared in a small tenant, and where few match the filters', async () => {
    expect(await asked({ all: 30_000, byIndex: 10, chunks: 5_000 })).toEqual({ ways: ['exact'], found: 10 });
    expect(await asked({ all: 30_000, byIndex: 10, sources: ['one'] })).toEqual({ ways: ['exact'], found: 10 });
  });

  it('are all compared after the index gave up among those of others', async () => {
    expect(await asked({ all: 100_000, byIndex: 4 })).toEqual({ ways: ['index', 'exact'], found: 10 });
  });

  it('are not compared again where the index has no more, or where that would take longer than the scan', async () => {
    expect(await asked({ all: 30_000, byIndex: 4 })).toEqual({ ways: ['index'], found: 4 });
    expect(await asked({ all: 1_000_000, byIndex: 4, chunks: 900_000 })).toEqual({ ways: ['index'], found: 4 });
  });
});

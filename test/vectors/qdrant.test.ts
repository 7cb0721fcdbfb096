import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionName, openQdrant } from '../../adapters/vectors/qdrant.ts';
import { passageTerms, termHash, typicalLength } from '../../adapters/vectors/sparse.ts';
import type { ProjectedVectors, TermsQuery } from '../../adapters/vectors/types.ts';
import { bm25 } from '../../engines/retrieval/terms.ts';
import { startQdrant, type TestQdrant } from './qdrant.ts';
import { at, describeStore, dimensions, model, newTenant, numbers, point, unit } from './suite.ts';

const started = await startQdrant();
const missing = 'missing' in started ? started.missing : null;
if (missing) console.warn(`Tests of the Qdrant adapter are skipped: ${missing}`);

describe.skipIf(missing !== null)('Qdrant', () => {
  const qdrant = started as TestQdrant;
  const stores = new Map<string, ProjectedVectors>();
  const open = (of: string, more: { prefix?: string; dimensions?: number; apiKey?: string; url?: string; searchTimeoutMs?: number } = {}) =>
    openQdrant({ url: qdrant.url, apiKey: qdrant.apiKey, prefix: qdrant.prefix, model: of, dimensions, ...more });
  async function storeOf(of: string): Promise<ProjectedVectors> {
    const known = stores.get(of);
    if (known) return known;
    const store = open(of);
    await store.ensure();
    stores.set(of, store);
    return store;
  }
  let store: ProjectedVectors;
  beforeAll(async () => {
    store = await storeOf(model);
  });
  afterAll(async () => {
    await dropCollections(qdrant);
    await qdrant.stop();
  });

  describeStore(`the store (${qdrant.name})`, () => ({
    put: async (tenant, of, points) => (await storeOf(of)).upsert(tenant, points),
    removeDocuments: async (tenant, of, ids) => (await storeOf(of)).removeDocuments(tenant, ids),
    nearest: (wanted) => store.nearest(wanted),
  }));

  describe('by words', () => {
    const random = numbers(11);
    const passage = (terms: Record<string, number>, fields: Partial<Parameters<typeof point>[0]> = {}) =>
      point({
        vector: unit(random),
        terms: Object.entries(terms),
        length: Object.values(terms).reduce((sum, times) => sum + times, 0),
        ...fields,
      });
    const ask = (tenant: string, terms: Record<string, number>, more: Partial<TermsQuery> = {}) =>
      store.byTerms({ tenant, scopes: [1], model, hidden: [], limit: 10, terms: new Map(Object.entries(terms)), ...more });

    it('scores as BM25 does, with the statistics of this tenant alone', async () => {
      const [tenant, other] = [newTenant(), newTenant()];
      const passages = [
        passage({ zeppelin: 3, export: 1, row: 40 }),
        passage({ zeppelin: 1, crash: 2 }),
        passage({ export: 2, row: 90, column: 30 }),
        passage({ crash: 1 }),
      ];
      await store.upsert(tenant, passages);
      // Were these counted, "zeppelin" would say nothing.
      await store.upsert(
        other,
        Array.from({ length: 40 }, () => passage({ zeppelin: 1 })),
      );
      const query = { zeppelin: 1, export: 2 };
      const n = passages.length;
      const expected = passages
        .map(({ id, terms, length }) => {
          const tf = new Map(terms);
          const score = Object.entries(query).reduce((sum, [term, times]) => {
            const df = passages.filter((each) => each.terms.some(([word]) => word === term)).length;
            return sum + (tf.has(term) ? times * bm25(tf.get(term)!, length, typicalLength, df, n) : 0);
          }, 0);
          return { id, score };
        })
        .filter(({ score }) => score > 0)
        .sort((one, two) => two.score - one.score);
      const found = await ask(tenant, query);
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      // Before 1.19 a server counts the whole collection, whatever it is asked.
      if (qdrant.name === 'engine') for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(expected[i]!.score, 4);
    });

    it('keeps to the filters, and finds nothing for no or unknown words', async () => {
      const tenant = newTenant();
      const code = passage({ parse: 2 }, { hasCode: true, sourceId: 'source_code' });
      const hidden = passage({ parse: 9 }, { documentId: 'doc_hidden' });
      await store.upsert(tenant, [code, hidden, passage({ parse: 5 }), passage({}), passage({ parse: 7 }, { scope: 9 })]);
      expect((await ask(tenant, { parse: 1 }, { hasCode: true })).map(({ id }) => id)).toEqual([code.id]);
      expect((await ask(tenant, { parse: 1 }, { sources: ['source_code'] })).map(({ id }) => id)).toEqual([code.id]);
      expect(await ask(tenant, { parse: 1 }, { hidden: ['doc_hidden'] })).toHaveLength(2);
      expect(await ask(tenant, {})).toEqual([]);
      expect(await ask(tenant, { unheard: 1 })).toEqual([]);
      expect(await ask(newTenant(), { parse: 1 })).toEqual([]);
    });

    it('hashes terms evenly, and adds up those that share a hash', () => {
      const hashes = new Set<number>();
      for (let i = 0; i < 200_000; i += 1) hashes.add(termHash(`word${i.toString(36)}`));
      // Of 200,000 evenly spread numbers of 32 bits about five pairs meet.
      expect(hashes.size).toBeGreaterThan(199_980);
      expect(Math.max(...[...hashes].slice(0, 1_000))).toBeLessThan(2 ** 32);
      const { indices, values } = passageTerms([['a', 2], ['b', 1], ['a', 3]], 6); // prettier-ignore
      expect(indices).toEqual([termHash('a'), termHash('b')]);
      expect(values).toEqual(passageTerms([['a', 5], ['b', 1]], 6).values); // prettier-ignore
    });
  });

  describe('as a copy', () => {
    it('counts passages and lists documents by pages', async () => {
      const tenant = newTenant();
      const random = numbers(5);
      const points = Array.from({ length: 40 }, (_, i) => point({ vector: unit(random), documentId: `many_${i % 7}` }));
      await store.upsert(tenant, points);
      expect(await store.count(tenant)).toBe(40);
      expect(await store.count()).toBeGreaterThanOrEqual(40);
      const seen = new Set<string>();
      for (let cursor: string | null = null; ;) {
        const page: Awaited<ReturnType<ProjectedVectors['documents']>> = await store.documents(tenant, cursor);
        for (const id of page.ids) seen.add(id);
        cursor = page.next;
        if (cursor === null) break;
      }
      expect([...seen].sort()).toEqual(Array.from({ length: 7 }, (_, i) => `many_${i}`));
      await store.removeTenant(tenant);
      expect(await store.count(tenant)).toBe(0);
      expect(await store.documents(tenant, null)).toEqual({ ids: [], next: null });
    });

    it('is made once, and again when it is gone', async () => {
      const fresh = open('made-twice');
      expect(await fresh.exists()).toBe(false);
      await expect(fresh.count()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { status: 404 } });
      await Promise.all([fresh.ensure(), fresh.exists()]);
      await fresh.ensure();
      expect(await fresh.exists()).toBe(true);
      await drop(qdrant, collectionName(qdrant.prefix, 'made-twice'));
      expect(await fresh.exists()).toBe(false);
      await fresh.ensure();
      expect(await fresh.count()).toBe(0);
    });

    it('refuses a collection of its name with other vectors', async () => {
      await open('disputed').ensure();
      await expect(open('disputed', { dimensions: 8 }).ensure()).rejects.toMatchObject({
        code: 'CONFLICT',
        hint: expect.stringContaining('QDRANT_COLLECTION'),
      });
    });

    it('gives every model a name that Qdrant takes', () => {
      expect(collectionName('signalbox', 'bge-small-en-v1.5-int8:46a5f4dce5da')).toBe('signalbox-bge-small-en-v1.5-int8_46a5f4dce5da');
      expect(collectionName('signalbox', 'plain-1.5')).toBe('signalbox-plain-1.5');
      expect(collectionName('s', 'Org/Model 1')).toMatch(/^s-Org-Model-1-[0-9a-f]{8}$/);
      const alike = ['a:b', 'a_b', 'a-b', 'a/b', 'a b', 'a:b:c', 'a_b:c', 'a:b_c'];
      expect(new Set(alike.map((id) => collectionName('s', id))).size).toBe(alike.length);
    });
  });

  describe('when it cannot be used', () => {
    const axis = Float32Array.from(unit(numbers(3)));
    const nearest = (of: ProjectedVectors) =>
      of.nearest({ tenant: 't', scopes: [1], model, vector: axis, limit: 1, hidden: [], chunks: 1 });

    it('says so, and that it is worth trying again', async () => {
      const away = open(model, { url: 'http://127.0.0.1:9' });
      for (const attempt of [nearest(away), away.health(), away.exists(), away.upsert('t', [point({ vector: unit(numbers(1)) })])]) {
        await expect(attempt).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true, details: { store: 'qdrant' } });
      }
    });

    it('names the setting when the key is wrong, and does not repeat the key', async ({ skip }) => {
      if (qdrant.apiKey === undefined) return skip('this Qdrant takes everybody');
      const error = await nearest(open(model, { apiKey: 'wrong-key' })).catch((reason: unknown) => reason as Error & { hint: string });
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', hint: expect.stringContaining('QDRANT_API_KEY') });
      expect(JSON.stringify([String(error), error])).not.toContain('wrong-key');
    });

    it('gives up on a silent one after the time a search has', async () => {
      const silent = createServer(() => {}).listen(0, '127.0.0.1');
      await new Promise((done) => silent.once('listening', done));
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const began = performance.now();
      await expect(nearest(open(model, { url, searchTimeoutMs: 150 }))).rejects.toThrow('in time');
      expect(performance.now() - began).toBeLessThan(2_000);
      silent.closeAllConnections();
      await new Promise((done) => silent.close(done));
    });

    it('has kept everything after a kill', async ({ skip }) => {
      if (!qdrant.control) return skip('this Qdrant is not ours to kill');
      const tenant = newTenant();
      const random = numbers(23);
      const points = Array.from({ length: 25 }, (_, i) =>
        point({ vector: at([...axis], 0.9 - i / 40, random), terms: [['kept', i + 1]], length: i + 1 }),
      );
      await store.upsert(tenant, points);
      const ask = () =>
        Promise.all([
          store.nearest({ tenant, scopes: [1], model, vector: axis, limit: 25, hidden: [], chunks: 1 }),
          store.byTerms({ tenant, scopes: [1], model, terms: new Map([['kept', 1]]), limit: 25, hidden: [] }),
        ]);
      const before = await ask();
      await qdrant.control.kill();
      await expect(store.health()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await qdrant.control.start();
      expect(await ask()).toEqual(before);
      expect(before.map((found) => found.length)).toEqual([25, 25]);
    });
  });
});

async function drop({ url, apiKey }: TestQdrant, name: string): Promise<void> {
  await fetch(`${url}/collections/${name}`, { method: 'DELETE', ...(apiKey ? { headers: { 'api-key': apiKey } } : {}) });
}

async function dropCollections(qdrant: TestQdrant): Promise<void> {
  for (const each of [model, 'another-model', 'made-twice', 'disputed']) await drop(qdrant, collectionName(qdrant.prefix, each));
}

import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openNeo4j } from '../../adapters/graph/neo4j.ts';
import { postgresGraph } from '../../adapters/graph/postgres.ts';
import type { GraphCopy } from '../../adapters/graph/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { randomGraph, relation, testDatabase, writeGraph, type TestGraph } from './graphs.ts';
import { startNeo4j, type TestNeo4j } from './neo4j.ts';
import { describeStore, newTenant } from './suite.ts';

const started = await startNeo4j();
const missing = 'missing' in started ? started.missing : null;
if (missing) console.warn(`Tests of the Neo4j adapter are skipped: ${missing}`);

describe.skipIf(missing !== null)('Neo4j', { timeout: 120_000 }, () => {
  const server = started as TestNeo4j;
  const { uri, user, password, database } = server;
  let copy: GraphCopy;
  beforeAll(async () => {
    copy = openNeo4j({ uri, user, password, database });
    await copy.ensure();
  });
  afterAll(async () => {
    await copy.close();
    await server.stop();
  });

  /** Writes like a projection. */
  async function put(tenant: string, { entities, relations }: TestGraph): Promise<void> {
    await copy.write(tenant, {
      nodes: entities.filter(({ status }) => status !== 'merged').map(({ id, type = 'theme' }) => ({ id, type, name: `name of ${id}` })),
      gone: entities.filter(({ status }) => status === 'merged').map(({ id }) => id),
      relations: relations.filter(({ passages }) => passages > 0),
      ended: relations.filter(({ passages }) => passages === 0),
      whole: [],
    });
  }

  describeStore(`Neo4j (${server.name})`, () => ({ put, store: copy }));

  describe('beside Postgres', () => {
    let db: Database;
    beforeAll(async () => {
      ({ db } = await testDatabase());
    });
    afterAll(() => db?.close());

    it('gives the very same answers, hubs and caps included', async () => {
      const postgres = postgresGraph(db.query);
      for (const [seed, nodes, edges] of [
        [11, 80, 200],
        [12, 400, 3_000],
        [13, 2_000, 9_000],
      ] as const) {
        // prettier-ignore
        const tenant = newTenant();
        const graph = randomGraph(seed, nodes, edges);
        await writeGraph(db, tenant, graph);
        await put(tenant, graph);
        const roots = graph.entities.filter((_entity, i) => i % Math.ceil(nodes / 8) === 0).map(({ id }) => id);
        for (const root of roots) {
          for (const options of [
            { maxHops: 1, limit: 20 },
            { maxHops: 3, limit: 1_000 },
            { maxHops: 4, limit: 100_000 },
            { maxHops: 3, limit: 15, types: ['customer', 'issue'] },
          ]) {
            const expected = await asTenant(tenant, () => postgres.related(tenant, root, options));
            expect(await copy.related(tenant, root, options)).toEqual(expected);
          }
          for (const options of [
            { depth: 0, limit: 5 },
            { depth: 1, limit: 40 },
            { depth: 3, limit: 300 },
          ]) {
            const expected = await asTenant(tenant, () => postgres.around(tenant, [root, roots[0]!], options));
            expect(await copy.around(tenant, [root, roots[0]!], options)).toEqual(expected);
          }
          const expected = await asTenant(tenant, () => postgres.shortestPath(tenant, root, roots.at(-1)!, 4));
          expect(await copy.shortestPath(tenant, root, roots.at(-1)!, 4)).toEqual(expected);
        }
      }
    });
  });

  describe('as a copy', () => {
    const graph = { entities: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], relations: [relation('a', 'b', 3), relation('c', 'a', 2, 'uses')] };

    it('holds the same after a batch is repeated', async () => {
      const tenant = newTenant();
      const held = async () => [await copy.nodes(tenant, '', 10), await copy.relationsFrom(tenant, ['a', 'b', 'c'])];
      await put(tenant, graph);
      const once = await held();
      await put(tenant, graph);
      expect(await held()).toEqual(once);
      expect(once[0]).toEqual(['a', 'b', 'c'].map((id) => ({ id, type: 'theme', name: `name of ${id}` })));
      expect(once[1]).toEqual(expect.arrayContaining(graph.relations));
      expect(await copy.count(tenant)).toBe(3);
      expect(await copy.count()).toBeGreaterThanOrEqual(3);
    });

    it('lists nodes by pages, and leaves out relations of entities it does not have', async () => {
      const tenant = newTenant();
      await put(tenant, { ...graph, relations: [...graph.relations, relation('b', 'absent', 4)] });
      expect((await copy.nodes(tenant, '', 2)).map(({ id }) => id)).toEqual(['a', 'b']);
      expect((await copy.nodes(tenant, 'b', 2)).map(({ id }) => id)).toEqual(['c']);
      expect(await copy.relationsFrom(tenant, ['b'])).toEqual([]);
      expect(await copy.count(tenant)).toBe(3);
    });

    it('loses a tenant, and only that', async () => {
      const [tenant, other] = [newTenant(), newTenant()];
      await put(tenant, graph);
      await put(other, graph);
      await copy.removeTenant(tenant);
      expect([await copy.count(tenant), await copy.count(other)]).toEqual([0, 3]);
      expect(await copy.relationsFrom(other, ['a'])).toEqual([graph.relations[0]]);
    });

    it('takes names for text, whatever they say', async () => {
      const tenant = newTenant();
      const name = `'}) DETACH DELETE n //"\\ $tenant`;
      await copy.write(tenant, { nodes: [{ id: name, type: 'theme', name }, { id: 'b', type: name, name: 'b' }], gone: [], relations: [relation(name, 'b', 1, name)], ended: [], whole: [] }); // prettier-ignore
      expect(await copy.related(tenant, 'b', { maxHops: 1, limit: 5 })).toMatchObject([{ id: name, path: [{ kind: name }] }]);
    });
  });

  describe('when it cannot be used', () => {
    async function ask(of: GraphCopy): Promise<void> {
      try {
        await of.related('t', 'a', { maxHops: 1, limit: 1 });
      } finally {
        await of.close();
      }
    }

    it('says so, and that it is worth trying again', async () => {
      const away = openNeo4j({ uri: 'bolt://127.0.0.1:9', user, password, database });
      const gone = { code: 'SERVICE_UNAVAILABLE', retryable: true, details: { store: 'neo4j' } };
      await expect(away.health()).rejects.toMatchObject(gone);
      await expect(ask(away)).rejects.toMatchObject(gone);
    });

    it('names the setting when the password is wrong, and does not repeat it', async ({ skip }) => {
      if (password === undefined) return skip('this Neo4j takes everybody');
      const error = await ask(openNeo4j({ uri, user, password: 'wrong-password', database })).catch((reason: unknown) => reason as Error);
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', hint: expect.stringContaining('NEO4J_PASSWORD') });
      expect(JSON.stringify([String(error), error])).not.toContain('wrong-password');
    });

    it('names the database that is not there', async () => {
      await expect(ask(openNeo4j({ uri, user, password, database: 'elsewhere' }))).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        hint: expect.stringContaining('NEO4J_DATABASE'),
      });
    });

    it('gives up on a silent one', async () => {
      const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
      await new Promise((done) => silent.once('listening', done));
      const began = performance.now();
      const quiet = openNeo4j({ uri: `bolt://127.0.0.1:${(silent.address() as AddressInfo).port}`, user, password, database });
      await expect(ask(quiet)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(performance.now() - began).toBeLessThan(30_000);
      silent.close();
    });

    it('has kept everything after a kill', async ({ skip }) => {
      if (!server.control) return skip('this Neo4j is not ours to kill');
      const tenant = newTenant();
      const graph = randomGraph(21, 100, 300, true);
      await put(tenant, graph);
      const held = async () => [await copy.count(tenant), await copy.related(tenant, graph.entities[0]!.id, { maxHops: 4, limit: 1_000 })];
      const before = await held();
      await server.control.kill();
      await expect(copy.health()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await server.control.start();
      expect(await held()).toEqual(before);
      expect(before[0]).toBe(100);
    });
  });
});

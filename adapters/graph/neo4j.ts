import neo4j, { type Driver, Neo4jError, type Session } from 'neo4j-driver';
import { AppError } from '../../contracts/errors.ts';
import { userAgent } from '../../platform/version.ts';
import type { GraphCopy, GraphNode, Relation } from './types.ts';
import { graphStore, type Neighbour } from './walk.ts';

export interface Neo4jOptions {
  /** E.g. bolt://localhost:7687. */
  uri: string;
  user: string;
  /** Undefined: the server needs none. */
  password?: string | undefined;
  database: string;
  /** Timeout of one query of a search; default 5,000 ms. */
  searchTimeoutMs?: number;
}

/** Timeout of a write, e.g. of a batch of a rebuild. */
const writeTimeoutMs = 120_000;
const connectTimeoutMs = 2_000;
/** Deleted per transaction, so that removing a big tenant fits a small server's memory. */
const deletedAtOnce = 2_000;

/**
 * The graph in Neo4j. Nodes have the label SignalboxEntity, unique by tenant and id; every relation has the type
 * RELATED with its kind as a property, so that no text is ever part of a query.
 */
export function openNeo4j({ uri, user, password, database, searchTimeoutMs = 5_000 }: Neo4jOptions): GraphCopy {
  const driver = connect(uri, user, password);
  let ensured = false;
  const session = (defaultAccessMode: 'READ' | 'WRITE'): Session => driver.session({ database, defaultAccessMode });

  async function read<T>(query: string, params: object): Promise<T[]> {
    return await answered(async () => {
      try {
        return await once<T>(query, params);
      } catch (error) {
        // A connection from before the server's restart; the next one is new.
        if (!stale(error)) throw error;
        return await once<T>(query, params);
      }
    });
  }

  async function once<T>(query: string, params: object): Promise<T[]> {
    const reading = session('READ');
    try {
      const { records } = await reading.run(query, params, { timeout: searchTimeoutMs });
      return records.map((record) => record.toObject() as T);
    } finally {
      await reading.close();
    }
  }

  /** Statements in one transaction, retried after conflicts. */
  async function write(statements: [query: string, params: object][]): Promise<void> {
    await answered(async () => {
      const writing = session('WRITE');
      try {
        await writing.executeWrite(
          async (transaction) => {
            for (const [query, params] of statements) await transaction.run(query, params);
          },
          { timeout: writeTimeoutMs },
        );
      } finally {
        await writing.close();
      }
    });
  }

  /** Outside a transaction: schema, and statements that commit themselves. */
  async function command(query: string, params: object = {}): Promise<void> {
    await answered(async () => {
      const writing = session('WRITE');
      try {
        await writing.run(query, params, { timeout: writeTimeoutMs });
      } finally {
        await writing.close();
      }
    });
  }

  async function active(tenant: string, ids: readonly string[]): Promise<{ id: string; type: string }[]> {
    if (ids.length === 0) return [];
    return await read<{ id: string; type: string }>(
      'UNWIND $ids AS id MATCH (n:SignalboxEntity {tenant: $tenant, id: id}) RETURN DISTINCT n.id AS id, n.type AS type',
      { tenant, ids },
    );
  }

  const store = graphStore('neo4j', {
    active,

    async neighbours(tenant, ids, limit) {
      // One record per node with its relations as lists, because reading records is slow.
      const rows = await read<{ from: string; to: string[]; kind: string[]; passages: number[] }>(
        `UNWIND $ids AS id
         MATCH (n:SignalboxEntity {tenant: $tenant, id: id})
         CALL (n) {
           MATCH (n)-[r:RELATED]-(o:SignalboxEntity)
           WITH o.id AS other, r.kind AS kind, r.passages AS passages ORDER BY passages DESC, other, kind LIMIT $limit
           RETURN collect(other) AS others, collect(kind) AS kinds, collect(passages) AS counts
         }
         RETURN id AS from, others AS to, kinds AS kind, counts AS passages`,
        { tenant, ids, limit: neo4j.int(limit) },
      );
      return rows.flatMap(({ from, to, kind, passages }) =>
        to.map((other, i): Neighbour => ({ from, to: other, kind: kind[i]!, passages: passages[i]! })),
      );
    },

    async among(tenant, ids, limit) {
      return await read<Relation>(
        `UNWIND $ids AS id
         MATCH (a:SignalboxEntity {tenant: $tenant, id: id})-[r:RELATED]->(b:SignalboxEntity) WHERE b.id IN $ids
         WITH a.id AS source, b.id AS target, r.kind AS kind, r.passages AS passages, r.documents AS documents
         RETURN source, target, kind, passages, documents ORDER BY passages DESC, source, target, kind LIMIT $limit`,
        { tenant, ids, limit: neo4j.int(limit) },
      );
    },
  });

  return {
    ...store,
    follower: `neo4j:${database}`,

    // Deleted together with the data when somebody empties the database; constraints would stay.
    async exists() {
      const there = (await read(`MATCH (c:SignalboxCopy {id: 'graph'}) RETURN c.id AS id`, {})).length > 0;
      ensured &&= there;
      return there;
    },

    async ensure() {
      if (ensured) return;
      await command('CREATE CONSTRAINT signalbox_entity IF NOT EXISTS FOR (n:SignalboxEntity) REQUIRE (n.tenant, n.id) IS UNIQUE');
      await command('CREATE CONSTRAINT signalbox_copy IF NOT EXISTS FOR (c:SignalboxCopy) REQUIRE c.id IS UNIQUE');
      await command('CALL db.awaitIndexes(20)');
      await command(`MERGE (:SignalboxCopy {id: 'graph'})`);
      ensured = true;
    },

    async write(tenant, { nodes, gone, relations, ended, whole }) {
      const statements: [string, object][] = [
        ['UNWIND $gone AS id MATCH (n:SignalboxEntity {tenant: $tenant, id: id}) DETACH DELETE n', { tenant, gone }],
        [
          `UNWIND $nodes AS node MERGE (n:SignalboxEntity {tenant: $tenant, id: node.id}) ON CREATE SET n.partial = true
           SET n.type = node.type, n.name = node.name`,
          { tenant, nodes },
        ],
        [
          `UNWIND $ended AS e
           MATCH (:SignalboxEntity {tenant: $tenant, id: e.source})-[r:RELATED {kind: e.kind}]->(:SignalboxEntity {tenant: $tenant, id: e.target})
           DELETE r`,
          { tenant, ended },
        ],
        [
          `UNWIND $relations AS e
           MATCH (a:SignalboxEntity {tenant: $tenant, id: e.source}), (b:SignalboxEntity {tenant: $tenant, id: e.target})
           MERGE (a)-[r:RELATED {kind: e.kind}]->(b)
           SET r.passages = toInteger(e.passages), r.documents = toInteger(e.documents)`,
          { tenant, relations },
        ],
        ['UNWIND $whole AS id MATCH (n:SignalboxEntity {tenant: $tenant, id: id}) REMOVE n.partial', { tenant, whole }],
      ];
      const wanted = [gone, nodes, ended, relations, whole];
      await write(statements.filter((_statement, i) => wanted[i]!.length > 0));
    },

    async present(tenant, ids) {
      if (ids.length === 0) return [];
      const rows = await read<{ id: string }>(
        'UNWIND $ids AS id MATCH (n:SignalboxEntity {tenant: $tenant, id: id}) WHERE n.partial IS NULL RETURN DISTINCT n.id AS id',
        { tenant, ids },
      );
      return rows.map(({ id }) => id);
    },

    async removeTenant(tenant) {
      await command(`MATCH (n:SignalboxEntity {tenant: $tenant}) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF ${deletedAtOnce} ROWS`, {
        tenant,
      });
    },

    async count(tenant) {
      const query = tenant === undefined ? 'MATCH (n:SignalboxEntity)' : 'MATCH (n:SignalboxEntity {tenant: $tenant})';
      const [row] = await read<{ n: number }>(`${query} RETURN count(n) AS n`, { tenant: tenant ?? null });
      return row?.n ?? 0;
    },

    async find(tenant, ids) {
      return await read<GraphNode>(
        `UNWIND $ids AS id MATCH (n:SignalboxEntity {tenant: $tenant, id: id}) RETURN DISTINCT n.id AS id, n.type AS type, n.name AS name`,
        { tenant, ids },
      );
    },

    async nodes(tenant, after, limit) {
      return await read<GraphNode>(
        `MATCH (n:SignalboxEntity {tenant: $tenant}) WHERE n.id > $after
         RETURN n.id AS id, n.type AS type, n.name AS name ORDER BY id LIMIT $limit`,
        { tenant, after, limit: neo4j.int(limit) },
      );
    },

    async relationsFrom(tenant, ids) {
      return await read<Relation>(
        `UNWIND $ids AS id MATCH (a:SignalboxEntity {tenant: $tenant, id: id})-[r:RELATED]->(b:SignalboxEntity)
         RETURN a.id AS source, b.id AS target, r.kind AS kind, r.passages AS passages, r.documents AS documents`,
        { tenant, ids },
      );
    },

    async health() {
      await read('RETURN 1 AS one', {});
    },

    async close() {
      await driver.close();
    },
  };
}

function connect(uri: string, user: string, password: string | undefined): Driver {
  return neo4j.driver(uri, password === undefined ? undefined : neo4j.auth.basic(user, password), {
    // Counts are far below 2^53.
    disableLosslessIntegers: true,
    maxConnectionPoolSize: 20,
    connectionTimeout: connectTimeoutMs,
    connectionAcquisitionTimeout: 2 * connectTimeoutMs,
    connectionLivenessCheckTimeout: 30_000,
    maxTransactionRetryTime: 5_000,
    userAgent,
  });
}

const stale = (error: unknown): boolean =>
  error instanceof Neo4jError && (error.code === neo4j.error.SESSION_EXPIRED || error.code === neo4j.error.SERVICE_UNAVAILABLE);

/** Maps any failure to "the copy is unavailable". */
async function answered<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const code = error instanceof Neo4jError ? error.code : undefined;
    const denied = code?.startsWith('Neo.ClientError.Security') ?? false;
    const away = code === undefined || code === neo4j.error.SERVICE_UNAVAILABLE || code === neo4j.error.SESSION_EXPIRED;
    const problem = denied ? 'refuses this user' : away ? 'cannot be reached' : `answered ${code}`;
    throw new AppError('SERVICE_UNAVAILABLE', `The graph store (Neo4j) ${problem}.`, {
      hint: denied ? 'Check NEO4J_USER and NEO4J_PASSWORD.' : 'Check NEO4J_URI and NEO4J_DATABASE, and whether Neo4j runs.',
      retryAfterSeconds: 5,
      details: { store: 'neo4j', ...(code === undefined ? {} : { code }) },
      cause: error,
    });
  }
}

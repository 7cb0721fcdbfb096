/** Traversal of the graph in Postgres and in Neo4j, compared with one query for one node's relations. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openNeo4j } from '../../adapters/graph/neo4j.ts';
import { postgresGraph } from '../../adapters/graph/postgres.ts';
import type { GraphCopy, GraphStore, RelatedOptions } from '../../adapters/graph/types.ts';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { RebuildPlace } from '../../contracts/activities/kernel/projection.ts';
import { startNeo4j } from '../../platform/embedded/neo4j.ts';
import { acquireNeo4j, cacheFolder } from '../../platform/embedded/parts.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { graphCopied } from '../../services/kernel/projections/entities.ts';
import { rebuild } from '../../services/kernel/projections/rebuild.ts';
import type { Context } from '../context.ts';
import { ms, rate, spreadText, type Line, type Section } from '../report.ts';
import { spread, takeTurns, timed } from '../stats.ts';

const tenant = 'graph';
const nodes = 20_000;
const edges = 100_000;
const p95Goal = 100;

const asked: [path: string, options: RelatedOptions][] = [
  ['3 hops, all that is found', { maxHops: 3, limit: 1_000_000 }],
  ['3 hops, of a type nobody has', { maxHops: 3, limit: 20, types: ['nobody'] }],
  ['up to 3 hops, 20 wanted', { maxHops: 3, limit: 20 }],
];

export async function measureGraph(context: Context): Promise<Section> {
  const db = await openDatabase(context.stack.runtime.database_url, { max: 4 });
  const notes: string[] = [];
  const lines: Line[] = [];
  let neo4j: { copy: GraphCopy; stop(): Promise<void> } | null = null;
  try {
    context.say(`writing ${nodes} entities and ${edges} relations`);
    const roots = await writeGraph(db);
    // Autovacuum would do this within a minute.
    await asOwner(context.stack.runtime.database_owner_url, 'analyze entities, entity_relations');
    const stores: Record<string, GraphStore> = { Postgres: postgresGraph(db.query) };
    try {
      neo4j = await startCopy(context);
      const seconds = (await timed(() => fill(db, neo4j!.copy))) / 1_000;
      notes.push(`Neo4j: the copy was filled in ${seconds.toFixed(1)} s, ${rate(edges / seconds)} relations.`);
      stores['Neo4j'] = neo4j.copy;
    } catch (error) {
      notes.push(`Neo4j was not measured: ${(error as Error).message}`);
    }
    const turns = context.quick ? { rounds: 4, block: 10, warmUp: 30 } : { rounds: 10, block: 20, warmUp: 200 };
    for (const [path, options] of asked) lines.push(...(await measurePath(db, stores, roots, path, options, turns)));
  } finally {
    await neo4j?.stop();
    await db.close();
  }
  notes.push(`Floor: one node's strongest relations by their index, row-level security on. Degrees follow a power law; roots are ${rootsAsked} of all nodes, hubs among them.`); // prettier-ignore
  return { title: `The graph: ${edges} relations among ${nodes} entities`, lines, notes };
}

async function measurePath(
  db: Database,
  stores: Record<string, GraphStore>,
  roots: string[],
  path: string,
  options: RelatedOptions,
  turns: { rounds: number; block: number; warmUp: number },
): Promise<Line[]> {
  const next = new Map<string, number>();
  const root = (of: string): string => {
    const at = next.get(of) ?? 0;
    next.set(of, at + 1);
    return roots[at % roots.length]!;
  };
  let found = 0;
  const traverse = (name: string, store: GraphStore) => async (): Promise<void> => {
    found = (await asTenant(tenant, () => store.related(tenant, root(name), options))).length;
  };
  const floor = (): Promise<unknown> =>
    asTenant(tenant, () =>
      db.query(
        `select target_id, kind, passages from entity_relations where tenant_id = $1 and source_id = $2 and passages > 0 order by passages desc limit 200`,
        [tenant, root('floor')],
      ),
    );
  const times = await takeTurns(
    { floor, ...Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, traverse(name, store)])) },
    turns,
  );
  const bare = spread(times['floor' as keyof typeof times]);
  return Object.keys(stores).map((name) => {
    const product = spread(times[name as keyof typeof times]);
    return {
      path: `${name}: ${path}`,
      product: spreadText(product),
      floor: `p50 ${ms(bare.p50)} ms`,
      ratio: product.p50 / bare.p50,
      goal: `p95 ≤ ${p95Goal} ms`,
      met: product.p95 <= p95Goal,
      figures: { product, floor: bare, found },
    };
  });
}

async function asOwner(connectionString: string, statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  try {
    await owner.query(statement);
  } finally {
    await owner.end();
  }
}

const rootsAsked = 200;

/** Always the same graph. @returns some of its nodes */
async function writeGraph(db: Database): Promise<string[]> {
  let state = 5;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const idOf = (n: number): string => `ent_${n.toString(36).padStart(20, '0')}`;
  const types = ['customer', 'feature', 'issue', 'theme', 'stakeholder'];
  const pairs = new Map<string, [source: string, target: string, passages: number]>();
  while (pairs.size < edges) {
    // Low numbers are hubs.
    const [one, other] = [idOf(Math.floor(nodes * random() ** 3)), idOf(Math.floor(nodes * random()))].sort() as [string, string];
    if (one !== other) pairs.set(`${one} ${other}`, [one, other, Math.ceil(1 / (random() + 0.02))]);
  }
  const relations = [...pairs.values()];
  await asTenant(tenant, () =>
    db.transaction(async (query) => {
      await query('insert into tenants (id) values ($1) on conflict do nothing', [tenant]);
      await query(
        `insert into entities (tenant_id, id, type, name, origin, created_by)
         select $1, e.id, e.type, 'Entity ' || e.id, 'extraction', 'bench' from unnest($2::text[], $3::text[]) e(id, type)`,
        [tenant, Array.from({ length: nodes }, (_, n) => idOf(n)), Array.from({ length: nodes }, (_, n) => types[n % types.length])],
      );
      await query(
        `insert into entity_relations (tenant_id, source_id, target_id, kind, passages, documents)
         select $1, r.source, r.target, 'mentioned_with', r.passages, 1 from unnest($2::text[], $3::text[], $4::int[]) r(source, target, passages)`,
        [tenant, relations.map(([source]) => source), relations.map(([, target]) => target), relations.map(([, , passages]) => passages)],
      );
    }),
  );
  return Array.from({ length: rootsAsked }, (_, i) => idOf(i < 10 ? i : Math.floor(nodes * random())));
}

async function startCopy({ stack, say }: Context): Promise<{ copy: GraphCopy; stop(): Promise<void> }> {
  const jars = await acquireNeo4j({ cacheDir: cacheFolder(stack.config), onProgress: say });
  const dir = join(stack.dir, 'neo4j');
  say('starting Neo4j');
  const server = await startNeo4j({ jars, dir, port: await freePort(0), log: join(stack.logs, 'neo4j.log') });
  const copy = openNeo4j({ uri: server.uri, user: server.user, password: server.password, database: 'neo4j' });
  return {
    copy,
    async stop() {
      await copy.close();
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Fills it like the projection does. */
async function fill(db: Database, copy: GraphCopy): Promise<void> {
  let place: RebuildPlace | null = { only: tenant, tenant: null, stage: 'begin', after: null };
  while (place) place = (await rebuild({ db, copy: graphCopied(db, copy) }, place, { spent: () => false })).place;
}

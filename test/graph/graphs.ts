/** Entities and relations as ingestion writes them, without documents, and random graphs from a seed. */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Relation } from '../../adapters/graph/types.ts';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { onServer, withDatabase } from '../setup/databases.ts';

export interface TestEntity {
  id: string;
  type?: string;
  /** Default active. */
  status?: 'active' | 'merged';
}

export interface TestGraph {
  entities: TestEntity[];
  relations: Relation[];
}

export async function testDatabase(): Promise<{ db: Database; url: string }> {
  const servers = inject('servers');
  const name = `t_${randomBytes(8).toString('hex')}`;
  await onServer(servers.ownerUrl, `create database ${name} template ${servers.template}`);
  const url = withDatabase(servers.appUrl, name);
  return { db: await openDatabase(url), url };
}

/** Writes entities and relations with their outbox entry in one transaction. Overwrites existing rows. */
export async function writeGraph(db: Database, tenant: string, { entities, relations }: TestGraph): Promise<void> {
  await asTenant(tenant, () =>
    db.transaction(async (query) => {
      await query('insert into tenants (id) values ($1) on conflict do nothing', [tenant]);
      await query(
        `insert into entities (tenant_id, id, type, name, status, origin, created_by)
         select $1, e.id, e.type, 'name of ' || e.id, e.status, 'extraction', 'test' from unnest($2::text[], $3::text[], $4::text[]) e(id, type, status)
         on conflict (tenant_id, id) do update set type = excluded.type, status = excluded.status`,
        [
          tenant,
          entities.map(({ id }) => id),
          entities.map(({ type }) => type ?? 'theme'),
          entities.map(({ status }) => status ?? 'active'),
        ],
      );
      await query(
        `insert into entity_relations (tenant_id, source_id, target_id, kind, passages, documents)
         select $1, r.* from unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::int[]) r
         on conflict (tenant_id, source_id, target_id, kind)
           do update set passages = excluded.passages, documents = excluded.documents, changed = this_moment()`,
        [tenant, ...(['source', 'target', 'kind', 'passages', 'documents'] as const).map((field) => relations.map((each) => each[field]))],
      );
      const ids = new Set([...entities.map(({ id }) => id), ...relations.flatMap(({ source, target }) => [source, target])]);
      await noteGraph(query, tenant, [...ids]);
    }),
  );
}

export async function noteGraph(query: Database['query'], tenant: string, entities: string[]): Promise<void> {
  await query(`insert into outbox (tenant_id, type, subject, data) values ($1, 'graph.changed', $2, $3)`, [
    tenant,
    entities[0] ?? '',
    JSON.stringify({ entities }),
  ]);
}

export const relation = (source: string, target: string, passages = 1, kind = 'mentioned_with'): Relation => ({
  source,
  target,
  kind,
  passages,
  documents: Math.min(passages, 3),
});

/** A separate generator, so that each run has the same graphs. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const types = ['customer', 'feature', 'issue', 'theme', 'stakeholder'];
const kinds = ['mentioned_with', 'uses', 'reported', 'owns'];

/** A few nodes have many relations, most have few. Some nodes are merged; some relations are tombstones, including all of merged nodes. */
export function randomGraph(seed: number, nodes: number, edges: number, clean = false): TestGraph {
  const random = numbers(seed);
  const idOf = (n: number): string => `ent_${n.toString(36).padStart(5, '0')}`;
  const entities = Array.from({ length: nodes }, (_, n): TestEntity => {
    const merged = !clean && random() < 0.05;
    return { id: idOf(n), type: types[Math.floor(random() * types.length)]!, status: merged ? 'merged' : 'active' };
  });
  const merged = new Set(entities.filter(({ status }) => status === 'merged').map(({ id }) => id));
  const relations = new Map<string, Relation>();
  while (relations.size < edges) {
    // Low numbers are hubs.
    const [one, other] = [idOf(Math.floor(nodes * random() ** 3)), idOf(Math.floor(nodes * random()))];
    if (one === other) continue;
    const kind = kinds[random() < 0.8 ? 0 : Math.floor(random() * kinds.length)]!;
    const [source, target] = kind === 'mentioned_with' && one > other ? [other, one] : [one, other];
    const ended = merged.has(source) || merged.has(target) || (!clean && random() < 0.1);
    const passages = ended ? 0 : Math.ceil(1 / (random() + 0.02));
    relations.set(`${source} ${target} ${kind}`, relation(source, target, passages, kind));
  }
  return { entities, relations: [...relations.values()] };
}

import type { Database } from '../../adapters/postgres/database.ts';
import { factGroupsOf, refoldFacts } from './facts-records.ts';
import { forgetClues } from './directory.ts';
import { addContribution, noteGraphChange } from './fold.ts';
import { lockGraph } from './lock.ts';
import { vouched } from './vouched.ts';
import { followers } from '../kernel/followers.ts';

type Query = Database['query'];

/**
 * Removes everything documents have contributed: mentions, counts, relations, facts; and entities and names without
 * other evidence. The documents can be extracted again. The caller holds the tenant's graph lock.
 * @param options.keep keeps entities and names without evidence, because they are about to be extracted again
 */
export async function forgetDocuments(query: Query, tenant: string, documentIds: readonly string[], { keep = false } = {}): Promise<void> {
  const touched = await query<{ id: string; resolved: boolean }>(
    `select id, graph = 'resolved' as resolved from documents where tenant_id = $1 and id = any($2) and graph is not null order by id for update`,
    [tenant, documentIds],
  );
  if (touched.length === 0) return;
  const ids = touched.map((row) => row.id);
  // When extracted again, they replace the existing ones.
  if (!keep) {
    await followers.documentsVoid(query, tenant, ids);
    await forgetClues(query, tenant, ids);
  }
  const resolved = touched.filter((row) => row.resolved).map((row) => row.id);
  const concerned = new Set(resolved.length > 0 ? await addContribution(query, tenant, resolved, -1) : []);
  const groups = await factGroupsOf(query, tenant, resolved);
  await query('delete from graph_assertions where tenant_id = $1 and document_id = any($2)', [tenant, ids]);
  // No rule can find a person's statements about a document again.
  await query(`delete from entity_mentions where tenant_id = $1 and document_id = any($2) and not ($3 and origin = 'person')`, [
    tenant,
    ids,
    keep,
  ]);
  await query('update documents set graph = null, extractor = null where tenant_id = $1 and id = any($2)', [tenant, ids]);
  if (concerned.size === 0) return;
  const entityIds = [...concerned].sort();
  for (const id of await refoldFacts(query, tenant, groups)) concerned.add(id);
  if (!keep) for (const id of await dropUnspoken(query, tenant, entityIds)) concerned.add(id);
  await query(
    `update entities e set (first_seen_at, last_seen_at) = (
       select min(d.said_at), max(d.said_at) from entity_mentions m join documents d on d.tenant_id = m.tenant_id and d.id = m.document_id
       where m.tenant_id = $1 and m.entity_id = e.id)
     where e.tenant_id = $1 and e.id = any($2)`,
    [tenant, entityIds],
  );
  await noteGraphChange(query, tenant, ids[0]!, [...concerned]);
}

/** Called before the passages of retired documents are deleted; costs one query when the graph has nothing of them. */
export async function forgetRetired(db: Database, tenant: string, documentIds: readonly string[]): Promise<void> {
  const known = await db.query(
    `select 1 from documents where tenant_id = $1 and id = any($2) and status = 'retired' and graph is not null limit 1`,
    [tenant, documentIds],
  );
  if (known.length === 0) return;
  await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    await forgetDocuments(query, tenant, documentIds);
  });
}

/**
 * Deletes entities without evidence.
 * @returns the deleted entities
 */
async function dropUnspoken(query: Query, tenant: string, entityIds: readonly string[]): Promise<string[]> {
  await dropNames(query, tenant, entityIds);
  return await dropEntities(query, tenant, entityIds);
}

/**
 * As `forgetDocuments` without `keep`, for what was kept.
 * @returns the number of deleted entities
 */
export async function tidyEntities(db: Database, tenant: string): Promise<number> {
  return await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    const rows = await query<{ id: string }>(
      `select id from entities where tenant_id = $1 and status = 'active' and mention_count <= 0 and origin = 'extraction' order by id limit 5000`,
      [tenant],
    );
    const gone = await dropUnspoken(
      query,
      tenant,
      rows.map((row) => row.id),
    );
    await noteGraphChange(query, tenant, 'tidy', gone);
    return gone.length;
  });
}

/** Deletes names that only deleted texts contained; the entity then gets another of its names. */
async function dropNames(query: Query, tenant: string, entityIds: readonly string[]): Promise<void> {
  const dropped = await query<{ entity_id: string }>(
    `delete from entity_aliases a using entities e
     where a.tenant_id = $1 and a.entity_id = any($2) and a.origin not in ('person', 'directory') and e.tenant_id = $1 and e.id = a.entity_id
       and e.mention_count > 0 and e.origin = 'extraction'
       and not exists (select from entity_mentions m where m.tenant_id = $1 and m.entity_id = a.entity_id and m.key = a.key)
       and exists (select from entity_aliases o where o.tenant_id = $1 and o.entity_id = a.entity_id and o.key <> a.key
         and (o.origin = 'person' or exists (select from entity_mentions m where m.tenant_id = $1 and m.entity_id = a.entity_id and m.key = o.key)))
     returning a.entity_id`,
    [tenant, entityIds],
  );
  if (dropped.length === 0) return;
  await query(
    `update entities e set name = best.alias, model = null, embedding = null, rev = e.rev + 1, updated_at = now()
     from (select distinct on (a.entity_id) a.entity_id, a.alias from entity_aliases a
           where a.tenant_id = $1 and a.entity_id = any($2)
           order by a.entity_id, (a.origin = 'person') desc,
             (select count(*) from entity_mentions m where m.tenant_id = $1 and m.entity_id = a.entity_id and m.key = a.key) desc, a.key) best
     where e.tenant_id = $1 and e.id = best.entity_id
       and not exists (select from entity_aliases a where a.tenant_id = $1 and a.entity_id = e.id and a.alias = e.name)`,
    [tenant, [...new Set(dropped.map((row) => row.entity_id))]],
  );
}

/** Deletes entities that were only extracted and have no mentions, with those merged into them. */
async function dropEntities(query: Query, tenant: string, entityIds: readonly string[]): Promise<string[]> {
  const doomed = await query<{ id: string }>(
    `select e.id from entities e where e.tenant_id = $1 and e.id = any($2) and e.mention_count <= 0
       and not ${vouched}`,
    [tenant, entityIds],
  );
  if (doomed.length === 0) return [];
  const merged = await query<{ id: string }>('select id from entities where tenant_id = $1 and merged_into = any($2) and status = $3', [
    tenant,
    doomed.map((row) => row.id),
    'merged',
  ]);
  const ids = [...doomed, ...merged].map((row) => row.id);
  // Questions about them contain their names, too.
  await query(
    // Rejections stay: the pair is a hash.
    `update reviews set status = case when status = 'pending' then 'withdrawn' else status end, pair = case when status = 'rejected' then pair end,
       subject = '{}', evidence = '[]', notes = null, rev = rev + 1, updated_at = now()
     where tenant_id = $1 and kind = 'entity_match' and status in ('pending', 'rejected', 'confirmed') and (subject->>'a' = any($2) or subject->>'b' = any($2))`,
    [tenant, ids],
  );
  await query('delete from entity_history where tenant_id = $1 and entity_id = any($2)', [tenant, ids]);
  await query(
    `update entity_relations set passages = 0, documents = 0, changed = this_moment(), updated_at = now()
     where tenant_id = $1 and passages > 0 and (source_id = any($2) or target_id = any($2))`,
    [tenant, ids],
  );
  await query('delete from entities where tenant_id = $1 and id = any($2)', [tenant, ids]);
  return ids;
}

/** Calls with customers as documents that are published and resolved, their statements not read yet. */
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { publish } from '../../services/knowledge/records-publish.ts';
import { markSources } from '../../services/knowledge/removal-records.ts';

let revision = 0;

/** In place of the source's former document, if it has one. @returns the document's id */
export async function publishCall(db: Database, tenant: string, source: string, statements: readonly string[]): Promise<string> {
  const id = `doc_${tenant}_${(revision += 1)}`;
  const body = statements.map((statement) => `Customer: ${statement}`).join('\n');
  await asTenant(tenant, async () => {
    await db.query('insert into tenants (id) values ($1) on conflict do nothing', [tenant]);
    const [base] = await db.query<{ scope: number }>(
      `insert into knowledge_bases (tenant_id, id, name) values ($1, 'calls', 'calls') on conflict (tenant_id, id) do update set name = excluded.name returning scope`,
      [tenant],
    );
    await db.query(
      `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status, metadata)
       values ($1, $2, 'calls', $2, 'Call', 'transcript', 'active', '{"customer":"Globex"}') on conflict do nothing`,
      [tenant, source],
    );
    await db.query(
      `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count)
       values ($1, $2, $3, $4, $2, $2, 'text', 'Call', 'building', $5, 1)`,
      [tenant, id, source, base!.scope, revision],
    );
    await db.query(
      `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, body, place, end_place, terms) values ($1, $2, $3, $4, 0, $5, '{}', '{}', 10)`,
      [tenant, base!.scope, id, source, body],
    );
    await publish(db, { tenant, jobId: 'job_none', sourceId: source, documentId: id }, { ofJob: false });
    await db.query(`update documents set graph = 'resolved' where tenant_id = $1 and id = $2`, [tenant, id]);
  });
  return id;
}

/** Runs only the first transaction of a source's deletion, which hides it. */
export async function removeSource(db: Database, tenant: string, source: string): Promise<void> {
  await asTenant(tenant, () => db.transaction((query) => markSources(query, tenant, 's.id = $2', [source])));
}

/** Documents with passages and vectors as ingestion writes them, without an embedding model. */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { VectorPoint } from '../../adapters/vectors/types.ts';
import { noteDocument } from '../../services/kernel/outbox.ts';
import { onServer, withDatabase } from '../setup/databases.ts';

export async function testDatabase(): Promise<{ db: Database; url: string }> {
  const servers = inject('servers');
  const name = `t_${randomBytes(8).toString('hex')}`;
  await onServer(servers.ownerUrl, `create database ${name} template ${servers.template}`);
  const url = withDatabase(servers.appUrl, name);
  return { db: await openDatabase(url), url };
}

/** Writes passages, and the documents they belong to as active ones. What is there already gets the new vector. */
export async function writePassages(db: Database, tenant: string, model: string, points: VectorPoint[]): Promise<void> {
  await asTenant(tenant, () =>
    db.transaction(async (query) => {
      await query('insert into tenants (id) values ($1) on conflict do nothing', [tenant]);
      await query(`insert into knowledge_bases (tenant_id, id, name) values ($1, 'base', 'base') on conflict do nothing`, [tenant]);
      const documents = new Map(points.map(({ documentId, scope }) => [documentId, scope]));
      for (const [id, scope] of documents) {
        // A source each: only one document of a source is active.
        await query(
          `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status) values ($1, $2, 'base', $2, $2, 'text', 'active')
           on conflict do nothing`,
          [tenant, `of_${id}`],
        );
        await query(
          `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count)
           values ($1, $2, $3, $4, $2, $2, 'text', $2, 'active', 1, $5) on conflict do nothing`,
          [tenant, id, `of_${id}`, scope, points.filter(({ documentId }) => documentId === id).length],
        );
      }
      for (const point of points) {
        await query(
          `insert into chunks (id, tenant_id, scope, document_id, source_id, ordinal, body, place, end_place, has_code, model, embedding, terms)
           overriding system value values ($1, $2, $3, $4, $5, $1::bigint % 1000000, '', '{}', '{}', $6, $7, $8, $9)
           on conflict (id) do update set embedding = excluded.embedding`,
          [
            point.id,
            tenant,
            point.scope,
            point.documentId,
            point.sourceId,
            point.hasCode,
            model,
            `[${point.vector.join(',')}]`,
            point.length,
          ],
        );
        await query(
          `insert into postings (tenant_id, scope, term, chunk_id, tf, dl) select $1, $2, term, $3, times, $6
           from unnest($4::text[], $5::real[]) w(term, times) on conflict do nothing`,
          [tenant, point.scope, point.id, point.terms.map(([term]) => term), point.terms.map(([, times]) => times), point.length],
        );
      }
    }),
  );
}

/** Like a publication: the outbox entry commits with the change. */
export async function publishPassages(db: Database, tenant: string, model: string, points: VectorPoint[]): Promise<void> {
  await writePassages(db, tenant, model, points);
  await asTenant(tenant, () =>
    db.transaction(async (query) => {
      for (const { documentId, scope, sourceId } of new Map(points.map((point) => [point.documentId, point])).values()) {
        await noteDocument(query, tenant, 'document.published', documentId, { scope, source_id: sourceId });
      }
    }),
  );
}

export async function retireDocument(db: Database, tenant: string, id: string, query: Database['query'] = db.query): Promise<void> {
  await query(`update documents set status = 'retired' where tenant_id = $1 and id = $2`, [tenant, id]);
  await noteDocument(query, tenant, 'document.retired', id, { scope: 1, source_id: `of_${id}` });
}

/** With its passages, in one transaction. */
export const deleteDocument = (db: Database, tenant: string, id: string): Promise<void> =>
  asTenant(tenant, () =>
    db.transaction(async (query) => {
      await query('delete from documents where tenant_id = $1 and id = $2', [tenant, id]);
      await noteDocument(query, tenant, 'document.deleted', id, { scope: 1, source_id: `of_${id}` });
    }),
  );

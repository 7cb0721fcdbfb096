/** Entries of the team's memories in the index of knowledge. Private memories and former versions never have any. */
import { termsVersion } from '../../engines/retrieval/terms.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { memoryBase } from '../../contracts/knowledge/knowledge.ts';
import type { Chunk } from '../../engines/retrieval/chunking.ts';
import { noteDocument } from '../kernel/outbox.ts';
import { ensureBase, vectorText, wellFormed } from './records.ts';

type Query = Database['query'];

/**
 * A memory's category as a tag of its source, so that searches can filter by it; callers' tags cannot have this
 * prefix.
 */
export const categoryTag = (category: string): string => `${internalTag}${category}`;
export const internalTag = '@category:';

/** A memory as it is indexed. */
export interface Indexed {
  id: string;
  category: string;
  /** Its title in lists of sources. */
  title: string;
  contentHash: string;
  passages: { chunk: Chunk; frequencies: ReadonlyMap<string, number>; vector: Float32Array | null }[];
  /** Model of the vectors. */
  model: string | null;
}

/** Makes a memory searchable. Call it in the transaction that makes it valid. */
export async function indexMemory(query: Query, tenant: string, made: Indexed, tags: readonly string[]): Promise<void> {
  await ensureBase(query, tenant, memoryBase);
  const lengths = made.passages.map(({ frequencies }) => [...frequencies.values()].reduce((a, b) => a + b, 0));
  const [document] = await query<{ scope: number }>(
    `with base as (select scope from knowledge_bases where tenant_id = $1 and id = $3), source as (
       insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, tags, status, document_id, chunk_count)
       values ($1, $2, $3, $2, $4, 'memory', $5, 'active', $2, $6))
     insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, terms, terms_version)
     select $1, $2, $2, scope, $7, '', 'memory', $4, 'active', 1, $6, $8, ${termsVersion} from base returning scope`,
    [
      tenant,
      made.id,
      memoryBase,
      made.title,
      [...tags, categoryTag(made.category)],
      made.passages.length,
      made.contentHash,
      lengths.reduce((a, b) => a + b, 0),
    ],
  );
  await writePassages(query, tenant, document!.scope, made, lengths);
  await noteDocument(query, tenant, 'document.published', made.id, { scope: document!.scope, source_id: made.id });
}

export async function retagMemory(query: Query, tenant: string, id: string, category: string, tags: readonly string[]): Promise<void> {
  await query('update knowledge_sources set tags = $3, updated_at = now() where tenant_id = $1 and id = $2 and kb_id = $4', [
    tenant,
    id,
    [...tags, categoryTag(category)],
    memoryBase,
  ]);
}

/** Takes memories out of the index. Call it in the transaction that ends or deletes them. */
export async function unindexMemories(query: Query, tenant: string, ids: readonly string[]): Promise<void> {
  await query('select 1 from knowledge_sources where tenant_id = $1 and id = any($2) and kb_id = $3 order by id for update', [
    tenant,
    ids,
    memoryBase,
  ]);
  const documents = await query<{ id: string; source_id: string; scope: number }>(
    `select d.id, d.source_id, d.scope from documents d join knowledge_bases b on b.tenant_id = $1 and b.scope = d.scope and b.id = $3
     where d.tenant_id = $1 and d.source_id = any($2) order by d.id for update of d`,
    [tenant, ids, memoryBase],
  );
  // Deleting the documents also deletes their chunks and postings.
  await query('delete from documents where tenant_id = $1 and id = any($2)', [tenant, documents.map(({ id }) => id)]);
  await query('delete from knowledge_sources where tenant_id = $1 and id = any($2) and kb_id = $3', [tenant, ids, memoryBase]);
  for (const { id, source_id, scope } of documents) await noteDocument(query, tenant, 'document.deleted', id, { scope, source_id });
}

/** Passages of a document that is its own source, each with its terms and its vector, if any. */
export async function writePassages(
  query: Query,
  tenant: string,
  scope: number,
  made: Pick<Indexed, 'id' | 'passages' | 'model'>,
  lengths: number[],
): Promise<void> {
  const rows = made.passages.map(({ chunk, vector }, i) => ({
    ...chunk,
    terms: lengths[i],
    embedding: vector ? vectorText(vector) : null,
    model: vector ? made.model : null,
  }));
  const written = await query<{ id: string; ordinal: number }>(
    `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, title, body, place, end_place, has_code, code_blocks, turns, terms, model, embedding)
     select $1, $2::int, $3, $3, r.ordinal, r.title, r.text, r.place, r."endPlace", r."hasCode", r."codeBlocks", r.turns, r.terms, r.model, r.embedding::halfvec
     from jsonb_to_recordset($4::jsonb) as r(ordinal int, title text, text text, place jsonb, "endPlace" jsonb, "hasCode" boolean, "codeBlocks" jsonb, turns jsonb,
       terms int, model text, embedding text)
     returning id, ordinal`,
    [tenant, scope, made.id, JSON.stringify(rows, wellFormed)],
  );
  const postings = written.flatMap(({ id, ordinal }) =>
    [...made.passages[ordinal]!.frequencies].map(([term, tf]) => ({ term: term.toWellFormed(), id, tf, dl: lengths[ordinal]! })),
  );
  await query(
    `insert into postings (tenant_id, scope, term, chunk_id, tf, dl)
     select $1, $2::int, p.* from unnest($3::text[], $4::bigint[], $5::real[], $6::int[]) p`,
    [tenant, scope, postings.map((p) => p.term), postings.map((p) => p.id), postings.map((p) => p.tf), postings.map((p) => p.dl)],
  );
}

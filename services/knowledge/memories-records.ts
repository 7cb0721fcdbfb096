import type { Database, Row } from '../../adapters/postgres/database.ts';
import { memoryBase } from '../../contracts/knowledge/knowledge.ts';
import type { Memory } from '../../contracts/knowledge/memory.ts';
import { matching, newest, type List } from '../kernel/paging.ts';
import type { Chunk } from '../../engines/retrieval/chunking.ts';
import { termsVersion } from '../../engines/retrieval/terms.ts';
import { noteDocument } from '../kernel/outbox.ts';
import type { Columns } from '../../prisma/rows.ts';
import { vectorText, wellFormed } from './records.ts';

type Query = Database['query'];

/**
 * A memory's category as a tag of its source, so that searches can filter by it; callers' tags cannot have this
 * prefix.
 */
export const categoryTag = (category: string): string => `${internalTag}${category}`;
export const internalTag = '@category:';

export interface NewMemory {
  id: string;
  content: string;
  category: string;
  tags: string[];
  metadata: Record<string, unknown>;
  createdBy: string;
  /** Its title in lists of sources. */
  title: string;
  contentHash: string;
  passages: { chunk: Chunk; frequencies: ReadonlyMap<string, number>; vector: Float32Array | null }[];
  /** Model of the vectors. */
  model: string | null;
}

/**
 * Writes a memory and its index entries in one transaction. An existing memory gets the new tags and metadata added.
 * Concurrent saves and deletes wait for the memory's row.
 */
export async function writeMemory(db: Database, tenant: string, made: NewMemory): Promise<'saved' | 'exists'> {
  return await db.transaction(async (query) => {
    const [row] = await query<{ created: boolean; tags: string[] }>(
      `insert into memories as m (tenant_id, id, content, category, tags, metadata, created_by) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (tenant_id, id) do update set metadata = m.metadata || excluded.metadata,
         tags = m.tags || (select coalesce(array_agg(t), '{}') from unnest(excluded.tags) t where t <> all(m.tags)), updated_at = now()
       returning xmax = 0 as created, tags`,
      [tenant, made.id, made.content, made.category, made.tags, JSON.stringify(made.metadata, wellFormed), made.createdBy],
    );
    const tags = [...(row?.tags ?? []), categoryTag(made.category)];
    if (!row?.created) {
      await query('update knowledge_sources set tags = $3, updated_at = now() where tenant_id = $1 and id = $2', [tenant, made.id, tags]);
      return 'exists';
    }
    const lengths = made.passages.map(({ frequencies }) => [...frequencies.values()].reduce((a, b) => a + b, 0));
    const [document] = await query<{ scope: number }>(
      `with base as (select scope from knowledge_bases where tenant_id = $1 and id = $3), source as (
         insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, tags, status, document_id, chunk_count)
         values ($1, $2, $3, $2, $4, 'memory', $5, 'active', $2, $6))
       insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, terms, terms_version)
       select $1, $2, $2, scope, $7, '', 'memory', $4, 'active', 1, $6, $8, ${termsVersion} from base returning scope`,
      [tenant, made.id, memoryBase, made.title, tags, made.passages.length, made.contentHash, lengths.reduce((a, b) => a + b, 0)],
    );
    await writePassages(query, tenant, document!.scope, made, lengths);
    await noteDocument(query, tenant, 'document.published', made.id, { scope: document!.scope, source_id: made.id });
    return 'saved';
  });
}

/** Passages of a document that is its own source, each with its terms and its vector, if any. */
export async function writePassages(
  query: Query,
  tenant: string,
  scope: number,
  made: Pick<NewMemory, 'id' | 'passages' | 'model'>,
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

/**
 * Deletes a memory and its index entries in one transaction.
 * @returns whether it existed
 */
export async function eraseMemory(db: Database, tenant: string, id: string): Promise<boolean> {
  return await db.transaction(async (query) => {
    const gone = await query('delete from memories where tenant_id = $1 and id = $2 returning 1', [tenant, id]);
    if (gone.length === 0) return false;
    const documents = await query<{ id: string; scope: number }>(
      'select id, scope from documents where tenant_id = $1 and source_id = $2 for update',
      [tenant, id],
    );
    // Deleting the documents also deletes their chunks and postings.
    await query('delete from documents where tenant_id = $1 and source_id = $2', [tenant, id]);
    await query('delete from knowledge_sources where tenant_id = $1 and id = $2 and kb_id = $3', [tenant, id, memoryBase]);
    for (const document of documents) {
      await noteDocument(query, tenant, 'document.deleted', document.id, { scope: document.scope, source_id: id });
    }
    return true;
  });
}

interface MemoryRow extends Row, Columns<'memories', 'id' | 'content' | 'category' | 'tags' | 'created_by' | 'created_at'> {
  metadata: Record<string, unknown>;
}

export async function memoriesById(query: Query, tenant: string, ids: string[]): Promise<Map<string, Memory>> {
  const rows = await query<MemoryRow>('select * from memories where tenant_id = $1 and id = any($2)', [tenant, ids]);
  return new Map(rows.map((row) => [row.id, memoryView(row)]));
}

export interface MemoryFilter {
  category?: string | undefined;
  /** Memories with all of these tags. */
  tags?: string[] | undefined;
}

/** Newest first. */
export const memoryList = (tenant: string, { category, tags }: MemoryFilter = {}): List => ({
  select: '*',
  from: 'memories',
  ...matching({ 'tenant_id = $': tenant, 'category = $': category, 'tags @> $': tags?.length ? tags : undefined }),
  order: newest('created_at', 'id'),
});

export const memoryView = (row: MemoryRow): Memory => ({
  memory_id: row.id,
  content: row.content,
  category: row.category,
  tags: row.tags,
  metadata: row.metadata,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});

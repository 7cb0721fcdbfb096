import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import type { PipelineSlice } from '../../contracts/activities/knowledge/pipeline.ts';
import { noteDocument } from '../kernel/outbox.ts';
import { vectorsOf } from './reading.ts';
import { vectorText } from './records.ts';
import { changedSince, termFrequencies, termsVersion } from '../../engines/retrieval/terms.ts';

export type PipelineScope = 'recent' | 'unprocessed' | 'all';

export interface PipelineSpec extends Record<string, unknown> {
  scope: PipelineScope;
  skip_ingestion: boolean;
  /** Without the stages after indexing. */
  index_only?: boolean;
}

/** Days of the scope `recent`. */
export const recentDays = 7;
/** Passages per activity, and per transaction. */
const passagesPerSlice = 500;
const passagesPerWrite = 25;

/** Active documents of the scope; $2 is the scope, $3 the current model. */
const chosen = `d.tenant_id = $1 and d.status = 'active' and case $2
  when 'all' then true
  when 'recent' then d.updated_at > now() - make_interval(days => ${recentDays})
  else d.terms_version < ${termsVersion}
    or ($3::text is not null and exists (select from chunks c where c.tenant_id = $1 and c.document_id = d.id and c.model is distinct from $3)) end`;

export async function specOfPipeline(db: Database, { tenant, id }: JobRef): Promise<PipelineSpec> {
  const [row] = await db.query<{ spec: PipelineSpec }>('select spec from jobs where tenant_id = $1 and id = $2', [tenant, id]);
  if (!row) throw new Error(`job ${id} has no row`);
  return row.spec;
}

export async function countChosen(db: Database, tenant: string, scope: PipelineScope, model: string | null): Promise<number> {
  const [row] = await db.query<{ n: number }>(`select count(*)::int as n from documents d where ${chosen}`, [tenant, scope, model]);
  return row?.n ?? 0;
}

/** @param after id of the last finished document */
export async function reindexSlice(
  db: Database,
  embedder: Embedder | null,
  tenant: string,
  scope: PipelineScope,
  after: string | null,
  { beat, signal }: { beat(): void; signal: AbortSignal },
): Promise<PipelineSlice> {
  const model = embedder?.id ?? null;
  const documents = await db.query<{ id: string; scope: number; terms_version: number }>(
    `select d.id, d.scope, d.terms_version from documents d where ${chosen} and ($4::text is null or d.id > $4) order by d.id limit 100`,
    [tenant, scope, model, after],
  );
  let passages = 0;
  let done = 0;
  let next: string | null = null;
  for (const document of documents) {
    if (passages >= passagesPerSlice) break;
    beat();
    signal.throwIfAborted();
    passages += await reindex(db, embedder, tenant, document, scope === 'unprocessed', signal);
    done += 1;
    next = document.id;
  }
  return { next: done < documents.length || documents.length === 100 ? next : null, documents: done, passages };
}

async function reindex(
  db: Database,
  embedder: Embedder | null,
  tenant: string,
  document: { id: string; scope: number; terms_version: number },
  missingOnly: boolean,
  signal: AbortSignal,
): Promise<number> {
  const model = embedder?.id ?? null;
  const all = await db.query<{ id: string; title: string | null; body: string; lacks: boolean }>(
    `select id, title, body, model is distinct from $3 as lacks from chunks where tenant_id = $1 and document_id = $2 order by ordinal`,
    [tenant, document.id, model],
  );
  // Words of the whole document, because their statistics are compared.
  const words = !missingOnly || all.some(({ title, body }) => changedSince(document.terms_version, `${title ?? ''} ${body}`));
  const passages = words ? all : all.filter(({ lacks }) => lacks && model !== null);
  for (let from = 0; from < passages.length; from += passagesPerWrite) {
    const slice = passages.slice(from, from + passagesPerWrite);
    const wanting = slice.filter(({ lacks }) => lacks || !missingOnly);
    const made = await vectorsOf(embedder, wanting, signal);
    const vectors = new Map(wanting.map(({ id }, i) => [id, made[i]]));
    const counted = slice.map(({ title, body }) => termFrequencies(body, title ?? undefined));
    await db.transaction(async (query) => {
      // Locked against replacement and deletion; if these came first, there is nothing to do.
      const standing = await query(`select 1 from documents where tenant_id = $1 and id = $2 and status = 'active' for share`, [
        tenant,
        document.id,
      ]);
      if (standing.length === 0) return;
      const lengths = counted.map((frequencies) => [...frequencies.values()].reduce((a, b) => a + b, 0));
      await query(
        `update chunks c set embedding = coalesce(v.embedding::halfvec, c.embedding),
           model = case when v.embedding is null then c.model else $5 end, terms = v.terms
         from unnest($2::bigint[], $3::text[], $4::int[]) v(id, embedding, terms) where c.tenant_id = $1 and c.id = v.id`,
        [tenant, slice.map(({ id }) => id), slice.map(({ id }) => textOf(vectors.get(id))), lengths, model],
      );
      if (!words) return;
      await query('delete from postings where tenant_id = $1 and chunk_id = any($2::bigint[])', [tenant, slice.map(({ id }) => id)]);
      const rows = slice.flatMap(({ id }, i) =>
        [...counted[i]!].map(([term, tf]) => ({ term: term.toWellFormed(), id, tf, dl: lengths[i] })),
      );
      await query(
        `insert into postings (tenant_id, scope, term, chunk_id, tf, dl)
         select $1, $2::int, p.* from unnest($3::text[], $4::bigint[], $5::real[], $6::int[]) p`,
        [tenant, document.scope, rows.map((r) => r.term), rows.map((r) => r.id), rows.map((r) => r.tf), rows.map((r) => r.dl)],
      );
    });
  }
  // Makes indexes in memory and copies elsewhere read it again.
  await db.transaction(async (query) => {
    const rows = await query<{ source_id: string }>(
      `update documents d set changed = this_moment(), terms_version = ${termsVersion},
         terms = (select coalesce(sum(terms), 0) from chunks c where c.tenant_id = $1 and c.document_id = d.id)
       where d.tenant_id = $1 and d.id = $2 and d.status = 'active' returning source_id`,
      [tenant, document.id],
    );
    for (const { source_id } of rows) {
      await noteDocument(query, tenant, 'document.published', document.id, { scope: document.scope, source_id });
    }
  });
  return passages.length;
}

const textOf = (vector: Float32Array | undefined): string | null => (vector ? vectorText(vector) : null);

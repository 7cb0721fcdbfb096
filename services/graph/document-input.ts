import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Turn } from '../../contracts/knowledge/knowledge.ts';
import type { EvidenceInput } from '../../engines/evidence/types.ts';
import { correctGiven, correctionsIn, type CorrectionRow } from './corrections.ts';
import type { Columns } from '../../prisma/rows.ts';

/** Columns that `documentInput` needs; `documentColumns` selects them from documents d and knowledge_sources s. */
export interface DocumentRow extends Row, Columns<'documents', 'id' | 'title' | 'created_at'> {
  type: string;
  origin: string;
  /** Metadata of the source, and of the document from its parser. */
  about: Record<string, unknown>;
  found: Record<string, unknown>;
  corrections: CorrectionRow[];
}

export const documentColumns = `d.id, d.title, d.created_at, s.type, coalesce(s.url, s.identity) as origin, s.metadata as about, d.metadata as found,
  (select coalesce(jsonb_agg(jsonb_build_object('field', r.field, 'value', r.value) order by r.field, r.key), '[]') from reading_corrections r
   where r.tenant_id = s.tenant_id and r.source_id = s.id) as corrections`;

export interface PassageRow extends Row, Columns<'chunks', 'id' | 'title' | 'body'> {
  speaker: string | null;
  turns: Turn[] | null;
}

/** The passages of a document, in order. */
export const passagesOfDocument = (query: Database['query'], tenant: string, documentId: string): Promise<PassageRow[]> =>
  query<PassageRow>(
    `select id::text, title, body, place->>'speaker' as speaker, turns from chunks where tenant_id = $1 and document_id = $2 order by ordinal`,
    [tenant, documentId],
  );

/** Metadata of the source as people corrected it. */
export const givenOf = ({ about, corrections }: DocumentRow): Record<string, unknown> => correctGiven(about, correctionsIn(corrections));

/** A stored document as input of the evidence engine. */
export const documentInput = (row: DocumentRow, passages: readonly PassageRow[]): EvidenceInput => ({
  title: row.title,
  origin: row.origin,
  sourceType: row.type,
  given: givenOf(row),
  people: correctionsIn(row.corrections).people,
  found: row.found,
  arrivedAt: row.created_at.toISOString(),
  passages: passages.map(({ title, body, speaker, turns }) => ({
    title,
    text: body,
    ...(speaker === null ? {} : { speaker }),
    ...(turns === null ? {} : { turns }),
  })),
});

import type { Place } from '../../adapters/parsers/index.ts';
import type { Row } from '../../adapters/postgres/database.ts';
import { currentScope } from '../../adapters/postgres/tenancy.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { memoryBase, parsedBase, type CitedPlace } from '../../contracts/knowledge/knowledge.ts';
import type { DocumentHead, OutlineEntry } from '../../contracts/knowledge/reading.ts';
import type { Columns } from '../../prisma/rows.ts';
import { readCursor, writeCursor, type Page } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { citationOf, citedPlace } from './rules.ts';

/** A passage with the id under which other records name it. */
export interface PassageRow {
  id: string;
  citation: string;
  ordinal: number;
  content: string;
  context: string | null;
  place: CitedPlace;
}

export interface PassagePage extends Page<PassageRow> {
  /** Cursor of the passages before these; absent: these are the first. */
  previous?: string;
}

interface HeadRow
  extends
    Row,
    Columns<'documents', 'id' | 'source_id' | 'title' | 'format' | 'status' | 'said_at' | 'created_at' | 'chunk_count' | 'revision'>,
    Columns<'knowledge_sources', 'kb_id' | 'type' | 'url' | 'tags'> {
  current_id: string | null;
}

const shownOutline = 500;

/** Reads documents passage by passage. */
export class DocumentReader extends Service {
  /** @throws AppError NOT_FOUND; GONE when it was deleted or replaced */
  async head(tenant: string, id: string): Promise<DocumentHead> {
    const [row] = await this.db.query<HeadRow>(
      `select d.id, d.source_id, d.title, d.format, d.status, d.said_at, d.created_at, d.chunk_count, d.revision,
         s.kb_id, s.type, s.url, s.tags, s.document_id as current_id
       from documents d join knowledge_sources s on s.tenant_id = $1 and s.id = d.source_id
       where d.tenant_id = $1 and d.id = $2 and s.kb_id <> all($3)`,
      [tenant, id, [memoryBase, parsedBase]],
    );
    if (row?.status === 'retired') throw gone(id, row.title, row.current_id);
    if (!row) throw (await this.deleted(tenant, id)) ?? unknown(id);
    if (row.status !== 'active') throw unknown(id);
    return {
      document_id: row.id,
      source_id: row.source_id,
      kb_id: row.kb_id,
      title: row.title,
      type: row.type,
      format: row.format,
      url: row.url,
      tags: row.tags,
      passage_count: row.chunk_count,
      version: row.revision,
      said_at: row.said_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
    };
  }

  /** Headings with their first passages; without headings: pages, slides or sheets. */
  async outline(tenant: string, id: string): Promise<OutlineEntry[]> {
    const rows = await this.db.query<{ ordinal: number; place: Place; end_place: Place }>(
      `select ordinal, place, end_place from (
         select ordinal, place, end_place, row_number() over w as n,
           lag(end_place->'headings') over w is distinct from place->'headings' or place->'headings' is distinct from end_place->'headings'
             or lag(place->'page') over w is distinct from place->'page'
             or lag(place->'slide') over w is distinct from place->'slide' or lag(place->'sheet') over w is distinct from place->'sheet' as fresh
         from chunks where tenant_id = $1 and document_id = $2 window w as (order by ordinal)) c
       where fresh or n = 1 order by ordinal limit ${shownOutline}`,
      [tenant, id],
    );
    const headed = rows.some(({ place }) => (place.headings ?? []).length > 0);
    const entries: OutlineEntry[] = [];
    let above: readonly string[] = [];
    for (const { ordinal, place, end_place } of rows) {
      const cited = citedPlace(place, end_place);
      // A passage may begin with several headings: those above its end are under those above its start.
      for (const path of headed ? [place.headings ?? [], end_place.headings ?? []] : [labelled(cited)]) {
        const same = path.findIndex((title, i) => above[i] !== title);
        if (same >= 0) path.slice(same).forEach((title, i) => entries.push({ title, level: same + i + 1, ordinal, place: cited }));
        above = path;
      }
    }
    return entries.slice(0, shownOutline);
  }

  /**
   * Passages in order.
   * @param around begins half a page before this one
   * @throws AppError VALIDATION_ERROR (cursor)
   */
  async passages(
    tenant: string,
    id: string,
    { limit, cursor, around }: { limit: number; cursor?: string | undefined; around?: number | undefined },
  ): Promise<PassagePage> {
    const [way, at] =
      cursor === undefined ? ['from', String(Math.max(0, (around ?? 0) - Math.floor(limit / 2)))] : readCursor(cursor, ['text', 'int']);
    const up = way === 'before';
    const rows = await this.db.query<ChunkRow>(
      `select ${columns} from chunks c where c.tenant_id = $1 and c.document_id = $2 and c.ordinal ${up ? '<' : '>='} $3
       order by c.ordinal ${up ? 'desc' : ''} limit $4`,
      [tenant, id, Number(at), limit + 1],
    );
    const shown = rows.slice(0, limit);
    if (up) shown.reverse();
    const [first, last] = [shown[0]?.ordinal, shown.at(-1)?.ordinal];
    const more = rows.length > limit;
    const before = up ? more : first !== undefined && first > 0;
    const after = up ? last !== undefined : more;
    return {
      items: shown.map(view),
      ...(after ? { next: writeCursor('from', String(last! + 1)) } : {}),
      ...(before ? { previous: writeCursor('before', String(first)) } : {}),
    };
  }

  /** One passage, with those beside it. @throws AppError NOT_FOUND, GONE */
  async passage(
    tenant: string,
    documentId: string,
    ordinal: number,
  ): Promise<{ head: DocumentHead; passage: PassageRow; previous: string | null; next: string | null }> {
    const head = await this.head(tenant, documentId);
    const rows = await this.db.query<ChunkRow>(
      `select ${columns} from chunks c where c.tenant_id = $1 and c.document_id = $2 and c.ordinal between $3 - 1 and $3 + 1`,
      [tenant, documentId, ordinal],
    );
    const [previous, passage, next] = [-1, 0, 1].map((step) => rows.find((row) => row.ordinal === ordinal + step));
    if (!passage) {
      throw notFound('passage', citationOf(documentId, ordinal), `"${head.title}" has ${head.passage_count} passages, counted from 0.`);
    }
    const cited = (row: ChunkRow | undefined): string | null => (row ? citationOf(documentId, row.ordinal) : null);
    return { head, passage: view(passage), previous: cited(previous), next: cited(next) };
  }

  /** Its end, as its events tell for as long as they are kept. A team is not told: its scope ends with the document's rows. */
  private async deleted(tenant: string, id: string): Promise<AppError | null> {
    if (currentScope()) return null;
    const [told] = await this.db.query<{ source_id: string | null; current_id: string | null }>(
      `select o.data->>'source_id' as source_id, s.document_id as current_id
       from outbox o left join knowledge_sources s on s.tenant_id = $1 and s.id = o.data->>'source_id'
       where o.tenant_id = $1 and o.subject = $2 and o.type in ('document.retired', 'document.deleted') order by o.id desc limit 1`,
      [tenant, id],
    );
    return told ? gone(id, null, told.current_id) : null;
  }
}

interface ChunkRow extends Row, Columns<'chunks', 'id' | 'document_id' | 'ordinal' | 'body'> {
  context: string | null;
  place: Place;
  end_place: Place;
}

const columns = 'c.id::text, c.document_id, c.ordinal, c.body, c.title as context, c.place, c.end_place';

const view = (row: ChunkRow): PassageRow => ({
  id: row.id,
  citation: citationOf(row.document_id, row.ordinal),
  ordinal: row.ordinal,
  content: row.body,
  context: row.context,
  place: citedPlace(row.place, row.end_place),
});

function labelled({ page, slide, sheet }: CitedPlace): string[] {
  if (page !== undefined) return [`Page ${page}`];
  if (slide !== undefined) return [`Slide ${slide}`];
  return sheet === undefined ? [] : [sheet];
}

const unknown = (id: string): AppError => notFound('document', id, 'Searches name the document of each hit.');

function gone(id: string, title: string | null, current: string | null): AppError {
  const what = title === null ? `The document ${id}` : `"${title}"`;
  return current !== null && current !== id
    ? new AppError('GONE', `${what} was replaced by a newer version.`, {
        hint: `Its source has the document ${current} now; citations of the old one do not fit it.`,
        details: { current_document_id: current },
      })
    : new AppError('GONE', `${what} was deleted.`, { hint: 'Its source can be ingested again.' });
}

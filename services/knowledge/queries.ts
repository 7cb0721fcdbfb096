import type { Row } from '../../adapters/postgres/database.ts';
import { notFound } from '../../contracts/errors.ts';
import { hiddenBases } from '../../contracts/graph/graph.ts';
import type { Source, SourceDetail } from '../../contracts/knowledge/knowledge.ts';
import { readCursor, readTime, writeCursor } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import type { Columns } from '../../prisma/rows.ts';
import { notRemoved, removalKey } from './removal-marks.ts';

export interface SourceFilter {
  kbId?: string | undefined;
  /** Sources with all of these tags. */
  tags?: string[] | undefined;
  status?: string | undefined;
  limit: number;
  /** Opaque, from a previous page. */
  cursor?: string | undefined;
}

interface SourceRow
  extends
    Row,
    Columns<
      'knowledge_sources',
      | 'id'
      | 'kb_id'
      | 'title'
      | 'description'
      | 'type'
      | 'url'
      | 'tags'
      | 'priority'
      | 'document_id'
      | 'chunk_count'
      | 'created_at'
      | 'updated_at'
    > {
  status: Source['status'];
  metadata: Record<string, unknown>;
}

/** Reads of knowledge sources. Each is one SQL statement. */
export class KnowledgeQueries extends Service {
  /** Newest first. */
  async sources(tenant: string, filter: SourceFilter): Promise<{ sources: Source[]; total: number; next?: string }> {
    const after = readCursor(filter.cursor, 2);
    const values = [tenant, filter.kbId ?? null, filter.status ?? null, filter.tags?.length ? filter.tags : null];
    const where = `tenant_id = $1 and kb_id not like '\\_%' and ${notRemoved('knowledge_sources')} and ($2::text is null or kb_id = $2) and ($3::text is null or status = $3) and ($4::text[] is null or tags @> $4)`;
    const [{ count }] = (await this.db.query<{ count: number }>(
      `select count(*)::int as count from knowledge_sources where ${where}`,
      values,
    )) as [{ count: number }];
    const rows = await this.db.query<SourceRow & { at: string }>(
      `select *, created_at::text as at from knowledge_sources where ${where}
         and ($5::timestamptz is null or (created_at, id) < ($5, $6)) order by created_at desc, id desc limit $7`,
      [...values, after === null ? null : readTime(after[0]!), after?.[1] ?? '', filter.limit + 1],
    );
    const page = rows.slice(0, filter.limit);
    const last = page.at(-1);
    return {
      sources: page.map(summary),
      total: count,
      ...(rows.length > filter.limit && last ? { next: writeCursor(last.at, last.id) } : {}),
    };
  }

  /** @throws AppError NOT_FOUND, also for another tenant's id */
  async source(tenant: string, id: string): Promise<SourceDetail> {
    const [row] = await this.db.query<SourceRow>(
      `select * from knowledge_sources where tenant_id = $1 and id = $2 and kb_id <> all($3) and ${notRemoved('knowledge_sources')}`,
      [tenant, id, hiddenBases],
    );
    if (!row) throw notFound('source', id, 'knowledge.source.list shows the sources of your tenant.');
    const { last_updated, ...rest } = summary(row);
    return {
      ...rest,
      description: row.description,
      priority: row.priority,
      document_id: row.document_id,
      metadata: withoutMark(row.metadata),
      created_at: row.created_at.toISOString(),
      updated_at: last_updated,
    };
  }
}

/** A source that was submitted again during its removal keeps the invalid mark for a while. */
function withoutMark({ [removalKey]: _mark, ...metadata }: Record<string, unknown>): Record<string, unknown> {
  return metadata;
}

const summary = (row: SourceRow): Source => ({
  id: row.id,
  kb_id: row.kb_id,
  title: row.title,
  type: row.type,
  url: row.url,
  tags: row.tags,
  status: row.status,
  chunk_count: row.chunk_count,
  last_updated: row.updated_at.toISOString(),
});

import type { Row } from '../../adapters/postgres/database.ts';
import { notFound } from '../../contracts/errors.ts';
import { hiddenBases } from '../../contracts/graph/graph.ts';
import type { Source, SourceDetail } from '../../contracts/knowledge/knowledge.ts';
import { hasWordsOrId, wordsOf } from '../kernel/words.ts';
import { countedPage, matching, newest, type CountedPage, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import type { Columns } from '../../prisma/rows.ts';
import { notRemoved, removalKey } from './removal-marks.ts';

export interface SourceFilter extends Paging {
  kbId?: string | undefined;
  /** Words of title and address, all of them, or an id. */
  search?: string | undefined;
  /** Sources with all of these tags. */
  tags?: string[] | undefined;
  status?: string | undefined;
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
  async sources(tenant: string, { kbId, search, tags, status, ...paging }: SourceFilter): Promise<CountedPage<Source>> {
    const where = matching({
      'tenant_id = $': tenant,
      "kb_id not like '\\_%'": true,
      [notRemoved('knowledge_sources')]: true,
      'kb_id = $': kbId,
      'status = $': status,
      'tags @> $': tags?.length ? tags : undefined,
      [hasWordsOrId('id', "title || ' ' || coalesce(url, '')")]: wordsOf(search),
    });
    const list = { select: '*', from: 'knowledge_sources', ...where, order: newest('created_at', 'id') };
    return await countedPage(this.db.query, list, paging, summary);
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

import type { Row } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Base } from '../../contracts/knowledge/bases.ts';
import type { SourceDetail } from '../../contracts/knowledge/knowledge.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { KnowledgeQueries } from './queries.ts';
import { notRemoved, removedTag } from './removal-marks.ts';
import { Service } from '../kernel/service.ts';

export interface NewBase {
  /** Default: derived from the name. */
  id?: string | undefined;
  name: string;
  description?: string | undefined;
  tags?: string[] | undefined;
}

export interface SourceChange {
  title?: string | undefined;
  description?: string | undefined;
  tags?: string[] | undefined;
  priority?: number | undefined;
}

interface BaseRow extends Row, Columns<'knowledge_bases', 'id' | 'name' | 'description' | 'tags' | 'created_at' | 'updated_at'> {
  sources: number;
  chunks: number;
}

/** Knowledge bases: named collections of sources; and the metadata of sources. */
export class KnowledgeBases extends Service<never, { queries: KnowledgeQueries }> {
  /**
   * Creates a base. An identical one is a no-op; a base that is being removed, or was created by an ingestion without
   * a name, gets the new description.
   * @throws AppError VALIDATION_ERROR (the name gives no id), CONFLICT (another base has this id)
   */
  async create(tenant: string, wanted: NewBase): Promise<{ kb_id: string; existed: boolean }> {
    const id = wanted.id ?? idOf(wanted.name);
    const description = wanted.description ?? null;
    const tags = wanted.tags ?? [];
    if (tags.includes(removedTag)) throw new AppError('VALIDATION_ERROR', `The tag "${removedTag}" is reserved.`);
    return await this.db.transaction(async (query) => {
      const made = await query(
        'insert into knowledge_bases (tenant_id, id, name, description, tags) values ($1, $2, $3, $4, $5) on conflict do nothing returning 1',
        [tenant, id, wanted.name, description, tags],
      );
      if (made.length > 0) return { kb_id: id, existed: false };
      const [row] = await query<BaseRow>('select * from knowledge_bases where tenant_id = $1 and id = $2 for update', [tenant, id]);
      if (!row) throw new AppError('SERVICE_UNAVAILABLE', `The knowledge base "${id}" is just being removed.`, { hint: 'Try again.' });
      const bare = row.name === row.id && row.description === null && row.tags.length === 0;
      const leaving = row.tags.includes(removedTag);
      if (!bare && !leaving) {
        const same = row.name === wanted.name && (wanted.description ?? row.description) === row.description;
        if (same && sameTags(row.tags, wanted.tags ?? row.tags)) return { kb_id: id, existed: true };
        throw new AppError('CONFLICT', `There is a knowledge base "${id}" already: ${row.name}.`, {
          hint: 'Use it as it is, or give the new one another kb_id.',
          details: { kb_id: id, name: row.name },
        });
      }
      await query(
        'update knowledge_bases set name = $3, description = $4, tags = $5, updated_at = now() where tenant_id = $1 and id = $2',
        [tenant, id, wanted.name, description, tags],
      );
      return { kb_id: id, existed: !leaving };
    });
  }

  /** All except the platform's own, by id. */
  async list(tenant: string): Promise<Base[]> {
    const rows = await this.db.query<BaseRow>(
      `select b.*, coalesce(s.sources, 0)::int as sources, coalesce(s.chunks, 0)::int as chunks from knowledge_bases b
       left join (select kb_id, count(*) as sources, sum(chunk_count) as chunks from knowledge_sources s
         where tenant_id = $1 and ${notRemoved('s')} group by kb_id) s on s.kb_id = b.id
       where b.tenant_id = $1 and b.id not like '\\_%' and (coalesce(s.sources, 0) > 0 or $2 <> all(b.tags)) order by b.id`,
      [tenant, removedTag],
    );
    return rows.map((row) => ({
      kb_id: row.id,
      name: row.name,
      description: row.description,
      tags: row.tags.filter((tag) => tag !== removedTag),
      source_count: row.sources,
      chunk_count: row.chunks,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }));
  }

  /**
   * Changes the given fields. A new version of the content brings its own title.
   * @throws AppError NOT_FOUND
   */
  async updateSource(tenant: string, sourceId: string, change: SourceChange): Promise<SourceDetail> {
    if (Object.values(change).every((value) => value === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'There is nothing to change.', { hint: 'Give title, description, tags or priority.' });
    }
    const rows = await this.db.query(
      `update knowledge_sources s set title = coalesce($3, title), description = coalesce($4, description), tags = coalesce($5::text[], tags),
         priority = coalesce($6, priority), updated_at = now()
       where tenant_id = $1 and id = $2 and kb_id not like '\\_%' and ${notRemoved('s')} returning 1`,
      [tenant, sourceId, change.title ?? null, change.description ?? null, change.tags ?? null, change.priority ?? null],
    );
    if (rows.length === 0) throw notFound('source', sourceId, 'knowledge.source.list shows the sources of your tenant.');
    return await this.deps.queries.source(tenant, sourceId);
  }
}

/** "Customer Calls (2026)" → "customer-calls-2026". @throws AppError VALIDATION_ERROR */
export function idOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
  if (id === '') {
    throw new AppError('VALIDATION_ERROR', `No id can be made of the name "${name}".`, {
      hint: 'Give kb_id: lower-case letters, digits, "-" and "_".',
    });
  }
  return id;
}

const sameTags = (a: string[], b: string[]): boolean => JSON.stringify([...new Set(a)].sort()) === JSON.stringify([...new Set(b)].sort());

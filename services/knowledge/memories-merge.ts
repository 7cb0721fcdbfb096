import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { canonicalJson, newId } from '../../contracts/ids.ts';
import { memoryTags, memoryMetadata, type Consolidated, type MemoryScope, type UndoneMerge } from '../../contracts/knowledge/memory.ts';
import type { Columns } from '../../prisma/rows.ts';
import { count, keysetPage, matching, newest } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { indexMemory, retagMemory, type Indexed } from './memories-index.ts';
import type { MemoryIndexing } from './memories-indexing.ts';
import { ownerIn, ownersOf } from './memories-owner.ts';
import { judged, pairsOf, withinBounds, type Group } from './memories-pairs.ts';
import { endVersions, keyOf, lockMemories } from './memories-records.ts';
import { isValid, latestVersion, memoryColumns, type MemoryRow } from './memories-rows.ts';
import { wellFormed } from './records.ts';

type Query = Database['query'];

/** What a merge changes of the memory that stays. */
interface Fields {
  tags: string[];
  metadata: Record<string, unknown>;
  expires_at: string | null;
}

interface MergeRow extends Row, Columns<'memory_merges', 'id' | 'owner' | 'kept_id' | 'merged_ids' | 'at' | 'undone_at'> {
  /** With the times of the last changes, by id. */
  before: Fields & { updated_at: Record<string, string> };
  after: Fields;
}

export interface ConsolidationWish {
  scope?: MemoryScope | undefined;
  category?: string | undefined;
  apply?: boolean | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Near pairs that are told although they stay apart. */
const mostApart = 20;

/** Finds memories that say the same, merges them, and undoes that. */
export class MemoryMerging extends Service<'embedder', { indexing: MemoryIndexing }> {
  /**
   * Looks at the memories of one scope, newest first, page by page; with `apply` merges what says the same.
   * @throws AppError VALIDATION_ERROR (cursor, scope)
   */
  async consolidate(caller: Caller, { scope = 'team', category, apply = false, limit, cursor }: ConsolidationWish): Promise<Consolidated> {
    const { tenant } = caller;
    const { query } = this.db;
    const owner = ownerIn(await ownersOf(query, caller), scope);
    const pool = matching({ 'tenant_id = $': tenant, 'owner = $': owner, 'category = $': category, [isValid]: true });
    const size = await count(query, { from: 'memories', ...pool });
    const list = { select: memoryColumns, from: 'memories', ...pool, order: newest('created_at', 'id') };
    const page = await keysetPage<MemoryRow, MemoryRow>(query, list, { limit: withinBounds(limit, size), cursor }, (row) => row);
    const last = page.items.at(-1);
    const left = last ? await this.after(tenant, owner, category, last) : 0;
    const alike = await judged(
      query,
      tenant,
      await pairsOf(
        query,
        tenant,
        owner,
        page.items.map(({ id }) => id),
      ),
    );
    const groups: Consolidated['groups'] = [];
    const skipped: Consolidated['skipped'] = [];
    for (const group of alike.groups) {
      const why = tooMuch(group);
      const done = why !== null || !apply ? null : await this.merge(caller, group);
      if (why !== null) skipped.push({ memory_id: group.keep.id, reason: why });
      else if (apply && done === null) skipped.push({ memory_id: group.keep.id, reason: 'changed meanwhile' });
      else groups.push(viewOf(group, done));
    }
    return {
      applied: apply,
      groups,
      apart: alike.apart.slice(0, mostApart).map(({ one, other, similarity, reason }) => ({
        memory_ids: [one.id, other.id],
        contents: [one.content, other.content],
        similarity: roundedOr(similarity),
        reason,
      })),
      skipped,
      examined: page.items.length,
      left,
      ...(page.next === undefined ? {} : { next_cursor: page.next }),
    };
  }

  private async after(tenant: string, owner: string, category: string | undefined, last: MemoryRow): Promise<number> {
    const [row] = await this.db.query<{ n: number }>(
      `select count(*)::int as n from memories where tenant_id = $1 and owner = $2 and ($3::text is null or category = $3) and ${isValid}
         and (created_at, id) < (select created_at, id from memories where tenant_id = $1 and id = $4)`,
      [tenant, owner, category ?? null, last.id],
    );
    return row!.n;
  }

  /** @returns the id of the merge; null: one of them has changed meanwhile */
  private async merge(caller: Caller, { keep, merge }: Group): Promise<string | null> {
    const { tenant, principal } = caller;
    const ids = merge.map(({ memory }) => memory.id);
    return await this.db.transaction(async (query) => {
      await lockMemories(query, tenant, [keyOf(keep), ...merge.map(({ memory }) => keyOf(memory))]);
      const rows = await query<MemoryRow & { changed: string }>(
        `select ${memoryColumns}, updated_at::text as changed from memories where tenant_id = $1 and id = any($2) and ${isValid} order by id for update`,
        [tenant, [keep.id, ...ids]],
      );
      const kept = rows.find(({ id }) => id === keep.id);
      if (!kept || rows.length !== ids.length + 1) return null;
      const others = rows.filter(({ id }) => id !== keep.id);
      const after = united(kept, others);
      if (tooMuch({ keep: kept, merge: others.map((memory) => ({ memory, similarity: undefined })) }) !== null) return null;
      const before = { ...fieldsOf(kept), updated_at: Object.fromEntries(rows.map(({ id, changed }) => [id, changed])) };
      await writeFields(query, tenant, kept, after, null);
      const at = await endVersions(query, tenant, ids, kept.id);
      const id = newId('merge');
      await query(
        `insert into memory_merges (tenant_id, id, scope, owner, kept_id, merged_ids, before, after, at, created_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          tenant,
          id,
          kept.scope,
          kept.owner,
          kept.id,
          ids,
          JSON.stringify(before, wellFormed),
          JSON.stringify(after, wellFormed),
          at,
          principal,
        ],
      );
      return id;
    });
  }

  /**
   * Undoes a merge: each memory is valid and found again as before, with its tags, metadata and expiry.
   * @throws AppError NOT_FOUND, CONFLICT (one of them has been changed since)
   */
  async restore(caller: Caller, id: string): Promise<UndoneMerge> {
    const { tenant, principal } = caller;
    const owners = Object.values(await ownersOf(this.db.query, caller));
    const [made] = await this.db.query<MergeRow>(
      `select * from memory_merges where tenant_id = $1 and id = $2 and (owner = '' or owner = any($3))`,
      [tenant, id, owners],
    );
    if (!made) throw notFound('merge', id, 'memory.record.consolidate with apply tells the id of each merge.');
    const answer = { merge_id: id, memory_id: made.kept_id, restored: made.merged_ids };
    if (made.undone_at !== null) return { ...answer, status: 'was_restored' };
    const former = await this.db.query<MemoryRow>(`select ${memoryColumns} from memories where tenant_id = $1 and id = any($2)`, [
      tenant,
      [made.kept_id, ...made.merged_ids],
    ]);
    const warnings: string[] = [];
    const indexed = new Map<string, Indexed>();
    // Vectors are made before the transaction, which holds locks.
    for (const row of made.owner === '' ? former.filter((each) => each.id !== made.kept_id) : []) {
      const { key, content, category } = { ...row, key: keyOf(row) };
      indexed.set(row.id, { ...(await this.deps.indexing.prepared(tenant, { key, content, category }, warnings)), id: row.id });
    }
    const status = await this.db.transaction(async (query) => {
      await lockMemories(query, tenant, former.map(keyOf));
      const [still] = await query<MergeRow>('select * from memory_merges where tenant_id = $1 and id = $2 for update', [tenant, id]);
      if (!still) throw notFound('merge', id);
      if (still.undone_at !== null) return 'was_restored' as const;
      await assertUnchanged(query, tenant, still);
      const rows = await query<MemoryRow>(
        `update memories m set valid_to = null, superseded_by = null, updated_at = ($3::jsonb ->> m.id)::timestamptz
         where tenant_id = $1 and id = any($2) returning ${memoryColumns}`,
        [tenant, still.merged_ids, JSON.stringify(still.before.updated_at)],
      );
      for (const row of rows) {
        const entry = indexed.get(row.id);
        if (entry) await indexMemory(query, tenant, entry, row.tags);
      }
      const [kept] = await query<MemoryRow>(`select ${memoryColumns} from memories where tenant_id = $1 and id = $2`, [
        tenant,
        still.kept_id,
      ]);
      await writeFields(query, tenant, kept!, still.before, still.before.updated_at[still.kept_id]!);
      await query('update memory_merges set undone_at = now(), undone_by = $3 where tenant_id = $1 and id = $2', [tenant, id, principal]);
      return 'restored' as const;
    });
    return { ...answer, status };
  }
}

/** @throws AppError CONFLICT */
async function assertUnchanged(query: Query, tenant: string, made: MergeRow): Promise<void> {
  const rows = await query<MemoryRow>(
    `select ${memoryColumns} from memories where tenant_id = $1 and id = any($2) order by id for update`,
    [tenant, [made.kept_id, ...made.merged_ids]],
  );
  const by = new Map(rows.map((row) => [row.id, row]));
  const refused = (what: string, hint: string): AppError =>
    new AppError('CONFLICT', `The merge ${made.id} cannot be undone: ${what}.`, { hint });
  const kept = by.get(made.kept_id);
  if (!kept || kept.valid_to !== null) {
    const now = kept ? await latestVersion(query, tenant, kept.id) : null;
    throw refused(
      `the memory ${made.kept_id} no longer holds`,
      `Read ${now ?? made.kept_id} with memory.record.get, and save again what is missing.`,
    );
  }
  if (canonicalJson(fieldsOf(kept)) !== canonicalJson(made.after)) {
    throw refused(`tags, metadata or expiry of ${kept.id} were changed since`, 'Save the merged memories again, if they still hold.');
  }
  for (const id of made.merged_ids) {
    const row = by.get(id);
    if (!row || row.superseded_by !== made.kept_id || row.valid_to?.getTime() !== made.at.getTime()) {
      throw refused(`the memory ${id} was deleted or changed since`, 'Save it again, if it still holds.');
    }
    const again = await query('select 1 from memories where tenant_id = $1 and coalesce(key, id) = $2 and valid_to is null', [
      tenant,
      keyOf(row),
    ]);
    if (again.length > 0) throw refused(`the content of ${id} was saved again since`, 'It is valid already; delete that one first.');
  }
}

async function writeFields(query: Query, tenant: string, row: MemoryRow, fields: Fields, updatedAt: string | null): Promise<void> {
  await query(
    `update memories set tags = $3, metadata = $4, expires_at = $5, updated_at = coalesce($6::timestamptz, now()) where tenant_id = $1 and id = $2`,
    [tenant, row.id, fields.tags, JSON.stringify(fields.metadata, wellFormed), fields.expires_at, updatedAt],
  );
  if (row.owner === '') await retagMemory(query, tenant, row.id, row.category, fields.tags);
}

const fieldsOf = ({ tags, metadata, expires_at }: MemoryRow): Fields => ({ tags, metadata, expires_at: expires_at?.toISOString() ?? null });

/** Tags and metadata of all; what the kept memory says of itself counts. The latest expiry. */
function united(kept: MemoryRow, others: readonly MemoryRow[]): Fields {
  const all = [kept, ...others];
  const ends = all.map(({ expires_at }) => expires_at?.getTime() ?? Infinity);
  const end = Math.max(...ends);
  return {
    tags: [...new Set(all.flatMap(({ tags }) => tags))],
    metadata: Object.assign({}, ...others.map(({ metadata }) => metadata), kept.metadata) as Record<string, unknown>,
    expires_at: end === Infinity ? null : new Date(end).toISOString(),
  };
}

function tooMuch({ keep, merge }: Group): string | null {
  const { tags, metadata } = united(
    keep,
    merge.map(({ memory }) => memory),
  );
  if (!memoryTags.safeParse(tags).success) return 'too many tags together';
  return memoryMetadata.safeParse(metadata).success ? null : 'too much metadata together';
}

const roundedOr = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value * 1_000) / 1_000);

const viewOf = ({ keep, merge }: Group, mergeId: string | null): Consolidated['groups'][number] => ({
  keep: { memory_id: keep.id, content: keep.content },
  merge: merge.map(({ memory, similarity }) => ({ memory_id: memory.id, content: memory.content, similarity: roundedOr(similarity) })),
  ...(mergeId === null ? {} : { merge_id: mergeId }),
});

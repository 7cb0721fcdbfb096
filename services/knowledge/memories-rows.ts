import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Memory, MemoryOrigin, MemoryScope, MemoryVersion, RememberedHistory } from '../../contracts/knowledge/memory.ts';
import type { Columns } from '../../prisma/rows.ts';
import { matching, newest, type List } from '../kernel/paging.ts';
import type { Owners } from './memories-owner.ts';

type Query = Database['query'];

export interface MemoryRow
  extends
    Row,
    Columns<
      'memories',
      | 'id'
      | 'content'
      | 'category'
      | 'tags'
      | 'created_by'
      | 'created_at'
      | 'owner'
      | 'key'
      | 'valid_from'
      | 'valid_to'
      | 'superseded_by'
      | 'expires_at'
    > {
  metadata: Record<string, unknown>;
  scope: MemoryScope;
  origin: MemoryOrigin | null;
}

/** What rows are read with; vectors and words are left where they are. */
export const memoryColumns = `id, content, category, tags, metadata, created_by, created_at, scope, owner, key, valid_from, valid_to, superseded_by,
  expires_at, origin`;

/** SQL over memories `m`: when it began to be valid. Times of versions have milliseconds, as answers do. */
export const validFrom = (m = ''): string => `coalesce(${m}valid_from, date_trunc('milliseconds', ${m}created_at))`;
/** SQL over memories: valid now. */
export const isValid = 'valid_to is null and (expires_at is null or expires_at > now())';

export interface MemoryFilter {
  category?: string | undefined;
  /** Memories with all of these tags. */
  tags?: string[] | undefined;
  /** Default: the team's and the caller's own. */
  scope?: MemoryScope | undefined;
  /** What was valid then, in ISO 8601. Default: what is valid now. */
  asOf?: string | undefined;
}

/** Conditions on memories as `matching` takes them: what the owners may see, and the filter selects. The tenant is `$1`. */
export const seenBy = (
  tenant: string,
  owners: Owners,
  { category, tags, scope, asOf }: MemoryFilter = {},
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  'tenant_id = $': tenant,
  ...(scope === undefined
    ? { "owner = '' or owner = any($::text[])": Object.values(owners) }
    : { 'owner = $': scope === 'team' ? '' : (owners[scope] ?? 'nobody') }),
  'category = $': category,
  'tags @> $': tags?.length ? tags : undefined,
  ...(asOf === undefined
    ? { [isValid]: true }
    : {
        [`${validFrom()} <= $::timestamptz and (valid_to is null or valid_to > $::timestamptz) and (expires_at is null or expires_at > $::timestamptz)`]:
          asOf,
      }),
  ...more,
});

/** Newest first. */
export const memoryList = (tenant: string, owners: Owners, filter: MemoryFilter = {}): List => ({
  select: memoryColumns,
  from: 'memories',
  ...matching(seenBy(tenant, owners, filter)),
  order: newest('created_at', 'id'),
});

/** Those of these that the owners may see, also former and expired ones. */
export async function memoryRows(
  query: Query,
  tenant: string,
  owners: Owners,
  ids: readonly string[],
  locked = false,
): Promise<Map<string, MemoryRow>> {
  const rows = await query<MemoryRow>(
    `select ${memoryColumns} from memories where tenant_id = $1 and id = any($2) and (owner = '' or owner = any($3))${locked ? ' order by id for update' : ''}`,
    [tenant, ids, Object.values(owners)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export const memoryView = (row: MemoryRow): Memory => ({
  memory_id: row.id,
  content: row.content,
  category: row.category,
  tags: row.tags,
  metadata: row.metadata,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  scope: row.scope,
  expires_at: row.expires_at?.toISOString() ?? null,
});

export const versionView = (row: MemoryRow): MemoryVersion => {
  const ended = row.valid_to ?? (row.expires_at !== null && row.expires_at.getTime() <= Date.now() ? row.expires_at : null);
  return {
    ...memoryView(row),
    valid_from: (row.valid_from ?? row.created_at).toISOString(),
    valid_to: ended?.toISOString() ?? null,
    superseded_by: row.superseded_by,
    origin: row.origin,
  };
};

/** Former versions kept in an answer. */
const mostVersions = 200;

/** What a memory replaced, directly or through others, newest first. */
export async function formerVersions(query: Query, tenant: string, id: string): Promise<MemoryRow[]> {
  return await query<MemoryRow>(
    `with recursive former as (
       select id, 1 as step from memories where tenant_id = $1 and superseded_by = $2
       union select m.id, f.step + 1 from former f join memories m on m.tenant_id = $1 and m.superseded_by = f.id)
     select ${memoryColumns} from memories where tenant_id = $1 and id in (select id from former)
     order by valid_to desc, id limit ${mostVersions}`,
    [tenant, id],
  );
}

/** Merges told in an answer. */
const mostMerges = 50;

/** Merges into the memory that were not undone, newest first. */
export async function standingMerges(query: Query, tenant: string, id: string): Promise<RememberedHistory['merges']> {
  const rows = await query<Row & Columns<'memory_merges', 'id' | 'at' | 'merged_ids'>>(
    `select id, at, merged_ids from memory_merges where tenant_id = $1 and kept_id = $2 and undone_at is null
     order by at desc, id limit ${mostMerges}`,
    [tenant, id],
  );
  return rows.map(({ id: merge_id, at, merged_ids: merged }) => ({ merge_id, at: at.toISOString(), merged }));
}

/** The version that replaced it last; itself when none did. */
export async function latestVersion(query: Query, tenant: string, id: string): Promise<string> {
  const [row] = await query<{ id: string }>(
    `with recursive later as (
       select id, superseded_by, 1 as step from memories where tenant_id = $1 and id = $2
       union select m.id, m.superseded_by, l.step + 1 from later l join memories m on m.tenant_id = $1 and m.id = l.superseded_by)
     select id from later order by step desc limit 1`,
    [tenant, id],
  );
  return row?.id ?? id;
}

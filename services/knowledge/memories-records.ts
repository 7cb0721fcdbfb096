import type { Database } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import type { MemoryOrigin, MemoryScope } from '../../contracts/knowledge/memory.ts';
import { terms } from '../../engines/retrieval/terms.ts';
import { lock } from '../kernel/locks.ts';
import { indexMemory, retagMemory, unindexMemories, type Indexed } from './memories-index.ts';
import type { Owners } from './memories-owner.ts';
import { latestVersion, memoryColumns, memoryRows, validFrom, type MemoryRow } from './memories-rows.ts';
import { vectorText, wellFormed } from './records.ts';

type Query = Database['query'];

export interface NewMemory extends Omit<Indexed, 'id'> {
  /** The same for the same content in the same category, scope and owner; the id of the first such memory. */
  key: string;
  content: string;
  tags: string[];
  metadata: Record<string, unknown>;
  createdBy: string;
  scope: MemoryScope;
  /** Empty: the team's. */
  owner: string;
  /** Null: none. */
  expiresAt: string | null;
  origin: MemoryOrigin | null;
  /** Not saved again if one with these words of that turn was saved before, valid or not. */
  oncePerOrigin: boolean;
  /** Its words in order, and its vector if there is one. */
  terms: string[];
  vector: Float32Array | null;
}

/** The version that a new one replaces, as its owners see it. */
export interface Replaced {
  id: string;
  owners: Owners;
}

export interface Written {
  id: string;
  status: 'saved' | 'exists';
  superseded?: string;
}

/** Writers of memories with the same content, and of versions of one memory, wait for each other. Locks are taken in the order of their names. */
export async function lockMemories(query: Query, tenant: string, keys: readonly string[]): Promise<void> {
  for (const key of [...new Set(keys)].sort()) await lock(query, `memory/${tenant}/${key}`);
}

export const keyOf = ({ key, id }: Pick<MemoryRow, 'key' | 'id'>): string => key ?? id;

/**
 * Writes a memory, with its index entries if it is the team's, in one transaction. A valid one with the same content gets
 * the new tags and metadata added, and keeps the later expiry. A memory that it replaces ends at that moment.
 * @throws AppError NOT_FOUND, CONFLICT (the replaced one is replaced already), VALIDATION_ERROR (it is of another scope)
 */
export async function writeMemory(db: Database, tenant: string, made: NewMemory, replaced?: Replaced): Promise<Written> {
  return await db.transaction(async (query) => {
    const former = replaced ? await readFormer(query, tenant, made, replaced) : null;
    const origin = made.oncePerOrigin && made.origin ? made.origin : null;
    await lockMemories(query, tenant, [made.key, ...(former ? [keyOf(former)] : []), ...(origin ? [`of/${origin.conversation}`] : [])]);
    const before = origin ? await savedFrom(query, tenant, made.owner, origin) : null;
    if (before !== null) return { id: before, status: 'exists' };
    const written = await saveUnder(query, tenant, made);
    if (!former || !replaced || former.id === written.id) return written;
    const ended = await endFormer(query, tenant, replaced, written.id, written.status === 'saved');
    return ended ? { ...written, superseded: former.id } : written;
  });
}

/** The memory that was taken from these words of a conversation before. */
async function savedFrom(query: Query, tenant: string, owner: string, { conversation, turn, quote }: MemoryOrigin): Promise<string | null> {
  const [row] = await query<{ id: string }>(
    `select id from memories where tenant_id = $1 and origin->>'conversation' = $2 and owner = $3 and (origin->>'turn')::int = $4
       and (strpos(origin->>'quote', $5) > 0 or strpos($5, origin->>'quote') > 0) order by created_at, id limit 1`,
    [tenant, conversation, owner, turn, quote],
  );
  return row?.id ?? null;
}

async function readFormer(query: Query, tenant: string, made: NewMemory, { id, owners }: Replaced): Promise<MemoryRow> {
  const row = (await memoryRows(query, tenant, owners, [id])).get(id);
  if (!row) throw unknownMemory(id);
  if (row.owner !== made.owner) {
    throw new AppError('VALIDATION_ERROR', `The memory ${id} is of the scope ${row.scope}, the new one of ${made.scope}.`, {
      hint: 'A memory is replaced by one of the same scope: leave scope out, or save without supersedes.',
    });
  }
  return row;
}

/** The valid memory under the key, made if there is none. */
async function saveUnder(query: Query, tenant: string, made: NewMemory): Promise<Written> {
  const [there] = await query<MemoryRow & { over: boolean }>(
    `select ${memoryColumns}, coalesce(expires_at <= now(), false) as over from memories
     where tenant_id = $1 and coalesce(key, id) = $2 and valid_to is null for update`,
    [tenant, made.key],
  );
  if (there && !there.over) {
    const [row] = await query<{ tags: string[] }>(
      `update memories m set metadata = m.metadata || $3::jsonb, updated_at = now(),
         tags = m.tags || (select coalesce(array_agg(t), '{}') from unnest($4::text[]) t where t <> all(m.tags)),
         expires_at = case when m.expires_at is null or $5::timestamptz is null then null else greatest(m.expires_at, $5) end
       where tenant_id = $1 and id = $2 returning tags`,
      [tenant, there.id, JSON.stringify(made.metadata, wellFormed), made.tags, made.expiresAt],
    );
    if (made.owner === '') await retagMemory(query, tenant, there.id, made.category, row!.tags);
    return { id: there.id, status: 'exists' };
  }
  if (there) await endExpired(query, tenant, there);
  const [taken] = await query('select 1 from memories where tenant_id = $1 and id = $2', [tenant, made.key]);
  const id = taken ? newId('memory') : made.key;
  await query(
    `insert into memories (tenant_id, id, key, content, category, tags, metadata, created_by, scope, owner, valid_from, expires_at, origin, terms, model, embedding)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, date_trunc('milliseconds', clock_timestamp()), $11, $12, $13, $14, $15::halfvec)`,
    [
      tenant,
      id,
      made.key,
      made.content,
      made.category,
      made.tags,
      JSON.stringify(made.metadata, wellFormed),
      made.createdBy,
      made.scope,
      made.owner,
      made.expiresAt,
      made.origin === null ? null : JSON.stringify(made.origin, wellFormed),
      made.terms.map((term) => term.toWellFormed()),
      made.vector ? made.model : null,
      made.vector ? vectorText(made.vector) : null,
    ],
  );
  if (made.owner === '') await indexMemory(query, tenant, { ...made, id }, made.tags);
  return { id, status: 'saved' };
}

/**
 * Ends a version because another one replaces it. Call it with the locks of both.
 * @returns false: the same one has replaced it before
 * @throws AppError NOT_FOUND, CONFLICT
 */
async function endFormer(query: Query, tenant: string, { id, owners }: Replaced, by: string, isNew: boolean): Promise<boolean> {
  const row = (await memoryRows(query, tenant, owners, [id], true)).get(id);
  if (!row) throw unknownMemory(id);
  if (row.superseded_by === by) return false;
  if (row.superseded_by !== null) throw replacedAlready(id, await latestVersion(query, tenant, id));
  assertNotExpired(row);
  const at = await endVersions(query, tenant, [id], by);
  // A new version begins when the former one ends, so that each moment has one of them.
  if (isNew) await query('update memories set valid_from = $3 where tenant_id = $1 and id = $2', [tenant, by, at]);
  return true;
}

/** Ends versions at this moment: they leave the index, and stay readable. @returns that moment */
export async function endVersions(query: Query, tenant: string, ids: readonly string[], by: string): Promise<Date> {
  const [row] = await query<{ at: Date }>(
    `with clock as materialized (
       select greatest(date_trunc('milliseconds', clock_timestamp()), max(${validFrom()})) as at from memories where tenant_id = $1 and id = any($2)),
     ended as (update memories m set valid_to = c.at, superseded_by = $3, updated_at = now() from clock c where m.tenant_id = $1 and m.id = any($2))
     select at from clock`,
    [tenant, ids, by],
  );
  // Saved before words stood with memories: in the index they would be lost now.
  const bare = await query<{ id: string; content: string }>(
    `select id, content from memories where tenant_id = $1 and id = any($2) and terms = '{}'`,
    [tenant, ids],
  );
  for (const { id, content } of bare) {
    const words = terms(content).map((term) => term.toWellFormed());
    await query('update memories set terms = $3 where tenant_id = $1 and id = $2', [tenant, id, words]);
  }
  await unindexMemories(query, tenant, ids);
  return row!.at;
}

/** Ends an expired memory at its expiry. */
export async function endExpired(query: Query, tenant: string, { id }: Pick<MemoryRow, 'id'>): Promise<void> {
  await query(`update memories set valid_to = greatest(expires_at, ${validFrom()}), updated_at = now() where tenant_id = $1 and id = $2`, [
    tenant,
    id,
  ]);
  await unindexMemories(query, tenant, [id]);
}

export interface Amended {
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Null: none; undefined: unchanged. */
  expiresAt?: string | null | undefined;
}

/**
 * Replaces tags, metadata or expiry of a valid memory. No version is made, because the statement is the same.
 * @throws AppError NOT_FOUND, CONFLICT (another version has replaced it)
 */
export async function amendMemory(db: Database, tenant: string, { id, owners }: Replaced, change: Amended): Promise<void> {
  await db.transaction(async (query) => {
    const row = (await memoryRows(query, tenant, owners, [id], true)).get(id);
    if (!row) throw unknownMemory(id);
    if (row.superseded_by !== null) throw replacedAlready(id, await latestVersion(query, tenant, id));
    assertNotExpired(row);
    await query(
      `update memories set tags = coalesce($3::text[], tags), metadata = coalesce($4::jsonb, metadata), updated_at = now(),
         expires_at = case when $5 then $6::timestamptz else expires_at end where tenant_id = $1 and id = $2`,
      [
        tenant,
        id,
        change.tags ?? null,
        change.metadata === undefined ? null : JSON.stringify(change.metadata, wellFormed),
        change.expiresAt !== undefined,
        change.expiresAt ?? null,
      ],
    );
    if (change.tags !== undefined && row.owner === '') await retagMemory(query, tenant, id, row.category, change.tags);
  });
}

/**
 * Deletes a memory with the versions that it replaced, and their index entries. Call it in a transaction.
 * @returns how many versions; 0: the owners have no such memory
 */
export async function eraseMemory(query: Query, tenant: string, owners: Owners, id: string): Promise<number> {
  const row = (await memoryRows(query, tenant, owners, [id])).get(id);
  return row ? await deleteVersions(query, tenant, row) : 0;
}

/** As `eraseMemory`, whoever asks. */
export async function deleteVersions(query: Query, tenant: string, row: Pick<MemoryRow, 'id' | 'key'>): Promise<number> {
  await lockMemories(query, tenant, [keyOf(row)]);
  const gone = await query<{ id: string }>(
    `with recursive doomed as (
       select id from memories where tenant_id = $1 and id = $2
       union select m.id from doomed d join memories m on m.tenant_id = $1 and m.superseded_by = d.id),
     locked as materialized (select m.id from memories m where m.tenant_id = $1 and m.id in (select id from doomed) order by m.id for update)
     delete from memories where tenant_id = $1 and id in (select id from locked) returning id`,
    [tenant, row.id],
  );
  if (gone.length === 0) return 0;
  const ids = gone.map((each) => each.id);
  await query('delete from memory_merges where tenant_id = $1 and kept_id = any($2)', [tenant, ids]);
  await unindexMemories(query, tenant, ids);
  return ids.length;
}

export const unknownMemory = (id: string): AppError => notFound('memory', id, 'memory.record.search and memory.record.list show ids.');

/** @throws AppError GONE; what was replaced is another matter */
export function assertNotExpired({ id, valid_to, superseded_by, expires_at }: MemoryRow): void {
  const over = valid_to !== null || (expires_at !== null && expires_at.getTime() <= Date.now());
  if (over && superseded_by === null) {
    throw new AppError('GONE', `The memory ${id} has expired.`, { hint: 'Save what holds now as a new memory.' });
  }
}

const replacedAlready = (id: string, current: string): AppError =>
  new AppError('CONFLICT', `The memory ${id} was replaced by another version meanwhile.`, {
    hint: `Read ${current} with memory.record.get, and update that one if yours still holds.`,
    details: { current_id: current },
  });

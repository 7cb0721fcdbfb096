import type { Database, Row } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Columns } from '../../prisma/rows.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { refoldFacts } from './facts-records.ts';
import { noteGraphChange, refoldEntities } from './fold.ts';
import { noteHistory } from './history.ts';
import { lockGraph } from './lock.ts';
import { nameKey } from '../../engines/text/names.ts';
import { openReview, pairOf } from '../kernel/reviews/reviews-records.ts';
import { teachSame, unteach } from './teach.ts';

type Query = Database['query'];

export interface MergeOutcome extends Record<string, unknown> {
  survivor: string;
  /** Null: they were already one. */
  loser: string | null;
  aliases_added: string[];
  mentions_moved: number;
  /** Questions about the merged entity, which are now asked about the survivor. */
  reviews_opened: string[];
}

export interface EntityRow
  extends Row, Columns<'entities', 'id' | 'type' | 'name' | 'merged_into' | 'origin' | 'signal_count' | 'created_at'> {
  status: 'active' | 'merged';
}

/** Data in the survivor's history for undoing the merge. */
export interface Absorbed {
  /** Name of the entity that absorbed it, then. Absent in older records. */
  into?: string;
  loser: string;
  name: string;
  /** Keys of the names that were moved. */
  keys: string[];
  links: { external_system: string; external_id: string }[];
  /** Entities that had been merged into the merged one. */
  redirected: string[];
  outcome: MergeOutcome;
}

/**
 * An active entity, following merges; locked.
 * @throws AppError NOT_FOUND
 */
export async function activeEntity(query: Query, tenant: string, id: string): Promise<EntityRow> {
  let wanted = id;
  for (let hops = 0; hops < 20; hops += 1) {
    const [row] = await query<EntityRow>(
      `select id, type, name, status, merged_into, origin, signal_count, created_at from entities where tenant_id = $1 and id = $2 for update`,
      [tenant, wanted],
    );
    if (!row) break;
    if (row.status === 'active') return row;
    wanted = row.merged_into!;
  }
  throw notFound('entity', id, 'entity.record.list shows the entities of your tenant.');
}

/**
 * Same type, and not the same entity.
 * @throws AppError CONFLICT
 */
export function assertMergeable(a: EntityRow, b: EntityRow): void {
  if (a.type === b.type) return;
  throw new AppError('CONFLICT', `"${a.name}" is a ${a.type} and "${b.name}" a ${b.type}: entities of different types are not merged.`, {
    hint: 'If the type of one is wrong, give its name to the other with entity.alias.add.',
    details: { reason: 'types' },
  });
}

/**
 * Merges two entities in one transaction: the one with more signals survives and gets the other's names, with their
 * origin. A repeat under its change id returns the first result.
 */
export async function mergeEntities(
  db: Database,
  tenant: string,
  { changeId, a, b, by, notes }: { changeId: string; a: string; b: string; by: string; notes: string | null },
): Promise<MergeOutcome> {
  return await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    const done = await absorbedBy(query, tenant, changeId);
    if (done) return done.data.outcome;
    const [first, second] = [await activeEntity(query, tenant, a), await activeEntity(query, tenant, b)];
    if (first.id === second.id) return { survivor: first.id, loser: null, aliases_added: [], mentions_moved: 0, reviews_opened: [] };
    assertMergeable(first, second);
    const [survivor, loser] = [first, second].toSorted(bySignals) as [EntityRow, EntityRow];

    const moved = await moveMentions(query, tenant, { changeId, from: loser.id, to: survivor.id, assignedBy: 'merge' });
    const aliases = await query<{ key: string; alias: string }>(
      'update entity_aliases set entity_id = $3 where tenant_id = $1 and entity_id = $2 returning key, alias',
      [tenant, loser.id, survivor.id],
    );
    const links = await query<{ external_system: string; external_id: string }>(
      'update entity_links set entity_id = $3, updated_at = now() where tenant_id = $1 and entity_id = $2 returning external_system, external_id',
      [tenant, loser.id, survivor.id],
    );
    const redirected = await query<{ id: string }>(
      'update entities set merged_into = $3, updated_at = now() where tenant_id = $1 and merged_into = $2 returning id',
      [tenant, loser.id, survivor.id],
    );
    await query(
      `update entities set status = 'merged', merged_into = $3, rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2`,
      [tenant, loser.id, survivor.id],
    );
    const concerned = await refoldBoth(query, tenant, [survivor.id, loser.id]);
    const outcome: MergeOutcome = {
      survivor: survivor.id,
      loser: loser.id,
      aliases_added: aliases.map((row) => row.alias),
      mentions_moved: moved,
      reviews_opened: await askAnew(query, tenant, loser, survivor, changeId),
    };
    const data: Absorbed = {
      into: survivor.name,
      loser: loser.id,
      name: loser.name,
      keys: aliases.map((row) => row.key),
      links,
      redirected: redirected.map((row) => row.id),
      outcome,
    };
    await teachSame(query, tenant, survivor.type, survivor.name, [loser.name]);
    const said = notes === null ? {} : { notes };
    await noteHistory(query, tenant, { entityId: survivor.id, event: 'absorbed', changeId, data: { ...data, ...said }, by });
    await noteHistory(query, tenant, { entityId: loser.id, event: 'merged', changeId, data: { into: survivor.id, ...said }, by });
    await noteEvent(query, tenant, 'entity.merged', survivor.id, { survivor: survivor.id, merged: loser.id, type: survivor.type });
    await noteGraphChange(query, tenant, changeId, concerned);
    return outcome;
  });
}

/** Undoes a merge exactly: each mention, name and link returns to its origin, unless it was moved since. */
export async function undoMerge(db: Database, tenant: string, changeId: string, by: string): Promise<boolean> {
  return await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    const done = await absorbedBy(query, tenant, changeId);
    const [again] = await query(`select 1 from entity_history where tenant_id = $1 and change_id = $2 and event = 'restored'`, [
      tenant,
      changeId,
    ]);
    if (!done || again) return false;
    await restore(query, tenant, { changeId, survivor: done.entity_id, data: done.data, by });
    return true;
  });
}

export async function restore(
  query: Query,
  tenant: string,
  { changeId, survivor, data, by }: { changeId: string; survivor: string; data: Absorbed; by: string },
): Promise<void> {
  const { loser } = data;
  await query(
    `update entities set status = 'active', merged_into = null, rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2`,
    [tenant, loser],
  );
  await query(
    `update entity_mentions m set entity_id = v.from_id, assigned_by = v.assigned_by from mention_moves v
     where v.tenant_id = $1 and v.change_id = $2 and m.id = v.mention_id and m.tenant_id = $1 and m.entity_id = v.to_id`,
    [tenant, changeId],
  );
  await query('delete from mention_moves where tenant_id = $1 and change_id = $2', [tenant, changeId]);
  await query(
    `update entity_aliases a set entity_id = $2 from entities e
     where a.tenant_id = $1 and a.entity_id = $3 and a.key = any($4) and e.tenant_id = $1 and e.id = $2 and a.type = e.type`,
    [tenant, loser, survivor, data.keys],
  );
  await query(
    `update entity_links l set entity_id = $2, updated_at = now() from jsonb_to_recordset($4::jsonb) as r(external_system text, external_id text)
     where l.tenant_id = $1 and l.entity_id = $3 and l.external_system = r.external_system and l.external_id = r.external_id`,
    [tenant, loser, survivor, JSON.stringify(data.links)],
  );
  await query('update entities set merged_into = $2 where tenant_id = $1 and id = any($4) and merged_into = $3', [
    tenant,
    loser,
    survivor,
    data.redirected,
  ]);
  const [kept] = await query<{ type: string; name: string }>('select type, name from entities where tenant_id = $1 and id = $2', [
    tenant,
    survivor,
  ]);
  if (kept) await unteach(query, tenant, kept.type, data.into ?? kept.name, data.name);
  const concerned = await refoldBoth(query, tenant, [survivor, loser]);
  for (const entityId of [survivor, loser])
    await noteHistory(query, tenant, { entityId, event: 'restored', changeId, data: { undone: 'merge' }, by });
  await noteGraphChange(query, tenant, changeId, concerned);
}

/** Reassigns mentions, and records their former assignment. `ids`: only these. */
export async function moveMentions(
  query: Query,
  tenant: string,
  { changeId, from, to, assignedBy, ids }: { changeId: string; from: string; to: string; assignedBy: string; ids?: readonly string[] },
): Promise<number> {
  const moved = await query(
    `with mine as (select id, assigned_by from entity_mentions where tenant_id = $1 and entity_id = $3 and ($6::bigint[] is null or id = any($6)) for update),
       noted as (insert into mention_moves (tenant_id, change_id, mention_id, from_id, to_id, assigned_by) select $1, $2, id, $3, $4, assigned_by from mine on conflict do nothing)
     update entity_mentions m set entity_id = $4, assigned_by = $5 from mine where m.tenant_id = $1 and m.id = mine.id returning 1`,
    [tenant, changeId, from, to, assignedBy, ids ?? null],
  );
  return moved.length;
}

/**
 * Recomputes counts, relations and facts of entities whose mentions changed.
 * @returns all affected entities
 */
export async function refoldBoth(query: Query, tenant: string, ids: string[]): Promise<string[]> {
  const concerned = new Set(await refoldEntities(query, tenant, ids));
  for (const id of await refoldFacts(query, tenant, { entityIds: ids })) concerned.add(id);
  return [...concerned];
}

export async function absorbedBy(query: Query, tenant: string, changeId: string): Promise<{ entity_id: string; data: Absorbed } | null> {
  const [row] = await query<{ entity_id: string; data: Absorbed }>(
    `select entity_id, data from entity_history where tenant_id = $1 and change_id = $2 and event = 'absorbed'`,
    [tenant, changeId],
  );
  return row ?? null;
}

/** Moves open questions about the merged entity to the survivor; questions about both are answered. */
async function askAnew(query: Query, tenant: string, loser: EntityRow, survivor: EntityRow, changeId: string): Promise<string[]> {
  const open = await query<{
    id: string;
    subject: { a: string; b: string; levels?: Record<string, number> };
    confidence: number;
    evidence: string[];
  }>(
    `update reviews set status = 'withdrawn', pair = null, result = jsonb_build_object('because', 'merged'), rev = rev + 1, updated_at = now()
     where tenant_id = $1 and kind = 'entity_match' and action = 'merge' and status = 'pending' and id <> $3 and (subject->>'a' = $2 or subject->>'b' = $2)
     returning id, subject, confidence, evidence`,
    [tenant, loser.id, changeId],
  );
  const opened: string[] = [];
  for (const { subject, confidence, evidence } of open) {
    const other = subject.a === loser.id ? subject.b : subject.a;
    if (other === survivor.id) continue;
    const [row] = await query<EntityRow>(`select id, name from entities where tenant_id = $1 and id = $2 and status = 'active'`, [
      tenant,
      other,
    ]);
    if (!row) continue;
    const id = await openReview(query, tenant, {
      action: 'merge',
      type: survivor.type,
      subject: { ...subject, a: survivor.id, b: other },
      pair: pairOf(survivor.type, nameKey(survivor.name), nameKey(row.name)),
      confidence,
      evidence,
      origin: 'merge',
      createdBy: 'signalbox',
    });
    if (id !== null) opened.push(id);
  }
  return opened;
}

/** The first of two keeps its name in a merge. */
export const bySignals = (a: Pick<EntityRow, 'id' | 'signal_count' | 'created_at'>, b: typeof a): number =>
  b.signal_count - a.signal_count || a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);

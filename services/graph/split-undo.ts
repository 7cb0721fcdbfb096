import type { Database } from '../../adapters/postgres/database.ts';
import { noteGraphChange } from './fold.ts';
import { noteHistory } from './history.ts';
import { lockGraph } from './lock.ts';
import { refoldBoth } from './merge.ts';
import type { SplitRecord } from './split.ts';
import { unteach } from './teach.ts';

type Query = Database['query'];

/** Undoes a split: mentions and names return, a created entity is deleted, one that was merged before is merged again. */
export async function undoSplit(db: Database, tenant: string, changeId: string, by: string): Promise<boolean> {
  return await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    return await takeBackSplit(query, tenant, changeId, by);
  });
}

/** The caller holds the graph lock. @returns false: there is no such split, or it was undone before */
export async function takeBackSplit(query: Query, tenant: string, changeId: string, by: string): Promise<boolean> {
  const [done] = await query<{ entity_id: string; data: SplitRecord }>(
    `select entity_id, data from entity_history h where tenant_id = $1 and change_id = $2 and event = 'split'
         and not exists (select from entity_history u where u.tenant_id = $1 and u.change_id = $2 and u.event = 'restored' and u.data ? 'undone')`,
    [tenant, changeId],
  );
  if (!done) return false;
  const { entity_id: original, data } = done;
  await query(
    `update entity_mentions m set entity_id = v.from_id, assigned_by = v.assigned_by from mention_moves v
       where v.tenant_id = $1 and v.change_id = $2 and m.tenant_id = $1 and m.id = v.mention_id and m.entity_id = v.to_id`,
    [tenant, changeId],
  );
  await query('delete from mention_moves where tenant_id = $1 and change_id = $2', [tenant, changeId]);
  await query('update entity_aliases set entity_id = $2 where tenant_id = $1 and entity_id = $3 and key = any($4)', [
    tenant,
    original,
    data.into,
    data.keys,
  ]);
  if (data.made !== null) {
    await query('delete from entity_aliases where tenant_id = $1 and entity_id = $2 and key = $3', [tenant, data.into, data.made]);
  }
  await withdrawQuestions(query, tenant, changeId, original, data.into);
  const concerned = await refoldBoth(query, tenant, [original, data.into]);
  if (data.former) {
    await query(
      `update entities set status = 'merged', merged_into = $3, rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2`,
      [tenant, data.into, original],
    );
  }
  const names = await query<{ id: string; type: string; name: string }>(
    'select id, type, name from entities where tenant_id = $1 and id = any($2)',
    [tenant, [original, data.into]],
  );
  const [own, other] = [original, data.into].map((id) => names.find((each) => each.id === id));
  if (own && other) await unteach(query, tenant, own.type, own.name, other.name);
  if (data.fresh) await query('delete from entities where tenant_id = $1 and id = $2 and mention_count = 0', [tenant, data.into]);
  await noteHistory(query, tenant, { entityId: original, event: 'restored', changeId, data: { undone: 'split' }, by });
  await noteGraphChange(query, tenant, changeId, [...concerned, original, data.into]);
  return true;
}

/** The questions and decisions of the split become invalid. */
async function withdrawQuestions(query: Query, tenant: string, changeId: string, original: string, created: string): Promise<void> {
  await query(
    `update reviews set status = 'withdrawn', pair = null, rev = rev + 1, updated_at = now()
     where tenant_id = $1 and kind = 'entity_match'
       and ((result->>'split' = $2 and status = 'rejected') or (action = 'split' and status = 'pending' and subject->>'a' = $3 and subject->>'b' = $4))`,
    [tenant, changeId, original, created],
  );
}

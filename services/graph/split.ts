import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId, newId } from '../../contracts/ids.ts';
import type { Columns } from '../../prisma/rows.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { keyOf, ownerOf } from './aliases.ts';
import { noteGraphChange } from './fold.ts';
import { noteHistory } from './history.ts';
import { modelOf } from './learning.ts';
import { lockGraph } from './lock.ts';
import { scoreNames } from '../../engines/linkage/names.ts';
import type { NameModel } from '../../engines/linkage/types.ts';
import { activeEntity, moveMentions, refoldBoth, type Absorbed, type EntityRow } from './merge.ts';
import { nameKey } from '../../engines/text/names.ts';
import { insertAliases, insertEntities } from './resolve-records.ts';
import { openReview, pairOf } from '../kernel/reviews/reviews-records.ts';
import { teachApart } from './teach.ts';

type Query = Database['query'];

export interface SplitOutcome extends Record<string, unknown> {
  original: string;
  created: string;
  /** Documents with moved mentions. */
  signals_moved: number;
  /** Documents whose mentions a person is asked about. */
  signals_for_review: number;
  mentions_moved: number;
  reviews_opened: string[];
}

/** Data in the original's history for undoing the split. */
export interface SplitRecord extends Record<string, unknown> {
  into: string;
  /** Created by this split; otherwise it existed: `former`, once merged into this one, or active. */
  fresh: boolean;
  former: boolean;
  /** Keys of the names that were moved or added. */
  keys: string[];
  made: string | null;
  /** Null: only one name, after a question. */
  outcome: SplitOutcome | null;
}

/** Minimum difference between the two names' scores for moving or keeping a mention without asking. */
const clearly = 0.2;

/** The entity merged before under the new name. */
interface Former {
  id: string;
  name: string;
  /** Id of the merge. */
  changeId: string;
  /** Keys of the names that it brought. */
  keys: string[];
}

/** Mentions of an entity with one name. */
interface NameGroup extends Record<string, unknown>, Columns<'entity_mentions', 'key' | 'surface'> {
  mentions: number;
  documents: number;
}

/**
 * Splits an entity: each of its names is scored against both names, and its mentions follow. What a merge brought
 * under the new name returns. Unclear ones stay, and a person is asked. One transaction; a repeat under its change id
 * returns the first result.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (the new name is the old one), CONFLICT (it belongs to another entity)
 */
export async function splitEntity(
  db: Database,
  tenant: string,
  { changeId, entityId, newName, by, notes }: { changeId: string; entityId: string; newName: string; by: string; notes: string | null },
): Promise<SplitOutcome> {
  return await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    const [done] = await query<{ data: { outcome: SplitOutcome } }>(
      `select data from entity_history where tenant_id = $1 and change_id = $2 and event = 'split'`,
      [tenant, changeId],
    );
    if (done) return done.data.outcome;
    const original = await activeEntity(query, tenant, entityId);
    const newKey = await assertSplittable(query, tenant, original, newName);
    const former = await absorbedUnder(query, tenant, original.id, newKey);
    const created = former ?? { id: newId('ent'), name: newName.trim() };
    if (former) {
      await query(
        `update entities set status = 'active', merged_into = null, rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2`,
        [tenant, former.id],
      );
    } else {
      await insertEntities(query, tenant, [{ ...created, type: original.type, certain: true, origin: 'person', createdBy: by }]);
    }
    const divided = await divide(query, tenant, { changeId, original, created, newKey, former, by });
    const { outcome } = divided;
    await keepApart(query, tenant, original, newKey, changeId, by);
    await teachApart(query, tenant, original.type, original.name, created.name);
    const concerned = await refoldBoth(query, tenant, [original.id, created.id]);
    const record: SplitRecord = { into: created.id, fresh: !former, former: former !== null, ...divided };
    const data = { ...record, ...(notes === null ? {} : { notes }) };
    await noteHistory(query, tenant, { entityId: original.id, event: 'split', changeId, data, by });
    await noteHistory(query, tenant, {
      entityId: created.id,
      event: former ? 'restored' : 'created',
      changeId,
      data: { from: original.id },
      by,
    });
    await noteEvent(query, tenant, 'entity.split', original.id, { original: original.id, created: created.id, type: original.type });
    await noteGraphChange(query, tenant, changeId, concerned);
    return outcome;
  });
}

/** Moves the mentions of one name to another entity, after an answered question of a split. Idempotent. */
export async function moveName(
  db: Database,
  tenant: string,
  { changeId, from, to, key, by }: { changeId: string; from: string; to: string; key: string; by: string },
): Promise<{ mentions_moved: number; entity: string }> {
  return await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    const [source, target] = [await activeEntity(query, tenant, from), await activeEntity(query, tenant, to)];
    const [before] = await query<{ n: number }>('select count(*)::int as n from mention_moves where tenant_id = $1 and change_id = $2', [
      tenant,
      changeId,
    ]);
    if (source.id === target.id || (before?.n ?? 0) > 0) return { mentions_moved: before?.n ?? 0, entity: target.id };
    const moved = await moveKey(query, tenant, { changeId, source, target, key });
    const concerned = await refoldBoth(query, tenant, [source.id, target.id]);
    const data: SplitRecord = { into: target.id, fresh: false, former: false, keys: moved.keys, made: null, outcome: null };
    await noteHistory(query, tenant, { entityId: source.id, event: 'split', changeId, data, by });
    await noteGraphChange(query, tenant, changeId, concerned);
    return { mentions_moved: moved.mentions, entity: target.id };
  });
}

async function assertSplittable(query: Query, tenant: string, original: EntityRow, newName: string): Promise<string> {
  const key = keyOf(newName);
  if (key === nameKey(original.name)) {
    throw new AppError('VALIDATION_ERROR', `"${newName}" is what the entity is called: a split needs a second name.`, {
      hint: 'Pass in new_entity_name what the other one is called.',
    });
  }
  const owner = await ownerOf(query, tenant, original.type, key);
  if (owner && owner.id !== original.id) {
    throw new AppError('CONFLICT', `"${newName}" is a name of ${original.type} "${owner.name}" already.`, {
      hint: 'Choose another name, or propose a merge of what is the same.',
      details: { owner: { entity_id: owner.id, name: owner.name, type: original.type } },
    });
  }
  return key;
}

/** The entity once merged into this one under that name, and the change. */
async function absorbedUnder(query: Query, tenant: string, entityId: string, key: string): Promise<Former | null> {
  const rows = await query<{ change_id: string; data: Absorbed }>(
    `select h.change_id, h.data from entity_history h
     join entities e on e.tenant_id = $1 and e.id = h.data->>'loser' and e.status = 'merged' and e.merged_into = $2
     where h.tenant_id = $1 and h.entity_id = $2 and h.event = 'absorbed' order by h.id desc`,
    [tenant, entityId],
  );
  const row = rows.find(({ data }) => nameKey(data.name) === key || data.keys.includes(key));
  return row ? { id: row.data.loser, name: row.data.name, changeId: row.change_id, keys: row.data.keys } : null;
}

async function divide(
  query: Query,
  tenant: string,
  {
    changeId,
    original,
    created,
    newKey,
    former,
    by,
  }: {
    changeId: string;
    original: EntityRow;
    created: { id: string; name: string };
    newKey: string;
    former: Former | null;
    by: string;
  },
): Promise<Pick<SplitRecord, 'keys' | 'made'> & { outcome: SplitOutcome }> {
  const keys: string[] = [];
  const target = { ...original, id: created.id, name: created.name };
  const ownKey = nameKey(original.name);
  const outcome: SplitOutcome = {
    original: original.id,
    created: created.id,
    signals_moved: 0,
    signals_for_review: 0,
    mentions_moved: 0,
    reviews_opened: [],
  };
  if (former) {
    // Only mentions that were not moved since.
    const came = await query<{ id: string }>(
      `select v.mention_id::text as id from mention_moves v join entity_mentions m on m.tenant_id = $1 and m.id = v.mention_id and m.entity_id = $3
       where v.tenant_id = $1 and v.change_id = $2`,
      [tenant, former.changeId, original.id],
    );
    const ids = came.map((row) => row.id);
    outcome.mentions_moved += await moveMentions(query, tenant, { changeId, from: original.id, to: created.id, assignedBy: 'split', ids });
    const back = await query<{ key: string }>(
      'update entity_aliases set entity_id = $4 where tenant_id = $1 and entity_id = $2 and key = any($3) returning key',
      [tenant, original.id, former.keys.filter((key) => key !== ownKey), created.id],
    );
    keys.push(...back.map((row) => row.key));
  }
  const model = await modelOf(query, tenant);
  for (const group of await namesOf(query, tenant, original.id)) {
    if (group.key === ownKey) continue;
    const verdict = group.key === newKey ? 'goes' : judge(group.key, ownKey, newKey, original.type, model);
    if (verdict === 'goes') {
      const moved = await moveKey(query, tenant, { changeId, source: original, target, key: group.key });
      outcome.mentions_moved += moved.mentions;
      keys.push(...moved.keys);
    } else if (verdict === 'unsure') {
      const id = await openReview(query, tenant, {
        action: 'split',
        type: original.type,
        subject: { a: original.id, b: created.id, key: group.key },
        pair: derivedId('pair', 'split', changeId, group.key),
        confidence: 0.5,
        evidence: [`"${group.surface}" (${group.mentions} mentions) fits both names alike.`],
        origin: 'split',
        createdBy: by,
      });
      if (id !== null) outcome.reviews_opened.push(id);
      outcome.signals_for_review += group.documents;
    }
  }
  const given = await query<{ key: string }>(
    'update entity_aliases set entity_id = $4 where tenant_id = $1 and type = $2 and key = $3 and entity_id = $5 returning key',
    [tenant, original.type, newKey, created.id, original.id],
  );
  keys.push(...given.map((row) => row.key));
  const made = keys.includes(newKey) || (await ownerOf(query, tenant, original.type, newKey)) ? null : newKey;
  const alias = { entityId: created.id, type: original.type, key: newKey, alias: created.name, origin: 'person' as const, by };
  await insertAliases(query, tenant, [alias]);
  const [sum] = await query<{ n: number }>(
    `select count(distinct m.document_id)::int as n from mention_moves v join entity_mentions m on m.tenant_id = $1 and m.id = v.mention_id
     where v.tenant_id = $1 and v.change_id = $2`,
    [tenant, changeId],
  );
  return { outcome: { ...outcome, signals_moved: sum?.n ?? 0 }, keys, made };
}

/** Whether a name belongs to the new entity, the old one, or is unclear. */
export function judge(key: string, ownKey: string, newKey: string, type: string, model: NameModel): 'goes' | 'stays' | 'unsure' {
  const toNew = scoreNames({ key, type }, { key: newKey, type }, model).probability;
  const toOwn = scoreNames({ key, type }, { key: ownKey, type }, model).probability;
  if (toNew - toOwn >= clearly) return 'goes';
  // A name similar to neither was added for another reason: by a person or a merge.
  return toOwn - toNew >= clearly || Math.max(toNew, toOwn) < clearly ? 'stays' : 'unsure';
}

async function moveKey(
  query: Query,
  tenant: string,
  { changeId, source, target, key }: { changeId: string; source: EntityRow; target: EntityRow; key: string },
): Promise<{ mentions: number; keys: string[] }> {
  const rows = await query<{ id: string; assigned_by: string | null }>(
    'select id::text, assigned_by from entity_mentions where tenant_id = $1 and entity_id = $2 and key = $3',
    [tenant, source.id, key],
  );
  const names = await query<{ key: string }>(
    'update entity_aliases set entity_id = $4 where tenant_id = $1 and type = $2 and key = $3 and entity_id = $5 returning key',
    [tenant, source.type, key, target.id, source.id],
  );
  // An automatic assignment was wrong: counted in the statistics.
  if (rows.some((row) => row.assigned_by === 'resolution')) {
    await query(
      `insert into resolution_counts as c (tenant_id, day, type, undone) values ($1, (now() at time zone 'utc')::date, $2, 1)
       on conflict (tenant_id, day, type) do update set undone = c.undone + 1`,
      [tenant, source.type],
    );
  }
  const ids = rows.map((row) => row.id);
  const mentions = await moveMentions(query, tenant, { changeId, from: source.id, to: target.id, assignedBy: 'split', ids });
  return { mentions, keys: names.map((row) => row.key) };
}

const namesOf = (query: Query, tenant: string, entityId: string): Promise<NameGroup[]> =>
  query<NameGroup>(
    `select key, mode() within group (order by surface) as surface, count(*)::int as mentions, count(distinct document_id)::int as documents
     from entity_mentions where tenant_id = $1 and entity_id = $2 group by key order by key`,
    [tenant, entityId],
  );

/** A split says that two names are not the same: they are never proposed or merged automatically again. */
async function keepApart(query: Query, tenant: string, original: EntityRow, newKey: string, changeId: string, by: string): Promise<void> {
  await query(
    `insert into reviews as r (tenant_id, id, kind, action, type, subject, pair, confidence, evidence, status, origin, created_by, decided_by, decided_at, result)
     values ($1, $2, 'entity_match', 'merge', $3, '{}', $4, 0, '[]', 'rejected', 'split', $5, $5, now(), jsonb_build_object('split', $6::text))
     on conflict (tenant_id, kind, pair) where pair is not null do update set status = 'rejected', decided_by = $5, decided_at = now(),
       result = jsonb_build_object('split', $6::text), rev = r.rev + 1, updated_at = now()
     where r.status <> 'deciding'`,
    [tenant, newId('fb'), original.type, pairOf(original.type, nameKey(original.name), newKey), by, changeId],
  );
}

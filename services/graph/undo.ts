import type { Database } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Entity } from '../../contracts/graph/graph.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { nameKey } from '../../engines/text/names.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { changeOf, openReview, pairOf, reviewRow, type ReviewRow } from '../kernel/reviews/reviews-records.ts';
import { Service } from '../kernel/service.ts';
import { noteGraphChange } from './fold.ts';
import { noteHistory } from './history.ts';
import { lockGraph } from './lock.ts';
import { absorbedBy, restore, type Absorbed } from './merge.ts';
import { entitiesById } from './reviews-view.ts';
import type { SplitRecord } from './split.ts';
import { takeBackSplit } from './split-undo.ts';
import { unteach } from './teach.ts';

type Query = Database['query'];

export interface Undone {
  change_id: string | null;
  /** Null: a no was taken back, which had changed nothing. */
  change: 'merge' | 'split' | 'alias' | null;
  /** False: it was taken back before. */
  undone: boolean;
  /** Concerned entities that exist now. */
  entities: Entity[];
  /** The question that was decided is open again, under this id. */
  reopened: string | null;
}

interface Noted {
  entity_id: string;
  event: string;
  data: Record<string, unknown>;
}

/**
 * Takes back merges, splits and names that were added, and decisions about them. Unlike a split, it forbids nothing:
 * the question is open again.
 */
export class ChangeUndo extends Service<'reviews'> {
  /**
   * @param which a change of an entity's history, or a decided question
   * @throws AppError NOT_FOUND; CONFLICT (not decided, or its entities were changed since)
   */
  async undo({ tenant, principal }: Caller, which: { changeId: string } | { feedbackId: string }): Promise<Undone> {
    const done = await this.db.transaction(async (query) => {
      await lockGraph(query, tenant);
      const review =
        'changeId' in which ? await reviewBehind(query, tenant, which.changeId) : await decided(query, tenant, which.feedbackId);
      const again = (review?.result ?? {}) as { because?: string; reopened?: string | null };
      if (review?.status === 'withdrawn' && again.because === 'undone') {
        return { ...(await before(query, tenant, review)), undone: false, reopened: again.reopened ?? null };
      }
      const changeId = 'changeId' in which ? which.changeId : review!.status === 'rejected' ? null : changeOf(tenant, review!);
      const back =
        changeId === null
          ? { change: null, ids: [review!.subject.a, review!.subject.b], undone: true }
          : await takeBack(query, tenant, changeId, principal);
      const reopened = back.undone && review ? await reopen(query, tenant, review, principal) : null;
      return { changeId, ...back, reopened };
    });
    if (done.reopened !== null && done.undone) await this.deps.reviews.start({ tenant, id: done.reopened }, principal);
    const ids = done.ids.filter((id) => id !== undefined);
    const entities = await entitiesById(this.db.query, tenant, ids);
    return {
      change_id: done.changeId,
      change: done.change,
      undone: done.undone,
      entities: [...new Map([...entities.values()].map((each) => [each.entity_id, each])).values()],
      reopened: done.reopened,
    };
  }
}

interface Back {
  change: 'merge' | 'split' | 'alias' | null;
  ids: (string | undefined)[];
  undone: boolean;
}

/** What a decision that was taken back had been about. */
async function before(query: Query, tenant: string, review: ReviewRow): Promise<Omit<Back, 'undone'> & { changeId: string | null }> {
  const changeId = changeOf(tenant, review);
  const applied = (await historyOf(query, tenant, changeId)).length > 0;
  return { changeId: applied ? changeId : null, change: applied ? review.action : null, ids: [review.subject.a, review.subject.b] };
}

async function takeBack(query: Query, tenant: string, changeId: string, by: string): Promise<Back> {
  const noted = await historyOf(query, tenant, changeId);
  const undone = noted.some(({ event, data }) => event === 'restored' && 'undone' in data);
  const absorbed = noted.find(({ event }) => event === 'absorbed');
  if (absorbed) {
    const { loser } = absorbed.data as unknown as Absorbed;
    if (!undone) await takeBackMerge(query, tenant, changeId, by);
    return { change: 'merge', ids: [absorbed.entity_id, loser], undone: !undone };
  }
  const split = noted.find(({ event }) => event === 'split');
  if (split) {
    const { into } = split.data as unknown as SplitRecord;
    if (!undone) {
      await assertActive(query, tenant, [split.entity_id, into]);
      await takeBackSplit(query, tenant, changeId, by);
      await noteEvent(query, tenant, 'entity.merged', split.entity_id, { survivor: split.entity_id, merged: into, undone: changeId });
    }
    return { change: 'split', ids: [split.entity_id, into], undone: !undone };
  }
  const added = noted.find(({ event }) => event === 'alias_added');
  if (added) {
    if (!undone) await takeBackName(query, tenant, changeId, added, by);
    return { change: 'alias', ids: [added.entity_id], undone: !undone };
  }
  throw notFound('change', changeId, 'entity.record.get shows the history of an entity with the ids of its changes.');
}

async function takeBackMerge(query: Query, tenant: string, changeId: string, by: string): Promise<void> {
  const { entity_id: survivor, data } = (await absorbedBy(query, tenant, changeId))!;
  await assertActive(query, tenant, [survivor]);
  const [loser] = await query<{ type: string; name: string; merged_into: string | null }>(
    'select type, name, merged_into from entities where tenant_id = $1 and id = $2',
    [tenant, data.loser],
  );
  if (loser?.merged_into !== survivor) {
    throw new AppError('CONFLICT', `"${data.name}" is no longer a part of this entity: it was split off or deleted.`, {
      hint: 'entity.record.get shows what happened since.',
      details: { reason: 'changed' },
    });
  }
  await restore(query, tenant, { changeId, survivor, data, by });
  await askBack(query, tenant, { survivor, loser: { id: data.loser, ...loser }, opened: data.outcome.reviews_opened });
  await noteEvent(query, tenant, 'entity.split', survivor, { original: survivor, created: data.loser, type: loser.type, undone: changeId });
}

/** Questions that the merge asked anew about the survivor are about the other entity again. */
async function askBack(
  query: Query,
  tenant: string,
  { survivor, loser, opened }: { survivor: string; loser: { id: string; type: string; name: string }; opened: readonly string[] },
): Promise<void> {
  for (const id of opened) {
    const row = await reviewRow(query, tenant, id);
    if (row?.status !== 'pending' || row.subject.a !== survivor || row.subject.b === undefined) continue;
    const other = (await entitiesById(query, tenant, [row.subject.b])).get(row.subject.b);
    await withdraw(query, tenant, id, { because: 'undone' });
    if (!other) continue;
    const pair = pairOf(row.type, nameKey(loser.name), nameKey(other.name));
    await openReview(query, tenant, { ...given(row), subject: { ...row.subject, a: loser.id }, pair });
  }
}

/** Without the name, mentions under it would belong to nobody: they must go elsewhere first. */
async function takeBackName(query: Query, tenant: string, changeId: string, { entity_id: id, data }: Noted, by: string): Promise<void> {
  await assertActive(query, tenant, [id]);
  const alias = String(data['alias']);
  const [entity] = await query<{ type: string; name: string; mentions: number }>(
    `select e.type, e.name, (select count(*)::int from entity_mentions m where m.tenant_id = $1 and m.entity_id = e.id and m.key = $3) as mentions
     from entities e where e.tenant_id = $1 and e.id = $2`,
    [tenant, id, nameKey(alias)],
  );
  if (entity!.mentions > 0) {
    throw new AppError('CONFLICT', `${entity!.mentions} mentions of "${entity!.name}" now use the name "${alias}".`, {
      hint: 'entity.record.split gives them to an entity of their own.',
      details: { reason: 'mentioned', mentions: entity!.mentions },
    });
  }
  await query('delete from entity_aliases where tenant_id = $1 and type = $2 and key = $3 and entity_id = $4', [
    tenant,
    entity!.type,
    nameKey(alias),
    id,
  ]);
  await unteach(query, tenant, entity!.type, entity!.name, alias);
  await noteHistory(query, tenant, { entityId: id, event: 'restored', changeId, data: { undone: 'alias', alias }, by });
  await noteGraphChange(query, tenant, changeId, [id]);
}

/** @throws AppError CONFLICT naming the later merge */
async function assertActive(query: Query, tenant: string, ids: readonly string[]): Promise<void> {
  const rows = await query<{ id: string; name: string; status: string }>(
    'select id, name, status from entities where tenant_id = $1 and id = any($2) order by id for update',
    [tenant, ids],
  );
  const away = ids.find((id) => rows.find((row) => row.id === id)?.status !== 'active');
  if (away === undefined) return;
  const [later] = await query<{ change_id: string }>(
    `select change_id from entity_history where tenant_id = $1 and entity_id = $2 and event = 'merged' order by id desc limit 1`,
    [tenant, away],
  );
  const name = rows.find((row) => row.id === away)?.name;
  throw new AppError('CONFLICT', name === undefined ? 'The entity was deleted.' : `"${name}" was merged into another entity.`, {
    hint: later ? `Undo that first: entity.change.undo with change_id ${later.change_id}.` : 'There is nothing left to undo.',
    details: { reason: 'changed', ...(later ? { later_change_id: later.change_id } : {}) },
  });
}

/** The question goes, and is asked again as it was. */
async function reopen(query: Query, tenant: string, row: ReviewRow, by: string): Promise<string | null> {
  const { pair } = row;
  await withdraw(query, tenant, row.id, { because: 'undone', by });
  const id = await openReview(query, tenant, { ...given(row), subject: row.subject, pair });
  await query(`update reviews set result = result || jsonb_build_object('reopened', $3::text) where tenant_id = $1 and id = $2`, [
    tenant,
    row.id,
    id,
  ]);
  return id;
}

const given = ({ action, type, confidence, evidence, origin, created_by: createdBy }: ReviewRow) => ({
  action,
  type,
  confidence,
  evidence,
  origin,
  createdBy,
});

async function withdraw(query: Query, tenant: string, id: string, why: Record<string, unknown>): Promise<void> {
  await query(
    `update reviews set status = 'withdrawn', pair = null, result = coalesce(result, '{}') || $3::jsonb, rev = rev + 1, updated_at = now()
     where tenant_id = $1 and id = $2`,
    [tenant, id, JSON.stringify(why)],
  );
}

const historyOf = (query: Query, tenant: string, changeId: string): Promise<(Noted & Record<string, unknown>)[]> =>
  query<Noted & Record<string, unknown>>(
    'select entity_id, event, data from entity_history where tenant_id = $1 and change_id = $2 order by id',
    [tenant, changeId],
  );

/** The question whose yes made the change, while it counts as decided; null: it came otherwise. */
async function reviewBehind(query: Query, tenant: string, changeId: string): Promise<ReviewRow | null> {
  const [job] = await query<{ kind: string; workflow_id: string }>('select kind, workflow_id from jobs where tenant_id = $1 and id = $2', [
    tenant,
    changeId,
  ]);
  const prefix = job?.kind === 'merge' || job?.kind === 'split' ? workflowIds[job.kind](tenant, '') : null;
  const id = prefix === null ? changeId : job!.workflow_id.slice(prefix.length);
  const row = await reviewRow(query, tenant, id);
  return row && (row.status === 'confirmed' || row.status === 'withdrawn') && changeOf(tenant, row) === changeId ? row : null;
}

/** @throws AppError NOT_FOUND, CONFLICT */
async function decided(query: Query, tenant: string, id: string): Promise<ReviewRow> {
  const row = await reviewRow(query, tenant, id);
  if (!row) throw notFound('feedback item', id, 'entity.review.list with status confirmed or rejected shows those there are.');
  if (row.subject.a === undefined) {
    throw new AppError('CONFLICT', 'This pair was rejected by a split.', { hint: 'Undo the split with its change_id.' });
  }
  if (row.status === 'confirmed' || row.status === 'rejected' || row.result?.['because'] === 'undone') return row;
  const open = row.status !== 'withdrawn';
  throw new AppError('CONFLICT', open ? 'This review is not decided yet.' : 'This review is no longer valid.', {
    details: { reason: row.status },
  });
}

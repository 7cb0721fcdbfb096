import type { Database } from '../../adapters/postgres/database.ts';
import type { Consequence, ReviewDecision, ReviewOutcome } from '../../contracts/activities/kernel/review.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Entity, reviewStatuses, ReviewItem } from '../../contracts/graph/graph.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Jobs } from '../kernel/jobs.ts';
import { countedPage, matching, newest, up, type CountedPage, type Paging } from '../kernel/paging.ts';
import { addAlias } from './aliases.ts';
import type { ChangeSpec } from './changes.ts';
import { noteGraphChange } from './fold.ts';
import { noteHistory } from './history.ts';
import { lockGraph } from './lock.ts';
import { activeEntity } from './merge.ts';
import { changeOf, reviewRow, type ReviewRow } from '../kernel/reviews/reviews-records.ts';
import { Service } from '../kernel/service.ts';
import { entitiesById, itemOf } from './reviews-view.ts';
import { teachSame } from './teach.ts';

type Query = Database['query'];

export interface ReviewFilter extends Paging {
  type?: string | undefined;
  /** Default: open. */
  status?: (typeof reviewStatuses)[number] | undefined;
}

export interface Decided {
  feedback_id: string;
  decision: 'confirmed' | 'rejected';
  /** The current state of the question's subject; null: deleted. */
  entity: Entity | null;
  aliases_added: string[];
  /** The same decision was made before. */
  repeated: boolean;
  refs: Ref[];
}

/** Questions to people about the identity of entities. */
export class Reviews extends Service<'reviews'> {
  /** Open questions, oldest first; decided ones, the last first. */
  async list(tenant: string, { type, status = 'open', ...paging }: ReviewFilter): Promise<CountedPage<ReviewItem>> {
    const open = status === 'open';
    const where = matching({
      'tenant_id = $': tenant,
      "kind = 'entity_match' and subject ? 'a'": true,
      "status in ('pending', 'deciding')": open,
      'status = $': open ? undefined : status,
      // The index has no others.
      'decided_at is not null': !open && status !== 'withdrawn',
      'type = $': type,
    });
    const order = open ? [up('created_at', 'timestamptz'), up('id')] : newest(status === 'withdrawn' ? 'created_at' : 'decided_at', 'id');
    const page = await countedPage(this.db.query, { select: '*', from: 'reviews', ...where, order }, paging, (row: ReviewRow) => row);
    const ids = page.items.flatMap(({ subject: { a, b } }) => [a, b]).filter((id) => id !== undefined);
    const entities = await entitiesById(this.db.query, tenant, ids);
    return { ...page, items: page.items.flatMap((row) => itemOf(row, entities) ?? []) };
  }

  /**
   * Decides a question; answers after the decision was carried out. A repeat of the same decision gets the same
   * answer.
   * @throws AppError NOT_FOUND; CONFLICT (decided otherwise, withdrawn, being decided, or no longer possible)
   */
  async decide(caller: Caller, id: string, decision: ReviewDecision['decision'], notes: string | null): Promise<Decided> {
    const { tenant, principal } = caller;
    const before = await this.row(tenant, id);
    const wanted = decision === 'confirm' ? 'confirmed' : 'rejected';
    if (before.status === 'confirmed' || before.status === 'rejected') return await this.answer(tenant, before, wanted, true);
    if (before.status === 'withdrawn') throw withdrawn(before);
    await this.deps.reviews.decide({ tenant, id }, before.created_by, { decision, by: principal, notes });
    return await this.answer(tenant, await this.row(tenant, id), wanted, before.status === 'deciding');
  }

  /** Entities by the requested ids, in their current state. */
  async entities(tenant: string, ids: readonly (string | undefined)[]): Promise<Map<string | undefined, Entity>> {
    return await entitiesById(
      this.db.query,
      tenant,
      ids.filter((id) => id !== undefined),
    );
  }

  private async row(tenant: string, id: string): Promise<ReviewRow> {
    const row = await reviewRow(this.db.query, tenant, id);
    if (!row) throw notFound('feedback item', id, 'entity.review.list (review_pending_entities) shows those there are.');
    return row;
  }

  private async answer(tenant: string, row: ReviewRow, wanted: 'confirmed' | 'rejected', repeated: boolean): Promise<Decided> {
    if (row.status === 'withdrawn') throw withdrawn(row);
    if (row.status !== wanted) {
      const how = row.status === 'confirmed' || row.status === 'rejected' ? `was ${row.status} by ${row.decided_by}` : 'is being decided';
      throw new AppError('CONFLICT', `This question ${how} already.`, {
        hint:
          row.status === 'confirmed'
            ? 'entity.record.split (split_entity) undoes a merge.'
            : 'A rejected match is not proposed again automatically; entity.proposal.submit can propose it.',
        details: { reason: row.status },
      });
    }
    const { survivor, created, entity } = (row.result ?? {}) as { survivor?: string; created?: string; entity?: string };
    const about = survivor ?? entity ?? created ?? row.subject.a ?? '';
    const entities = await entitiesById(this.db.query, tenant, [about]);
    return {
      feedback_id: row.id,
      decision: wanted,
      entity: entities.get(about) ?? null,
      aliases_added: ((row.result?.['aliases_added'] as string[] | undefined) ?? []).slice(0, 100),
      repeated,
      refs: this.deps.reviews.refs({ tenant, id: row.id }),
    };
  }
}

function withdrawn(row: ReviewRow): AppError {
  const because = (row.result?.['error'] as { message?: string } | undefined)?.message;
  return new AppError('CONFLICT', `This question holds no longer${because ? `: ${because}` : ': what it was about has changed.'}`, {
    hint: 'entity.review.list (review_pending_entities) shows what is open now.',
    details: { reason: 'withdrawn' },
  });
}

/** Records a decision and opens its job. A repeat finds the existing ones. */
export async function beginDecision(
  { db, jobs }: { db: Database; jobs: Jobs },
  tenant: string,
  id: string,
  decision: ReviewDecision,
): Promise<Consequence | null> {
  const row = await db.transaction(async (query) => {
    await query(
      `update reviews set status = 'deciding', decided_by = $3, decided_at = now(), notes = coalesce($4, notes), result = $5, rev = rev + 1, updated_at = now()
       where tenant_id = $1 and id = $2 and status in ('pending', 'deciding')`,
      [tenant, id, decision.by, decision.notes, JSON.stringify({ decision: decision.decision })],
    );
    return await reviewRow(query, tenant, id);
  });
  if (!row || row.status !== 'deciding') throw new AppError('CONFLICT', 'This question holds no longer: what it was about has changed.');
  if (decision.decision === 'reject') return null;
  const { a, b, key, name } = row.subject;
  const said = { by: decision.by, notes: decision.notes };
  if (row.action === 'alias') {
    await giveName(db, tenant, row, decision.by);
    return null;
  }
  const spec: ChangeSpec =
    row.action === 'merge'
      ? { change: 'merge', a: a!, b: b!, ...said }
      : key === undefined
        ? { change: 'split', entity: a!, name: name!, ...said }
        : { change: 'move', a: a!, b: b!, key, ...said };
  const workflow = row.action;
  const workflowId = workflowIds[workflow](tenant, id);
  const title = workflow === 'merge' ? `Merge of two entities (${row.type})` : `Split of an entity (${row.type})`;
  const job = await jobs.open(tenant, {
    id: changeOf(tenant, row),
    kind: workflow,
    title,
    workflowId,
    spec,
    createdBy: decision.by,
  });
  return { workflow, workflowId, title, job: { tenant, id: job.job_id }, rev: 0 };
}

export async function settleReview(db: Database, tenant: string, id: string, { status, result }: ReviewOutcome): Promise<void> {
  await db.query(
    `update reviews set status = $3, result = coalesce($4, result), pair = case when $3 = 'withdrawn' then null else pair end, rev = rev + 1, updated_at = now()
     where tenant_id = $1 and id = $2 and status in ('pending', 'deciding')`,
    [tenant, id, status, result === null ? null : JSON.stringify(result)],
  );
}

async function giveName(db: Database, tenant: string, row: ReviewRow, by: string): Promise<void> {
  const { a, alias } = row.subject;
  await db.transaction(async (query: Query) => {
    await lockGraph(query, tenant);
    const entity = await activeEntity(query, tenant, a!);
    const added = await addAlias(query, tenant, { entityId: entity.id, type: entity.type, alias: alias!, origin: 'person', by });
    await teachSame(query, tenant, entity.type, entity.name, [alias!]);
    if (added === 'known') return;
    await noteHistory(query, tenant, { entityId: entity.id, event: 'alias_added', changeId: row.id, data: { alias }, by });
    await noteGraphChange(query, tenant, row.id, [entity.id]);
  });
}

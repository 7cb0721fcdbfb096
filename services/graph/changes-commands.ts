import type { Database } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, errorCodes } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { waitDefault } from '../kernel/waiting.ts';
import { keyOf, ownerOf } from './aliases.ts';
import type { ChangeSpec } from './changes.ts';
import { lockGraph } from './lock.ts';
import type { EntityLookup } from './lookup.ts';
import { activeEntity, assertMergeable } from './merge.ts';
import { nameKey } from '../../engines/text/names.ts';
import { openReview, pairOf } from '../kernel/reviews/reviews-records.ts';
import { Service } from '../kernel/service.ts';

export interface Proposal {
  kind: 'merge' | 'split' | 'alias';
  entityIds: string[];
  /** Name of the split-off entity, or the alias. */
  name?: string | undefined;
  reason: string;
  confidence: number;
}

/** Splits of entities, and proposals of merges, splits and aliases. */
export class EntityChanges extends Service<'jobs' | 'reviews', { lookup: EntityLookup }> {
  /**
   * Splits an entity in two. A repeat during or after the split joins it.
   * @throws AppError NOT_FOUND, AMBIGUOUS_ENTITY, VALIDATION_ERROR, CONFLICT
   */
  async split(
    caller: Caller,
    wanted: { name: string; type: string; newName: string; notes: string | null; callKey: string },
    { waitMs = waitDefault } = {},
  ): Promise<Job> {
    const { tenant, principal } = caller;
    const { db, jobs, lookup } = this.deps;
    const jobId = derivedId('job', 'split', tenant, wanted.callKey);
    // A repeat of a call whose answer was lost: the new name already belongs to another entity.
    const asked = await jobs.get(tenant, jobId).catch(() => null);
    if (asked) {
      await this.restart(tenant, asked);
      return await jobs.settle(tenant, jobId, waitMs);
    }
    const { entity } = await lookup.resolveName(tenant, wanted.name, { type: wanted.type });
    const newKey = keyOf(wanted.newName);
    if (newKey === nameKey(entity.name)) {
      throw new AppError('VALIDATION_ERROR', `"${wanted.newName}" is what the entity is called: a split needs a second name.`, {
        hint: 'Pass in new_entity_name what the other one is called.',
      });
    }
    const owner = await ownerOf(db.query, tenant, entity.type, newKey);
    if (owner && owner.id !== entity.id) {
      throw new AppError('CONFLICT', `"${wanted.newName}" is a name of ${entity.type} "${owner.name}" already.`, {
        hint: 'Choose another name; what is the same can be proposed for a merge with entity.proposal.submit.',
        details: { owner: { entity_id: owner.id, name: owner.name, type: entity.type } },
      });
    }
    const workflowId = workflowIds.split(tenant, derivedId('pair', entity.id, newKey));
    const spec: ChangeSpec = { change: 'split', entity: entity.id, name: wanted.newName, by: principal, notes: wanted.notes };
    const title = `Split of "${entity.name}" (${entity.type})`;
    const job =
      (await jobs.underWay(tenant, workflowId)) ??
      (await jobs.open(tenant, { id: jobId, kind: 'split', title, workflowId, spec, createdBy: principal }));
    await this.restart(tenant, job);
    return await jobs.settle(tenant, job.job_id, waitMs);
  }

  /** The failure of a merge or split. */
  failureOf(job: Job): AppError {
    const code = errorCodes.find((known) => known === job.error?.code) ?? 'INTERNAL';
    return new AppError(code, job.error?.message ?? 'It failed.', { details: { job_id: job.job_id } });
  }

  /** Starts the process of an unfinished merge or split; does nothing if it is running. */
  async restart(tenant: string, job: Job): Promise<void> {
    if (job.status !== 'queued' && job.status !== 'running') return;
    const kind = job.kind as 'merge' | 'split';
    await this.deps.reviews.startChange(kind, job.workflow_id, job.title, job.created_by, { job: { tenant, id: job.job_id }, rev: 0 });
  }

  /**
   * Asks people about a proposed change. A repeated proposal returns the same question.
   * @throws AppError NOT_FOUND, VALIDATION_ERROR, CONFLICT (different types, the same entity, decided before, the
   * name belongs to another)
   */
  async propose(caller: Caller, proposal: Proposal): Promise<{ feedback_id: string; existed: boolean }> {
    const { tenant, principal } = caller;
    const asked = await this.db.transaction(async (query) => {
      await lockGraph(query, tenant);
      const [a, b] = await Promise.all(proposal.entityIds.map((id) => activeEntity(query, tenant, id)));
      if (!a) throw new AppError('VALIDATION_ERROR', 'entity_ids is empty.');
      const common = {
        type: a.type,
        // Rounded to the column's precision, which refuses smaller values.
        confidence: Math.fround(proposal.confidence),
        evidence: [proposal.reason],
        origin: 'proposal',
        createdBy: principal,
      };
      if (proposal.kind === 'merge') {
        if (!b) throw new AppError('VALIDATION_ERROR', 'A merge needs two entity_ids.');
        if (a.id === b.id) throw new AppError('CONFLICT', 'Both ids are one entity already.', { details: { reason: 'same' } });
        assertMergeable(a, b);
        const pair = pairOf(a.type, nameKey(a.name), nameKey(b.name));
        await forgetDecided(query, tenant, pair);
        const id = await openReview(query, tenant, { ...common, action: 'merge', subject: { a: a.id, b: b.id }, pair });
        return { id, pair };
      }
      const name = proposal.name?.trim() ?? '';
      const key = keyOf(name);
      const owner = await ownerOf(query, tenant, a.type, key);
      if (owner && (owner.id !== a.id || proposal.kind === 'alias')) {
        throw new AppError('CONFLICT', `"${name}" is a name of ${a.type} "${owner.name}" already.`, {
          details: { owner: { entity_id: owner.id, name: owner.name, type: a.type } },
        });
      }
      const pair = derivedId('pair', proposal.kind, a.id, key);
      await forgetDecided(query, tenant, pair);
      const subject = proposal.kind === 'split' ? { a: a.id, name } : { a: a.id, alias: name };
      return { id: await openReview(query, tenant, { ...common, action: proposal.kind, subject, pair }), pair };
    });
    const [row] = asked.id
      ? [{ id: asked.id }]
      : await this.db.query<{ id: string }>(`select id from reviews where tenant_id = $1 and kind = 'entity_match' and pair = $2`, [
          tenant,
          asked.pair,
        ]);
    if (!row) throw new AppError('CONFLICT', 'The question was withdrawn just now: propose it again.');
    await this.deps.reviews.start({ tenant, id: row.id }, principal);
    return { feedback_id: row.id, existed: asked.id === null };
  }
}

/** A decided pair may be proposed again by a person with a reason, but not by the matcher. */
async function forgetDecided(query: Database['query'], tenant: string, pair: string): Promise<void> {
  await query(
    `update reviews set pair = null where tenant_id = $1 and kind = 'entity_match' and pair = $2 and status not in ('pending', 'deciding')`,
    [tenant, pair],
  );
}

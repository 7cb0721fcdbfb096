import { lineOf, isPerson, type Caller } from '../../contracts/caller.ts';
import type { TaskStatus } from '../../contracts/activities/work/work.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { topics } from '../../contracts/notices.ts';
import type { WorkRun } from '../../contracts/work/runs.ts';
import { notify } from '../kernel/notify.ts';
import { Service } from '../kernel/service.ts';
import { actorOf, platform } from './actors.ts';
import type { TaskChanges, Work } from './changes.ts';
import type { RunQueries } from './run-queries.ts';
import type { RunRow } from './run-rows.ts';
import { settleSql, tellRun } from './run-state.ts';

type Verdict = 'approve' | 'send_back';
type Standing = { run: WorkRun; task_status: TaskStatus };

/**
 * Decisions about what runs handed in. The decision is written first, then the task's workflow is asked, under a key of
 * the run: a repeat, by anybody, finishes what was interrupted.
 */
export class RunReviews extends Service<never, { changes: TaskChanges; runs: RunQueries }> {
  /**
   * Approved work whose branch is still to be merged waits for `merged`; other work is completed at once.
   * @throws AppError NOT_FOUND, FORBIDDEN (own work), CONFLICT (nothing to decide, or decided at the same moment)
   */
  async review(caller: Caller, id: string, verdict: Verdict, note: string | undefined): Promise<Standing> {
    const { tenant } = caller;
    const { runs, changes } = this.deps;
    const row = await runs.row(tenant, id);
    if (isDecided(row, verdict)) return await this.settled(tenant, id, verdict);
    assertOpen(row, verdict);
    if (verdict === 'send_back' && row.state === 'approved' && row.merged_commit !== null) throw mergedAs(row.merged_commit);
    assertOthers(caller, row);
    const recorded = row.verdict !== verdict || row.state !== 'approved';
    if (recorded) await this.record(caller, row, verdict, note?.trim() || null);
    try {
      if (verdict === 'send_back') await changes.sendBack(workOf(tenant, row), actorOf(caller), `run:${id}:back`);
      else if (!mustMerge(row)) await changes.approve(workOf(tenant, row), actorOf(caller), `run:${id}:approved`);
    } catch (error) {
      if (recorded && error instanceof AppError && error.code === 'CONFLICT') await this.takeBack(tenant, row, verdict);
      throw error;
    }
    return await this.settled(tenant, id, verdict);
  }

  /**
   * Approved work has been merged: completes its task in the name of the approver. Or it cannot be: the task is ready
   * again, with the reason as a comment.
   * @throws AppError NOT_FOUND; CONFLICT when it is not approved, or was merged as another commit
   */
  async merged(caller: Caller, id: string, said: { commit: string } | { conflict: string }): Promise<Standing> {
    const { tenant } = caller;
    const { runs, changes } = this.deps;
    const row = await runs.row(tenant, id);
    if ('conflict' in said) {
      if (row.state === 'returned' && row.reason === said.conflict) return await this.settled(tenant, id, 'send_back');
      assertApproved(row);
      if (row.merged_commit !== null) throw mergedAs(row.merged_commit);
      await this.noteConflict(caller, row, said.conflict);
      await changes.sendBack(workOf(tenant, row), platform, `run:${id}:conflict`);
      return await this.settled(tenant, id, 'send_back');
    }
    if (row.merged_commit !== null && row.merged_commit !== said.commit) throw mergedAs(row.merged_commit);
    if (row.state === 'completed' && row.merged_commit === said.commit) return await this.settled(tenant, id, 'approve');
    assertApproved(row);
    const [noted] = await this.db.query<{ merged_commit: string }>(
      `update work_runs set merged_commit = coalesce(merged_commit, $3) where tenant_id = $1 and id = $2 and final is null returning merged_commit`,
      [tenant, id, said.commit],
    );
    if (noted && noted.merged_commit !== said.commit) throw mergedAs(noted.merged_commit);
    await changes.approve(workOf(tenant, row), row.reviewer!, `run:${id}:approved`);
    return await this.settled(tenant, id, 'approve');
  }

  /** The decision, its event, and its note as a comment, which the next attempt reads. @throws AppError CONFLICT */
  private async record(caller: Caller, row: RunRow, verdict: Verdict, note: string | null): Promise<void> {
    const { tenant, principal } = caller;
    const written = await this.db.query(
      `with written as (
         update work_runs set verdict = $3, reviewed_by = $4, reviewed_at = now(), review_note = $5, reviewer = $6
         where tenant_id = $1 and id = $2 and (final is null or final = 'failed') and verdict is not distinct from $7
         returning *, 'approved' as state
       ), told as (${tellRun('work.run_approved', `(select * from written where $3 = 'approve')`)}
       ), noted as (
         insert into work_comments (tenant_id, id, task_id, author, body, run_id, by_person)
         select tenant_id, $8, task_id, $4, $5, id, $9 from written where $5::text is not null on conflict do nothing
       ) select id from written`,
      [
        tenant,
        row.id,
        verdict,
        principal,
        note,
        JSON.stringify(actorOf(caller)),
        row.verdict,
        derivedId('comment', tenant, row.id, verdict, note ?? ''),
        isPerson(caller) && principal === caller.keyName,
      ],
    );
    if (written.length > 0) return;
    // Two callers at once: the same decision is one.
    const { verdict: decided } = await this.deps.runs.row(tenant, row.id);
    if (decided !== verdict) {
      throw new AppError('CONFLICT', 'Somebody else has decided about this run at the same moment.', {
        hint: 'work.run.get shows what was decided.',
        details: { reason: 'decided' },
      });
    }
  }

  /** The task has taken somebody else's decision: the one that was there before holds. */
  private async takeBack(tenant: string, row: RunRow, verdict: Verdict): Promise<void> {
    await this.db.query(
      `update work_runs set verdict = $4, reviewed_by = $5, reviewed_at = $6, review_note = $7, reviewer = $8
       where tenant_id = $1 and id = $2 and verdict = $3`,
      [
        tenant,
        row.id,
        verdict,
        row.verdict,
        row.reviewed_by,
        row.reviewed_at,
        row.review_note,
        row.reviewer === null ? null : JSON.stringify(row.reviewer),
      ],
    );
  }

  private async noteConflict({ tenant, principal }: Caller, row: RunRow, conflict: string): Promise<void> {
    await this.db.query(
      `with written as (
         update work_runs set reason = $3 where tenant_id = $1 and id = $2 and final is null and merged_commit is null returning *
       )
       insert into work_comments (tenant_id, id, task_id, author, body, run_id)
       select tenant_id, $4, task_id, $5, $3, id from written on conflict do nothing`,
      [tenant, row.id, conflict, derivedId('comment', tenant, row.id, 'conflict', conflict), principal],
    );
  }

  private async settled(tenant: string, id: string, verdict: Verdict): Promise<Standing> {
    if (verdict === 'send_back') {
      // A run that asked has failed for good, until its task was sent back.
      await this.db.query(`update work_runs set final = 'returned' where tenant_id = $1 and id = $2 and final = 'failed'`, [tenant, id]);
    }
    await this.db.query(settleSql('r.id = $2', true), [tenant, id]);
    await notify(this.db.query, topics.workRun(tenant, id));
    return await this.deps.runs.standing(tenant, id);
  }
}

const workOf = (tenant: string, { task_id: id, fencing_token: token }: RunRow): Work => ({ tenant, id, token });

/** Whether its branch is still to be merged before its task is done. */
const mustMerge = ({ merge, branch, merged_commit: commit }: RunRow): boolean => merge !== 'patch' && branch !== null && commit === null;

/** Whether its task waits, failed, for somebody to decide about it. */
const waits = (row: RunRow): boolean => row.task_status === 'failed' && row.task_token === row.fencing_token;

const isDecided = (row: RunRow, verdict: Verdict): boolean =>
  row.verdict === verdict &&
  (verdict === 'approve'
    ? row.state === 'completed' || (row.state === 'approved' && mustMerge(row))
    : row.state === 'returned' || (row.state === 'failed' && !waits(row)));

function assertOpen(row: RunRow, verdict: Verdict): void {
  if (row.state === 'review' || row.state === 'approved' || (verdict === 'send_back' && row.state === 'failed' && waits(row))) return;
  throw new AppError('CONFLICT', `The run is not in review but ${row.state}.`, {
    hint: 'work.run.list with state review shows what waits for a decision.',
    details: { reason: row.state },
  });
}

/** As the workflow's rule about own work, which is asked only when the work has been merged. */
function assertOthers(caller: Caller, row: RunRow): void {
  const own = row.line === lineOf(caller) && row.principal === caller.principal;
  const person = isPerson(caller) && caller.principal === caller.keyName;
  if (row.state === 'failed' || !own || person) return;
  throw new AppError('FORBIDDEN', 'You cannot approve your own work.', {
    hint: 'A person or another agent reviews it.',
    details: { reason: 'own_review' },
  });
}

function assertApproved(row: RunRow): void {
  if (row.state === 'approved') return;
  throw new AppError('CONFLICT', `The run is not approved but ${row.state}.`, {
    hint: 'Only approved work is merged: work.run.review approves it.',
    details: { reason: row.state },
  });
}

const mergedAs = (commit: string): AppError =>
  new AppError('CONFLICT', `The run was merged as ${commit}.`, { hint: 'work.run.get shows it.', details: { reason: 'merged', commit } });

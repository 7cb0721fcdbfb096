import type { DelegatedRef } from '../../contracts/activities/agents/delegation.ts';
import { isOver, type DelegatedStatus } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';
import { canonicalJson, hashOf } from '../../contracts/ids.ts';
import type { DelegatedAnswer } from '../../workflows/agents/delegation/process.ts';
import {
  errorOf,
  findDelegated,
  noteProgress,
  stageOutcome,
  taskNotFound,
  type DelegatedRow,
  type Outcome,
  type Progress,
} from './delegation-records.ts';
import { knowsToken } from './delegation-rules.ts';
import { processOf, type DelegationNames } from './delegations.ts';
import { Service } from '../kernel/service.ts';

/** A target's report about a task: progress or outcome. */
export type Report = { progress: Progress } | { outcome: Outcome };

export interface Reported {
  status: DelegatedStatus;
  /** Whether this report changed the task; false for a repeat. */
  applied: boolean;
  warning?: string;
}

/** Reports of targets about tasks that were sent to them. */
export class DelegationReports extends Service<DelegationNames> {
  /**
   * @param token the token that was sent with the task; null: this platform itself reports
   * @throws AppError NOT_FOUND (no task with this id was sent), FORBIDDEN (token)
   */
  async report(tenant: string, id: string, token: string | null, report: Report): Promise<Reported> {
    const { db, log } = this.deps;
    const ref: DelegatedRef = { tenant, direction: 'sent', id };
    const row = await findDelegated(db.query, ref);
    if (!row) {
      log.warn({ event: 'a2a_result_for_unknown_task', task_id: id.slice(0, 128) }, 'report about an unknown task');
      throw taskNotFound(id);
    }
    if (token !== null && !knowsToken(row.report_token, token)) {
      throw new AppError('FORBIDDEN', 'This is not the token of the task.', {
        hint: 'Send the callback_token that came with the task as header X-A2A-Task-Token.',
      });
    }
    return 'progress' in report ? await this.progress(ref, row, report.progress) : await this.outcome(ref, row, report.outcome);
  }

  private async progress(ref: DelegatedRef, row: DelegatedRow, progress: Progress): Promise<Reported> {
    if (isOver(row.status)) return { status: row.status, applied: false, warning: `The task is over: ${row.status}.` };
    await noteProgress(this.db.query, ref, progress);
    if (row.status === 'running') return { status: 'running', applied: true };
    const { status } = await this.ask(ref, row, 'running');
    return { status, applied: true };
  }

  private async outcome(ref: DelegatedRef, row: DelegatedRow, outcome: Outcome): Promise<Reported> {
    if (isOver(row.status)) return this.late(row, outcome);
    // The content goes into the row, never through the workflow. The first report counts.
    const staged = (await stageOutcome(this.db.query, ref, outcome)) ?? (await findDelegated(this.db.query, ref));
    if (!staged) throw taskNotFound(ref.id);
    if (isOver(staged.status)) return this.late(staged, outcome);
    const first = stagedStatus(staged);
    const { status } = await this.ask(ref, staged, first);
    if (!same(staged, outcome) || status !== outcome.status) return this.late((await findDelegated(this.db.query, ref)) ?? staged, outcome);
    this.deps.log.info(
      {
        event: 'a2a_task_result_received',
        task_id: ref.id,
        status,
        execution_time_ms: outcome.executionTimeMs ?? Date.now() - staged.created_at.getTime(),
      },
      'result of a delegated task',
    );
    return { status, applied: true };
  }

  /** A report after the end: a repeat of the outcome succeeds, any other is ignored with a warning. */
  private late(row: DelegatedRow, outcome: Outcome): Reported {
    if (same(row, outcome)) return { status: row.status, applied: false };
    this.deps.log.warn(
      { event: 'a2a_result_for_unknown_task', task_id: row.id, status: row.status },
      'result of a task that is over: ignored',
    );
    return { status: row.status, applied: false, warning: `The task is over: ${row.status}. This result was ignored.` };
  }

  /** @returns the task's status, also when it has already ended */
  private async ask(ref: DelegatedRef, row: DelegatedRow, status: DelegatedStatus): Promise<DelegatedAnswer> {
    try {
      return await this.deps.processes.ask<DelegatedAnswer>(processOf(ref, row), 'report', { status }, hashOf(ref));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
      return { status: (await findDelegated(this.db.query, ref))?.status ?? row.status };
    }
  }
}

/** The status that a stored outcome will give the open task. */
export const stagedStatus = ({ error }: Pick<DelegatedRow, 'error'>): Outcome['status'] =>
  error === null ? 'completed' : error.code === 'CANCELLED' ? 'cancelled' : 'failed';

function same(row: DelegatedRow, outcome: Outcome): boolean {
  if (!row.reported || stagedStatus(row) !== outcome.status) return false;
  return outcome.status === 'completed'
    ? canonicalJson(row.result) === canonicalJson(outcome.result ?? null)
    : canonicalJson(row.error) === canonicalJson(errorOf(outcome.status, outcome.error));
}

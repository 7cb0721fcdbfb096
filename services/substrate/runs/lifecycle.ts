import type { Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { canonicalJson, derivedId } from '../../../contracts/ids.ts';
import type { Run, RunDetail, RunEnding } from '../../../contracts/substrate/runs.ts';
import { asJson, noteRun, runDetailView, runRow, runView, type RunRow } from './records.ts';
import { Service } from '../../kernel/service.ts';

export interface NewRun {
  name: string;
  kind: string;
  parentRunId?: string | undefined;
  input?: unknown;
}

export interface Ending {
  status: RunEnding;
  outputs?: unknown;
  error?: string | undefined;
}

/** created → running → completed, failed or cancelled. A repeated transition gets the same answer. */
export class RunLifecycle extends Service {
  /** @throws AppError NOT_FOUND: the parent */
  async create({ tenant, principal }: Pick<Caller, 'tenant' | 'principal'>, wanted: NewRun, callKey: string): Promise<Run> {
    const id = derivedId('run', tenant, callKey);
    return await this.db.transaction(async (query) => {
      if (wanted.parentRunId !== undefined) await runRow(query, tenant, wanted.parentRunId);
      const [made] = await query<RunRow>(
        `insert into runs (tenant_id, id, name, kind, parent_run_id, input, created_by) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict do nothing returning *`,
        [tenant, id, wanted.name, wanted.kind, wanted.parentRunId ?? null, asJson(wanted.input), principal],
      );
      if (!made) return runView(await runRow(query, tenant, id));
      await noteRun(query, tenant, made);
      return runView(made);
    });
  }

  /** @throws AppError NOT_FOUND, CONFLICT: it has ended */
  async start(tenant: string, id: string): Promise<{ run: Run; repeated: boolean }> {
    return await this.db.transaction(async (query) => {
      const before = await runRow(query, tenant, id, 'for update');
      if (before.status === 'running') return { run: runView(before), repeated: true };
      if (before.status !== 'created') throw ended(before);
      const [row] = await query<RunRow>(
        `update runs set status = 'running', started_at = now(), rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2 returning *`,
        [tenant, id],
      );
      await noteRun(query, tenant, row!);
      return { run: runView(row!), repeated: false };
    });
  }

  /**
   * Ends a run. One that was never started can only be cancelled.
   * @throws AppError NOT_FOUND, VALIDATION_ERROR (a completed run with an error), CONFLICT (not started, or ended
   * otherwise)
   */
  async complete(tenant: string, id: string, ending: Ending): Promise<{ run: RunDetail; repeated: boolean }> {
    if (ending.status === 'completed' && ending.error !== undefined) {
      throw new AppError('VALIDATION_ERROR', 'A completed run has no error.', { hint: 'End it as "failed", or leave error out.' });
    }
    return await this.db.transaction(async (query) => {
      const before = await runRow(query, tenant, id, 'for update');
      if (before.finished_at !== null) {
        if (!sameEnding(before, ending)) throw ended(before);
        return { run: runDetailView(before), repeated: true };
      }
      if (before.status === 'created' && ending.status !== 'cancelled') {
        throw new AppError('CONFLICT', 'The run was not started yet.', {
          hint: 'Start it with run.record.start, or end it as "cancelled".',
          details: { run_id: id, status: before.status },
        });
      }
      const [row] = await query<RunRow>(
        `update runs set status = $3, outputs = $4, error = $5, finished_at = now(), rev = rev + 1, updated_at = now()
         where tenant_id = $1 and id = $2 returning *`,
        [tenant, id, ending.status, asJson(ending.outputs), ending.error ?? null],
      );
      await noteRun(query, tenant, row!);
      return { run: runDetailView(row!), repeated: false };
    });
  }
}

const sameEnding = (row: RunRow, { status, outputs, error }: Ending): boolean =>
  row.status === status && row.error === (error ?? null) && canonicalJson(row.outputs) === canonicalJson(outputs ?? null);

const ended = (row: RunRow): AppError =>
  new AppError('CONFLICT', `The run is ${row.status} already.`, {
    hint: 'The end of a run is final. Open a new run; parent_run_id can name this one.',
    details: { run_id: row.id, status: row.status },
  });

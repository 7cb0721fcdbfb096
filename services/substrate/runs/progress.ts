import type { Database, Row } from '../../../adapters/postgres/database.ts';
import type { Caller } from '../../../contracts/caller.ts';
import type { Ref } from '../../../contracts/envelope.ts';
import { AppError, notFound } from '../../../contracts/errors.ts';
import { derivedId } from '../../../contracts/ids.ts';
import type { Checkpoint, RunStep } from '../../../contracts/substrate/runs.ts';
import { keysetPage, matching, up, type Page, type Paging } from '../../kernel/paging.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { asJson, mustRun, runRow } from './records.ts';
import { Turns } from './turns.ts';
import { Service } from '../../kernel/service.ts';

type Query = Database['query'];
type By = Pick<Caller, 'tenant' | 'principal'>;

interface StepRow extends Row, Columns<'run_steps', 'id' | 'seq' | 'step' | 'status' | 'created_by' | 'created_at'> {
  data: unknown;
  refs: Ref[];
}

interface CheckpointRow
  extends Row, Columns<'run_checkpoints', 'id' | 'run_id' | 'seq' | 'label' | 'state_ref' | 'created_by' | 'created_at'> {
  state: unknown;
}

export interface NewStep {
  step: string;
  status?: string | undefined;
  data?: unknown;
  refs: Ref[];
}

export interface NewCheckpoint {
  label?: string | undefined;
  state?: unknown;
  stateRef?: string | undefined;
}

/** Steps and checkpoints of a run. Both are numbered under the run's lock, so there are no gaps. */
export class RunProgress extends Service {
  private readonly turns = new Turns();

  /** @throws AppError NOT_FOUND, CONFLICT: it is not running */
  async log({ tenant, principal }: By, runId: string, wanted: NewStep, callKey: string): Promise<{ step_id: string; seq: number }> {
    const id = derivedId('step', tenant, runId, callKey);
    return await this.inTurn(tenant, runId, async (query) => {
      const run = await runRow(query, tenant, runId, 'for update');
      const known = await numbered(query, 'run_steps', tenant, runId, id);
      if (known !== null) return { step_id: id, seq: known };
      mustRun(run);
      const [row] = await query<{ seq: number }>(
        `insert into run_steps (tenant_id, run_id, seq, id, step, status, data, refs, created_by)
         select $1, $2, coalesce(max(seq), 0) + 1, $3, $4, $5, $6, $7, $8 from run_steps where tenant_id = $1 and run_id = $2 returning seq`,
        [tenant, runId, id, wanted.step, wanted.status ?? null, asJson(wanted.data), JSON.stringify(wanted.refs), principal],
      );
      return { step_id: id, seq: row!.seq };
    });
  }

  private inTurn<T>(tenant: string, runId: string, work: (query: Query) => Promise<T>): Promise<T> {
    return this.turns.take(JSON.stringify([tenant, runId]), () => this.db.transaction(work));
  }

  /** In order, after a number. */
  async steps(tenant: string, runId: string, paging: Paging): Promise<Page<RunStep>> {
    const where = matching({ 'tenant_id = $': tenant, 'run_id = $': runId });
    const list = { select: '*', from: 'run_steps', ...where, order: [up('seq', 'int')], plain: true };
    return await keysetPage(this.db.query, list, paging, stepView);
  }

  /** @throws AppError VALIDATION_ERROR (state and state_ref), NOT_FOUND (run, artifact), CONFLICT (it is not running) */
  async save(
    { tenant, principal }: By,
    runId: string,
    wanted: NewCheckpoint,
    callKey: string,
  ): Promise<{ checkpoint_id: string; seq: number }> {
    if ((wanted.state === undefined) === (wanted.stateRef === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either state or state_ref.', {
        hint: 'state holds up to 1 MB; anything larger goes into an artifact, and its sha256 into state_ref.',
      });
    }
    const id = derivedId('ckpt', tenant, runId, callKey);
    return await this.inTurn(tenant, runId, async (query) => {
      const run = await runRow(query, tenant, runId, 'for update');
      const known = await numbered(query, 'run_checkpoints', tenant, runId, id);
      if (known !== null) return { checkpoint_id: id, seq: known };
      mustRun(run);
      if (wanted.stateRef !== undefined) await artifactOf(query, tenant, wanted.stateRef);
      const [row] = await query<{ seq: number }>(
        `insert into run_checkpoints (tenant_id, run_id, id, seq, label, state, state_ref, created_by)
         select $1, $2, $3, coalesce(max(seq), 0) + 1, $4, $5, $6, $7 from run_checkpoints where tenant_id = $1 and run_id = $2 returning seq`,
        [tenant, runId, id, wanted.label ?? null, asJson(wanted.state), wanted.stateRef ?? null, principal],
      );
      return { checkpoint_id: id, seq: row!.seq };
    });
  }

  /** @param id default: the latest. @throws AppError NOT_FOUND: the run, or a checkpoint of it */
  async checkpoint(tenant: string, runId: string, id: string | undefined): Promise<Checkpoint> {
    await runRow(this.db.query, tenant, runId);
    const [row] = await this.db.query<CheckpointRow>(
      'select * from run_checkpoints where tenant_id = $1 and run_id = $2 and ($3::text is null or id = $3) order by seq desc limit 1',
      [tenant, runId, id ?? null],
    );
    if (row) return checkpointView(row);
    if (id !== undefined) throw notFound('checkpoint of this run', id, 'Leave checkpoint_id out to get the latest.');
    throw new AppError('NOT_FOUND', 'This run has no checkpoint yet.', { hint: 'run.checkpoint.save saves one while the run is running.' });
  }
}

/** The result of an earlier identical call, even if the run has ended since. */
async function numbered(
  query: Query,
  table: 'run_steps' | 'run_checkpoints',
  tenant: string,
  runId: string,
  id: string,
): Promise<number | null> {
  const [row] = await query<{ seq: number }>(`select seq from ${table} where tenant_id = $1 and run_id = $2 and id = $3`, [
    tenant,
    runId,
    id,
  ]);
  return row?.seq ?? null;
}

async function artifactOf(query: Query, tenant: string, sha256: string): Promise<void> {
  const rows = await query('select 1 from artifacts where tenant_id = $1 and sha256 = $2', [tenant, sha256]);
  if (rows.length === 0) throw notFound('artifact', sha256, 'Store the state with substrate.artifact.upload first.');
}

const stepView = (row: StepRow): RunStep => ({
  step_id: row.id,
  seq: row.seq,
  step: row.step,
  status: row.status,
  data: row.data,
  refs: row.refs,
  logged_by: row.created_by,
  at: row.created_at.toISOString(),
});

const checkpointView = (row: CheckpointRow): Checkpoint => ({
  checkpoint_id: row.id,
  run_id: row.run_id,
  seq: row.seq,
  label: row.label,
  ...(row.state_ref === null ? { state: row.state } : {}),
  state_ref: row.state_ref,
  saved_by: row.created_by,
  at: row.created_at.toISOString(),
});

import type { Run, RunCall, RunDetail, RunStatus, RunTotals } from '../../../contracts/substrate/runs.ts';
import { down, keysetPage, matching, up, type Page, type Paging } from '../../kernel/paging.ts';
import { Service } from '../../kernel/service.ts';
import { runDetailView, runRow, runView, type RunRow } from './records.ts';

/** Maximum calls in an answer: the latest. */
const mostCalls = 50;

export interface RunFilter extends Paging {
  status?: RunStatus | undefined;
  kind?: string | undefined;
  parentRunId?: string | undefined;
}

export class RunQueries extends Service {
  /** Newest first. */
  async list(tenant: string, { status, kind, parentRunId, ...paging }: RunFilter): Promise<Page<Run>> {
    const where = matching({ 'tenant_id = $': tenant, 'status = $': status, 'kind = $': kind, 'parent_run_id = $': parentRunId });
    const list = { select: '*', from: 'runs', ...where, order: [down('created_at', 'timestamptz'), up('id')] };
    return await keysetPage(this.db.query, list, paging, runView);
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, id: string): Promise<{ run: RunDetail; totals: RunTotals; calls: RunCall[] }> {
    const row = await runRow(this.db.query, tenant, id);
    const [counts, { calls, total }] = await Promise.all([this.counts(tenant, id), this.calls(tenant, row)]);
    const until = row.finished_at?.getTime() ?? Date.now();
    const duration = row.started_at === null ? null : Math.max(0, until - row.started_at.getTime());
    return { run: runDetailView(row), totals: { ...counts, calls: total, duration_ms: duration }, calls };
  }

  private async counts(tenant: string, id: string): Promise<Omit<RunTotals, 'calls' | 'duration_ms'>> {
    const [row] = await this.db.query<{ steps: number; checkpoints: number; children: number }>(
      `select (select count(*)::int from run_steps where tenant_id = $1 and run_id = $2) as steps,
         (select count(*)::int from run_checkpoints where tenant_id = $1 and run_id = $2) as checkpoints,
         (select count(*)::int from runs where tenant_id = $1 and parent_run_id = $2) as children`,
      [tenant, id],
    );
    return row!;
  }

  /**
   * Ledger entries of a run: ended calls whose answers mention it first, newest first. Searched from its creation
   * until an hour after its end, so that old runs do not scan the whole ledger.
   */
  private async calls(tenant: string, run: RunRow): Promise<{ calls: RunCall[]; total: number }> {
    const rows = await this.db.query<Omit<RunCall, 'at'> & { at: Date; total: number }>(
      `select tool_call_id, tool, principal, status, duration_ms, at, count(*) over ()::int as total from ledger_events
       where tenant_id = $1 and at >= $2::timestamptz - interval '1 minute' and at <= coalesce($3::timestamptz, now()) + interval '1 hour'
         and refs->0->>'type' = 'run' and refs->0->>'id' = $4 order by at desc, id desc limit ${mostCalls}`,
      [tenant, run.created_at, run.finished_at, run.id],
    );
    return {
      calls: rows.map(({ total: _total, at, ...call }) => ({ ...call, at: at.toISOString() })),
      total: rows[0]?.total ?? 0,
    };
  }
}

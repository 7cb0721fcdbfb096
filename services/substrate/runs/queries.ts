import type { Run, RunCall, RunDetail, RunStatus, RunTotals } from '../../../contracts/substrate/runs.ts';
import { readCursor, readTime, writeCursor } from '../../kernel/paging.ts';
import { Service } from '../../kernel/service.ts';
import { runDetailView, runRow, runView, type RunRow } from './records.ts';

/** Maximum calls in an answer: the latest. */
const mostCalls = 50;

export interface RunFilter {
  status?: RunStatus | undefined;
  kind?: string | undefined;
  parentRunId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export class RunQueries extends Service {
  /** Newest first. */
  async list(tenant: string, filter: RunFilter): Promise<{ runs: Run[]; next?: string }> {
    const after = readCursor(filter.cursor, 2);
    const rows = await this.db.query<RunRow & { at: string }>(
      `select *, created_at::text as at from runs
       where tenant_id = $1 and ($2::text is null or status = $2) and ($3::text is null or kind = $3) and ($4::text is null or parent_run_id = $4)
         and ($5::timestamptz is null or created_at < $5 or (created_at = $5 and id > $6)) order by created_at desc, id limit $7`,
      [
        tenant,
        filter.status ?? null,
        filter.kind ?? null,
        filter.parentRunId ?? null,
        after === null ? null : readTime(after[0]!),
        after?.[1] ?? '',
        filter.limit + 1,
      ],
    );
    const page = rows.slice(0, filter.limit);
    const last = page.at(-1);
    return { runs: page.map(runView), ...(rows.length > filter.limit && last ? { next: writeCursor(last.at, last.id) } : {}) };
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

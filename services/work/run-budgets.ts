import type { Caller } from '../../contracts/caller.ts';
import type { RunBudget } from '../../contracts/work/runs.ts';
import { Service } from '../kernel/service.ts';
import type { TaskQueries } from './queries.ts';

/** Budgets with what today's runs have used, of a tenant; a run counts for the day on which it began. */
const budgetsSql = `
  select nullif(b.scope, '')::int as phase_id, b.tokens_per_day::float8 as tokens_per_day, b.usd_per_day, u.tokens_today, u.usd_today,
    coalesce(u.tokens_today >= b.tokens_per_day, false) or coalesce(u.usd_today >= b.usd_per_day, false) as spent
  from work_budgets b, lateral (
    select coalesce(sum(r.input_tokens + r.output_tokens), 0)::float8 as tokens_today, coalesce(sum(r.cost_usd), 0)::float8 as usd_today
    from work_runs r where r.tenant_id = $1 and r.started_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
      and (b.scope = '' or r.phase_id = nullif(b.scope, '')::int)) u
  where b.tenant_id = $1`;

type BudgetRow = RunBudget & Record<string, unknown>;

/** What runs of agents may use per day: of a phase, or of all. Only claims that a runner makes ask for it. */
export class RunBudgets extends Service<never, { queries: TaskQueries }> {
  async list(tenant: string): Promise<RunBudget[]> {
    return await this.db.query<BudgetRow>(`${budgetsSql} order by 1 nulls first`, [tenant]);
  }

  /** @param limits both null: there is no budget any more. @throws AppError NOT_FOUND (phase) */
  async set(caller: Caller, phaseId: number | null, limits: { tokens: number | null; usd: number | null }): Promise<RunBudget[]> {
    const { tenant, principal } = caller;
    if (phaseId !== null) await this.deps.queries.phase(tenant, phaseId);
    const scope = phaseId === null ? '' : String(phaseId);
    if (limits.tokens === null && limits.usd === null) {
      await this.db.query('delete from work_budgets where tenant_id = $1 and scope = $2', [tenant, scope]);
    } else {
      await this.db.query(
        `insert into work_budgets (tenant_id, scope, tokens_per_day, usd_per_day, updated_by) values ($1, $2, $3, $4, $5)
         on conflict (tenant_id, scope) do update set tokens_per_day = excluded.tokens_per_day, usd_per_day = excluded.usd_per_day,
           told_on = null, updated_by = excluded.updated_by, updated_at = now()`,
        [tenant, scope, limits.tokens, limits.usd, principal],
      );
    }
    return await this.list(tenant);
  }

  /**
   * The budget that keeps a runner from a phase, or from a task; null: none. Tells once a day that it is spent.
   * @throws AppError NOT_FOUND (task)
   */
  async spent(tenant: string, wanted: { phase_id?: number | undefined; task_id?: string | undefined }): Promise<RunBudget | null> {
    const phase = wanted.phase_id ?? (await this.deps.queries.row(tenant, wanted.task_id ?? '')).phase_id;
    const budgets = await this.db.query<BudgetRow>(`${budgetsSql} and b.scope in ('', $2)`, [tenant, String(phase)]);
    const spent = budgets.find((budget) => budget.spent);
    if (!spent) return null;
    await this.db.query(
      `with told as (
         update work_budgets set told_on = (now() at time zone 'UTC')::date
         where tenant_id = $1 and scope = $2 and told_on is distinct from (now() at time zone 'UTC')::date returning scope
       )
       insert into outbox (tenant_id, type, subject, data)
       select $1, 'work.budget_spent', coalesce(nullif(scope, ''), 'all'), $3::jsonb from told`,
      [
        tenant,
        spent.phase_id === null ? '' : String(spent.phase_id),
        JSON.stringify({ phase_id: spent.phase_id, tokens: spent.tokens_today, usd: spent.usd_today }),
      ],
    );
    return spent;
  }
}

import type { Database, Row } from '../../../adapters/postgres/database.ts';
import type { ModelUsage } from '../../../contracts/language.ts';

/** Budget per day (UTC); null: no limit. */
export interface Budget {
  tokensPerDay: number | null;
  usdPerDay: number | null;
}

export interface DayUse extends Budget {
  /** Estimates of running calls. */
  tokens: number;
  costUsd: number;
}

/** A part of the day's budget, reserved before a call and settled after it. */
export interface Reservation {
  day: string;
  tokens: number;
  costUsd: number;
}

const today = `(now() at time zone 'utc')::date`;
const limits = `coalesce((select b.tokens_per_day from language_budgets b where b.tenant_id = $1), case when own.is then null else $2::bigint end) as tokens_limit,
  coalesce((select b.usd_per_day from language_budgets b where b.tenant_id = $1), case when own.is then null else $3::numeric end) as usd_limit
  from (select exists (select from language_budgets b where b.tenant_id = $1) as is) own`;

/**
 * Reserves a call's maximum cost in today's budget, in one statement. A call is allowed while any budget is left, so
 * the last one may exceed it; no other call is allowed meanwhile.
 * @returns null: nothing is left
 */
export async function reserve(db: Database, tenant: string, estimate: ModelUsage, defaults: Budget): Promise<Reservation | null> {
  const tokens = estimate.inputTokens + estimate.outputTokens;
  const [row] = await db.query<{ day: string }>(
    `with l as (select ${limits})
     insert into language_days as d (tenant_id, day, tokens, cost_usd)
     select $1, ${today}, $4::bigint, $5::numeric from l
     where (l.tokens_limit is null or l.tokens_limit > coalesce((select x.tokens from language_days x where x.tenant_id = $1 and x.day = ${today}), 0))
       and (l.usd_limit is null or ($6 and l.usd_limit > coalesce((select x.cost_usd from language_days x where x.tenant_id = $1 and x.day = ${today}), 0)))
     on conflict (tenant_id, day) do update set tokens = d.tokens + excluded.tokens, cost_usd = d.cost_usd + excluded.cost_usd
     -- Again, on the row as it is now that it is ours: another call may have been faster.
     where d.tokens < coalesce((select tokens_limit from l), 9223372036854775807)
       and d.cost_usd < coalesce((select usd_limit from l), 'infinity'::numeric)
     returning d.day::text as day`,
    [tenant, defaults.tokensPerDay, defaults.usdPerDay, tokens, estimate.costUsd ?? 0, estimate.costUsd !== null],
  );
  return row ? { day: row.day, tokens, costUsd: estimate.costUsd ?? 0 } : null;
}

/** Replaces the estimate by the actual use, and counts it by purpose, model and agent. */
export async function settle(
  db: Database,
  tenant: string,
  held: Reservation,
  call: { purpose: string; model: string; agentId: string | undefined; failed: boolean; usage: ModelUsage },
): Promise<void> {
  const { purpose, model, agentId, failed, usage } = call;
  const tokens = usage.inputTokens + usage.outputTokens;
  const cost = usage.costUsd ?? 0;
  await db.transaction(async (query) => {
    await query(
      'update language_days set tokens = greatest(0, tokens + $3), cost_usd = greatest(0, cost_usd + $4::numeric) where tenant_id = $1 and day = $2',
      [tenant, held.day, tokens - held.tokens, cost - held.costUsd],
    );
    await query(
      `insert into language_usage as u (tenant_id, day, purpose, model, calls, failed, input_tokens, output_tokens, cost_usd)
       values ($1, $2, $3, $4, 1, $5, $6, $7, $8)
       on conflict (tenant_id, day, purpose, model) do update set calls = u.calls + 1, failed = u.failed + excluded.failed,
         input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
         cost_usd = u.cost_usd + excluded.cost_usd`,
      [tenant, held.day, purpose, model, failed ? 1 : 0, usage.inputTokens, usage.outputTokens, cost],
    );
    if (agentId !== undefined && tokens > 0) {
      await query(
        `insert into agent_usage as u (tenant_id, agent_id, day, calls, tokens, cost_usd)
         select $1, a.id, $3, 1, $4, $5 from agents a where a.tenant_id = $1 and a.id = $2
         on conflict (tenant_id, agent_id, day) do update
           set calls = u.calls + 1, tokens = u.tokens + excluded.tokens, cost_usd = u.cost_usd + excluded.cost_usd`,
        [tenant, agentId, held.day, tokens, cost],
      );
    }
  });
}

/** Today's use and limits. */
export async function useOf(db: Database, tenant: string, defaults: Budget): Promise<DayUse> {
  const [row] = await db.query<Row & { tokens: number; cost: number; tokens_limit: number | null; usd_limit: number | null }>(
    `with l as (select ${limits})
     select coalesce(d.tokens, 0)::float as tokens, coalesce(d.cost_usd, 0)::float as cost, l.tokens_limit::float, l.usd_limit::float
     from l left join language_days d on d.tenant_id = $1 and d.day = ${today}`,
    [tenant, defaults.tokensPerDay, defaults.usdPerDay],
  );
  return { tokens: row!.tokens, costUsd: row!.cost, tokensPerDay: row!.tokens_limit, usdPerDay: row!.usd_limit };
}

/** Sets a tenant's budget; null: the configured one applies again. */
export async function saveBudget(db: Database, tenant: string, budget: Budget | null, by: string): Promise<void> {
  if (budget === null) {
    await db.query('delete from language_budgets where tenant_id = $1', [tenant]);
    return;
  }
  await db.query(
    `insert into language_budgets (tenant_id, tokens_per_day, usd_per_day, updated_by) values ($1, $2, $3, $4)
     on conflict (tenant_id) do update set tokens_per_day = excluded.tokens_per_day, usd_per_day = excluded.usd_per_day,
       updated_by = excluded.updated_by, updated_at = now()`,
    [tenant, budget.tokensPerDay, budget.usdPerDay, by],
  );
}

export interface UsageRow {
  day: string;
  purpose: string;
  model: string;
  calls: number;
  failed: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
}

/** Use by finished calls of the last days, newest day first. */
export const usageSince = (db: Database, tenant: string, days: number): Promise<UsageRow[]> =>
  db.query<UsageRow & Row>(
    `select day::text as day, purpose, model, calls, failed, input_tokens::float, output_tokens::float, cost_usd::float
     from language_usage where tenant_id = $1 and day > ${today} - $2::int order by day desc, purpose, model`,
    [tenant, days],
  );

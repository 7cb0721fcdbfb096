import type { Database } from '../../adapters/postgres/database.ts';
import { sloNames, type SloName } from '../../contracts/agents/agents.ts';

/** A service objective and its actual value; null: no data yet. */
export interface Slo {
  name: SloName;
  target: number;
  actual: number | null;
  met: boolean | null;
}

/** Values of the last 30 days. */
export interface Performance {
  id: string;
  /** The share of judged outputs that were accepted unchanged. Null: none was judged. */
  acceptance_rate: number | null;
  judged: number;
  /** The share of its latest thousand calls that were refused or failed. Null: no calls. */
  error_rate: number | null;
  last_action: string | null;
  last_action_at: Date | null;
  calls: number;
  tokens: number;
  cost_usd: number;
  /** Since midnight, UTC. */
  calls_today: number;
  tokens_today: number;
  cost_today: number;
}

const days = 30;
/** Only the latest calls count, because counting all calls of a busy agent is slow. */
const callsLooked = 1_000;

/** The performance of agents, by id. */
export async function performanceOf(db: Database, tenant: string, ids: readonly string[]): Promise<Map<string, Performance>> {
  const rows = await db.query<Performance & Record<string, unknown>>(
    `select i.id, o.judged::int as judged, o.accepted::float / nullif(o.judged, 0) as acceptance_rate,
       l.failed::float / nullif(l.ended, 0) as error_rate, latest.tool as last_action, latest.at as last_action_at,
       coalesce(u.calls, 0)::int as calls, coalesce(u.tokens, 0)::float as tokens, coalesce(u.cost_usd, 0)::float as cost_usd,
       coalesce(u.calls_today, 0)::int as calls_today, coalesce(u.tokens_today, 0)::float as tokens_today,
       coalesce(u.cost_today, 0)::float as cost_today
     from unnest($2::text[]) as i (id)
     left join lateral (
       select count(*) as judged, count(*) filter (where status = 'accepted') as accepted from agent_outputs o
       where o.tenant_id = $1 and o.agent_id = i.id and o.status <> 'pending' and o.decided_at > now() - make_interval(days => ${days})
     ) o on true
     left join lateral (
       select count(*) filter (where type <> 'tool.call.started') as ended, count(*) filter (where type = 'tool.call.failed') as failed from (
         select type from ledger_events e where e.tenant_id = $1 and e.principal = i.id and e.at > now() - make_interval(days => ${days})
         order by e.at desc limit ${2 * callsLooked}) e
     ) l on true
     left join lateral (
       select tool, at from ledger_events e where e.tenant_id = $1 and e.principal = i.id order by e.at desc limit 1
     ) latest on true
     left join lateral (
       select sum(calls) as calls, sum(tokens) as tokens, sum(cost_usd) as cost_usd, sum(calls) filter (where today) as calls_today,
         sum(tokens) filter (where today) as tokens_today, sum(cost_usd) filter (where today) as cost_today
       from agent_usage u, lateral (select u.day = (now() at time zone 'utc')::date as today) t
       where u.tenant_id = $1 and u.agent_id = i.id and u.day > (now() at time zone 'utc')::date - ${days}
     ) u on true`,
    [tenant, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Compares targets with actual values: error rates are upper limits, the others lower limits. */
export function slosOf(targets: Record<string, unknown>, performance: Performance | undefined, coherence: number | null): Slo[] {
  const actuals: Record<SloName, number | null> = {
    acceptance_rate: performance?.acceptance_rate ?? null,
    error_rate: performance?.error_rate ?? null,
    coherence,
  };
  return sloNames.flatMap((name) => {
    const target = targets[name];
    if (typeof target !== 'number') return [];
    const actual = actuals[name];
    const met = actual === null ? null : name === 'error_rate' ? actual <= target : actual >= target;
    return [{ name, target, actual, met }];
  });
}

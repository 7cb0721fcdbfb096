import type { Database } from '../../adapters/postgres/database.ts';

export interface NameUse {
  calls: number;
  lastUsedAt: string | null;
}

/** Calls of tool names in the last days, and the last call, from the ledger. */
export async function useOfNames(
  { query }: Pick<Database, 'query'>,
  tenant: string,
  names: readonly string[],
  days: number,
): Promise<Map<string, NameUse>> {
  const rows = await query<{ name: string; calls: number; last: Date | null }>(
    `select n.name, count(distinct e.tool_call_id) filter (where e.at >= now() - make_interval(days => $3))::int as calls, max(e.at) as last
     from unnest($2::text[]) n(name) left join ledger_events e on e.tenant_id = $1 and e.called_as in (n.name, replace(n.name, '.', '-'))
     group by n.name`,
    [tenant, names, days],
  );
  return new Map(rows.map(({ name, calls, last }) => [name, { calls, lastUsedAt: last?.toISOString() ?? null }]));
}

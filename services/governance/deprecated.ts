import type { Database } from '../../adapters/postgres/database.ts';

export interface NameUse {
  calls: number;
  lastUsedAt: string | null;
  /** Who called it most in that time, at most five. */
  callers: { principal: string; calls: number }[];
}

const mostCallers = 5;

/** Calls of tool names in the last days, and the last call, from the ledger. */
export async function useOfNames(
  { query }: Pick<Database, 'query'>,
  tenant: string,
  names: readonly string[],
  days: number,
): Promise<Map<string, NameUse>> {
  const rows = await query<{ name: string; principal: string; calls: number; last: Date }>(
    `select n.name, e.principal, count(distinct e.tool_call_id) filter (where e.at >= now() - make_interval(days => $3))::int as calls, max(e.at) as last
     from unnest($2::text[]) n(name) join ledger_events e on e.tenant_id = $1 and e.called_as in (n.name, replace(n.name, '.', '-'))
     group by n.name, e.principal order by calls desc, e.principal`,
    [tenant, names, days],
  );
  return new Map(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, by]) => [
      name,
      {
        calls: by.reduce((sum, { calls }) => sum + calls, 0),
        lastUsedAt: new Date(Math.max(...by.map(({ last }) => last.getTime()))).toISOString(),
        callers: by
          .filter(({ calls }) => calls > 0)
          .slice(0, mostCallers)
          .map(({ principal, calls }) => ({ principal, calls })),
      },
    ]),
  );
}

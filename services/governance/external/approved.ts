import type { Database } from '../../../adapters/postgres/database.ts';

/** Calls of external.tool.approve that are looked at, newest first. */
const looked = 1_000;

/** Who approved which definition of a tool when, newest first, as the ledger has it. */
export async function approvalsOf(
  db: Pick<Database, 'query'>,
  tenant: string,
  name: string,
): Promise<{ hash: string; by: string; at: string; tool_call_id: string }[]> {
  const rows = await db.query<{ id: string; principal: string; at: Date; tool_call_id: string }>(
    `select ref->>'id' as id, e.principal, e.at, e.tool_call_id from
       (select * from ledger_events where tenant_id = $1 and tool = 'external.tool.approve' and refs is not null order by id desc limit $3) e,
       jsonb_array_elements(e.refs) ref
     where ref->>'type' = 'external_tool' and starts_with(ref->>'id', $2) order by e.id desc limit 100`,
    [tenant, `${name}@`, looked],
  );
  return rows.map(({ id, principal, at, tool_call_id }) => ({
    hash: id.slice(id.lastIndexOf('@') + 1),
    by: principal,
    at: at.toISOString(),
    tool_call_id,
  }));
}

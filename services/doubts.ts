/**
 * Calls to the outside that may have been made, although the records that said so were lost. An approved call becomes
 * "started", which its process ends as ambiguous. A message or a call to another system counts one more attempt, which may have
 * arrived: its process looks for it first.
 */
import type { Database } from '../adapters/postgres/database.ts';

type Query = Database['query'];

/**
 * @param only the approval or job of this id, whose process may have acted; default: all that are under way
 * @returns how many
 */
export async function doubtCalls(query: Query, tenant: string, only: string | null = null): Promise<number> {
  const rows = await query<{ doubted: number }>(
    `with call as (
       update approvals set status = 'started', rev = rev + 1, updated_at = now(), started_at = coalesce(started_at, now())
       where tenant_id = $1 and (status = 'approved' and $2::text is null or status in ('pending', 'approved') and id = $2) returning 1
     ), connector as (
       update connector_calls c set attempts = c.attempts + 1, updated_at = now() from jobs j
       where c.tenant_id = $1 and c.status = 'started' and not c.dry_run and j.tenant_id = $1 and j.kind = 'connector_call'
         and j.spec->>'provider' = c.provider and j.spec->>'call_key' = c.call_key and j.status in ('queued', 'running') and ($2::text is null or j.id = $2) returning 1
     ), message as (
       update notifications n set attempts = n.attempts + 1, updated_at = now() from jobs j
       where n.tenant_id = $1 and n.status = 'queued' and j.tenant_id = $1 and j.id = n.job_id
         and j.status in ('queued', 'running') and ($2::text is null or j.id = $2) returning 1
     )
     select ((select count(*) from call) + (select count(*) from connector) + (select count(*) from message))::int as doubted`,
    [tenant, only],
  );
  return rows[0]!.doubted;
}

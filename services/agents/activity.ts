import type { Database } from '../../adapters/postgres/database.ts';
import type { ActivityStatus, Health } from '../../contracts/agents/agents.ts';
import type { Columns } from '../../prisma/rows.ts';

export interface Activity {
  id: string;
  phase_id: number | null;
  task_id: string | null;
  status: ActivityStatus;
  /** As reported by the agent; null: not reported. */
  coherence_score: number | null;
  /** The tool that it called last. */
  last_action: string | null;
  last_action_at: string | null;
  /** The activity that the agent reports. */
  activity: string | null;
  /** When its task started, otherwise when it registered. */
  started_at: string | null;
}

interface ActivityRow extends Record<string, unknown>, Columns<'agents', 'id' | 'coherence_score' | 'activity'> {
  phase_id: number | null;
  task_id: string | null;
  started_at: Date | null;
  health: Health | null;
  admin_status: string | null;
  last_action: string | null;
  last_action_at: Date | null;
}

/** Working and available agents: holders of tasks in progress, and registered agents that are not offline. */
export async function listActivity(db: Database, tenant: string, limit: number): Promise<Activity[]> {
  const rows = await db.query<ActivityRow>(
    `with held as (
       select assigned_agent_id as id, coalesce(lease_principal, assigned_agent_id) as principal, phase_id, id as task_id, started_at
       from work_tasks
       where tenant_id = $1 and status = 'in_progress' and lease_expires_at > now()
     ), present as (
       select id, health, admin_status, coherence_score, activity, registered_at from agents where tenant_id = $1 and removed_at is null
     ), active as (
       select coalesce(h.id, p.id) as id, coalesce(h.principal, p.id) as principal, h.phase_id, h.task_id, coalesce(h.started_at, p.registered_at) as started_at, p.health, p.admin_status,
         p.coherence_score, p.activity
       from held h full join present p on p.id = h.principal
       where h.id is not null or p.health in ('healthy', 'unhealthy')
       order by h.id is null, started_at desc, 1 limit $2
     )
     select a.*, l.tool as last_action, l.at as last_action_at from active a
     left join lateral (
       select tool, at from ledger_events e where e.tenant_id = $1 and e.principal = a.principal and e.front <> 'console' order by e.at desc limit 1
     ) l on true
     order by a.task_id is null, a.started_at desc, a.id`,
    [tenant, limit],
  );
  return rows.map((row) => ({
    id: row.id,
    phase_id: row.phase_id,
    task_id: row.task_id,
    status: statusOf(row),
    coherence_score: row.coherence_score,
    last_action: row.last_action,
    last_action_at: row.last_action_at?.toISOString() ?? null,
    activity: row.activity,
    started_at: row.started_at?.toISOString() ?? null,
  }));
}

function statusOf({ admin_status, health, task_id }: ActivityRow): ActivityStatus {
  if (admin_status === 'paused') return 'paused';
  if (health === 'unhealthy') return 'unhealthy';
  return task_id === null ? 'idle' : 'working';
}

import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { AgentRef, PresenceSnapshot, PresenceStart } from '../../contracts/activities/agents/agent.ts';
import { systemTenant, type AgentKind } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';
import { platform } from '../work/index.ts';
import type { WorkService } from '../work/index.ts';
import { noteAgentEvent, noteAgentHistory } from './history.ts';

export async function findPresence(db: Database, { tenant, id }: AgentRef, timeoutSeconds: number): Promise<PresenceStart | null> {
  const [row] = await db.query<{ health: PresenceStart['health']; rev: number; kind: AgentKind }>(
    'select health, rev, kind from agents where tenant_id = $1 and id = $2 and removed_at is null',
    [tenant, id],
  );
  if (!row || tenant === systemTenant) return null;
  return { health: row.health, rev: row.rev, removable: row.kind !== 'managed', timeoutMs: timeoutSeconds * 1_000 };
}

/** @returns the row's revision afterwards; null when the agent was removed */
export async function writeHealth(db: Database, { tenant, id }: AgentRef, { rev, health }: PresenceSnapshot): Promise<number | null> {
  return await db.transaction(async (query) => {
    const [before] = await query<{ rev: number; health: string; admin_status: string }>(
      'select rev, health, admin_status from agents where tenant_id = $1 and id = $2 and removed_at is null for update',
      [tenant, id],
    );
    if (!before) return null;
    if (before.rev >= rev) return before.rev;
    await query(
      `update agents set rev = $3, health = $4, health_since = case when health = $4 then health_since else now() end, updated_at = now()
       where tenant_id = $1 and id = $2`,
      [tenant, id, rev, health],
    );
    if (before.health === health) return rev;
    await noteAgentHistory(query, tenant, id, health, { from: before.health }, platform.id);
    await noteAgentEvent(query, tenant, id, { health, from: before.health, status: before.admin_status });
    return rev;
  });
}

/**
 * Releases the leases of an agent that is offline. A lease that it claimed or renewed after `since` is a sign of life and
 * stays. Each lease is released by its token, so that another agent's lease is never touched.
 * @returns how many were released
 */
export async function freeLeases(db: Database, work: WorkService, { tenant, id }: AgentRef, since: number): Promise<number> {
  const held = await db.query<{ id: string; fencing_token: number }>(
    `select id, fencing_token from work_tasks
     where tenant_id = $1 and coalesce(lease_principal, assigned_agent_id) = $2 and status = 'in_progress' and updated_at < to_timestamp($3::float8 / 1000)`,
    [tenant, id, since],
  );
  let freed = 0;
  for (const { id: taskId, fencing_token: token } of held) {
    try {
      const reason = `Its holder "${id}" went offline.`;
      await work.processes.ask(tenant, taskId, 'fail', { actor: platform, token, reason, retry: true }, `offline:${taskId}:${token}`);
      freed += 1;
    } catch (error) {
      // The lease has just ended, or another agent holds it now.
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
    }
  }
  return freed;
}

/** @returns whether the agent was still offline and has been removed */
export async function forgetAgent(db: Database, { tenant, id }: AgentRef): Promise<boolean> {
  return await db.transaction(async (query) => {
    const rows = await query(
      `update agents set removed_at = now(), rev = rev + 1, updated_at = now()
       where tenant_id = $1 and id = $2 and (health = 'offline' or removed_at is not null) returning id`,
      [tenant, id],
    );
    if (rows.length > 0) await noteAgentHistory(query, tenant, id, 'removed', { reason: 'silent' }, platform.id);
    return rows.length > 0;
  });
}

/** One agent's signs of life since the last write. */
export interface Sign {
  id: string;
  at: Date;
  coherence: number | null;
  activity: string | null;
  calls: number;
  tokens: number;
  costUsd: number;
}

/**
 * Writes a tenant's signs of life in one statement, with asynchronous commit: a crash may lose them.
 * @returns the agents whose stored health is not healthy: their workflows must be told
 */
export async function writeSigns(db: Database, tenant: string, signs: readonly Sign[]): Promise<{ id: string; rev: number }[]> {
  const used = signs.filter((sign) => sign.calls > 0 || sign.tokens > 0 || sign.costUsd > 0);
  return await asTenant(tenant, async () => {
    const rows = await db.query<{ id: string; health: string; rev: number }>(
      `with signs as (
         select * from unnest($2::text[], $3::timestamptz[], $4::real[], $5::text[]) as s (id, at, coherence, activity)
       ), locked as (
         -- In one order, whoever else writes at the same time.
         select id from agents where tenant_id = $1 and removed_at is null and id = any($2) order by id for no key update
       )
       update agents a set last_heartbeat = greatest(a.last_heartbeat, s.at), coherence_score = coalesce(s.coherence, a.coherence_score),
         activity = coalesce(s.activity, a.activity)
       from signs s join locked l on l.id = s.id
       where a.tenant_id = $1 and a.id = s.id and set_config('synchronous_commit', 'off', true) = 'off' returning a.id, a.health, a.rev`,
      [
        tenant,
        signs.map((sign) => sign.id),
        signs.map((sign) => sign.at),
        signs.map((sign) => sign.coherence),
        signs.map((sign) => sign.activity),
      ],
    );
    if (used.length > 0) {
      await db.query(
        `insert into agent_usage as u (tenant_id, agent_id, day, calls, tokens, cost_usd)
         select $1, s.id, (now() at time zone 'utc')::date, s.calls, s.tokens, s.cost
         from unnest($2::text[], $3::int[], $4::bigint[], $5::numeric[]) as s (id, calls, tokens, cost)
         where exists (select from agents a where a.tenant_id = $1 and a.id = s.id) order by s.id
         on conflict (tenant_id, agent_id, day) do update
           set calls = u.calls + excluded.calls, tokens = u.tokens + excluded.tokens, cost_usd = u.cost_usd + excluded.cost_usd`,
        [
          tenant,
          used.map((sign) => sign.id),
          used.map((sign) => sign.calls),
          used.map((sign) => sign.tokens),
          used.map((sign) => sign.costUsd),
        ],
      );
    }
    return rows.filter((row) => row.health !== 'healthy');
  });
}

import type { Database } from '../../adapters/postgres/database.ts';
import type { AdminStatus } from '../../contracts/agents/agents.ts';
import type { Caller } from '../../contracts/caller.ts';
import { noteAgentEvent, noteAgentHistory } from './history.ts';
import { lockAgent } from './versions.ts';

export interface Administered {
  agent_id: string;
  status: AdminStatus;
  reason: string | null;
  at: string;
  /** The agent already had this status. */
  repeated: boolean;
}

/**
 * Pauses or resumes an agent. A paused agent is still monitored, but gets no new work and no delegated tasks.
 * @throws AppError NOT_FOUND, FORBIDDEN (the platform's own)
 */
export async function administer(
  db: Database,
  caller: Caller,
  id: string,
  status: AdminStatus,
  reason: string | null,
): Promise<Administered> {
  const { tenant, principal } = caller;
  const event = status === 'paused' ? 'paused' : 'activated';
  return await db.transaction(async (query) => {
    const before = await lockAgent(query, tenant, id);
    if (before.admin_status === status) {
      const [last] = await query<{ created_at: Date }>(
        'select created_at from agent_history where tenant_id = $1 and agent_id = $2 and event = $3 order by id desc limit 1',
        [tenant, id, event],
      );
      return { agent_id: id, status, reason: before.status_reason, at: (last?.created_at ?? new Date()).toISOString(), repeated: true };
    }
    const [row] = await query<{ updated_at: Date }>(
      'update agents set admin_status = $3, status_reason = $4, updated_at = now() where tenant_id = $1 and id = $2 returning updated_at',
      [tenant, id, status, reason],
    );
    await noteAgentHistory(query, tenant, id, event, { reason }, principal);
    await noteAgentEvent(query, tenant, id, { status, reason, health: before.health });
    return { agent_id: id, status, reason, at: row!.updated_at.toISOString(), repeated: false };
  });
}

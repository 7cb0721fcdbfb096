import type { Database } from '../../adapters/postgres/database.ts';
import { systemTenant } from '../../contracts/agents/agents.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { canonicalJson } from '../../contracts/ids.ts';
import { noteAgentEvent, noteAgentHistory } from './history.ts';
import { agentNotFound } from './presence.ts';
import { Service } from '../kernel/service.ts';

type Query = Database['query'];

export interface RolledBack {
  agent_id: string;
  from_version: number;
  to_version: number;
  effective_at: string;
}

/** Versions of agents' definitions. A version never changes; a rollback points to an earlier one. */
export class AgentVersions extends Service {
  /**
   * @param target null: the previous version
   * @throws AppError NOT_FOUND (agent, version), CONFLICT (there is no previous one), FORBIDDEN (the platform's own)
   */
  async rollback(caller: Caller, id: string, target: number | null, reason: string): Promise<RolledBack> {
    const { tenant, principal } = caller;
    return await this.db.transaction(async (query) => {
      const { version, admin_status } = await lockAgent(query, tenant, id);
      const [found] = await query<{ version: number }>(
        `select version from agent_versions where tenant_id = $1 and agent_id = $2 and ($3::int is null and version < $4 or version = $3)
         order by version desc limit 1`,
        [tenant, id, target, version],
      );
      if (!found && target === null) {
        throw new AppError('CONFLICT', `Version ${version} of "${id}" is its first.`, {
          hint: 'agent.registry.register with another definition makes a new version.',
          details: { reason: 'first_version', version },
        });
      }
      if (!found) {
        throw new AppError('NOT_FOUND', `"${id}" has no version ${target}.`, { hint: `Its current version is ${version}.` });
      }
      if (found.version === version) {
        throw new AppError('CONFLICT', `"${id}" is at version ${version} already.`, { details: { reason: 'same_version', version } });
      }
      const [row] = await query<{ updated_at: Date }>(
        'update agents set version = $3, updated_at = now() where tenant_id = $1 and id = $2 returning updated_at',
        [tenant, id, found.version],
      );
      await noteAgentHistory(query, tenant, id, 'rolled_back', { from: version, to: found.version, reason }, principal);
      await noteAgentEvent(query, tenant, id, { version: found.version, from_version: version, status: admin_status });
      return { agent_id: id, from_version: version, to_version: found.version, effective_at: row!.updated_at.toISOString() };
    });
  }
}

/** Locks an agent of this tenant for a change. @throws AppError NOT_FOUND, FORBIDDEN (the platform's own) */
export async function lockAgent(
  query: Query,
  tenant: string,
  id: string,
): Promise<{ version: number; admin_status: 'active' | 'paused'; status_reason: string | null; health: string }> {
  const [row] = await query<{ version: number; admin_status: 'active' | 'paused'; status_reason: string | null; health: string }>(
    'select version, admin_status, status_reason, health from agents where tenant_id = $1 and id = $2 and removed_at is null for update',
    [tenant, id],
  );
  if (row) return row;
  const shared = await query('select from agents where tenant_id = $1 and id = $2 and removed_at is null', [systemTenant, id]);
  if (shared.length > 0) {
    throw new AppError('FORBIDDEN', `"${id}" is this platform itself.`, {
      hint: 'It is the same for all tenants; none of them changes it.',
    });
  }
  throw agentNotFound(id);
}

/** Writes a new version if the definition changed. The registration has locked the agent's row. @param definition null: not given */
export async function writeVersion(
  query: Query,
  caller: Caller,
  id: string,
  definition: Record<string, unknown> | null,
  note: string | null,
): Promise<void> {
  const { tenant, principal } = caller;
  const versions = await query<{ version: number; definition: Record<string, unknown>; current: boolean }>(
    `select v.version, v.definition, v.version = a.version as current from agent_versions v
     join agents a on a.tenant_id = v.tenant_id and a.id = v.agent_id
     where v.tenant_id = $1 and v.agent_id = $2 order by v.version desc`,
    [tenant, id],
  );
  const current = versions.find((version) => version.current);
  if (current && (definition === null || canonicalJson(current.definition) === canonicalJson(definition))) return;
  const next = (versions[0]?.version ?? 0) + 1;
  await query('insert into agent_versions (tenant_id, agent_id, version, definition, note, created_by) values ($1, $2, $3, $4, $5, $6)', [
    tenant,
    id,
    next,
    JSON.stringify(definition ?? {}),
    note,
    principal,
  ]);
  await query('update agents set version = $3, updated_at = now() where tenant_id = $1 and id = $2', [tenant, id, next]);
}

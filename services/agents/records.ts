import type { Database, Row } from '../../adapters/postgres/database.ts';
import { systemTenant, type AdminStatus, type AgentKind, type Capability, type Health, type Peer } from '../../contracts/agents/agents.ts';
import { notFound } from '../../contracts/errors.ts';
import type { Columns } from '../../prisma/rows.ts';

type Query = Database['query'];

/** A row of `agents` with its capabilities. */
export interface AgentRow
  extends
    Row,
    Columns<
      'agents',
      | 'tenant_id'
      | 'id'
      | 'agent_type'
      | 'name'
      | 'description'
      | 'endpoint_url'
      | 'card_url'
      | 'credential'
      | 'stable_key'
      | 'status_reason'
      | 'health_since'
      | 'last_heartbeat'
      | 'coherence_score'
      | 'activity'
      | 'version'
      | 'registered_by'
      | 'key_id'
      | 'registered_at'
      | 'rev'
      | 'updated_at'
    > {
  kind: AgentKind;
  protocol: 'signalbox' | 'a2a' | 'local' | null;
  card: Record<string, unknown> | null;
  admin_status: AdminStatus;
  health: Health;
  slos: Record<string, unknown>;
  metadata: Record<string, unknown>;
  capabilities: Capability[];
}

/** Columns of an `AgentRow`, over the table under the name `a`. */
export const agentColumns = `a.*, coalesce((select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', c.name, 'description', c.description,
  'parameters_schema', c.parameters_schema, 'returns_schema', c.returns_schema, 'estimated_duration_ms', c.estimated_duration_ms)) order by c.name)
  from agent_capabilities c where c.tenant_id = a.tenant_id and c.agent_id = a.id), '[]') as capabilities`;

/** An agent of the tenant, or the platform's own. Removed ones are gone. */
export async function findAgent(query: Query, tenant: string, id: string): Promise<AgentRow | null> {
  const [row] = await query<AgentRow>(
    `select ${agentColumns} from agents a where a.tenant_id in ($1, $3) and a.id = $2 and a.removed_at is null order by a.tenant_id = $1 desc limit 1`,
    [tenant, id, systemTenant],
  );
  return row ?? null;
}

/** @throws AppError NOT_FOUND */
export async function agentOf(query: Query, tenant: string, id: string): Promise<AgentRow> {
  const row = await findAgent(query, tenant, id);
  if (!row) throw notFound('agent', id, 'agent.peer.list and agent.registry.list show the agents there are.');
  return row;
}

/** The form of agentic-rag's registry. Never contains credentials. */
export const peerView = (row: AgentRow): Peer => ({
  agent_id: row.id,
  agent_type: row.agent_type,
  endpoint_url: row.endpoint_url,
  capabilities: row.capabilities.map(({ estimated_duration_ms: _, ...told }) => told),
  tenant_id: row.tenant_id,
  registered_at: row.registered_at.toISOString(),
  last_heartbeat: row.last_heartbeat?.toISOString() ?? null,
  health_status: row.health,
  metadata: row.metadata,
  kind: row.kind,
  protocol: row.protocol,
  status: row.admin_status,
});

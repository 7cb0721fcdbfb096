import {
  type registryOrders,
  systemTenant,
  type AdminStatus,
  type AgentKind,
  type Health,
  type Peer,
} from '../../contracts/agents/agents.ts';
import { countedPage, matching, up, type CountedPage, type List, type Paging } from '../kernel/paging.ts';
import { heldBy, type HeldTask } from './held.ts';
import { agentColumns, peerView, type AgentRow } from './records.ts';
import { performanceOf, slosOf, type Performance, type Slo } from './usage.ts';
import { Service } from '../kernel/service.ts';

export interface RegisteredAgent {
  agent_id: string;
  name: string;
  description: string;
  kind: AgentKind;
  agent_type: string;
  status: AdminStatus;
  status_reason: string | null;
  health: Health;
  health_since: string;
  version: number;
  slos: Slo[];
  /** As the agent reports it, from 0 to 1. */
  coherence: number | null;
  /** What it says that it does. */
  activity: string | null;
  /** What it holds now, the oldest first. */
  tasks: HeldTask[];
  /** Of the last 30 days, as reported by the agent. */
  cost: { calls: number; tokens: number; cost_usd: number };
  /** Since midnight, UTC. */
  cost_today: { calls: number; tokens: number; cost_usd: number };
  /** Over the last 30 days. */
  quality: { judged: number; acceptance_rate: number | null; error_rate: number | null };
  last_action: string | null;
  last_action_at: string | null;
  last_activity_at: string | null;
  registered_at: string;
}

/** The platform has many capabilities with large schemas: show only their names, unless the caller asks for more. */
const named = (name: string): Peer['capabilities'][number] => ({ name, description: '', parameters_schema: {}, returns_schema: {} });

/** Queries of the registry: agents, capabilities, performance. A tenant sees its own agents and the platform's. */
export class AgentQueries extends Service {
  /**
   * Agents that accept messages, in the form of agentic-rag's registry.
   * @param filter.healthyOnly leaves out silent agents; an agent whose health is not monitored counts as healthy
   */
  async peers(
    tenant: string,
    filter: { capability?: string | undefined; agentId?: string | undefined; healthyOnly: boolean; limit: number },
  ): Promise<Peer[]> {
    const { where, values } = matching({
      'a.removed_at is null': true,
      'exists (select from agent_capabilities c where c.tenant_id = a.tenant_id and c.agent_id = a.id and c.name = $)': filter.capability,
      "a.health in ('healthy', 'none')": filter.healthyOnly,
      'a.id = $': filter.agentId,
    });
    const tenants = [...new Set([tenant, systemTenant])];
    const limit = `limit $${values.length + 1}`;
    // The first ones of each tenant by the index: of both together, all would be read and sorted.
    const parts = tenants.map(
      (_tenant, i) =>
        `(select a.* from agents a where a.tenant_id = $${values.length + 2 + i} and ${where} order by a.registered_at, a.id ${limit})`,
    );
    const rows = await this.db.query<AgentRow>(
      `select ${agentColumns} from (${parts.join(' union all ')}) a
       order by a.tenant_id <> $${values.length + 2}, a.registered_at, a.id ${limit}`,
      [...values, filter.limit, ...tenants],
    );
    return rows.map((row) => {
      const view = peerView(row);
      if (row.tenant_id !== systemTenant || filter.agentId !== undefined) return view;
      return { ...view, capabilities: view.capabilities.map((each) => (each.name === filter.capability ? each : named(each.name))) };
    });
  }

  /** Capabilities, each with its agents. */
  async capabilities(tenant: string): Promise<Record<string, string[]>> {
    const rows = await this.db.query<{ name: string; ids: string[] }>(
      `select c.name, array_agg(c.agent_id order by c.agent_id) as ids from agent_capabilities c
       join agents a on a.tenant_id = c.tenant_id and a.id = c.agent_id and a.removed_at is null
       where c.tenant_id in ($1, $2) group by c.name order by c.name`,
      [tenant, systemTenant],
    );
    return Object.fromEntries(rows.map(({ name, ids }) => [name, ids]));
  }

  /** The registry for people who monitor agents. @throws AppError VALIDATION_ERROR (a cursor of another list) */
  async registered(tenant: string, filter: RegistryFilter): Promise<CountedPage<RegisteredAgent>> {
    const { status, kind, health, search, agentId, order = 'registered', ...paging } = filter;
    const list: List = {
      select: `a.*, '[]'::jsonb as capabilities`,
      from: 'agents a',
      ...matching({
        'a.tenant_id = $': tenant,
        'a.removed_at is null': true,
        'a.admin_status = $': status,
        'a.kind = $': kind,
        'a.health = $': health,
        'a.id = $': agentId,
        'position(lower($) in lower(a.id)) > 0 or position(lower($) in lower(a.name)) > 0': search,
      }),
      order: [...orders[order], up('a.registered_at', 'timestamptz'), up('a.id')],
    };
    const page = await countedPage(this.db.query, list, paging, (row: AgentRow) => row);
    const ids = page.items.map((row) => row.id);
    const [performance, held] = await Promise.all([performanceOf(this.db, tenant, ids), heldBy(this.db, tenant, ids)]);
    return { ...page, items: page.items.map((row) => registeredView(row, performance.get(row.id), held.get(row.id) ?? [])) };
  }
}

export interface RegistryFilter extends Paging {
  status?: AdminStatus | undefined;
  kind?: AgentKind | undefined;
  health?: Health | undefined;
  /** Part of an id or a name. */
  search?: string | undefined;
  agentId?: string | undefined;
  /** gravity: those that need somebody come first. */
  order?: (typeof registryOrders)[number] | undefined;
}

const orders = {
  registered: [],
  name: [up('lower(a.name)')],
  // As in the index agents_gravity.
  gravity: [
    up(
      `(case when a.admin_status = 'paused' then 2 when a.health = 'offline' then 0 when a.health = 'unhealthy' then 1 when a.health = 'healthy' then 3 else 4 end)`,
      'int',
    ),
  ],
};

function registeredView(row: AgentRow, done: Performance | undefined, tasks: HeldTask[]): RegisteredAgent {
  const activity = Math.max(row.last_heartbeat?.getTime() ?? 0, done?.last_action_at?.getTime() ?? 0);
  return {
    agent_id: row.id,
    name: row.name,
    description: row.description,
    kind: row.kind,
    agent_type: row.agent_type,
    status: row.admin_status,
    status_reason: row.status_reason,
    health: row.health,
    health_since: row.health_since.toISOString(),
    version: row.version,
    slos: slosOf(row.slos, done, row.coherence_score),
    coherence: row.coherence_score,
    activity: row.activity,
    tasks,
    cost: { calls: done?.calls ?? 0, tokens: done?.tokens ?? 0, cost_usd: done?.cost_usd ?? 0 },
    cost_today: { calls: done?.calls_today ?? 0, tokens: done?.tokens_today ?? 0, cost_usd: done?.cost_today ?? 0 },
    quality: {
      judged: done?.judged ?? 0,
      acceptance_rate: done?.acceptance_rate ?? null,
      error_rate: done?.error_rate ?? null,
    },
    last_action: done?.last_action ?? null,
    last_action_at: done?.last_action_at?.toISOString() ?? null,
    last_activity_at: activity > 0 ? new Date(activity).toISOString() : null,
    registered_at: row.registered_at.toISOString(),
  };
}

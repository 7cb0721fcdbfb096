/** The registry of a tenant with many agents, and of one with ten times as many. */
import type { Caller } from '../clients.ts';
import type { Context } from '../context.ts';
import type { Section } from '../report.ts';
import { measureGrowthOf } from './growth.ts';

export const measureGrowthOfAgents = (context: Context): Promise<Section> =>
  measureGrowthOf(context, {
    title: (size) => `${size} agents`,
    what: 'agents',
    sizes: { whole: [1_000, 10_000], quick: [300, 3_000] },
    tables: ['agents', 'agent_capabilities'],
    async seed(tenant, size, { owner, thin }) {
      await owner(agentsSql, [tenant, size]);
      await owner(capabilitiesSql, [tenant, size]);
      await thin.ok('agent.registry.register', { kind: 'worker', agent_type: 'made' });
    },
    paths: pathsOf,
    note: 'One in ten is healthy, one in a hundred offline; 50 capabilities, two per agent. The rows are written directly: only one agent has a process.',
  });

function pathsOf(thin: Caller): Record<string, () => Promise<unknown>> {
  let turn = 0;
  const next = (): number => (turn += 7);
  const list = (filter: object) => () => thin.ok('agent.registry.list', filter);
  return {
    'agent.peer.heartbeat': () => thin.ok('agent.peer.heartbeat', { agent_id: 'reader' }),
    'agent.registry.list': list({}),
    'agent.registry.list, by gravity': list({ order: 'gravity' }),
    'agent.registry.list, one': () => thin.ok('agent.registry.list', { agent_id: `agent-${1 + (next() % 300)}` }),
    'agent.registry.list, part of a name': () => thin.ok('agent.registry.list', { search: `agent-${100 + (next() % 200)}` }),
    'agent.registry.list, offline ones': list({ health: 'offline' }),
    'agent.peer.list, a capability': () => thin.ok('agent.peer.list', { capability: `capability-${next() % 50}`, limit: 20 }),
    'agent.capability.list': () => thin.ok('agent.capability.list', {}),
  };
}

const agentsSql = `
  insert into agents (tenant_id, id, kind, agent_type, name, protocol, health, last_heartbeat, registered_by, key_id, registered_at, created_at, updated_at)
  select $1, 'agent-' || n, 'worker', 'made', 'Agent ' || n, null,
    case when n % 100 = 1 then 'offline' when n % 10 = 0 then 'healthy' else 'none' end,
    case when n % 10 < 2 then now() end, 'bench', 'bench', now() - make_interval(secs => $2 - n), now(), now()
  from generate_series(1, $2::int) n`;
const capabilitiesSql = `
  insert into agent_capabilities (tenant_id, agent_id, name)
  select $1, 'agent-' || n, 'capability-' || (n * 13 + k * 7) % 50 from generate_series(1, $2::int) n, generate_series(1, 2) k
  on conflict do nothing`;

import type { Peer } from '../contracts/agents/agents.ts';
import { ok } from './client.ts';
import type { AgentFilters, Reading, Registering } from './commands/agents.ts';
import { CliError, exits, usage } from './exit.ts';
import { defined, facts, note, oneLine, paint, say, sayJson, table } from './output.ts';
import { aside } from './tools.ts';

interface Registered {
  agent_id: string;
  name: string;
  description: string;
  kind: string;
  agent_type: string;
  status: string;
  status_reason: string | null;
  health: string;
  version: number;
  slos: { name: string; target: number; actual: number | null; met: boolean | null }[];
  cost: { calls: number; tokens: number; cost_usd: number };
  quality: { judged: number; acceptance_rate: number | null; error_rate: number | null };
  last_action: string | null;
  last_activity_at: string | null;
  registered_at: string;
}

interface Message {
  message_id: string;
  from: string;
  message: string;
  reply_to: string | null;
  delivered_at: string;
  acknowledged_at: string | null;
}

const colours = { healthy: 'green', unhealthy: 'yellow', offline: 'red', paused: 'yellow', none: 'dim' } as const;
const paintHealth = (text: string): string => {
  const colour = colours[text.trim() as keyof typeof colours];
  return colour ? paint(colour, text) : text;
};

const share = (value: number | null): string => (value === null ? '-' : `${Math.round(value * 1000) / 10} %`);

export async function listAgents({ status, kind, limit }: AgentFilters, json: boolean): Promise<void> {
  const answer = await ok<{ agents: Registered[] }>('agent.registry.list', defined({ status, kind, limit }));
  if (json) return sayJson({ ...answer.data, total: answer.metadata.total_count });
  if (answer.data.agents.length === 0) return say('No agents.');
  table(
    ['id', 'kind', 'health', 'state', 'version', 'cost (30 days)', 'last action', 'name'],
    answer.data.agents.map((each) => [
      each.agent_id,
      each.kind,
      each.health,
      each.status,
      each.version,
      each.cost.cost_usd === 0 ? null : `$${each.cost.cost_usd.toFixed(2)}`,
      each.last_action,
      each.name,
    ]),
    (text, _row, column) => (column === 2 || column === 3 ? paintHealth(text) : text),
  );
  const total = answer.metadata.total_count ?? 0;
  if (total > answer.data.agents.length) note(`\n${answer.data.agents.length} of ${total}; --limit shows more, filters show others.`);
}

export async function getAgent(id: string, json: boolean): Promise<void> {
  const [{ data: watched }, { data: spoken }] = await Promise.all([
    ok<{ agents: Registered[] }>('agent.registry.list', { agent_id: id }),
    ok<{ agents: Peer[] }>('agent.peer.list', { agent_id: id, healthy_only: false }),
  ]);
  const [peer] = spoken.agents;
  if (!peer) {
    throw new CliError(exits.failed, 'NOT_FOUND', `No agent with id "${id}".`, { hint: '`signalbox agents ls` shows those there are.' });
  }
  // The platform's own agent is spoken to, and watched by nobody.
  const [agent] = watched.agents;
  if (json) return sayJson({ agent: { ...peer, ...agent } });
  facts([
    ['agent', peer.agent_id],
    ['name', agent?.name],
    ['kind', `${peer.kind} (${peer.agent_type})`],
    ['health', peer.health_status],
    ['state', agent?.status_reason ? `${peer.status}: ${agent.status_reason}` : peer.status],
    ['endpoint', peer.endpoint_url],
    ['can', peer.capabilities.map((each) => each.name).join(', ')],
    ['description', agent?.description],
    ['version', agent?.version],
    [
      'objectives',
      agent?.slos
        .map((slo) => `${slo.name} ${share(slo.actual)} of ${share(slo.target)}${slo.met === false ? ' (missed)' : ''}`)
        .join('\n'),
    ],
    ['judged', agent && agent.quality.judged > 0 ? `${agent.quality.judged}, accepted ${share(agent.quality.acceptance_rate)}` : null],
    [
      'used',
      agent && agent.cost.calls > 0 ? `${agent.cost.calls} calls, ${agent.cost.tokens} tokens, $${agent.cost.cost_usd.toFixed(2)}` : null,
    ],
    ['last action', agent?.last_action],
    ['last heartbeat', peer.last_heartbeat],
    ['registered', peer.registered_at],
  ]);
}

export async function registerAgent(options: Registering, json: boolean): Promise<void> {
  const peer = options.endpoint !== undefined || options.card !== undefined;
  if (peer && (options.kind !== undefined || options.id !== undefined))
    throw usage('--kind and --id belong to workers and managed agents, --endpoint and --card to peers.');
  if (peer && options.endpoint !== undefined && options.card !== undefined) throw usage('Give either --endpoint or --card.');
  if (!peer && options.stableKey !== undefined) throw usage('--stable-key belongs to peers: give --endpoint or --card, too.');
  const capabilities = options.can?.map((name) => ({ name }));
  const answer = peer
    ? await ok<{ agent_id: string }>(
        'agent.peer.register',
        defined({
          agent_type: options.type,
          endpoint_url: options.endpoint,
          card_url: options.card,
          name: options.name,
          stable_key: options.stableKey,
          capabilities,
        }),
      )
    : await ok<{ agent_id: string }>(
        'agent.registry.register',
        defined({ agent_type: options.type, kind: options.kind, agent_id: options.id, name: options.name, capabilities }),
      );
  if (json) return sayJson(answer.data);
  say(`${answer.data.agent_id} is registered.`);
  aside(answer);
}

export async function deactivateAgent(id: string, reason: string, json: boolean): Promise<void> {
  const answer = await ok<{ status: string }>('agent.registry.deactivate', { agent_id: id, reason });
  if (json) return sayJson(answer.data);
  say(`${id} is ${paintHealth(answer.data.status)}.`);
  aside(answer);
}

export async function activateAgent(id: string, json: boolean): Promise<void> {
  const answer = await ok<{ status: string }>('agent.registry.activate', { agent_id: id });
  if (json) return sayJson(answer.data);
  say(`${id} is ${answer.data.status}.`);
  aside(answer);
}

export async function readMessages({ agent, all, ack, wait, limit, agentId }: Reading, json: boolean): Promise<void> {
  const answer = await ok<{ messages: Message[]; unread: number }>(
    'agent.message.list',
    defined({ agent_id: agent, include_read: all, wait_seconds: wait, limit }),
    { agentId },
  );
  const { messages, unread } = answer.data;
  const ids = messages.filter((each) => each.acknowledged_at === null).map((each) => each.message_id);
  if (ack && ids.length > 0) await ok('agent.message.acknowledge', { message_ids: ids }, { agentId });
  if (json) return sayJson({ ...answer.data, next_cursor: answer.metadata.next_cursor });
  if (messages.length === 0) return say('No messages.');
  for (const each of messages)
    say(`${paint('dim', `${each.delivered_at} ${each.message_id} ${oneLine(each.from)}`)}  ${oneLine(each.message)}`);
  if (unread > messages.length) note(`\n${messages.length} of ${unread} unread; --limit shows more.`);
}

export async function sendMessage(id: string, message: string, agentId: string | undefined, json: boolean): Promise<void> {
  const answer = await ok<{ message_id: string; delivered_at: string }>('agent.message.send', { agent_id: id, message }, { agentId });
  if (json) return sayJson(answer.data);
  say(`${answer.data.message_id} is in the inbox of ${id}.`);
  aside(answer);
}

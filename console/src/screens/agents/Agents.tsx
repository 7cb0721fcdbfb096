import { useMemo } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { useUrl } from '../../url.ts';
import { Age } from '../../ui/Time.tsx';
import { Lease } from './Lease.tsx';
import { aspects, dollars, kinds, rate, slosText, stateOf, words, type Agent } from './model.ts';

const defaults = { q: '', health: '', kind: '', order: 'gravity' };
const rows = ({ agents }: { agents: Agent[] }) => agents;

const columns: Column<Agent>[] = [
  {
    title: 'Agent',
    className: 'min-w-28',
    cell: (agent) => (
      <>
        <Outside text={agent.agent_id} most={60} />
        {agent.name !== agent.agent_id && (
          <span className="block text-xs text-soft">
            <Outside text={agent.name} most={60} />
          </span>
        )}
      </>
    ),
  },
  {
    title: 'State',
    className: 'whitespace-nowrap',
    cell: (agent) => <Aspect is={aspects[stateOf(agent)]}>{words[stateOf(agent)]}</Aspect>,
  },
  { title: 'Kind', wide: true, className: 'whitespace-nowrap', cell: (agent) => agent.kind },
  {
    title: 'Current task',
    className: 'w-1/3',
    cell: ({ tasks: [task, ...more] }) =>
      task && (
        <>
          <Lease task={task} />
          {more.length > 0 && <span className="text-xs text-soft">and {more.length} more</span>}
        </>
      ),
  },
  {
    title: 'Last call',
    wide: true,
    className: 'min-w-40',
    cell: (agent) =>
      agent.last_action_at && (
        <>
          <Age at={agent.last_action_at} />
          <span className="block font-mono text-xs text-soft">{agent.last_action}</span>
        </>
      ),
  },
  { title: 'Coherence', wide: true, className: 'text-right whitespace-nowrap', cell: (agent) => rate(agent.coherence) },
  {
    title: 'Objectives',
    wide: true,
    className: 'whitespace-nowrap',
    cell: ({ slos }) => {
      const told = slosText(slos);
      return told && <Aspect is={told.aspect}>{told.text}</Aspect>;
    },
  },
  { title: 'Cost today', wide: true, className: 'text-right whitespace-nowrap', cell: (agent) => dollars(agent.cost_today.cost_usd) },
  { title: 'Version', wide: true, className: 'text-right whitespace-nowrap', cell: (agent) => agent.version },
];

/** Who works here, how they stand, what they hold and cost. */
export default function Agents() {
  const [url, set, type] = useUrl(defaults);
  const navigate = useNavigate();
  const may = useMay()('agent.registry.list') !== 'deny';
  const args = useMemo(
    () => ({
      order: url.order,
      ...(url.q.trim() ? { search: url.q.trim().slice(0, 128) } : {}),
      ...(url.health === 'paused' ? { status: 'paused' } : url.health ? { status: 'active', health: url.health } : {}),
      ...(url.kind ? { kind: url.kind } : {}),
    }),
    [url.q, url.health, url.kind, url.order],
  );
  const agents = usePages('agent.registry.list', args, rows, may);
  if (!may) {
    return (
      <Page title="Agents">
        <NoRight tool="agent.registry.list" scope="agent:read" />
      </Page>
    );
  }
  return (
    <Page title="Agents">
      <Filters>
        <FilterText label="Agent" placeholder="part of an id or name" value={url.q} onChange={(q) => type({ q })} />
        <Select
          label="State"
          value={url.health}
          onChange={(health) => set({ health })}
          options={[
            ['', 'all'],
            ...(['healthy', 'unhealthy', 'offline', 'paused', 'none'] as const).map((one) => [one, words[one]] as const),
          ]}
        />
        <Select label="Kind" value={url.kind} onChange={(kind) => set({ kind })} options={['', ...kinds]} />
        <Select
          label="Order"
          value={url.order}
          onChange={(order) => set({ order })}
          options={[
            ['gravity', 'problems first'],
            ['name', 'by name'],
            ['registered', 'first registered first'],
          ]}
        />
      </Filters>
      <Table
        label="agents"
        query={agents}
        columns={columns}
        keyOf={({ agent_id }) => agent_id}
        onOpen={({ agent_id }) => void navigate({ to: '/console/agents/$id', params: { id: agent_id } })}
        empty={
          url.q || url.health || url.kind ? (
            <NoMatch onClear={() => set({ q: '', health: '', kind: '' })} />
          ) : (
            <Empty command="npx signalbox connect claude-code --write">
              No agent is registered. Workers that only claim tasks are shown by{' '}
              <Link to="/console/work" search={{ view: 'agents' }} className="hit">
                Work, by agent
              </Link>
              . To connect one, in the folder of your project:
            </Empty>
          )
        }
      />
    </Page>
  );
}

import type { Peer } from '../../../../contracts/agents/agents.ts';
import type { AgentChange, AgentHistoryEntry } from '../../../../contracts/agents/past.ts';
import { usePages, useRead } from '../../api/call.ts';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Json } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { worded } from '../../ui/words.ts';

const rows = ({ history }: { history: AgentHistoryEntry[] }) => history;

const aspects: Record<string, AspectName> = {
  registered: 'clear',
  healthy: 'clear',
  unhealthy: 'caution',
  offline: 'stop',
  paused: 'out',
  activated: 'clear',
  unregistered: 'out',
  removed: 'out',
} satisfies Partial<Record<AgentChange, AspectName>>;

/** The details of a change, in words. */
const detail = (entry: AgentHistoryEntry): string =>
  Object.entries(entry.detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${worded(name)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const columns: Column<AgentHistoryEntry>[] = [
  { title: 'When', cell: (entry) => <Age at={entry.at} /> },
  {
    title: 'What',
    cell: (entry) => (
      <>
        <Aspect is={aspects[entry.event] ?? 'held'}>{worded(entry.event)}</Aspect>
        <span className="block text-xs text-soft sm:hidden">
          by <Outside text={entry.actor} most={80} />
        </span>
      </>
    ),
  },
  { title: 'By', wide: true, className: 'min-w-16', cell: (entry) => <Outside text={entry.actor} most={80} /> },
  { title: 'Detail', className: 'w-1/2', cell: (entry) => <Outside text={detail(entry)} most={400} /> },
];

/** What happened to the agent, also after it was removed. */
export function Past({ id }: { id: string }) {
  const history = usePages('agent.history.list', { agent_id: id, limit: 100 }, rows);
  return (
    <Table
      label="changes of the agent"
      query={history}
      columns={columns}
      keyOf={(entry) => entry.id}
      empty={<Empty>No changes yet.</Empty>}
    />
  );
}

/** What the agent says that it can do. */
export function Capabilities({ id }: { id: string }) {
  const found = useRead<{ agents: Peer[] }>('agent.peer.list', { agent_id: id, healthy_only: false });
  return (
    <Panel title="Capabilities" query={found}>
      {({ agents: [agent] }) => {
        if (!agent || agent.capabilities.length === 0) {
          return (
            <Empty command={`npx signalbox tools describe agent.registry.register`}>
              The agent declares no capability, so no task can be delegated to it by capability. Agents declare capabilities when they
              register:
            </Empty>
          );
        }
        return (
          <ul className="divide-y divide-line">
            {agent.capabilities.map((one) => (
              <li key={one.name} className="px-4 py-2">
                <h3>
                  <Outside text={one.name} most={128} />
                </h3>
                {one.description !== '' && (
                  <p className="text-soft">
                    <Outside text={one.description} most={1_000} />
                  </p>
                )}
                {(['parameters_schema', 'returns_schema'] as const).map(
                  (schema) =>
                    Object.keys(one[schema]).length > 0 && (
                      <details key={schema}>
                        <summary className="hit cursor-pointer text-route">{schema === 'parameters_schema' ? 'Input' : 'Output'}</summary>
                        <Json value={one[schema]} label={`${one.name} ${worded(schema)}`} />
                      </details>
                    ),
                )}
              </li>
            ))}
          </ul>
        );
      }}
    </Panel>
  );
}

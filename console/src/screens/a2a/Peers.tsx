import type { Peer } from '../../../../contracts/agents/agents.ts';
import { useRead } from '../../api/call.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { counted } from '../../ui/words.ts';
import { aspects, words } from '../agents/model.ts';

/** Agents that can be spoken to, with what they say about themselves. */
export function Peers() {
  const peers = useRead<{ agents: Peer[] }>('agent.peer.list', { healthy_only: false });
  return (
    <Panel title="Peers" query={peers}>
      {({ agents }) => (
        <ul>
          {agents.map((agent) => (
            <li key={agent.agent_id} className="grid gap-1 border-b border-line p-4 last:border-0">
              <div className="flex flex-wrap items-center gap-x-4">
                <RecordLink type="agent" id={agent.agent_id} />
                <Aspect is={aspects[agent.health_status]}>{words[agent.health_status]}</Aspect>
                <span className="text-soft">
                  {agent.protocol ?? agent.kind}{' '}
                  {agent.last_heartbeat && (
                    <>
                      heard <Age at={agent.last_heartbeat} />
                    </>
                  )}
                </span>
              </div>
              {agent.endpoint_url && (
                <p className="font-mono text-xs">
                  <Outside text={agent.endpoint_url} />
                </p>
              )}
              {agent.capabilities.length > 0 && (
                <details>
                  <summary className="hit cursor-pointer">{counted(agent.capabilities.length, 'capability', 'capabilities')}</summary>
                  <ul className="grid gap-1 pl-4">
                    {agent.capabilities.map(({ name, description }) => (
                      <li key={name}>
                        <code className="font-mono text-xs">
                          <Outside text={name} />
                        </code>{' '}
                        {description && <Outside text={description} most={300} />}
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

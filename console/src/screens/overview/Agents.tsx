import type { ActivityStatus } from '../../../../contracts/agents/agents.ts';
import { useRead } from '../../api/call.ts';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Age } from '../../ui/Time.tsx';

interface Agent {
  id: string;
  task_id: string | null;
  status: ActivityStatus;
  last_action: string | null;
  last_action_at: string | null;
  activity: string | null;
}

const aspects: Record<ActivityStatus, AspectName> = { working: 'held', idle: 'clear', unhealthy: 'caution', paused: 'out' };

export function Agents() {
  const agents = useRead<{ agents: Agent[] }>('agent.activity.list', { limit: 12 });
  return (
    <Panel title="Agents at work" query={agents}>
      {(found) =>
        found.agents.length === 0 ? (
          <Empty command="npx signalbox connect claude-code --write">No agent is active. Connect one in the folder of your project:</Empty>
        ) : (
          <ul className="divide-y divide-line">
            {found.agents.map((agent) => (
              <li key={agent.id} className="px-4 py-2">
                <p className="flex flex-wrap items-center justify-between gap-x-3">
                  <span className="min-w-0 font-semibold">
                    <Outside text={agent.id} most={60} />
                  </span>
                  <Aspect is={aspects[agent.status]}>{agent.status}</Aspect>
                </p>
                <p className="text-soft">
                  {agent.task_id && <span className="font-mono text-xs">{agent.task_id} </span>}
                  {agent.activity && <Outside text={agent.activity} most={120} />}
                </p>
                {agent.last_action && agent.last_action_at && (
                  <p className="text-xs text-soft">
                    <span className="font-mono">{agent.last_action}</span> <Age at={agent.last_action_at} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}

import { useParams } from '@tanstack/react-router';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Page, Tabs } from '../../ui/Page.tsx';
import { Failure, NoRight, Panel, Skeleton } from '../../ui/Panel.tsx';
import { Id } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { Administer } from './Administer.tsx';
import { Calls, Tasks } from './Doing.tsx';
import { Lease } from './Lease.tsx';
import { aspects, dollars, rate, stateOf, words, type Agent as Known } from './model.ts';
import { Outputs } from './Outputs.tsx';
import { Past, Capabilities } from './Past.tsx';
import { Presence } from './Presence.tsx';
import { Talk } from './Talk.tsx';
import { Versions } from './Versions.tsx';
import { counted, worded } from '../../ui/words.ts';

const tabs = [
  ['tasks', 'Tasks'],
  ['calls', 'Calls'],
  ['outputs', 'Outputs'],
  ['talk', 'Messages'],
  ['capabilities', 'Capabilities'],
  ['versions', 'Versions'],
  ['history', 'History'],
] as const;
type Tab = (typeof tabs)[number][0];
const defaults = { tab: 'tasks', open: '', with: '' };

/** One agent: its state, its present and past work, and the actions on it. */
export default function Agent() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const [url, set] = useUrl(defaults);
  const may = useMay()('agent.registry.list') !== 'deny';
  const found = useRead<{ agents: Known[] }>('agent.registry.list', { agent_id: id }, may);
  const agent = found.data?.agents[0];
  const tab = tabs.some(([name]) => name === url.tab) ? (url.tab as Tab) : 'tasks';
  const above = (
    <Link to="/console/agents" className="hit">
      Agents
    </Link>
  );
  if (!may) {
    return (
      <Page title="Agent" above={above}>
        <NoRight tool="agent.registry.list" scope="agent:read" />
      </Page>
    );
  }
  return (
    <Page title={id.slice(0, 128)} above={above} actions={agent && <Aspect is={aspects[stateOf(agent)]}>{words[stateOf(agent)]}</Aspect>}>
      {found.data === undefined && (found.isError ? <Failure error={found.error} retry={() => void found.refetch()} /> : <Skeleton />)}
      {found.data && !agent && <Gone id={id} />}
      {agent && (
        <>
          <div className="mb-4 grid items-start gap-4 xl:grid-cols-2">
            <Standing agent={agent} />
            <div className="grid gap-4">
              <Presence id={id} />
              <Quality agent={agent} />
            </div>
          </div>
          <Tabs label="About this agent" tabs={tabs} at={tab} onChange={(next) => set({ tab: next, open: '', with: '' })} />
          {tab === 'tasks' && <Tasks id={id} />}
          {tab === 'calls' && <Calls id={id} />}
          {tab === 'outputs' && <Outputs id={id} agent={agent} open={url.open} onOpen={(open) => set({ open })} />}
          {tab === 'talk' && <Talk id={id} open={url.open} onOpen={(open) => set({ open })} />}
          {tab === 'capabilities' && <Capabilities id={id} />}
          {tab === 'versions' && (
            <Versions agent={agent} left={url.with} right={url.open} onChoose={(left, right) => set({ with: left, open: right })} />
          )}
          {tab === 'history' && <Past id={id} />}
        </>
      )}
    </Page>
  );
}

function Standing({ agent }: { agent: Known }) {
  return (
    <Panel title="Status">
      {() => (
        <>
          <Facts
            rows={[
              [
                'State',
                <span key="s">
                  <Aspect is={aspects[stateOf(agent)]}>{words[stateOf(agent)]}</Aspect>
                  {agent.status === 'active' && agent.health !== 'none' && (
                    <span className="text-soft">
                      {' '}
                      for <Age at={agent.health_since} suffix="" />
                    </span>
                  )}
                </span>,
              ],
              agent.status === 'paused' && [
                'Paused because',
                <Outside key="r" text={agent.status_reason ?? 'no reason given'} most={2_000} />,
              ],
              agent.status === 'paused' && agent.health !== 'none' && ['Health', words[agent.health]],
              [
                'Holds',
                agent.tasks.length === 0 ? (
                  'nothing'
                ) : (
                  <ul key="h">
                    {agent.tasks.map((task) => (
                      <li key={task.task_id}>
                        <Lease task={task} />
                      </li>
                    ))}
                  </ul>
                ),
              ],
              agent.activity !== null && ['Activity', <Outside key="a" text={agent.activity} most={500} />],
              agent.last_action_at !== null && [
                'Last call',
                <span key="l">
                  <code className="font-mono text-xs">{agent.last_action}</code> <Age at={agent.last_action_at} />
                </span>,
              ],
              agent.name !== agent.agent_id && ['Name', <Outside key="n" text={agent.name} most={120} />],
              agent.description !== '' && ['Description', <Outside key="d" text={agent.description} most={2_000} />],
              ['Kind', `${agent.kind}, ${agent.agent_type}`],
              ['Version', agent.version],
              ['Registered', <Age key="g" at={agent.registered_at} />],
              ['Id', <Id key="i">{agent.agent_id}</Id>],
            ]}
          />
          <Administer key={agent.status} agent={agent} />
        </>
      )}
    </Panel>
  );
}

function Quality({ agent }: { agent: Known }) {
  const { cost, cost_today: today, quality } = agent;
  return (
    <Panel title="Quality and cost">
      {() => (
        <Facts
          rows={[
            ['Coherence', rate(agent.coherence)],
            [
              'Accepted',
              quality.judged === 0 ? 'nothing judged in 30 days' : `${rate(quality.acceptance_rate)} of ${quality.judged} judged`,
            ],
            ['Failed calls', rate(quality.error_rate)],
            ['Cost today', `${dollars(today.cost_usd)}, ${counted(today.tokens, 'token')}, ${counted(today.calls, 'call')}`],
            ['30 days', `${dollars(cost.cost_usd)}, ${counted(cost.tokens, 'token')}, ${counted(cost.calls, 'call')}`],
            ...agent.slos.map(
              ({ name, target, actual, met }) =>
                [
                  worded(name),
                  <Aspect key={name} is={met === null ? 'out' : met ? 'clear' : 'stop'}>
                    {`${rate(actual)}, ${name === 'error_rate' ? 'at most' : 'at least'} ${rate(target)} wanted`}
                  </Aspect>,
                ] as const,
            ),
          ]}
        />
      )}
    </Panel>
  );
}

/** What is left of an agent that was removed, or that never was. */
function Gone({ id }: { id: string }) {
  return (
    <>
      <p className="card mb-4 p-4">
        No agent <code className="font-mono text-xs">{id.slice(0, 128)}</code> is registered now. If it was removed, its history tells when.
      </p>
      <Past id={id} />
    </>
  );
}

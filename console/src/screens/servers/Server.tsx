import { Link, useParams } from '@tanstack/react-router';
import type { ExternalServer, ExternalToolEntry } from '../../../../contracts/governance/external.ts';
import { useAct } from '../../api/act.ts';
import { usePages, useRead } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Page, Split, Tabs } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { Definition } from './Definition.tsx';
import { states } from './model.ts';
import { Health } from './Servers.tsx';
import { counted } from '../../ui/words.ts';

const defaults = { state: '', tool: '' };
const rows = ({ tools }: { tools: ExternalToolEntry[] }) => tools;

const columns: Column<ExternalToolEntry>[] = [
  {
    title: 'Tool',
    cell: ({ tool }) => (
      <code className="font-mono text-xs">
        <Outside text={tool} />
      </code>
    ),
  },
  { title: 'State', cell: ({ state }) => <Aspect is={states[state]}>{state}</Aspect> },
  { title: 'Effect', cell: ({ effect }) => effect, wide: true },
  {
    title: 'Flags',
    cell: ({ flags }) => flags.length > 0 && <Aspect is="stop">{counted(flags.length, 'flag')}</Aspect>,
  },
  { title: 'Description', cell: ({ description }) => <Outside text={description} most={100} />, wide: true },
];

/** One server: its health, and its tools with what a person must look at. */
export default function Server() {
  const { name = '' } = useParams({ strict: false }) as { name?: string };
  const [url, set] = useUrl(defaults);
  const readable = useMay()('external.server.list') !== 'deny';
  const server = useRead<{ server: ExternalServer }>('external.server.get', { name }, readable);
  const tools = usePages('external.tool.list', { server: name, limit: 500 }, rows, readable);
  const above = (
    <Link to="/console/servers" className="hit">
      Servers
    </Link>
  );
  if (!readable) {
    return (
      <Page title={name} above={above}>
        <NoRight tool="external.server.get" scope="external:use" />
      </Page>
    );
  }
  const counts = server.data?.server.tools;
  const shown = tools.data && { rows: tools.data.rows.filter(({ state }) => !url.state || state === url.state) };
  return (
    <Page title={name} above={above} actions={server.data && <Actions server={server.data.server} />}>
      <div className="grid gap-4">
        <Panel title="Server" query={server} className={url.tool ? 'max-xl:hidden' : ''}>
          {({ server: one }) => <About server={one} />}
        </Panel>
        <div>
          <Tabs
            label="Tools by state"
            at={url.state}
            onChange={(state) => set({ state })}
            tabs={[
              ['', 'All tools', tools.data?.rows.length],
              ['waiting', 'Waiting', counts?.waiting],
              ['changed', 'Changed', counts?.changed],
              ['approved', 'Approved', counts?.approved],
              ['gone', 'Gone', counts?.gone],
            ]}
          />
          <Split
            wide
            onBack={() => set({ tool: '' })}
            list={
              <div className="card">
                <Table
                  label="tools"
                  query={{ ...tools, data: shown }}
                  columns={url.tool ? columns.filter(({ title }) => title !== 'Description' && title !== 'Effect') : columns}
                  keyOf={({ name: own }) => own}
                  open={url.tool}
                  onOpen={({ name: tool }) => set({ tool })}
                  empty={
                    url.state ? (
                      <NoMatch onClear={() => set({ state: '' })} />
                    ) : (
                      <Empty>No tools are known for this server yet. Try it now to read its tools.</Empty>
                    )
                  }
                />
              </div>
            }
            detail={url.tool ? <Definition key={url.tool} server={name} name={url.tool} /> : null}
          />
        </div>
      </div>
    </Page>
  );
}

const Coded = ({ text }: { text: string }) => (
  <code className="font-mono text-xs">
    <Outside text={text} />
  </code>
);

function About({ server }: { server: ExternalServer }) {
  const { url, command, args } = server.target as { url?: string; command?: string; args?: string[] };
  return (
    <Facts
      rows={[
        ['Health', <Health of={server} />],
        server.last_error !== null && ['Last error', <Outside text={server.last_error} most={1_000} />],
        server.last_seen_at !== null && ['Last answer', <Age at={server.last_seen_at} />],
        ['Transport', <Coded text={`${server.transport} ${url ?? [command, ...(args ?? [])].join(' ')}`} />],
        server.credentials.length > 0 && ['Credentials', <Coded text={server.credentials.join(', ')} />],
        server.server_name !== null && [
          'Reported name',
          <Outside
            text={`${server.server_name.slice(0, 80)} ${server.server_version ?? ''} · protocol ${server.protocol_version ?? '?'}`}
          />,
        ],
        ['Approval', { A0: 'not needed', A1: 'set by the policy level', A2: 'always' }[server.approval]],
        ['Limits', `${server.timeout_ms / 1000} s a call, ${counted(server.concurrency, 'call')} at a time`],
        [
          'Added',
          <>
            by <Outside text={server.created_by} /> <Age at={server.created_at} />
          </>,
        ],
      ]}
    />
  );
}

function Actions({ server }: { server: ExternalServer }) {
  const test = useAct('external.server.test');
  const update = useAct('external.server.update');
  return (
    <>
      <ActButton tool="external.server.test" act={test} args={() => ({ name: server.name })}>
        Try it now
      </ActButton>
      <ActButton tool="external.server.update" act={update} args={() => ({ name: server.name, enabled: !server.enabled })}>
        {server.enabled ? 'Switch off' : 'Switch on'}
      </ActButton>
      <Outcome act={test}>
        {test.state.is === 'done' && (test.state.answer.data as { healthy: boolean }).healthy ? 'It answers.' : 'It does not answer.'}
      </Outcome>
      <Outcome act={update} />
    </>
  );
}

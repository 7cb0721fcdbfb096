import { useNavigate } from '@tanstack/react-router';
import type { ExternalServer } from '../../../../contracts/governance/external.ts';
import { usePages } from '../../api/call.ts';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { useMay } from '../../ui/Act.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';

const defaults = { q: '', health: '' };
const rows = ({ servers }: { servers: ExternalServer[] }) => servers;

const looks: Record<ExternalServer['health'], AspectName> = { healthy: 'clear', unhealthy: 'stop', unknown: 'caution' };
export const Health = ({ of }: { of: ExternalServer }) =>
  of.enabled ? <Aspect is={looks[of.health]}>{of.health}</Aspect> : <Aspect is="out">switched off</Aspect>;

const columns: Column<ExternalServer>[] = [
  { title: 'Server', cell: ({ name }) => <span className="font-semibold">{name}</span> },
  { title: 'Health', cell: (server) => <Health of={server} /> },
  {
    title: 'To decide',
    cell: ({ tools: { waiting, changed } }) =>
      waiting + changed > 0 && (
        <span className="flex flex-wrap gap-x-2">
          {changed > 0 && <Aspect is="stop">{`${changed} changed`}</Aspect>}
          {waiting > 0 && <Aspect is="caution">{`${waiting} waiting`}</Aspect>}
        </span>
      ),
  },
  { title: 'Approved', cell: ({ tools }) => tools.approved, wide: true },
  { title: 'Gone', cell: ({ tools }) => tools.gone || '', wide: true },
  { title: 'Last error', cell: ({ last_error }) => last_error && <Outside text={last_error} most={120} />, wide: true },
  { title: 'Last answer', cell: ({ last_seen_at }) => last_seen_at && <Age at={last_seen_at} />, wide: true },
];

/** Other MCP servers: whether they answer, and what of them a person must look at. */
export default function Servers() {
  const [url, set, type] = useUrl(defaults);
  const navigate = useNavigate();
  const readable = useMay()('external.server.list') !== 'deny';
  const servers = usePages('external.server.list', {}, rows, readable);
  const words = url.q.trim().toLowerCase();
  const data = servers.data && {
    rows: servers.data.rows.filter(
      ({ name, health, enabled }) =>
        (!words || name.includes(words)) && (!url.health || (url.health === 'off' ? !enabled : enabled && health === url.health)),
    ),
  };
  return (
    <Page title="Servers">
      {readable ? (
        <>
          <Filters>
            <FilterText value={url.q} onChange={(q) => type({ q })} placeholder="name" />
            <Select
              label="Health"
              value={url.health}
              onChange={(health) => set({ health })}
              options={['', 'healthy', 'unhealthy', 'unknown', ['off', 'switched off']]}
            />
          </Filters>
          <div className="card">
            <Table
              label="servers"
              query={{ ...servers, data }}
              columns={columns}
              keyOf={({ name }) => name}
              onOpen={({ name }) => void navigate({ to: '/console/servers/$name', params: { name } })}
              empty={
                url.q || url.health ? (
                  <NoMatch onClear={() => set(defaults)} />
                ) : (
                  <Empty command="npx signalbox servers add NAME https://…/mcp">
                    No other MCP server is connected. Tools of a connected server appear here and can be called once a person has approved
                    them.
                  </Empty>
                )
              }
            />
          </div>
        </>
      ) : (
        <NoRight tool="external.server.list" scope="external:use" />
      )}
    </Page>
  );
}

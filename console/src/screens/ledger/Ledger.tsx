import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LedgerEntry } from '../../../../contracts/governance/ledger.ts';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Filters, FilterText, Select, TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { duration } from '../calls/model.ts';
import { Export } from './Export.tsx';
import { filterOf, outcome, pivots, sinceOf, spans } from './model.ts';
import { Verify } from './Verify.tsx';

const defaults = { tool: '', principal: '', code: '', since: '', front: '', effect: '', key: '', session: '', trace: '', approval: '' };
const rowsOf = ({ events }: { events: LedgerEntry[] }): LedgerEntry[] => events;
const fronts = ['', 'mcp', 'rest', 'execute', 'sse', 'stdio', 'a2a', 'console', 'workflow', 'link'];

const effects = [
  ['', 'all'],
  ['changes', 'calls that change something'],
] as const;

/** Who called what when, one row a call, newest first; filters are in the address. */
export default function Ledger() {
  const may = useMay();
  const [url, set, type] = useUrl(defaults);
  // Counted from when the filter was chosen, so that pages fit together.
  const since = useMemo(() => sinceOf(url.since, Date.now()), [url.since]);
  const args = { ...filterOf(url), ...(since ? { since } : {}), ...(url.effect === 'changes' ? { changes_only: true } : {}) };
  const allowed = may('system.ledger.search') !== 'deny';
  const query = usePages('system.ledger.search', { ...args, folded: true, limit: 100 }, rowsOf, allowed);
  const columns = useMemo(
    (): Column<LedgerEntry>[] => [
      {
        title: 'Call',
        cell: ({ tool, tool_call_id }) => (
          <Link to={`/console/calls/${tool_call_id}`} className="hit font-mono">
            <Outside text={tool} most={80} />
          </Link>
        ),
      },
      { title: 'Outcome', cell: (row) => <Aspect is={outcome(row).aspect}>{outcome(row).text}</Aspect> },
      {
        title: 'By',
        cell: ({ principal }) => (
          <button type="button" className="hit rounded text-left text-route" onClick={() => set({ principal })}>
            <Outside text={principal} most={40} />
            <span className="sr-only">: only calls by this caller</span>
          </button>
        ),
      },
      { title: 'Front', wide: true, cell: ({ front }) => front },
      {
        title: 'Duration',
        wide: true,
        className: 'whitespace-nowrap',
        cell: ({ duration_ms }) => duration_ms !== null && duration(duration_ms),
      },
      { title: 'When', className: 'whitespace-nowrap', cell: ({ at }) => <Age at={at} /> },
    ],
    [set],
  );
  if (!allowed) {
    return (
      <Page title="Ledger">
        <NoRight tool="system.ledger.search" scope="ledger:read" />
      </Page>
    );
  }
  const filtered = Object.values(url).some((value) => value !== '');
  return (
    <Page
      title="Ledger"
      actions={
        <>
          {query.dataUpdatedAt > 0 && (
            <span>
              Read <Age at={query.dataUpdatedAt} />
            </span>
          )}
          <button type="button" className="control" onClick={() => void query.refetch()}>
            {query.isFetching ? 'Reading…' : 'Refresh'}
          </button>
        </>
      }
    >
      <div className="mb-4 grid items-start gap-4 lg:grid-cols-2">
        {may('system.ledger.verify') !== 'deny' && <Verify />}
        {may('system.ledger.export') !== 'deny' && <Export args={args} filtered={filtered} />}
      </div>
      <Filters>
        <FilterText label="Tool" placeholder="its whole name" value={url.tool} onChange={(tool) => type({ tool })} />
        <TextField label="By" value={url.principal} onChange={(principal) => type({ principal })} />
        <TextField label="Error code" value={url.code} onChange={(code) => type({ code })} />
        <Select label="Front" value={url.front} onChange={(front) => set({ front })} options={fronts} />
        <Select label="Effect" value={url.effect} onChange={(effect) => set({ effect })} options={effects} />
        <Select label="Since" value={url.since} onChange={(next) => set({ since: next })} options={spans} />
        {pivots(url).map(([name, label, value]) => (
          <div key={name} className="grid min-w-0 gap-1">
            <span className="text-soft">{label}</span>
            <button type="button" className="control min-w-0" onClick={() => set({ [name]: '' })}>
              <code className="min-w-0 truncate font-mono text-xs">{value}</code> <span aria-hidden="true">×</span>
              <span className="sr-only">: remove this filter</span>
            </button>
          </div>
        ))}
      </Filters>
      <div className="card min-w-0">
        <Table
          label="calls"
          query={query}
          columns={columns}
          keyOf={({ event_id }) => event_id}
          empty={
            filtered ? (
              <NoMatch onClear={() => set(defaults)} />
            ) : (
              <Empty command="npx signalbox tools call work.phase.list">No call has been made. Each call leaves an entry here.</Empty>
            )
          }
        />
      </div>
    </Page>
  );
}

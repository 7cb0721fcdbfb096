import type { Approval, ApprovalStatus } from '../../../../contracts/governance/policy.ts';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Split } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { CallItem } from '../inbox/CallItem.tsx';
import { Countdown } from '../inbox/Countdown.tsx';
import { Whose } from '../inbox/Whose.tsx';

const defaults = { status: 'all', tool: '', mine: '', id: '' };
const rowsOf = ({ approvals }: { approvals: Approval[] }): Approval[] => approvals;

const looks: Record<ApprovalStatus, AspectName> = {
  pending: 'caution',
  approved: 'held',
  started: 'held',
  completed: 'clear',
  failed: 'stop',
  ambiguous: 'stop',
  rejected: 'stop',
  expired: 'out',
  cancelled: 'out',
};
const statuses = Object.keys(looks) as ApprovalStatus[];

const columns: Column<Approval>[] = [
  { title: 'Tool', cell: ({ tool }) => <span className="font-mono">{tool}</span> },
  { title: 'Requested by', cell: ({ requested_by }) => <Outside text={requested_by} most={40} /> },
  {
    title: 'Status',
    cell: ({ status, expires_at }) => (
      <span className="whitespace-nowrap">
        <Aspect is={looks[status]}>{status}</Aspect> {status === 'pending' && <Countdown until={expires_at} />}
      </span>
    ),
  },
  { title: 'Decided by', wide: true, cell: ({ decided_by }) => decided_by && <Outside text={decided_by} most={40} /> },
  { title: 'Requested', wide: true, cell: ({ requested_at }) => <Age at={requested_at} /> },
];

/** Calls that asked a person, also those that were decided; kept for thirty days after their end. */
export default function Approvals() {
  const may = useMay();
  const [url, set, type] = useUrl(defaults);
  const status = statuses.find((one) => one === url.status) ?? 'all';
  const args = { status, ...(url.tool ? { tool: url.tool } : {}), ...(url.mine ? { mine: true } : {}), limit: 50 };
  const allowed = may('approval.request.list') !== 'deny';
  const query = usePages('approval.request.list', args, rowsOf, allowed);
  if (!allowed) {
    return (
      <Page title="Approvals">
        <NoRight tool="approval.request.list" />
      </Page>
    );
  }
  const filtered = status !== 'all' || url.tool !== '' || url.mine !== '';
  return (
    <Page title="Approvals">
      <Filters>
        <FilterText label="Tool" placeholder="its whole name" value={url.tool} onChange={(tool) => type({ tool })} />
        <Select label="Status" value={status} onChange={(next) => set({ status: next, id: '' })} options={['all', ...statuses]} />
        <Whose value={url.mine} onChange={(mine) => set({ mine, id: '' })} />
      </Filters>
      <Split
        onBack={() => set({ id: '' })}
        list={
          <div className="card min-w-0">
            <Table
              label="approvals"
              query={query}
              columns={url.id ? columns.filter(({ wide }) => !wide) : columns}
              keyOf={({ approval_id }) => approval_id}
              open={url.id}
              onOpen={({ approval_id }) => set({ id: approval_id })}
              empty={
                filtered ? (
                  <NoMatch onClear={() => set(defaults)} />
                ) : (
                  <Empty command="npx signalbox approvals ls">No call has needed approval yet. Policies decide which calls need it.</Empty>
                )
              }
            />
          </div>
        }
        detail={url.id ? <CallItem key={url.id} id={url.id} /> : null}
      />
    </Page>
  );
}

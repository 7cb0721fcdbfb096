import { useNavigate } from '@tanstack/react-router';
import type { OpportunityItem, OpportunityStatus } from '../../../../contracts/signals/opportunities.ts';
import { usePages } from '../../api/call.ts';
import { useUrl } from '../../url.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { Empty, NoMatch } from '../../ui/Panel.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { listDefaults, rounded, statusAspects } from './model.ts';

interface Answer {
  opportunities: OpportunityItem[];
  statuses?: Partial<Record<OpportunityStatus, number>>;
}
const rows = ({ opportunities }: Answer) => opportunities;

const columns: Column<OpportunityItem>[] = [
  { title: 'Opportunity', cell: ({ title }) => <Outside text={title} most={160} /> },
  { title: 'Status', cell: ({ status }) => <Aspect is={statusAspects[status]}>{status}</Aspect>, className: 'whitespace-nowrap' },
  { title: 'Score', cell: ({ score }) => rounded(score), className: 'whitespace-nowrap text-right' },
  { title: 'Statements', cell: ({ statement_count }) => statement_count, className: 'whitespace-nowrap text-right', wide: true },
  { title: 'Customers', cell: ({ customer_count }) => customer_count, className: 'whitespace-nowrap text-right', wide: true },
  { title: 'Trend', cell: ({ trend }) => trend, wide: true },
  { title: 'Last statement', cell: ({ last_signal_at }) => <Age at={last_signal_at} />, wide: true },
];

export default function Opportunities() {
  const [url, set, type] = useUrl(listDefaults);
  const navigate = useNavigate();
  const query = url.q.trim();
  const list = usePages(
    'opportunity.record.list',
    {
      status: url.status,
      sort_by: url.sort,
      limit: 50,
      ...(url.trend ? { trend: url.trend } : {}),
      ...(query ? { query } : {}),
      ...(url.closed ? { closed: true } : {}),
    },
    rows,
  );
  const counts = list.data?.first.statuses ?? {};
  const all = list.data && Object.values(counts).reduce((sum, n) => sum + n, 0);
  return (
    <Page title="Opportunities" above={<Scope />}>
      <Tabs
        label="Status"
        at={url.status}
        onChange={(status) => set({ status })}
        tabs={[
          ['all', 'All', all],
          ...(['new', 'reviewing', 'accepted', 'rejected'] as const).map(
            (status) => [status, status, list.data && (counts[status] ?? 0)] as const,
          ),
        ]}
      />
      <Filters>
        <FilterText label="Title" value={url.q} onChange={(q) => type({ q })} />
        <Select
          label="Trend"
          value={url.trend}
          onChange={(trend) => set({ trend })}
          options={['', 'emerging', 'growing', 'declining', 'stable']}
        />
        <Select
          label="Order"
          value={url.sort}
          onChange={(sort) => set({ sort })}
          options={[
            ['score', 'highest score'],
            ['signal_count', 'most statements'],
            ['created_at', 'newest'],
          ]}
        />
        <Select
          label="Evidence"
          value={url.closed}
          onChange={(closed) => set({ closed })}
          options={[
            ['', 'standing'],
            ['yes', 'gone or merged'],
          ]}
        />
      </Filters>
      <Table
        label="opportunities"
        query={list}
        columns={columns}
        keyOf={({ opportunity_id }) => opportunity_id}
        onOpen={({ opportunity_id }) => void navigate({ to: `/console/opportunities/${opportunity_id}` })}
        empty={
          query || url.trend || url.closed || url.status !== 'all' ? (
            <NoMatch onClear={() => set({ ...listDefaults, sort: url.sort })} />
          ) : (
            <Empty command="npx signalbox ingest FOLDER">
              What customers ask for or suffer from appears here. An opportunity needs at least two related statements.
            </Empty>
          )
        }
      />
    </Page>
  );
}

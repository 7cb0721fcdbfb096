import { useNavigate } from '@tanstack/react-router';
import type { DraftSummary } from '../../../../contracts/authoring/authoring.ts';
import { usePages } from '../../api/call.ts';
import { useUrl, type Url } from '../../url.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { Empty, NoMatch } from '../../ui/Panel.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { Generate, GenerateReport } from './Generate.tsx';
import { listDefaults, options, statusAspects, worded } from './model.ts';
import { Schedules } from './Schedules.tsx';

const rows = ({ drafts }: { drafts: DraftSummary[] }) => drafts;

const columns: Column<DraftSummary>[] = [
  { title: 'Title', cell: ({ title }) => <Outside text={title} most={160} /> },
  { title: 'Kind', cell: ({ type }) => worded(type) },
  { title: 'Status', cell: ({ status }) => <Aspect is={statusAspects[status]}>{status}</Aspect>, className: 'whitespace-nowrap' },
  { title: 'Statements', cell: ({ statements, dropped }) => `${statements}${dropped > 0 ? `, ${dropped} left out` : ''}`, wide: true },
  { title: 'By', cell: ({ created_by, model }) => `${created_by}${model === null ? '' : ` (${model})`}`, wide: true },
  { title: 'Created', cell: ({ created_at }) => <Age at={created_at} />, className: 'whitespace-nowrap' },
];

export default function Drafts() {
  const own = useUrl(listDefaults);
  const [url, set] = own;
  const may = useMay();
  const schedules = may('authoring.schedule.list') !== 'deny';
  const tab = url.tab === 'schedules' && schedules ? 'schedules' : 'drafts';
  return (
    <Page title="Drafts" above={<Scope />}>
      {schedules && (
        <Tabs
          label="Views"
          at={tab}
          onChange={(value) => set({ tab: value })}
          tabs={[
            ['drafts', 'Drafts'],
            ['schedules', 'Schedules'],
          ]}
        />
      )}
      {tab === 'drafts' ? <List own={own} /> : <Schedules />}
    </Page>
  );
}

function List({ own: [url, set, type] }: { own: Url<typeof listDefaults> }) {
  const navigate = useNavigate();
  const may = useMay();
  const query = url.q.trim();
  const filters = Object.fromEntries(
    Object.entries({ kind: url.kind, type: url.type, status: url.status, query }).filter(([, value]) => value !== ''),
  );
  const drafts = usePages('authoring.draft.list', { ...filters, limit: 50 }, rows);
  const makes = may('authoring.report.generate') !== 'deny' || may('authoring.artifact.generate') !== 'deny';
  return (
    <>
      {makes && (
        <details className="card mb-4">
          <summary className="hit w-full cursor-pointer px-4 py-2">Create a report or an artifact</summary>
          <div className="grid gap-6 border-t border-line p-4">
            <GenerateReport />
            <Generate />
          </div>
        </details>
      )}
      <Filters>
        <FilterText label="Title" value={url.q} onChange={(q) => type({ q })} />
        <Select label="Kind" value={url.kind} onChange={(kind) => set({ kind, type: '' })} options={['', 'artifact', 'report']} />
        <Select
          label="Type"
          value={url.type}
          onChange={(value) => set({ type: value })}
          options={[['', 'all'], ...(url.kind === 'report' ? [] : options.artifacts), ...(url.kind === 'artifact' ? [] : options.reports)]}
        />
        <Select
          label="Status"
          value={url.status}
          onChange={(status) => set({ status })}
          options={['', 'writing', 'ready', 'failed', 'cancelled', 'withdrawn']}
        />
      </Filters>
      <Table
        label="drafts"
        query={drafts}
        columns={columns}
        keyOf={({ draft_id }) => draft_id}
        onOpen={({ draft_id }) => void navigate({ to: `/console/drafts/${draft_id}` })}
        empty={
          Object.keys(filters).length > 0 ? (
            <NoMatch onClear={() => set(listDefaults)} />
          ) : (
            <Empty command={`npx signalbox tools call authoring.report.generate '{"report_type": "weekly_digest"}'`}>
              Reports and artifacts appear here, with the sources of each statement.
            </Empty>
          )
        }
      />
    </>
  );
}

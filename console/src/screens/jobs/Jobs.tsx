import { useMemo } from 'react';
import type { ListedJob } from '../../../../contracts/jobs.ts';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Filters, Select } from '../../ui/Field.tsx';
import { JobProgress } from '../../ui/JobProgress.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Split } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { JobDetail } from './Job.tsx';
import { aspects, isOver, kinds } from './model.ts';

const defaults = { status: '', kind: '', id: '' };
const statuses = [['', 'all'], ['unfinished', 'unfinished'], ...Object.keys(aspects).map((one) => [one, one] as const)] as const;
const rows = ({ jobs }: { jobs: ListedJob[] }) => jobs;

const columns: Column<ListedJob>[] = [
  {
    title: 'Job',
    cell: (job) => (
      <>
        <Outside text={job.title} most={120} />
        <span className="block text-xs text-soft">{kinds[job.kind] ?? job.kind}</span>
      </>
    ),
  },
  {
    title: 'Status',
    className: 'min-w-28',
    cell: (job) => (
      <>
        <span className="whitespace-nowrap">
          <Aspect is={aspects[job.status]}>{job.status}</Aspect>
        </span>
        {isOver(job) ? job.error && <span className="block font-mono text-xs text-soft">{job.error.code}</span> : <JobProgress job={job} />}
      </>
    ),
  },
  {
    title: 'Parked',
    wide: true,
    className: 'whitespace-nowrap',
    cell: (job) => (job.dead_letters > 0 ? job.dead_letters.toLocaleString('en') : ''),
  },
  { title: 'Started', wide: true, cell: (job) => <Age at={job.created_at} /> },
  { title: 'Last change', wide: true, className: 'whitespace-nowrap', cell: (job) => <Age at={job.updated_at} /> },
  { title: 'By', wide: true, className: 'min-w-16', cell: (job) => <Outside text={job.created_by} most={60} /> },
];

/** Work that goes on after its call was answered. */
export default function Jobs() {
  const [url, set] = useUrl(defaults);
  const may = useMay()('system.job.list') !== 'deny';
  const args = useMemo(
    () => ({ ...(url.status ? { status: url.status } : {}), ...(url.kind ? { kind: url.kind } : {}) }),
    [url.status, url.kind],
  );
  const jobs = usePages('system.job.list', args, rows, may);
  if (!may) {
    return (
      <Page title="Jobs">
        <NoRight tool="system.job.list" scope="work:read" />
      </Page>
    );
  }
  return (
    <Page title="Jobs">
      <Filters>
        <Select label="Status" value={url.status} onChange={(status) => set({ status })} options={statuses} />
        <Select
          label="Kind"
          value={url.kind}
          onChange={(kind) => set({ kind })}
          options={[['', 'all'], ...Object.entries(kinds).map(([kind, text]) => [kind, text] as const)]}
        />
      </Filters>
      <Split
        onBack={() => set({ id: '' })}
        list={
          <Table
            label="jobs"
            query={jobs}
            columns={url.id ? columns.slice(0, 2) : columns}
            keyOf={({ job_id }) => job_id}
            open={url.id}
            onOpen={({ job_id }) => set({ id: job_id })}
            empty={
              url.status || url.kind ? (
                <NoMatch onClear={() => set({ status: '', kind: '' })} />
              ) : (
                <Empty command="npx signalbox ingest FILE">No job has run yet. Ingesting a file starts one:</Empty>
              )
            }
          />
        }
        detail={url.id ? <JobDetail key={url.id} id={url.id} /> : null}
      />
    </Page>
  );
}

import { useState } from 'react';
import type { ExportAnswer, ListedExport } from '../../../../contracts/governance/exports.ts';
import { useAct } from '../../api/act.ts';
import { usePages, useRead } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Id, RecordLink } from '../../ui/Text.tsx';
import { Age, Clock } from '../../ui/Time.tsx';
import { bytes } from './model.ts';
import { worded } from '../../ui/words.ts';

const types = [
  ['entities', 'entities'],
  ['signals', 'customer statements'],
  ['opportunities', 'opportunities'],
  ['knowledge_graph', 'entities, relations, facts and their sources'],
  ['feedback_log', 'what people decided'],
  ['full_backup', 'all records'],
] as const;

/** Records as one file, of one moment. The job's id stays in the address, so that a reload finds the file again. */
export function Exports({ job, onJob }: { job: string; onJob: (job: string) => void }) {
  const [type, setType] = useState<(typeof types)[number][0]>('full_backup');
  const [format, setFormat] = useState<'json' | 'csv'>('json');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const make = useAct('system.data.export', ({ data }) => onJob((data as ExportAnswer).job_id));
  const found = useRead<ExportAnswer>('system.export.get', { job_id: job }, job !== '');
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel title="Export records">
        {() => (
          <div className="grid gap-3 p-4">
            <Select label="What" value={type} onChange={setType} options={types} />
            <Select
              label="Format"
              value={format}
              onChange={setFormat}
              options={[
                ['json', 'one JSON file, exact'],
                ['csv', 'a zip of tables, safe for spreadsheets'],
              ]}
            />
            <div className="grid gap-3 sm:grid-cols-2">
              <TextField label="From" type="date" value={from} onChange={setFrom} />
              <TextField label="Until" type="date" value={to} onChange={setTo} hint="Included." />
            </div>
            <div>
              <ActButton
                tool="system.data.export"
                act={make}
                args={() => ({ export_type: type, format, ...(from ? { date_from: from } : {}), ...(to ? { date_to: to } : {}) })}
              >
                Export
              </ActButton>
            </div>
            <Outcome act={make} />
          </div>
        )}
      </Panel>
      {job === '' ? (
        <Panel title="File">
          {() => <Empty>The file of the next export appears here. It expires 24 hours after it was written.</Empty>}
        </Panel>
      ) : (
        <Panel
          title="File"
          query={found}
          aside={
            <button type="button" className="control" onClick={() => void found.refetch()}>
              {found.isFetching ? 'Checking…' : 'Check again'}
            </button>
          }
        >
          {(one) => <File one={one} />}
        </Panel>
      )}
      <Past onOpen={onJob} open={job} />
    </div>
  );
}

const rows = ({ exports }: { exports: ListedExport[] }) => exports;
const stateOf = ({ status, downloadable }: ListedExport): [AspectName, string] =>
  status === 'failed'
    ? ['stop', 'failed']
    : status !== 'completed'
      ? ['caution', status]
      : downloadable
        ? ['clear', 'available']
        : ['out', 'expired'];

const columns: Column<ListedExport>[] = [
  { title: 'What', cell: ({ export_type, format }) => `${worded(export_type)}, ${format}` },
  { title: 'State', cell: (one) => <Aspect is={stateOf(one)[0]}>{stateOf(one)[1]}</Aspect>, className: 'whitespace-nowrap' },
  { title: 'By', cell: ({ created_by }) => <Outside text={created_by} most={60} />, wide: true },
  { title: 'Started', cell: ({ created_at }) => <Age at={created_at} />, wide: true, className: 'whitespace-nowrap' },
  { title: 'Size', cell: ({ size_bytes: size }) => (size === undefined ? '–' : bytes(size)), wide: true, className: 'whitespace-nowrap' },
  {
    title: 'File',
    cell: ({ job_id, downloadable, filename, expires_at, error }) =>
      error ? (
        <Outside text={error.message} most={120} />
      ) : downloadable ? (
        <>
          <a href={`/console/api/exports/${encodeURIComponent(job_id)}`} download={filename} className="hit">
            Download
          </a>{' '}
          <span className="text-soft">
            until <Clock at={expires_at!} />
          </span>
        </>
      ) : (
        '–'
      ),
  },
];

/** Exports of the tenant, those of the ledger among them. */
function Past({ onOpen, open }: { onOpen: (job: string) => void; open: string }) {
  const past = usePages('system.export.list', {}, rows);
  return (
    <Panel title="Past exports" className="lg:col-span-2">
      {() => (
        <Table
          label="exports"
          query={past}
          columns={columns}
          keyOf={({ job_id }) => job_id}
          open={open}
          onOpen={({ job_id }) => onOpen(job_id)}
          empty={<Empty>Nothing was exported yet.</Empty>}
        />
      )}
    </Panel>
  );
}

function File({ one }: { one: ExportAnswer }) {
  return (
    <>
      <Facts
        rows={[
          ['What', `${worded(one.export_type)}, ${one.format}`],
          ['State', <Aspect is={one.status === 'completed' ? 'clear' : one.status === 'failed' ? 'stop' : 'caution'}>{one.status}</Aspect>],
          ['Job', <RecordLink type="job" id={one.job_id} />],
          one.filename !== undefined && ['Name', one.filename],
          one.size_bytes !== undefined && ['Size', bytes(one.size_bytes)],
          one.artifact_ref !== undefined && ['SHA-256', <Id>{one.artifact_ref}</Id>],
          one.expires_at !== undefined && ['Expires', <Age at={one.expires_at} />],
          one.row_counts !== undefined && [
            'Rows',
            Object.entries(one.row_counts)
              .map(([table, n]) => `${table} ${n.toLocaleString('en')}`)
              .join(', '),
          ],
        ]}
      />
      {one.export_id !== undefined && (
        <p className="px-4 pb-4">
          <a href={`/console/api/exports/${encodeURIComponent(one.job_id)}`} download={one.filename} className="control no-underline">
            Download
          </a>
        </p>
      )}
    </>
  );
}

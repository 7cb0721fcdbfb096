import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePages } from '../../api/call.ts';
import { useUrl } from '../../url.ts';
import { useMay } from '../../ui/Act.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { Empty, NoRight, Panel } from '../../ui/Panel.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { Capabilities } from './Capabilities.tsx';
import type { Version } from './model.ts';
import { whoDefaults, WhoMayWhat } from './WhoMayWhat.tsx';

const defaults = { tab: 'policies', ...whoDefaults };
const rows = ({ policies }: { policies: Version[] }) => policies;

const columns: Column<Version>[] = [
  { title: 'Policy', cell: ({ name }) => <span className="font-semibold">{name}</span> },
  { title: 'Level', cell: ({ definition }) => definition.base },
  { title: 'Rules', cell: ({ definition }) => definition.rules.length },
  { title: 'Version', cell: ({ version }) => (version === 0 ? 'built in' : version) },
  {
    title: 'Saved',
    cell: ({ created_at, created_by }) =>
      created_at && (
        <>
          {created_by && <Outside text={created_by} />} <Age at={created_at} />
        </>
      ),
    wide: true,
  },
  { title: 'Note', cell: ({ note }) => note && <Outside text={note} most={120} />, wide: true },
];

/** Rules about calls: which policies there are, and who may what under them. */
export default function Policies() {
  const [url, set, type] = useUrl(defaults);
  const may = useMay();
  const navigate = useNavigate();
  const readable = may('system.policy.list') !== 'deny';
  const policies = usePages('system.policy.list', {}, rows, readable);
  if (!readable) {
    return (
      <Page title="Policies">
        <NoRight tool="system.policy.list" scope="policy:read" />
      </Page>
    );
  }
  return (
    <Page title="Policies">
      <Tabs
        label="Parts of policies"
        at={url.tab}
        onChange={(tab) => set({ tab })}
        tabs={[
          ['policies', 'Policies', policies.data?.rows.length],
          ['who', 'Permissions'],
          ['capabilities', 'Capabilities'],
        ]}
      />
      {url.tab === 'who' ? (
        <WhoMayWhat url={url} set={set} type={type} names={policies.data?.rows.map(({ name }) => name) ?? [url.policy]} />
      ) : url.tab === 'capabilities' ? (
        <Capabilities />
      ) : (
        <div className="grid gap-4">
          <div className="card">
            <Table
              label="policies"
              query={policies}
              columns={columns}
              keyOf={({ name }) => name}
              onOpen={({ name }) => void navigate({ to: '/console/policies/$name', params: { name } })}
              empty={<Empty>No policies.</Empty>}
            />
          </div>
          {may('system.policy.save') !== 'deny' && <Make names={new Set(policies.data?.rows.map(({ name }) => name))} />}
        </div>
      )}
    </Page>
  );
}

function Make({ names }: { names: ReadonlySet<string> }) {
  const [name, setName] = useState('');
  const good = /^[a-z0-9][a-z0-9_-]{0,62}$/.test(name);
  const error =
    name === '' || good
      ? names.has(name)
        ? 'A policy with this name already exists.'
        : undefined
      : 'Lower-case letters, digits, _ and -, at most 63.';
  return (
    <Panel title="New policy">
      {() => (
        <div className="grid items-end gap-3 p-4 sm:grid-cols-[minmax(0,20rem)_auto] sm:justify-start">
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            error={error}
            hint="A key or a session names the policy that applies to it."
          />
          {good && !error ? (
            <Link to="/console/policies/$name" params={{ name }} search={{ tab: 'change' }} className="control no-underline">
              Write its rules
            </Link>
          ) : (
            <button type="button" className="control" disabled>
              Write its rules
            </button>
          )}
        </div>
      )}
    </Panel>
  );
}

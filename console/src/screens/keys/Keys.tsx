import { useState } from 'react';
import type { KeyView } from '../../../../contracts/governance/keys.ts';
import { usePages, useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Split } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { Key } from './Key.tsx';
import { scopesText, type MadeKey, type Preset } from './model.ts';
import { NewKey } from './NewKey.tsx';
import { Secret } from './Secret.tsx';
import { State } from './State.tsx';

const defaults = { q: '', state: 'valid', kind: '', id: '', make: '' };
const rows = ({ keys }: { keys: KeyView[] }) => keys;

const columns: Column<KeyView>[] = [
  { title: 'Name', cell: ({ name }) => <Outside text={name} most={60} />, className: 'min-w-28' },
  { title: 'State', cell: (key) => <State of={key} />, className: 'sm:whitespace-nowrap' },
  { title: 'Role', cell: ({ role, kind }) => `${role}${role === 'agent' ? '' : ` (${kind})`}`, wide: true, className: 'whitespace-nowrap' },
  { title: 'Scopes', cell: (key) => scopesText(key, 3), wide: true },
  { title: 'Last used', cell: ({ last_used_at: at }) => (at ? <Age at={at} /> : <span className="text-soft">never</span>) },
  {
    title: 'Expires',
    cell: ({ expires_at: at }) => (at ? <Age at={at} /> : <span className="text-soft">never</span>),
    wide: true,
    className: 'whitespace-nowrap',
  },
  { title: 'This minute', cell: ({ rate }) => `${rate.used} of ${rate.limit + rate.burst}`, wide: true, className: 'whitespace-nowrap' },
];

/** Who has access: keys are made, replaced and ended here; a secret is shown once. */
export default function Keys() {
  const [url, set, type] = useUrl(defaults);
  const may = useMay();
  const allowed = may('access.key.list') !== 'deny';
  const [made, setMade] = useState<MadeKey | null>(null);
  const keys = usePages('access.key.list', argsOf(url), rows, allowed);
  const options = useRead<{ presets: Preset[]; scopes: string[] }>(
    'system.connection.describe',
    { url: location.origin },
    allowed && url.make !== '',
  );
  const makes = may('access.key.create') !== 'deny';
  return (
    <Page
      title="Keys"
      actions={
        makes && (
          <button type="button" className="control" aria-expanded={url.make !== ''} onClick={() => set({ make: url.make ? '' : 'yes' })}>
            {url.make ? 'Cancel' : 'Create a key'}
          </button>
        )
      }
    >
      {!allowed ? (
        <NoRight tool="access.key.list" scope="key:read, or the role admin" />
      ) : (
        <div className="grid gap-4">
          {made && <Secret made={made} onChange={setMade} onClose={() => setMade(null)} />}
          {url.make !== '' && makes && (
            <Panel title="A new key" query={options}>
              {(data) => (
                <div className="p-4">
                  <NewKey presets={data.presets} scopes={data.scopes} onMade={setMade} />
                </div>
              )}
            </Panel>
          )}
          <div>
            <Filters>
              <FilterText label="Name or id" value={url.q} onChange={(q) => type({ q })} />
              <Select
                label="State"
                value={url.state}
                onChange={(state) => set({ state })}
                options={['valid', 'ended', 'revoked', ['all', 'all'] as const]}
              />
              <Select
                label="Kind"
                value={url.kind}
                onChange={(kind) => set({ kind })}
                options={['', ['agent', 'agents'] as const, ['human', 'people'] as const]}
              />
            </Filters>
            <Split
              wide
              onBack={() => set({ id: '' })}
              list={
                <div className="card">
                  <Table
                    label="keys"
                    query={keys}
                    columns={url.id ? columns.filter(({ wide }) => !wide) : columns}
                    keyOf={({ key_id }) => key_id}
                    open={url.id}
                    onOpen={({ key_id }) => set({ id: key_id })}
                    empty={
                      url.q || url.kind || url.state !== defaults.state ? (
                        <NoMatch onClear={() => set(defaults)} />
                      ) : (
                        <Empty command="npx signalbox keys create --tenant NAME --role agent --name builder-1">No keys yet.</Empty>
                      )
                    }
                  />
                </div>
              }
              detail={url.id ? <Key key={url.id} id={url.id} onOpen={(id) => set({ id })} onSecret={setMade} /> : null}
            />
          </div>
        </div>
      )}
    </Page>
  );
}

const argsOf = ({ q, state, kind }: typeof defaults): object => ({
  ...(q.trim() ? { search: q.trim() } : {}),
  ...(state === 'all' ? {} : { state }),
  ...(kind ? { kind } : {}),
});

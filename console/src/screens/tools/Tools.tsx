import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page } from '../../ui/Page.tsx';
import { Empty, NoMatch } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { useUrl } from '../../url.ts';
import { effectWords, rowsOf, type Domain, type Found, type Row } from './model.ts';

const defaults = { q: '', domain: '', effect: '' };
/** Pause in typing after which the search runs, in ms. */
const restMs = 250;

const columns: Column<Row>[] = [
  {
    title: 'Tool',
    cell: ({ name, title }) => (
      <>
        <span className="block font-mono text-xs">{name}</span>
        <span className="block text-ink">
          <Outside text={title} />
        </span>
      </>
    ),
  },
  { title: 'Effect', cell: ({ effect }) => effectWords[effect] ?? effect },
  { title: 'Approval', cell: ({ approval }) => approval, wide: true },
  { title: 'Your key', cell: ({ may }) => <May is={may} /> },
];
const scored: Column<Row>[] = [...columns, { title: 'Score', cell: ({ score }) => score?.toFixed(3), className: 'text-right', wide: true }];

export const May = ({ is }: { is: Row['may'] }) => (
  <Aspect is={is === 'allow' ? 'clear' : is === 'ask' ? 'caution' : 'out'}>
    {is === 'allow' ? 'may' : is === 'ask' ? 'asks a person' : 'refused'}
  </Aspect>
);

/** Every tool that the key may call, found as agents find them. */
export default function Tools() {
  const [url, set, type] = useUrl(defaults);
  const may = useMay();
  const navigate = useNavigate();
  const query = useRested(url.q.trim());
  const listed = useRead<{ domains: Domain[] }>('system.tool.list');
  const found = useRead<{ tools: Found[] }>('system.tool.search', { query, limit: 20 }, query !== '');
  const searching = url.q.trim() !== '';
  const rows = listed.data && rowsOf(listed.data.domains, searching ? (found.data?.tools ?? []) : null, url, may);
  const waits = searching && (query !== url.q.trim() || found.isPending);
  const shown = searching && found.isError ? found : listed;
  return (
    <Page
      title="Tools"
      actions={
        <Link to="/console/connect" className="hit">
          Connect a client
        </Link>
      }
    >
      <Filters>
        <FilterText
          label="What do you want to do?"
          placeholder="in your own words, as agents search"
          value={url.q}
          onChange={(q) => type({ q })}
        />
        <Select
          label="Domain"
          value={url.domain}
          onChange={(domain) => set({ domain })}
          options={['', ...(listed.data?.domains.map(({ domain }) => domain) ?? (url.domain ? [url.domain] : []))]}
        />
        <Select label="Effect" value={url.effect} onChange={(effect) => set({ effect })} options={['', ...Object.entries(effectWords)]} />
      </Filters>
      <div className={`card ${waits ? 'opacity-60' : ''}`} aria-busy={waits && !found.isError}>
        <Table
          label="tools"
          query={{ ...shown, data: shown.isError && searching ? undefined : rows && { rows, total: rows.length } }}
          columns={searching ? scored : columns}
          keyOf={({ name }) => name}
          onOpen={({ name }) => void navigate({ to: '/console/tools/$name', params: { name } })}
          empty={
            waits ? (
              <p className="p-4 text-soft">Searching…</p>
            ) : url.q || url.domain || url.effect ? (
              <NoMatch onClear={() => set(defaults)} />
            ) : (
              <Empty>Your key may call no tool.</Empty>
            )
          }
        />
      </div>
      <p className="mt-3 text-soft">
        Searched by <code className="font-mono text-xs">system.tool.search</code>, with the scores that agents see. Tools that your key may
        not call are left out.
      </p>
    </Page>
  );
}

/** The value, when it has not changed for a moment. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(value), restMs);
    return () => window.clearTimeout(timer);
  }, [value]);
  return rested;
}

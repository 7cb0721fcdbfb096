import { useCallback, useLayoutEffect, useRef } from 'react';
import { usePages, useRead } from '../../api/call.ts';
import { useUrl } from '../../url.ts';
import { Filters, FilterText, Select, TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Split } from '../../ui/Page.tsx';
import { Empty, NoMatch } from '../../ui/Panel.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { Facets, type FacetCounts } from './Facets.tsx';
import { cleared, defaults, filtersOf, isFiltered, searchOf } from './model.ts';
import { Signal, type Listed } from './Signal.tsx';
import { counted, worded } from '../../ui/words.ts';

const rows = ({ signals }: { signals: Listed[] }) => signals;

const columns: Column<Listed>[] = [
  {
    title: 'Statement',
    cell: ({ snippet, group_size }) => (
      <>
        <Outside text={snippet} most={180} />
        {group_size > 1 && <span className="text-soft"> (and {group_size - 1} alike)</span>}
      </>
    ),
  },
  { title: 'Class', cell: (each) => worded(each.class), className: 'whitespace-nowrap' },
  { title: 'Severity', cell: ({ severity }) => severity, wide: true, className: 'whitespace-nowrap' },
  { title: 'Tone', cell: ({ tone }) => tone ?? '–', wide: true, className: 'whitespace-nowrap' },
  { title: 'State', cell: ({ state, settled }) => (settled ? `${state}, settled` : state), wide: true, className: 'whitespace-nowrap' },
  {
    title: 'Who',
    cell: ({ customers, author }) => <Outside text={customers.join(', ') || author || '–'} most={60} />,
    wide: true,
    className: 'min-w-28',
  },
  { title: 'When', cell: ({ occurred_at }) => <Age at={occurred_at} />, className: 'whitespace-nowrap' },
  { title: 'Area', cell: ({ area }) => (area ? <Outside text={area} most={40} /> : '–'), wide: true, className: 'min-w-20' },
];
/** Beside an open record there is room for these. */
const short = columns.filter(({ title }) => ['Statement', 'Class', 'When'].includes(title));

export default function Signals() {
  const [url, set, type] = useUrl(defaults);
  const signals = usePages('signal.record.search', searchOf(url), rows);
  const counts = useRead<FacetCounts>('signal.facet.list', filtersOf(url));
  const clear = (): void => set({ ...cleared, id: '' });
  const filtered = isFiltered(url);
  const open = useCallback((id: string) => set({ id }), [set]);
  const now = useRef({ list: signals.data?.rows ?? [], more: signals.more, id: url.id });
  useLayoutEffect(() => {
    now.current = { list: signals.data?.rows ?? [], more: signals.more, id: url.id };
  });
  const step = useCallback(
    (by: 1 | -1) => {
      const { list, more, id } = now.current;
      const at = list.findIndex(({ signal_id }) => signal_id === id);
      if (at + by >= list.length - 2) more?.();
      const next = list[at + by];
      if (next) set({ id: next.signal_id });
    },
    [set],
  );
  const removed = useCallback(() => {
    const { list, id } = now.current;
    const at = list.findIndex(({ signal_id }) => signal_id === id);
    set({ id: list[at + 1]?.signal_id ?? '' });
  }, [set]);
  return (
    <Page
      title="Signals"
      above={<Scope />}
      actions={
        counts.data && (
          <span>
            {counted(counts.data.total, 'statement')}, {counts.data.groups.toLocaleString('en')} without near-duplicates
          </span>
        )
      }
    >
      <div className={url.id === '' ? '' : 'max-xl:hidden'}>
        <Filters>
          <FilterText label="Words" placeholder="what customers say about…" value={url.q} onChange={(q) => type({ q, id: '' })} />
          <TextField label="From" type="date" value={url.from} onChange={(from) => set({ from })} />
          <TextField label="To" type="date" value={url.to} onChange={(to) => set({ to })} />
          <TextField label="As known on" type="date" value={url.as_of} onChange={(as_of) => set({ as_of })} />
          <Select
            label="Order"
            value={url.sort}
            onChange={(sort) => set({ sort })}
            options={[
              ['newest', 'newest first'],
              ['severity', 'most severe first'],
            ]}
          />
          <Select
            label="Alike"
            value={url.fold}
            onChange={(fold) => set({ fold })}
            options={[
              ['yes', 'folded'],
              ['no', 'each'],
            ]}
          />
          <Select
            label="Open"
            value={url.unsettled}
            onChange={(unsettled) => set({ unsettled })}
            options={[
              ['', 'all'],
              ['yes', 'still open'],
            ]}
          />
        </Filters>
      </div>
      <Narrowed url={url} set={set} />
      <div
        className={`grid items-start gap-4 ${url.id === '' ? 'lg:grid-cols-[14rem_minmax(0,1fr)]' : '2xl:grid-cols-[14rem_minmax(0,1fr)]'}`}
      >
        <div className={url.id === '' ? '' : 'max-2xl:hidden'}>
          <Facets query={counts} url={url} set={set} />
        </div>
        <Split
          onBack={() => set({ id: '' })}
          list={
            <Table
              label="signals"
              query={
                signals.data && url.q.trim() === '' && counts.data
                  ? { ...signals, data: { ...signals.data, total: url.fold === 'yes' ? counts.data.groups : counts.data.total } }
                  : signals
              }
              columns={url.id === '' ? columns : short}
              keyOf={({ signal_id }) => signal_id}
              open={url.id}
              onOpen={({ signal_id }) => set({ id: signal_id })}
              empty={
                filtered ? (
                  <NoMatch onClear={clear} />
                ) : (
                  <Empty command="npx signalbox ingest FOLDER">
                    Statements of customers appear here, each with its passage. Ingest a transcript, tickets or documents.
                  </Empty>
                )
              }
            />
          }
          detail={url.id === '' ? null : <Signal id={url.id} open={open} step={step} onRemoved={removed} />}
        />
      </div>
    </Page>
  );
}

/** Filters that came with a link and have no field. */
function Narrowed({ url, set }: { url: typeof defaults; set: (change: Partial<typeof defaults>) => void }) {
  const chips = [
    url.entities !== '' && (['entities', 'of one cell of the heatmap, or of one entity'] as const),
    url.opportunity !== '' && (['opportunity', 'evidence of one opportunity'] as const),
    url.group !== '' && (['group', 'nearly the same'] as const),
  ].filter((each) => each !== false);
  if (chips.length === 0) return null;
  return (
    <p className="mb-3 flex flex-wrap gap-2">
      {chips.map(([name, text]) => (
        <button key={name} type="button" className="control" aria-label={`Remove the filter: ${text}`} onClick={() => set({ [name]: '' })}>
          {text} <span aria-hidden="true">×</span>
        </button>
      ))}
    </p>
  );
}

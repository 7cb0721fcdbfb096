import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { InboxCounts, InboxItem, InboxKind } from '../../../../contracts/inbox.ts';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { useUrl } from '../../url.ts';
import { Filters } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Split, Tabs } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { Countdown } from './Countdown.tsx';
import { Group } from './Group.tsx';
import { Item } from './Item.tsx';
import { Beside } from './Beside.tsx';
import { kindNames, kindOf, kinds, merged, type Shown } from './model.ts';
import { Whose } from './Whose.tsx';

const defaults = { kind: '', mine: '', id: '' };

interface Listed {
  items: InboxItem[];
  counts: InboxCounts;
}
const rowsOf = ({ items }: Listed): InboxItem[] => items;

const details: Column<Shown>[] = [
  { title: 'From', wide: true, cell: ({ who }) => who && <Outside text={who} most={40} /> },
  { title: 'Why', wide: true, cell: ({ note }) => note && <Outside text={note} most={110} /> },
];

/** Beside an open item there is room for the most important alone. */
const columnsOf = (short: boolean): Column<Shown>[] => [
  {
    title: 'What',
    cell: ({ title, kind, who, gone }) => (
      <span className={gone ? 'text-soft line-through' : ''}>
        <span className="block text-xs text-soft">
          {kindNames[kind]}
          {short && who && (
            <>
              {' · '}
              <Outside text={who} most={40} />
            </>
          )}
          {gone && <span className="sr-only">, no longer waits</span>}
        </span>
        <Outside text={title || 'without a title'} most={90} />
      </span>
    ),
  },
  ...(short ? [] : details),
  {
    title: 'Until',
    className: 'whitespace-nowrap',
    cell: ({ expires_at, since, gone }) =>
      gone ? (
        'decided'
      ) : expires_at ? (
        <Countdown until={expires_at} />
      ) : (
        <>
          since <Age at={since} suffix="" />
        </>
      ),
  },
];

const [long, short] = [columnsOf(false), columnsOf(true)];

/** Everything that waits for a person: one list, one keyboard, the item beside it. */
export default function Inbox() {
  const may = useMay();
  const [url, set] = useUrl(defaults);
  const kind = kinds.find((one) => one === url.kind);
  const args = { ...(kind ? { kinds: [kind] } : {}), ...(url.mine ? { mine: true } : {}) };
  const allowed = may('system.inbox.list') !== 'deny';
  const query = usePages<Listed, InboxItem>('system.inbox.list', args, rowsOf, allowed);
  const { items, fresh, takeIn } = useShown(
    query.data?.rows,
    query.data && query.dataUpdatedAt,
    JSON.stringify(args),
    query.isFetchingNextPage,
  );
  const [chosen, setChosen] = useState<Set<string>>(new Set());
  if (!allowed) {
    return (
      <Page title="Inbox">
        <NoRight tool="system.inbox.list" />
      </Page>
    );
  }

  const counts = query.data?.first.counts ?? {};
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const row = items?.find(({ id }) => id === url.id);
  const shownKind = row?.kind ?? (url.id === '' ? undefined : kindOf(url.id));
  const gone = items?.filter((item) => item.gone).length ?? 0;
  const several = items?.filter(({ id, gone: over }) => chosen.has(id) && !over) ?? [];
  return (
    <Page
      title="Inbox"
      actions={
        <>
          {gone > 0 && <span>{`${gone} of ${items!.length} done`}</span>}
          {may('approval.request.list') !== 'deny' && (
            <Link to="/console/approvals" className="hit">
              All approvals
            </Link>
          )}
        </>
      }
    >
      <Tabs
        label="Kinds"
        at={url.kind}
        onChange={(next) => set({ kind: next, id: '' })}
        tabs={[
          ['', 'All', query.data && total] as const,
          ...kinds
            .filter((one) => (counts[one] ?? 0) > 0 || one === kind)
            .map((one): readonly [InboxKind, string, number] => [one, kindNames[one], counts[one] ?? 0]),
        ]}
      />
      <Filters>
        <Whose value={url.mine} onChange={(mine) => set({ mine, id: '' })} />
      </Filters>
      {!kind && !url.mine && <Beside />}
      <p role="status" className="min-h-0">
        {fresh > 0 && (
          <button type="button" className="control mb-3" onClick={takeIn}>
            {fresh} new
          </button>
        )}
      </p>
      <Split
        onBack={() => set({ id: '' })}
        list={
          <div className="card min-w-0">
            <Table
              label="waiting items"
              query={{ ...query, data: items && query.data ? { rows: items, total: undefined } : undefined }}
              columns={url.id ? short : long}
              keyOf={({ id }) => id}
              open={url.id}
              onOpen={({ id }) => set({ id })}
              chosen={chosen}
              onChoose={setChosen}
              empty={
                kind || url.mine ? (
                  <NoMatch onClear={() => set({ kind: '', mine: '', id: '' })} />
                ) : (
                  <Empty command="npx signalbox approvals ls">
                    Nothing waits here. Calls that need approval, work of agents, entity reviews, outputs, failed ingestions and changed
                    tools appear here.
                  </Empty>
                )
              }
            />
            {several.length > 0 && <Group items={several} onDone={() => setChosen(new Set())} />}
          </div>
        }
        detail={
          shownKind ? <Item key={url.id} kind={shownKind} id={url.id} /> : url.id ? <Empty>{`No item has the id ${url.id}.`}</Empty> : null
        }
      />
    </Page>
  );
}

/**
 * Rows as they are shown: decided ones stay, new ones wait for a click.
 * @param key of the filters: others begin anew
 */
function useShown(rows: InboxItem[] | undefined, at: number | undefined, key: string, loadingMore: boolean) {
  const [shown, setShown] = useState<{ key: string; items: Shown[]; fresh: number; wide: boolean } | null>(null);
  useEffect(() => {
    if (rows === undefined) return;
    setShown((before) => {
      const same = before?.key === key ? before : null;
      const all = same === null || same.wide || same.items.every(({ gone }) => gone);
      return { key, wide: false, ...merged(same?.items ?? [], rows, all) };
    });
    // `at` says that the server was asked again; the rows are a new array at each rendering.
  }, [at, key]);
  useEffect(() => {
    // What the next page brings is no news.
    if (loadingMore) setShown((before) => before && { ...before, wide: true });
  }, [loadingMore]);
  const takeIn = (): void => {
    if (rows) setShown((before) => before && { ...before, ...merged(before.items, rows, true) });
  };
  const now = shown?.key === key ? shown : null;
  return { items: now?.items, fresh: now?.fresh ?? 0, takeIn };
}

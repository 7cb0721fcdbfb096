import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Holder, Lane, LaneKind } from '../../../../contracts/work/board.ts';
import type { Column, Phase } from '../../../../contracts/work/work.ts';
import { usePages, useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Failure, Skeleton } from '../../ui/Panel.tsx';
import { capped, counted } from '../../ui/words.ts';
import { Columns, ColumnTabs, type Shared } from './Columns.tsx';
import { useCardKeys, type Lanes } from './keys.ts';
import { laneFilter, laneName, presencesOf, type Presences } from './model.ts';
import { Presence } from './Presence.tsx';
import { useBoard } from './useBoard.ts';

type Acts = Omit<Shared, 'presence'>;

interface Props extends Acts {
  filter: Record<string, unknown>;
  at: string;
  onAt: (column: Column) => void;
  /** What stands in place of a board without tasks. */
  empty: React.ReactNode;
}

const one: RefObject<readonly string[]> = { current: [''] };

/** The board in one piece. */
export function BoardView({ filter, at, onAt, empty, ...acts }: Props) {
  const board = useBoard(filter);
  const { more: readMore } = board;
  const more = useCallback((column: Column) => void readMore(column), [readMore]);
  const presence = usePresence();
  const [lanes] = useState<Lanes>(() => new Map());
  useCardKeys(lanes, one, acts);
  if (board.data === undefined) return board.isError ? <Failure error={board.error} retry={() => void board.refetch()} /> : <Skeleton />;
  return (
    <>
      {board.isError && <Failure error={board.error} retry={() => void board.refetch()} />}
      {board.data.stats.total_tasks === 0 ? (
        empty
      ) : (
        <div className={board.isPlaceholderData ? 'opacity-60' : ''}>
          <ColumnTabs board={board.data} at={at} onAt={onAt} />
          <Columns board={board.data} at={at} lanes={lanes} onMore={more} presence={presence} {...acts} />
        </div>
      )}
    </>
  );
}

/** As many as the server gives. */
const mostLanes = 500;
const lanesIn = ({ lanes }: { lanes: Lane[] }): Lane[] => lanes;

/** The board in lanes. The cards of a lane are read when it is seen; its counts stand in its heading. */
export function LanesView({ by, phases, filter, at, onAt, empty, ...acts }: Props & { by: LaneKind; phases: readonly Phase[] }) {
  const { order: _order, ...narrowed } = filter;
  const found = usePages('work.lane.list', { ...narrowed, by, limit: mostLanes }, lanesIn);
  const presence = usePresence();
  const [lanes] = useState<Lanes>(() => new Map());
  const order = useRef<readonly string[]>([]);
  useLayoutEffect(() => {
    order.current = found.data?.rows.map(({ lane }) => keyOf(by, lane)) ?? [];
  });
  useCardKeys(lanes, order, acts);
  if (found.data === undefined) return found.isError ? <Failure error={found.error} retry={() => void found.refetch()} /> : <Skeleton />;
  const { rows, total = 0 } = found.data;
  if (rows.length === 0) return empty;
  const stats = rows.reduce(
    (sum, { stats: own }) =>
      Object.fromEntries(Object.entries(own).map(([name, n]) => [name, n + (sum[name as keyof Lane['stats']] ?? 0)])) as Lane['stats'],
    {} as Lane['stats'],
  );
  return (
    <>
      {found.isError && <Failure error={found.error} retry={() => void found.refetch()} />}
      <ColumnTabs board={{ stats }} at={at} onAt={onAt} />
      {total > rows.length && (
        <p className="mb-2 text-soft">
          {counted(rows.length, 'lane')} of {capped(total)} are shown. Filters narrow them.
        </p>
      )}
      {rows.map(({ lane, stats: own }) => (
        <LaneView
          key={lane}
          id={keyOf(by, lane)}
          name={laneName(by, lane, phases)}
          is={by === 'assignee' ? presence.get(lane) : undefined}
          tasks={own.total_tasks}
          filter={laneFilter(by, lane, filter)}
          at={at}
          lanes={lanes}
          presence={presence}
          {...acts}
        />
      ))}
    </>
  );
}

const keyOf = (by: LaneKind, lane: string): string => `${by}-${lane}`;

function LaneView({
  id,
  name,
  is,
  tasks,
  filter,
  at,
  lanes,
  ...shared
}: Shared & {
  id: string;
  name: string;
  is: Holder['presence'] | undefined;
  tasks: number;
  filter: Record<string, unknown>;
  at: string;
  lanes: Lanes;
}) {
  const [open, setOpen] = useState(true);
  const self = useRef<HTMLElement>(null);
  const near = useNear(self);
  const board = useBoard(filter, open && near === true);
  const { more: readMore } = board;
  const more = useCallback((column: Column) => void readMore(column), [readMore]);
  return (
    <section ref={self} data-lane={id} aria-label={name} className="mb-3">
      <h2 className="flex flex-wrap items-center gap-x-3 text-lg">
        <button type="button" className="hit gap-2 rounded text-left" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span aria-hidden="true">{open ? '▾' : '▸'}</span>
          <Outside text={name} most={80} />
          <span className="text-sm font-normal whitespace-nowrap text-soft">{counted(tasks, 'task')}</span>
        </button>
        {is && <Presence is={is} />}
      </h2>
      {/* As high as with its cards, so that the lanes below do not move when they are drawn. */}
      <div className={open ? 'min-h-80' : ''}>
        {open && near && board.data && <Columns board={board.data} at={at} lane={id} lanes={lanes} onMore={more} {...shared} />}
        {open && near !== false && board.data === undefined && !board.isError && <Skeleton />}
        {open && near && board.isError && <Failure error={board.error} retry={() => void board.refetch()} />}
      </div>
    </section>
  );
}

/** Whether it is on the screen, or nearly; null: not known yet. */
function useNear(element: RefObject<HTMLElement | null>): boolean | null {
  const [near, setNear] = useState<boolean | null>(null);
  useEffect(() => {
    const watcher = new IntersectionObserver((entries) => setNear(entries.at(-1)!.isIntersecting), { rootMargin: '100px' });
    watcher.observe(element.current!);
    return () => watcher.disconnect();
  }, [element]);
  return near;
}

function usePresence(): Presences {
  const may = useMay();
  const { data } = useRead<{ holders: Holder[] }>('work.holder.list', { limit: 1_000 }, may('work.holder.list') !== 'deny');
  return useMemo(() => presencesOf(data?.holders ?? []), [data]);
}

import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Board } from '../../../../contracts/work/board.ts';
import type { Column as Name, TaskSummary } from '../../../../contracts/work/work.ts';
import { useStore } from '../../settings.ts';
import { Card, dragged, type CardProps } from './Card.tsx';
import type { Lanes } from './keys.ts';
import { columnNames, columns, columnOf, countOf, type Presences } from './model.ts';
import { moveTo, whyNot, type Move } from './moves.ts';
import { counted } from '../../ui/words.ts';

export interface Shared extends Pick<CardProps, 'onChoose' | 'onActions'> {
  chosen: ReadonlySet<string>;
  asking: ReadonlySet<string>;
  /** By agent. */
  presence: Presences;
  onDrop: (task: TaskSummary, move: Move) => void;
}

const shown = (count: number): string => count.toLocaleString('en');

/** Which column is shown where there is room for one. */
export const ColumnTabs = ({ board, at, onAt }: { board: Pick<Board, 'stats'>; at: string; onAt: (column: Name) => void }) => (
  <div role="group" aria-label="Column" className="mb-2 flex flex-wrap sm:hidden">
    {columns.map((column) => (
      <button
        key={column}
        type="button"
        aria-pressed={column === at}
        className={`hit border-b-2 px-2 ${column === at ? 'border-route font-semibold' : 'border-transparent text-soft'}`}
        onClick={() => onAt(column)}
      >
        {columnNames[column]} {shown(countOf(board, column))}
      </button>
    ))}
  </div>
);

/** Five columns, each with only the cards near its window. */
export function Columns({
  board,
  at,
  lane = '',
  lanes,
  onMore,
  ...shared
}: Shared & {
  board: Board;
  at: string;
  onMore: (column: Name) => void;
  /** The lane that they are of, where the board has lanes. */
  lane?: string;
  /** Where the keyboard finds them. */
  lanes: Lanes;
}) {
  const scrolls = useRef(new Map<Name, (index: number) => void>());
  useLayoutEffect(() => {
    const mine = { board, onMore, scrollTo: (column: Name, index: number) => scrolls.current.get(column)?.(index) };
    lanes.set(lane, mine);
    return () => {
      if (lanes.get(lane) === mine) lanes.delete(lane);
    };
  }, [board, onMore, lane, lanes]);
  return (
    <div className="grid gap-3 max-sm:grid-cols-1 sm:auto-cols-[minmax(13rem,1fr)] sm:grid-flow-col sm:overflow-x-auto sm:pb-2">
      {columns.map((column) => (
        <ColumnView
          key={column}
          name={column}
          lane={lane}
          tasks={board.columns[column]}
          count={countOf(board, column)}
          more={board.next[column] !== undefined}
          hidden={column !== at}
          register={scrolls.current}
          onMore={onMore}
          {...shared}
        />
      ))}
    </div>
  );
}

const ColumnView = memo(function ColumnView({
  name,
  lane,
  tasks,
  count,
  more,
  hidden,
  register,
  chosen,
  asking,
  presence,
  onChoose,
  onActions,
  onMore,
  onDrop,
}: Shared & {
  name: Name;
  lane: string;
  onMore: (column: Name) => void;
  tasks: TaskSummary[];
  count: number;
  more: boolean;
  hidden: boolean;
  register: Map<Name, (index: number) => void>;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const self = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 92,
    overscan: lane === '' ? 4 : 1,
    gap: 8,
    getItemKey: (i) => tasks[i]!.id,
  });
  useEffect(() => {
    register.set(name, (index) => virtual.scrollToIndex(index));
  }, [register, name, virtual]);
  const items = virtual.getVirtualItems();
  const end = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (more && end >= tasks.length - 30) onMore(name);
  }, [more, end, tasks.length, name, onMore]);

  const Heading = lane === '' ? 'h2' : 'h3';
  const [over, setOver] = useState(false);
  useEffect(
    () =>
      dropTargetForElements({
        element: self.current!,
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: ({ source }) => {
          setOver(false);
          const task = source.data['task'] as TaskSummary;
          const move = moveTo(task, name);
          if (move) onDrop(task, move);
        },
      }),
    [name, onDrop],
  );
  return (
    <section
      ref={self}
      aria-labelledby={`column-${lane}-${name}`}
      data-column={name}
      className={`min-w-0 flex-col rounded-card bg-sunk ${hidden ? 'max-sm:hidden' : ''} flex ${over ? 'outline-2 outline-route' : ''}`}
    >
      <Heading id={`column-${lane}-${name}`} className={`flex justify-between gap-2 px-3 ${lane === '' ? 'py-2 text-lg' : 'py-1'}`}>
        {columnNames[name]}
        <span className="font-normal text-soft" data-count={count}>
          {shown(count)}
        </span>
      </Heading>
      <Drop name={name} />
      <div
        ref={scroller}
        // Reached by the keyboard even when no card is in it.
        tabIndex={0}
        role="group"
        aria-label={`${columnNames[name]}, ${counted(count, 'task')}`}
        className={`relative overflow-y-auto px-2 pb-2 ${lane === '' ? 'h-[calc(100vh-19rem)] min-h-72' : 'h-72'}`}
      >
        <div role="list" aria-label={columnNames[name]} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, key, start }) => {
            const task = tasks[index]!;
            return (
              <div
                key={key}
                role="listitem"
                aria-setsize={count}
                aria-posinset={index + 1}
                data-index={index}
                ref={virtual.measureElement}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Card
                  task={task}
                  chosen={chosen.has(task.id)}
                  asking={asking.has(task.id)}
                  presence={task.status === 'in_progress' ? presence.get(task.assigned_agent_id ?? '') : undefined}
                  onChoose={onChoose}
                  onActions={onActions}
                />
              </div>
            );
          })}
        </div>
        {more && (
          <button type="button" className="control mt-2 w-full" onClick={() => onMore(name)}>
            More
          </button>
        )}
        {tasks.length === 0 && <p className="p-2 text-soft">Nothing here.</p>}
      </div>
    </section>
  );
});

/** While a card is dragged: what a drop here would mean, or why it is refused. */
function Drop({ name }: { name: Name }) {
  const task = useStore(dragged);
  if (!task || columnOf(task) === name) return null;
  const move = moveTo(task, name);
  return (
    <p className={`mx-2 mb-2 rounded-card border border-dashed p-2 text-xs ${move ? 'border-route' : 'border-edge text-soft'}`}>
      {move ? `${move.verb}: ${move.words}` : whyNot(task, name)}
    </p>
  );
}

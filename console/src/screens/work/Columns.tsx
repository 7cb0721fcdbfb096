import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { Board } from '../../../../contracts/work/board.ts';
import type { Column as Name, TaskSummary } from '../../../../contracts/work/work.ts';
import { useShortcuts } from '../../keys.ts';
import { useStore } from '../../settings.ts';
import { Card, dragged, type CardProps } from './Card.tsx';
import { columnNames, columns, columnOf, countOf } from './model.ts';
import { moveTo, whyNot, type Move } from './moves.ts';
import { counted } from '../../ui/words.ts';

interface Shared extends Pick<CardProps, 'onChoose' | 'onActions'> {
  chosen: ReadonlySet<string>;
  asking: ReadonlySet<string>;
  onMore: (column: Name) => void;
  onDrop: (task: TaskSummary, move: Move) => void;
}

const shown = (count: number): string => count.toLocaleString('en');

/** Five columns, each with only the cards near its window. `j` `k` go through one, `h` `l` to the next. */
export function Columns({ board, at, onAt, ...shared }: Shared & { board: Board; at: string; onAt: (column: Name) => void }) {
  const scrolls = useRef(new Map<Name, (index: number) => void>());
  const now = useRef({ board, last: '', shared });
  useEffect(() => {
    now.current = { ...now.current, board, shared };
  });
  useShortcuts(
    useMemo(() => {
      const place = (): { column: Name; index: number } | null => {
        const focused = document.activeElement?.closest<HTMLElement>('[data-task]')?.dataset['task'] ?? now.current.last;
        for (const column of columns) {
          const index = now.current.board.columns[column].findIndex(({ id }) => id === focused);
          if (index >= 0) return { column, index };
        }
        return null;
      };
      const go = (column: Name, index: number): void => {
        const task = now.current.board.columns[column][index];
        if (!task) return;
        now.current.last = task.id;
        if (index >= now.current.board.columns[column].length - 60) now.current.shared.onMore(column);
        scrolls.current.get(column)?.(index);
        const focus = (left: number): void => {
          const link = document.querySelector<HTMLElement>(`[data-task="${CSS.escape(task.id)}"] a`);
          if (link) link.focus({ preventScroll: true });
          else if (left > 0) requestAnimationFrame(() => focus(left - 1));
        };
        focus(5);
      };
      const down = (step: number): void => {
        const here = place();
        const { board: all } = now.current;
        if (!here) return go(columns.find((column) => all.columns[column].length > 0) ?? 'ready', 0);
        go(here.column, Math.max(0, Math.min(all.columns[here.column].length - 1, here.index + step)));
      };
      const side = (step: number): void => {
        const here = place();
        const { board: all } = now.current;
        if (!here) return down(0);
        for (let i = columns.indexOf(here.column) + step; i >= 0 && i < columns.length; i += step) {
          const column = columns[i]!;
          if (all.columns[column].length > 0) return go(column, Math.min(here.index, all.columns[column].length - 1));
        }
      };
      const task = (): TaskSummary | undefined => {
        const here = place();
        return here ? now.current.board.columns[here.column][here.index] : undefined;
      };
      const withTask = (act: (one: TaskSummary) => void) => (): void => {
        const one = task();
        if (one) act(one);
      };
      return [
        { keys: 'j', label: 'Next card', run: () => down(1) },
        { keys: 'k', label: 'Previous card', run: () => down(-1) },
        { keys: 'l', label: 'Next column', run: () => side(1) },
        { keys: 'h', label: 'Previous column', run: () => side(-1) },
        { keys: ' ', label: 'Choose for an action on several', run: withTask(({ id }) => now.current.shared.onChoose(id)) },
        {
          keys: 'J',
          label: 'Choose and go on',
          run: withTask(({ id }) => {
            now.current.shared.onChoose(id);
            down(1);
          }),
        },
        { keys: '.', label: 'Actions of the card', run: withTask((one) => now.current.shared.onActions(one)) },
      ];
    }, []),
  );
  return (
    <>
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
      <div className="grid gap-3 max-sm:grid-cols-1 sm:auto-cols-[minmax(13rem,1fr)] sm:grid-flow-col sm:overflow-x-auto sm:pb-2">
        {columns.map((column) => (
          <ColumnView
            key={column}
            name={column}
            tasks={board.columns[column]}
            count={countOf(board, column)}
            more={board.next[column] !== undefined}
            hidden={column !== at}
            register={scrolls.current}
            {...shared}
          />
        ))}
      </div>
    </>
  );
}

const ColumnView = memo(function ColumnView({
  name,
  tasks,
  count,
  more,
  hidden,
  register,
  chosen,
  asking,
  onChoose,
  onActions,
  onMore,
  onDrop,
}: Shared & {
  name: Name;
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
    overscan: 4,
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

  const [over, setOver] = useState(false);
  useEffect(
    () =>
      dropTargetForElements({
        element: self.current!,
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: () => {
          setOver(false);
          const task = dragged.get();
          const move = task && moveTo(task, name);
          if (task && move) onDrop(task, move);
        },
      }),
    [name, onDrop],
  );
  return (
    <section
      ref={self}
      aria-labelledby={`column-${name}`}
      data-column={name}
      className={`min-w-0 flex-col rounded-card bg-sunk ${hidden ? 'max-sm:hidden' : ''} flex ${over ? 'outline-2 outline-route' : ''}`}
    >
      <h2 id={`column-${name}`} className="flex justify-between gap-2 px-3 py-2 text-lg">
        {columnNames[name]}
        <span className="font-normal text-soft" data-count={count}>
          {shown(count)}
        </span>
      </h2>
      <Drop name={name} />
      <div
        ref={scroller}
        // Reached by the keyboard even when no card is in it.
        tabIndex={0}
        role="group"
        aria-label={`${columnNames[name]}, ${counted(count, 'task')}`}
        className="relative h-[calc(100vh-19rem)] min-h-72 overflow-y-auto px-2 pb-2"
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
                <Card task={task} chosen={chosen.has(task.id)} asking={asking.has(task.id)} onChoose={onChoose} onActions={onActions} />
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

import type { UseQueryResult } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useShortcuts } from '../keys.ts';
import { Failure, Skeleton } from './Panel.tsx';
import { capped } from './words.ts';

export interface Column<R> {
  title: string;
  cell: (row: R) => ReactNode;
  /** Classes of its cells. */
  className?: string;
  /** Not on a phone. */
  wide?: boolean;
}

interface Read<R> extends Pick<UseQueryResult, 'isError' | 'error' | 'isFetching'> {
  data: { rows: R[]; total?: number | undefined } | undefined;
  more?: (() => void) | undefined;
  isFetchingNextPage?: boolean;
  refetch: () => unknown;
}

/** Rows from which on only those near the window are in the page. */
const windowed = 100;
/** Of a row that was not drawn yet, in px. */
const rowHeight = 41;

/** Rows that are here already, as a table takes them. */
export const here = <R,>(rows: R[]): Read<R> => ({ data: { rows }, isError: false, error: null, isFetching: false, refetch: () => {} });

/**
 * A list of records. `j` and `k` move through it, Enter opens; the row that is open stays marked. More rows are read when
 * the end comes into view.
 */
export function Table<R>({
  label,
  query,
  columns,
  keyOf,
  open,
  onOpen,
  empty,
  chosen,
  onChoose,
}: {
  label: string;
  query: Read<R>;
  columns: Column<R>[];
  keyOf: (row: R) => string;
  /** Key of the row whose record is shown. */
  open?: string | undefined;
  onOpen?: (row: R) => void;
  /** Shown when there is no row. */
  empty: ReactNode;
  /** Keys of rows that a bulk action is for; with it, each row has a box, and Space checks it. */
  chosen?: ReadonlySet<string>;
  onChoose?: (chosen: Set<string>) => void;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [at, setAt] = useState(-1);
  const rows = useMemo(() => query.data?.rows ?? [], [query.data]);
  const openAt = open === undefined ? -1 : rows.findIndex((row) => keyOf(row) === open);
  const now = useRef({ rows, at: -1, open: onOpen, query });
  useLayoutEffect(() => {
    now.current = { rows, at: at >= 0 ? at : openAt, open: onOpen, query };
  });
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), [rows.length]);
  // A list that can grow is measured from its first row on: with heights that are guessed, what is looked at would move when
  // windowing begins.
  const measured = rows.length > windowed || query.more !== undefined;
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 20,
    scrollMargin: top,
    enabled: measured,
    getItemKey: (i) => keyOf(rows[i]!),
  });

  // Rows that arrive begin the windowing, which may move what has the keyboard's focus out of view.
  useEffect(() => {
    const focus = document.activeElement;
    if (!focus?.matches(':focus-visible') || !body.current?.contains(focus)) return;
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => focus.scrollIntoView({ block: 'nearest' })));
    return () => cancelAnimationFrame(frame);
  }, [rows.length]);

  const choose = (row: R): void => {
    if (!chosen || !onChoose) return;
    const next = new Set(chosen);
    if (!next.delete(keyOf(row))) next.add(keyOf(row));
    onChoose(next);
  };
  const chooseNow = useRef(choose);
  useLayoutEffect(() => {
    chooseNow.current = choose;
  });
  const bulk = Boolean(onChoose);
  const opens = Boolean(onOpen);
  const scrollTo = useRef(virtual.scrollToIndex);
  useLayoutEffect(() => {
    scrollTo.current = virtual.scrollToIndex;
  });
  useShortcuts(
    useMemo(() => {
      const move = (step: number): void => {
        const { rows: all, at: from, open: show, query: from2 } = now.current;
        const next = Math.max(0, Math.min(all.length - 1, from + step));
        if (all.length === 0) return;
        if (next >= all.length - 3) from2.more?.();
        setAt(next);
        if (all.length > windowed) scrollTo.current(next);
        requestAnimationFrame(() => body.current?.querySelector(`[data-row="${next}"]`)?.scrollIntoView({ block: 'nearest' }));
        // Where a record is open beside the list, it follows.
        if (show && document.querySelector('[data-open-row]')) show(all[next]!);
      };
      const atRow = (act: (row: R) => void) => () => {
        const row = now.current.rows[now.current.at];
        if (row !== undefined) act(row);
      };
      return [
        { keys: 'j', label: `Next in ${label}`, run: () => move(1) },
        { keys: 'k', label: `Previous in ${label}`, run: () => move(-1) },
        ...(opens ? [{ keys: 'Enter', label: 'Open', run: atRow((row) => now.current.open?.(row)) }] : []),
        ...(bulk ? [{ keys: ' ', label: 'Choose for an action on several', run: atRow((row) => chooseNow.current(row)) }] : []),
      ];
    }, [label, bulk, opens]),
    // Beside a list whose rows are opened, one that is only read takes no keys.
    !opens && !bulk,
  );

  if (query.data === undefined) return query.isError ? <Failure error={query.error!} retry={() => void query.refetch()} /> : <Skeleton />;
  if (rows.length === 0) {
    return (
      <>
        {query.isError && <Failure error={query.error!} retry={() => void query.refetch()} />}
        {empty}
      </>
    );
  }
  const all = rows.map((_, index) => ({ index, start: 0, end: 0 }));
  const near = rows.length > windowed ? virtual.getVirtualItems() : [];
  // None before it knows the window.
  const items = near.length > 0 ? near : all.slice(0, 2 * windowed);
  const before = near[0] ? near[0].start - top : 0;
  const after = near.length > 0 ? virtual.getTotalSize() - (near.at(-1)!.end - top) : (all.length - items.length) * rowHeight;
  const span = columns.length + (chosen ? 1 : 0);
  const mark = at >= 0 ? at : openAt;
  return (
    <>
      {query.isError && <Failure error={query.error!} retry={() => void query.refetch()} />}
      <div className="overflow-x-auto max-sm:overflow-x-visible">
        <table aria-label={label} aria-rowcount={query.more ? -1 : rows.length + 1} className="w-full border-collapse text-left">
          <thead>
            <tr aria-rowindex={1} className="border-b border-edge text-soft">
              {chosen && (
                <th scope="col" className="w-8 px-2">
                  <span className="sr-only">Chosen</span>
                </th>
              )}
              {columns.map(({ title, wide, className = '' }) => (
                <th key={title} scope="col" className={`px-3 py-2 font-normal ${wide ? 'max-sm:hidden' : ''} ${className}`}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {before > 0 && (
              <tr aria-hidden="true" style={{ height: before }}>
                <td colSpan={span} />
              </tr>
            )}
            {items.map(({ index }) => {
              const row = rows[index]!;
              return (
                <tr
                  key={keyOf(row)}
                  ref={measured ? virtual.measureElement : undefined}
                  data-index={index}
                  data-row={index}
                  data-open-row={index === openAt ? '' : undefined}
                  aria-rowindex={index + 2}
                  aria-current={index === openAt ? 'true' : undefined}
                  className={`border-b border-line ${index === openAt ? 'bg-sunk' : ''} ${index === mark ? 'shadow-[inset_3px_0_0_var(--color-route)]' : ''} ${onOpen ? 'cursor-pointer hover:bg-sunk' : ''}`}
                  onClick={(event) => {
                    // Links, buttons and marked text in a row do what they do elsewhere.
                    if (!onOpen || (event.target as HTMLElement).closest('a, button, input, label') || getSelection()?.toString()) return;
                    setAt(index);
                    onOpen(row);
                  }}
                >
                  {chosen && (
                    <td className="px-2 align-top">
                      <label className="hit justify-center">
                        <input type="checkbox" className="size-4" checked={chosen.has(keyOf(row))} onChange={() => choose(row)} />
                        <span className="sr-only">Choose {keyOf(row)}</span>
                      </label>
                    </td>
                  )}
                  {columns.map(({ title, cell, wide, className = '' }, i) => (
                    <td key={title} className={`cell ${wide ? 'max-sm:hidden' : ''} ${className}`}>
                      {i === 0 && onOpen ? (
                        <button type="button" className="hit max-w-full rounded text-left text-route" onClick={() => onOpen(row)}>
                          <span className="min-w-0">{cell(row)}</span>
                        </button>
                      ) : (
                        cell(row)
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
            {after > 0 && (
              <tr aria-hidden="true" style={{ height: after }}>
                <td colSpan={span} />
              </tr>
            )}
          </tbody>
        </table>
      </div>
      <More query={query} shown={rows.length} />
    </>
  );
}

/** How many are shown, and the next page: by hand, or when the end comes into view. */
export function More({ query, shown }: { query: Pick<Read<unknown>, 'more' | 'isFetchingNextPage' | 'data'>; shown: number }) {
  const end = useRef<HTMLParagraphElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { more } = query;
  useEffect(() => {
    if (!more || !end.current) return;
    // Whoever is on the button by keyboard decides by hand: further rows would move it out of view.
    const onKeyboard = (): boolean => button.current?.matches(':focus-visible') ?? false;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && !onKeyboard() && more(), { rootMargin: '400px' });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [more]);
  // Rows that were on their way.
  useLayoutEffect(() => {
    if (button.current?.matches(':focus-visible')) button.current.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  const total = query.data?.total;
  const all = total === undefined ? '' : ` of ${capped(total)}`;
  return (
    <p ref={end} className="flex min-h-11 items-center gap-3 px-3 text-soft">
      {shown.toLocaleString('en')}
      {all} shown
      {more && (
        <button ref={button} type="button" className="control" onClick={more}>
          {query.isFetchingNextPage ? 'Loading…' : 'Load more'}
        </button>
      )}
    </p>
  );
}

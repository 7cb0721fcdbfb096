import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Board } from '../../../../contracts/work/board.ts';
import type { Column } from '../../../../contracts/work/work.ts';
import { call } from '../../api/call.ts';
import { queries } from '../../api/queries.ts';
import { extended, patched } from './model.ts';

const perColumn = 40;

/**
 * The board, read once and then kept by what changed since: a column that was read far stays read, however many events
 * come.
 */
export function useBoard(filter: Record<string, unknown>, enabled = true) {
  const key = ['tool', 'work.board.get', filter] as const;
  const order = String(filter['order'] ?? 'priority');
  const query = useQuery({
    queryKey: key,
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Board> => {
      const former = queries.getQueryData<Board>(key);
      const args = { ...filter, details: true, limit_per_column: perColumn };
      if (!former) return await call<Board>('work.board.get', args, signal);
      const delta = await call<Board>('work.board.get', { ...args, since_rev: former.rev }, signal);
      // A column may have been read further meanwhile.
      return delta.changed === null ? delta : patched(queries.getQueryData<Board>(key) ?? former, delta, order);
    },
  });
  const reading = useRef(new Set<string>());
  const now = useRef({ key, filter });
  useLayoutEffect(() => {
    now.current = { key, filter };
  });
  const more = useCallback(async (column: Column): Promise<void> => {
    const { key: mine, filter: own } = now.current;
    const cursor = queries.getQueryData<Board>(mine)?.next[column];
    if (cursor === undefined || reading.current.has(cursor)) return;
    reading.current.add(cursor);
    try {
      const page = await call<Board>('work.board.get', { ...own, details: true, limit_per_column: 100, column, cursor });
      queries.setQueryData<Board>(mine, (board) => board && (board.next[column] === cursor ? extended(board, page, column) : board));
    } catch {
      // The column still ends with its button, which asks again.
    } finally {
      reading.current.delete(cursor);
    }
  }, []);
  return { ...query, more };
}

/** A typed text, after a pause in typing. */
export function useRested<T>(value: T, ms = 150): T {
  const [rested, setRested] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(JSON.parse(text) as T), ms);
    return () => window.clearTimeout(timer);
  }, [text, ms]);
  return rested;
}

import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Envelope } from '../../../contracts/envelope.ts';
import { http } from './http.ts';

/** Calls a tool through the one pipeline. @returns its whole answer @throws CallError */
export async function ask(tool: string, args: object, { signal, key }: { signal?: AbortSignal; key?: string } = {}): Promise<Envelope> {
  const response = await http('POST', `tools/${tool}`, args, {
    ...(signal ? { signal } : {}),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
  return (await response.json()) as Envelope;
}

/** @returns the answer's data @throws CallError */
export const call = async <T>(tool: string, args: object, signal?: AbortSignal): Promise<T> =>
  (await ask(tool, args, signal ? { signal } : {})).data as T;

/** A reading call, kept under its tool's name. */
export const read = <T>(tool: string, args: object = {}) =>
  queryOptions({ queryKey: ['tool', tool, args] as const, queryFn: ({ signal }) => call<T>(tool, args, signal) });

export const useRead = <T>(tool: string, args: object = {}, enabled = true) => useQuery({ ...read<T>(tool, args), enabled });

const pages = <T>(tool: string, args: object) =>
  infiniteQueryOptions({
    queryKey: ['tool', tool, args, 'pages'] as const,
    queryFn: async ({ pageParam, signal }) => {
      const { data, metadata } = await ask(tool, pageParam === undefined ? args : { ...args, cursor: pageParam }, { signal });
      return { data: data as T, total: metadata.total_count, next: metadata.next_cursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });

/**
 * A list that a tool gives page by page.
 * @param rows takes the rows out of a page's data
 * @returns all rows so far, their number in all as the first page told it, and `more`, which reads the next page
 */
export function usePages<T, R>(tool: string, args: object, rows: (data: T) => R[], enabled = true) {
  const query = useInfiniteQuery({ ...pages<T>(tool, args), enabled });
  const data = query.data && {
    rows: query.data.pages.flatMap((page) => rows(page.data)),
    first: query.data.pages[0]!.data,
    total: query.data.pages[0]!.total,
  };
  const more = query.hasNextPage ? () => void (query.isFetchingNextPage || query.fetchNextPage()) : undefined;
  return { ...query, data, more };
}

import type { CountedPage, Page } from '../../services/kernel/paging.ts';
import type { ToolResult } from './define.ts';

/** The answer of a list: a page under the name of its items, how many these are, and where the next page begins. */
export function paged<N extends string, T>(name: N, { items, total, next }: Page<T> & { total?: number }): ToolResult<Record<N, T[]>> {
  const counts = { result_count: items.length, ...(total === undefined ? {} : { total_count: total }) };
  return { data: { [name]: items } as Record<N, T[]>, metadata: { ...counts, ...(next === undefined ? {} : { next_cursor: next }) } };
}

/** What a page says when there are more. @param total of all pages, in words */
export const moreToCome = (name: string, page: CountedPage<unknown>, total: number | string = page.total): string[] =>
  page.next === undefined
    ? []
    : [`${total} ${name} match; this page has ${page.items.length}. Pass metadata.next_cursor as cursor for the next.`];

/** As `paged`, for a list of which clients are told in words that there is more. */
export const countedPages = <N extends string, T>(name: N, page: CountedPage<T>): ToolResult<Record<N, T[]>> => ({
  ...paged(name, page),
  warnings: moreToCome(name, page),
});

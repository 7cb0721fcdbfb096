import type { CountedPage, Page } from '../../services/kernel/paging.ts';
import type { ToolResult } from './define.ts';

/** The answer of a list: a page's items under their name, their number, and the cursor of the next page. */
export function paged<N extends string, T>(name: N, { items, total, next }: Page<T> & { total?: number }): ToolResult<Record<N, T[]>> {
  const counts = { result_count: items.length, ...(total === undefined ? {} : { total_count: total }) };
  return { data: { [name]: items } as Record<N, T[]>, metadata: { ...counts, ...(next === undefined ? {} : { next_cursor: next }) } };
}

/** The warning that there are more pages. @param total number of items on all pages, as text */
export const moreToCome = (name: string, page: CountedPage<unknown>, total: number | string = page.total): string[] =>
  page.next === undefined
    ? []
    : [`${total} ${name} match; this page has ${page.items.length}. Pass metadata.next_cursor as cursor for the next.`];

/** As `paged`, with a warning when there are more pages. */
export const countedPages = <N extends string, T>(name: N, page: CountedPage<T>): ToolResult<Record<N, T[]>> => ({
  ...paged(name, page),
  warnings: moreToCome(name, page),
});

import { AppError } from '../../contracts/errors.ts';
import type { IssueAway } from '../../contracts/work/trackers.ts';
import type { IssueQuery } from './types.ts';

/** What a filter asks about. */
export interface Seen {
  labels: readonly string[];
  /** Every name under which a filter may mean who it is assigned to. */
  assignees: readonly (string | null | undefined)[];
}

/**
 * Why an issue is not among those of a filter; null: it is.
 * @param look at the issue
 * @throws AppError of a look that says nothing about the issue
 */
export async function awayOf(
  { labels, assignee }: Pick<IssueQuery, 'labels' | 'assignee'>,
  look: () => Promise<Seen | 'moved' | 'gone'>,
): Promise<IssueAway | null> {
  const seen = await look().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return 'gone' as const;
    // GitHub leads from a transferred issue to its new place.
    if (error instanceof AppError && error.details?.['reason'] === 'redirect') return 'moved' as const;
    throw error;
  });
  if (typeof seen === 'string') return seen;
  const has = (names: Seen['assignees'], wanted: string): boolean => names.some((name) => name?.toLowerCase() === wanted.toLowerCase());
  const meets = labels.every((label) => has(seen.labels, label)) && (assignee === null || has(seen.assignees, assignee));
  return meets ? null : 'filter';
}

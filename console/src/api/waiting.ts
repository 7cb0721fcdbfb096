import type { InboxCounts } from '../../../contracts/inbox.ts';
import { useRead } from './call.ts';
import { mayAny, type Facts } from './session.ts';

const tool = 'system.inbox.list';
/** The counts are those of all items, however few are asked for. */
const args = { limit: 1 };
const none: InboxCounts = {};

/** How many items of the inbox wait for the user. Kept by events. */
export function useWaiting(facts: Facts): number {
  const { data } = useRead<{ counts: InboxCounts }>(tool, args, mayAny(facts, [tool]));
  return Object.values(data?.counts ?? none).reduce((sum, one) => sum + one, 0);
}

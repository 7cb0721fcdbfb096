import { queries } from '../../api/queries.ts';

/** Reads the inbox again after an action that sends no event. */
export const readInboxAgain = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('system.inbox.') });

/** Pure: the period of a draft. */
import type { Filter } from './types.ts';

export const inPeriod = (at: string, { from, until }: Pick<Filter, 'from' | 'until'>): boolean =>
  (from === null || at >= from) && at <= until;

/** Windows include their end. */
export const justBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString();

import { currentScope } from '../../../adapters/postgres/tenancy.ts';
import { cellsSql, grainsSql } from './cells.ts';
import { addDays, type Day } from './days.ts';

/**
 * Begins a statement. `counted` has the tenant's counts ($1): the stored ones; or, for a stakeholder team, counted
 * from the visible signals.
 * @param narrow a trusted condition on signals `s` that all relevant signals satisfy; an optimization
 * @param live always count from signals: those outside `narrow` are then missing
 */
export const countedSql = (narrow: string, live = isScoped()): string =>
  live
    ? `with ${cellsSql(narrow)}, ${grainsSql}, counted as (select * from grains)`
    : 'with counted as not materialized (select * from insight_counts where tenant_id = $1)';

export const isScoped = (): boolean => currentScope() !== null;

/** On signals `s`: said until that day; null: any. */
export const saidUntil = (asOf: Day | null): string => (asOf === null ? 'true' : saidBefore(addDays(asOf, 1)));
/** As of a day the stored counts, which go until today, do not help. */
export const isCountedLive = (asOf: Day | null): boolean => isScoped() || asOf !== null;

/** On signals `s`. */
export const saidSince = (day: Day): string => `s.occurred_at >= '${day}T00:00:00Z'::timestamptz`;
export const saidBefore = (day: Day): string => `s.occurred_at < '${day}T00:00:00Z'::timestamptz`;
/** @param parameter with entity ids */
export const about = (parameter: string): string =>
  `s.id in (select a.signal_id from signal_entities a where a.tenant_id = $1 and a.entity_id = any(${parameter}))`;

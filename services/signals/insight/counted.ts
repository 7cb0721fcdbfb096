import { currentScope } from '../../../adapters/postgres/tenancy.ts';
import { cellsSql, grainsSql } from './cells.ts';
import type { Day } from './days.ts';

/**
 * Begins a statement. `counted` has the tenant's counts ($1): as kept; or, for a stakeholder team, counted from the signals
 * it may see.
 * @param narrow a condition of ours on signals `s` that holds for all signals asked about; it only saves counting others
 * @param live count from signals anyway: what `narrow` leaves out is then left out
 */
export const countedSql = (narrow: string, live = isScoped()): string =>
  live
    ? `with ${cellsSql(narrow)}, ${grainsSql}, counted as (select * from grains)`
    : 'with counted as not materialized (select * from insight_counts where tenant_id = $1)';

export const isScoped = (): boolean => currentScope() !== null;

/** Of signals `s`. */
export const saidSince = (day: Day): string => `s.occurred_at >= '${day}T00:00:00Z'::timestamptz`;
export const saidBefore = (day: Day): string => `s.occurred_at < '${day}T00:00:00Z'::timestamptz`;
/** @param parameter of entity ids */
export const about = (parameter: string): string =>
  `s.id in (select a.signal_id from signal_entities a where a.tenant_id = $1 and a.entity_id = any(${parameter}))`;

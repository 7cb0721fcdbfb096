import { AppError } from '../../contracts/errors.ts';
import { severities, type Severity, type SignalClass, type SignalSource, type StatementState } from '../../contracts/signals/signals.ts';

/** Filters for signals; absent ones do not restrict. */
export interface SignalFilters {
  source?: SignalSource | undefined;
  classes?: readonly SignalClass[] | undefined;
  /** Entities that the signal must all be about. */
  entities?: readonly string[] | undefined;
  /** It must be about an entity of this type. */
  aboutType?: string | undefined;
  area?: string | undefined;
  author?: string | undefined;
  /** Minimum severity. */
  severity?: Severity | undefined;
  /** -1 to 1 */
  sentimentFrom?: number | undefined;
  sentimentTo?: number | undefined;
  /** ISO 8601, both inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
  groupId?: string | undefined;
  state?: StatementState | undefined;
  /** Only open ones that nothing later resolved or withdrew. */
  unsettled?: boolean | undefined;
}

/** @throws AppError VALIDATION_ERROR: the filters exclude each other */
export function checkFilters({ from, to, sentimentFrom, sentimentTo }: SignalFilters): void {
  if (from && to && from > to) {
    throw new AppError('VALIDATION_ERROR', 'date_from is later than date_to: nothing lies between them.', {
      hint: 'Swap the two dates, or leave one out.',
    });
  }
  if (sentimentFrom !== undefined && sentimentTo !== undefined && sentimentFrom > sentimentTo) {
    throw new AppError('VALIDATION_ERROR', 'sentiment_from is above sentiment_to: nothing lies between them.', {
      hint: 'Swap the two, or leave one out.',
    });
  }
}

/** SQL over signals `s`: $1 is the tenant, the values follow it. */
export function whereOf(filters: SignalFilters, tenant: string): { where: string; values: unknown[]; bounded: boolean } {
  const values: unknown[] = [tenant];
  const parts = ['s.tenant_id = $1'];
  const add = (value: unknown, sql: (place: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    parts.push(sql(`$${values.length}`));
  };
  add(filters.source, (v) => `s.source = ${v}`);
  if (filters.classes && filters.classes.length > 0) add(filters.classes, (v) => `s.class = any(${v})`);
  for (const entity of filters.entities ?? [])
    add(entity, (v) => `exists (select from signal_entities x where x.tenant_id = $1 and x.signal_id = s.id and x.entity_id = ${v})`);
  add(filters.aboutType, (v) => `exists (select from signal_entities x where x.tenant_id = $1 and x.signal_id = s.id and x.type = ${v})`);
  add(filters.area?.toLowerCase(), (v) => `s.area_key = ${v}`);
  add(filters.author?.toLowerCase(), (v) => `s.author_key = ${v}`);
  add(filters.severity && severities.indexOf(filters.severity), (v) => `s.severity >= ${v}`);
  // Rounded to the column's precision, which refuses smaller values.
  add(filters.sentimentFrom === undefined ? undefined : Math.fround(filters.sentimentFrom), (v) => `s.sentiment >= ${v}`);
  add(filters.sentimentTo === undefined ? undefined : Math.fround(filters.sentimentTo), (v) => `s.sentiment <= ${v}`);
  add(filters.from, (v) => `s.occurred_at >= ${v}`);
  add(filters.to, (v) => `s.occurred_at <= ${v}`);
  add(filters.groupId, (v) => `s.group_id = ${v}`);
  add(filters.state, (v) => `s.state = ${v}`);
  if (filters.unsettled) parts.push(`s.state = 'open' and s.settled_by is null`);
  return { where: parts.join(' and '), values, bounded: parts.length > 1 };
}

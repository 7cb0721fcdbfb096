import { AppError } from '../../contracts/errors.ts';
import {
  severities,
  type Severity,
  type SignalClass,
  type SignalSource,
  type StatementState,
  type Tone,
} from '../../contracts/signals/signals.ts';

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
  tone?: Tone | undefined;
  /** Nothing said later counts, nor what settled a statement later. */
  asOf?: Date | undefined;
  /** The evidence of this opportunity. */
  opportunityId?: string | undefined;
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

/**
 * SQL over signals: $1 is the tenant, the values follow it.
 * @param s the alias of the signals
 */
export function whereOf(filters: SignalFilters, tenant: string, s = 's'): { where: string; values: unknown[]; bounded: boolean } {
  const values: unknown[] = [tenant];
  const parts = [`${s}.tenant_id = $1`];
  const add = (value: unknown, sql: (place: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    parts.push(sql(`$${values.length}`));
  };
  add(filters.source, (v) => `${s}.source = ${v}`);
  if (filters.classes && filters.classes.length > 0) add(filters.classes, (v) => `${s}.class = any(${v})`);
  for (const entity of filters.entities ?? [])
    add(entity, (v) => `exists (select from signal_entities x where x.tenant_id = $1 and x.signal_id = ${s}.id and x.entity_id = ${v})`);
  add(
    filters.aboutType,
    (v) => `exists (select from signal_entities x where x.tenant_id = $1 and x.signal_id = ${s}.id and x.type = ${v})`,
  );
  add(filters.area?.toLowerCase(), (v) => `${s}.area_key = ${v}`);
  add(filters.author?.toLowerCase(), (v) => `${s}.author_key = ${v}`);
  add(filters.severity && severities.indexOf(filters.severity), (v) => `${s}.severity >= ${v}`);
  // Rounded to the column's precision, which refuses smaller values.
  add(filters.sentimentFrom === undefined ? undefined : Math.fround(filters.sentimentFrom), (v) => `${s}.sentiment >= ${v}`);
  add(filters.sentimentTo === undefined ? undefined : Math.fround(filters.sentimentTo), (v) => `${s}.sentiment <= ${v}`);
  add(filters.from, (v) => `${s}.occurred_at >= ${v}`);
  add(filters.to, (v) => `${s}.occurred_at <= ${v}`);
  add(filters.groupId, (v) => `${s}.group_id = ${v}`);
  add(filters.state, (v) => `${s}.state = ${v}`);
  add(filters.tone, (v) => `${s}.tone = ${v}`);
  add(filters.asOf, (v) => `${s}.occurred_at <= ${v}`);
  if (filters.unsettled) {
    const settled =
      filters.asOf === undefined ? `${s}.settled_by is null` : `(${s}.settled_at is null or ${s}.settled_at > $${values.length})`;
    parts.push(`${s}.state = 'open' and ${settled}`);
  }
  add(
    filters.opportunityId,
    (v) => `exists (select from opportunity_signals m where m.tenant_id = $1 and m.signal_id = ${s}.id and m.cluster_id = ${v}::uuid)`,
  );
  return { where: parts.join(' and '), values, bounded: parts.length > 1 };
}

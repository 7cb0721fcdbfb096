/** Pure: the SQL that counts signals, the same for a few signals, for all, and for a team's. */
import { signalClasses } from '../../../contracts/signals/signals.ts';

/** Rows and columns of heatmaps; `{row}/{column}` is the kind of the counts. */
export const pairKinds = ['issue/feature', 'issue/customer', 'feature/customer', 'theme/customer'] as const;

/** Kind of the counts over all signals. */
export const everything = '*';
/** The day of counts over all time. */
export const allTime = '0001-01-01';

export const sums = ['signals', 'severity', 'sentiment', ...signalClasses] as const;
const summed = sums.map((each) => `sum(${each})::bigint as ${each}`).join(', ');

const pairList = pairKinds
  .map((kind) =>
    kind
      .split('/')
      .map((type) => `'${type}'`)
      .join(', '),
  )
  .map((types) => `(${types})`)
  .join(', ');

/**
 * Common table expressions: `told` (signals), `about` (a row per entity of each) and `cells` (kind, row_id,
 * column_id, day and the sums). $1 is the tenant.
 * @param where a trusted condition on signals `s`
 */
export const cellsSql = (where: string): string => `
  told as materialized (
    select s.id, (s.occurred_at at time zone 'utc')::date as day, 1 as signals, s.severity, round((s.sentiment * 1000)::numeric)::int as sentiment,
      ${signalClasses.map((each) => `(s.class = '${each}')::int as ${each}`).join(', ')}
    from signals s where s.tenant_id = $1 and ${where}),
  about as materialized (
    select t.*, e.entity_id, e.type from told t join signal_entities e on e.tenant_id = $1 and e.signal_id = t.id),
  cells as materialized (
    select '${everything}' as kind, '' as row_id, '' as column_id, day, ${summed} from told group by day
    union all
    select type, entity_id, '', day, ${summed} from about group by type, entity_id, day
    union all
    select r.type || '/' || c.type, r.entity_id, c.entity_id, r.day, ${sums.map((each) => `sum(r.${each})::bigint`).join(', ')}
    from about r join signal_entities c on c.tenant_id = $1 and c.signal_id = r.id
    where (r.type, c.type) in (${pairList}) group by r.type, c.type, r.entity_id, c.entity_id, r.day)`;

/** Follows `cellsSql`: `grains` has its cells by day, month and all time, with the last day. */
export const grainsSql = `
  months as materialized (
    select kind, row_id, column_id, date_trunc('month', day)::date as day, ${summed}, max(day) as last_day from cells group by 1, 2, 3, 4),
  grains as (
    select kind, row_id, column_id, 'd' as grain, day, ${sums.join(', ')}, null::date as last_day from cells
    union all
    select kind, row_id, column_id, 'm', day, ${sums.join(', ')}, null from months
    union all
    select kind, row_id, column_id, 'a', '${allTime}'::date, ${summed}, max(last_day) from months group by 1, 2, 3)`;

/** Follows `cellsSql`: `triples` has which customers mention which issue with which feature. */
export const triplesSql = `
  triples as (
    select r.entity_id as row_id, c.entity_id as column_id, k.entity_id as customer_id, count(*)::int as signals, max(r.day) as last_day
    from about r join signal_entities c on c.tenant_id = $1 and c.signal_id = r.id and c.type = 'feature'
    join signal_entities k on k.tenant_id = $1 and k.signal_id = r.id and k.type = 'customer'
    where r.type = 'issue' group by 1, 2, 3)`;

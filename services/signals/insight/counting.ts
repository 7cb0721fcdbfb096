import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { lock } from '../../kernel/locks.ts';
import { cellsSql, grainsSql, sums, triplesSql } from './cells.ts';

type Query = Database['query'];

/** A pair or entity whose number of customers changed. */
interface Gain extends Row, Columns<'insight_counts', 'kind' | 'row_id' | 'column_id'> {
  n: number;
}

/**
 * Adds (1) or subtracts (-1) signals, in the transaction that writes them: -1 before a change or deletion of signals
 * or signal_entities, 1 after it. Counts the current rows of both tables; unknown ids are ignored. One transaction
 * per tenant counts at a time, until it ends: call it late, with the signals already locked.
 */
export async function countSignals(query: Query, tenant: string, signalIds: readonly string[], sign: 1 | -1): Promise<void> {
  if (signalIds.length === 0) return;
  // Lock in order, before the lock of the counts, to prevent deadlocks.
  if (sign === -1)
    await query('select id from signals where tenant_id = $1 and id = any($2) order by id for update', [tenant, [...signalIds]]);
  await lockCounts(query, tenant);
  const gains = sign === 1 ? await add(query, tenant, signalIds) : await take(query, tenant, signalIds);
  await addCustomers(query, tenant, gains);
}

/**
 * Held until the transaction ends; taken after all locks on signals.
 * @throws AppError SERVICE_UNAVAILABLE after waiting 30 s
 */
async function lockCounts(query: Query, tenant: string): Promise<void> {
  try {
    await lock(query, `insight/${tenant}`);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', 'Somebody else has been counting the signals of this tenant for long.', {
      hint: 'A recount of many signals takes minutes. Nothing was changed; try again.',
      retryAfterSeconds: 15,
      cause: error,
    });
  }
}

/** The statement timed out (57014). */
const isTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '57014';

const these = cellsSql('s.id = any($2)');
const columns = `tenant_id, kind, row_id, column_id, grain, day, ${sums.join(', ')}, last_day`;

async function add(query: Query, tenant: string, ids: readonly string[]): Promise<Gain[]> {
  const pairs = await query<Gain>(
    `with ${these}, ${grainsSql},
     kept as (
       insert into insight_counts as n (${columns})
       select $1, kind, row_id, column_id, grain, day, ${sums.join(', ')}, last_day from grains
       on conflict (tenant_id, kind, row_id, column_id, grain, day) do update set
         ${sums.map((each) => `${each} = n.${each} + excluded.${each}`).join(', ')}, last_day = greatest(n.last_day, excluded.last_day)
       returning kind, row_id, grain, xmax = 0 as fresh)
     select split_part(kind, '/', 1) as kind, row_id, '' as column_id, count(*)::int as n from kept
     where fresh and grain = 'a' and kind like '%/customer' group by 1, 2`,
    [tenant, ids],
  );
  const triples = await query<Gain>(
    `with ${these}, ${triplesSql},
     kept as (
       insert into insight_triples as n (tenant_id, row_id, column_id, customer_id, signals, last_day)
       select $1, row_id, column_id, customer_id, signals, last_day from triples
       on conflict (tenant_id, row_id, column_id, customer_id) do update set
         signals = n.signals + excluded.signals, last_day = greatest(n.last_day, excluded.last_day)
       returning row_id, column_id, xmax = 0 as fresh)
     select 'issue/feature' as kind, row_id, column_id, count(*)::int as n from kept where fresh group by 2, 3`,
    [tenant, ids],
  );
  return [...pairs, ...triples];
}

async function take(query: Query, tenant: string, ids: readonly string[]): Promise<Gain[]> {
  await query(
    `with ${these}, ${grainsSql}
     update insight_counts n set ${sums.map((each) => `${each} = n.${each} - g.${each}`).join(', ')},
       last_day = case when n.last_day <= g.last_day then null else n.last_day end
     from grains g
     where n.tenant_id = $1 and n.kind = g.kind and n.row_id = g.row_id and n.column_id = g.column_id and n.grain = g.grain and n.day = g.day`,
    [tenant, ids],
  );
  const pairs = await query<Gain>(
    `with ${these},
     touched as (select distinct kind, row_id, column_id from cells),
     gone as (
       delete from insight_counts n using touched t
       where n.tenant_id = $1 and n.kind = t.kind and n.row_id = t.row_id and n.column_id = t.column_id and n.signals <= 0
       returning n.kind, n.row_id, n.grain)
     select split_part(kind, '/', 1) as kind, row_id, '' as column_id, -count(*)::int as n from gone
     where grain = 'a' and kind like '%/customer' group by 1, 2`,
    [tenant, ids],
  );
  // The newest day was removed: find the newest of the remaining days.
  await query(
    `with ${these},
     touched as (select distinct kind, row_id, column_id from cells)
     update insight_counts n set last_day = (
       select max(d.day) from insight_counts d where d.tenant_id = $1 and d.kind = n.kind and d.row_id = n.row_id
         and d.column_id = n.column_id and d.grain = 'd')
     from touched t
     where n.tenant_id = $1 and n.kind = t.kind and n.row_id = t.row_id and n.column_id = t.column_id and n.grain = 'a' and n.last_day is null`,
    [tenant, ids],
  );
  return [...pairs, ...(await takeTriples(query, tenant, ids))];
}

async function takeTriples(query: Query, tenant: string, ids: readonly string[]): Promise<Gain[]> {
  const gone = await query<Gain>(
    `with ${these}, ${triplesSql},
     gone as (
       delete from insight_triples n using triples g
       where n.tenant_id = $1 and n.row_id = g.row_id and n.column_id = g.column_id and n.customer_id = g.customer_id and n.signals <= g.signals
       returning n.row_id, n.column_id)
     select 'issue/feature' as kind, row_id, column_id, -count(*)::int as n from gone group by 2, 3`,
    [tenant, ids],
  );
  await query(
    `with ${these}, ${triplesSql}
     update insight_triples n set signals = n.signals - g.signals,
       last_day = case when n.last_day > g.last_day then n.last_day else coalesce((
         select max((r.occurred_at at time zone 'utc')::date) from signal_entities r
         join signal_entities c on c.tenant_id = $1 and c.signal_id = r.signal_id and c.entity_id = g.column_id
         join signal_entities k on k.tenant_id = $1 and k.signal_id = r.signal_id and k.entity_id = g.customer_id
         where r.tenant_id = $1 and r.entity_id = g.row_id and r.signal_id <> all($2)), n.last_day) end
     from triples g
     where n.tenant_id = $1 and n.row_id = g.row_id and n.column_id = g.column_id and n.customer_id = g.customer_id`,
    [tenant, ids],
  );
  return gone;
}

async function addCustomers(query: Query, tenant: string, gains: readonly Gain[]): Promise<void> {
  if (gains.length === 0) return;
  await query(
    `update insight_counts n set customers = n.customers + g.n
     from unnest($2::text[], $3::text[], $4::text[], $5::int[]) g(kind, row_id, column_id, n)
     where n.tenant_id = $1 and n.kind = g.kind and n.row_id = g.row_id and n.column_id = g.column_id and n.grain = 'a'`,
    [
      tenant,
      gains.map(({ kind }) => kind),
      gains.map(({ row_id }) => row_id),
      gains.map(({ column_id }) => column_id),
      gains.map(({ n }) => n),
    ],
  );
}

/** Result of a recount. */
export interface Recounted {
  /** Counted signals. */
  signals: number;
  /** Rows of counts. */
  counts: number;
  /** Rows that were missing, wrong or surplus. */
  corrected: number;
}

const countsAre = [...sums, 'customers', 'last_day'];
const triplesAre = ['signals', 'last_day'];
const countKeys = ['kind', 'row_id', 'column_id', 'grain', 'day'];
const tripleKeys = ['row_id', 'column_id', 'customer_id'];

/** CTEs that change `table` to match `rightful`, row by row: only rows that differ are written. */
function settle(table: string, rightful: string, keys: readonly string[], values: readonly string[]): string {
  const listed = (names: readonly string[], prefix = ''): string => names.map((name) => prefix + name).join(', ');
  const same = (a: string, b: string): string => keys.map((key) => `${a}.${key} = ${b}.${key}`).join(' and ');
  return `
    ${table}_off as materialized (
      select ${keys.map((key) => `coalesce(r.${key}, n.${key}) as ${key}`).join(', ')}, ${listed(values, 'r.')}, r.${keys[0]} is null as surplus
      from ${rightful} r full join (select * from ${table} where tenant_id = $1) n on ${same('n', 'r')}
      where r.${keys[0]} is null or n.${keys[0]} is null or (${listed(values, 'r.')}) is distinct from (${listed(values, 'n.')})),
    ${table}_gone as (delete from ${table} n using ${table}_off o where o.surplus and n.tenant_id = $1 and ${same('n', 'o')}),
    ${table}_put as (
      insert into ${table} (tenant_id, ${listed(keys)}, ${listed(values)})
      select $1, ${listed(keys)}, ${listed(values)} from ${table}_off where not surplus
      on conflict (tenant_id, ${listed(keys)}) do update set ${values.map((name) => `${name} = excluded.${name}`).join(', ')})`;
}

/**
 * Recounts all of a tenant's signals and corrects differences; the result equals incremental counting. In an
 * unhurried transaction: other writers of counts wait until it ends, and readers see the former counts until then.
 */
export async function recount(query: Query, tenant: string): Promise<Recounted> {
  // Sorting and hashing a million signals is much faster in memory than in files.
  await query(`set local work_mem = '256MB'`);
  await lockCounts(query, tenant);
  const [found] = await query<Recounted & Row>(
    `with ${cellsSql('true')}, ${grainsSql}, ${triplesSql},
     met as (select split_part(kind, '/', 1) as kind, row_id, '' as column_id, count(distinct column_id)::int as n from months
         where kind like '%/customer' group by 1, 2
       union all select 'issue/feature', row_id, column_id, count(*)::int from triples group by 2, 3),
     rightful as materialized (
       select g.kind, g.row_id, g.column_id, g.grain, g.day, ${sums.map((each) => `g.${each}`).join(', ')}, coalesce(m.n, 0) as customers, g.last_day
       from grains g left join met m on g.grain = 'a' and m.kind = g.kind and m.row_id = g.row_id and m.column_id = g.column_id),
     ${settle('insight_counts', 'rightful', countKeys, countsAre)},
     ${settle('insight_triples', 'triples', tripleKeys, triplesAre)}
     select (select count(*)::int from told) as signals, (select count(*)::int from rightful) as counts,
       (select count(*)::int from insight_counts_off) + (select count(*)::int from insight_triples_off) as corrected`,
    [tenant],
  );
  return found!;
}

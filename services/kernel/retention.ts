/** Retention of records that grow with use. The sweep calls it tenant by tenant; `KeepSettings` says how long each kind stays. */
import type { KeepSettings } from '../../adapters/open.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { providers } from '../../contracts/outbound/connectors.ts';
import { connectorJobId } from './jobs.ts';
import { changeOf } from './reviews/reviews-records.ts';

type Query = Database['query'];

export interface RetainOptions {
  /** Time after which the rest is left to the next sweep, in ms. */
  forMs?: number;
  signal?: AbortSignal;
  /** Rows per statement. Each statement is a transaction of its own, so a kill between two of them leaves whole rows. */
  batch?: number;
}

/** What is deleted by age, and the setting with its days. */
export const retained = {
  articles: 'articlesDays',
  run_logs: 'runLogsDays',
  jobs: 'jobsDays',
  failed_bytes: 'failedBytesDays',
  connector_calls: 'connectorCallsDays',
  reviews: 'reviewsDays',
} as const satisfies Record<string, keyof KeepSettings>;
export type Retained = keyof typeof retained;

const defaultBatch = 1_000;
const past = (column: string): string => `${column} < now() - make_interval(days => $2)`;

/** Rows that are old enough, in the order of an index, so that each is looked at once in a sweep even if it stays. */
const pageOf = (table: string, at: string, id: string, where = 'true'): string => `
  select ${id} as id, ${at}::text as at from ${table} where tenant_id = $1 and ${where} and ${past(at)} and (${at}, ${id}) > ($3::timestamptz, $4)
  order by ${at}, ${id} limit $5`;

/**
 * Locked rows are skipped: another sweep deletes them, or somebody uses them. A row that changed meanwhile is compared
 * with the conditions again.
 */
const removal = (table: string, id: string, where: string, given = ''): string => `
  with ${given} old as materialized (
    select x.${id} as id from ${table} x where x.tenant_id = $1 and x.${id} = any($3) and ${where} for update of x skip locked)
  delete from ${table} where tenant_id = $1 and ${id} in (select id from old) returning 1`;

/** A brief names articles by address. The knowledge base holds an article under its canonical address. */
const removeArticles = removal(
  'articles',
  'id',
  `${past('x.stored_at')}
    and not exists (select from cited c where c.url = x.url) and not exists (select from cited c where c.url = x.canonical_url)
    and not exists (select from knowledge_sources s where s.tenant_id = $1 and s.identity = x.canonical_url
      and s.kb_id in (select k.id from knowledge_bases k where k.tenant_id = $1))`,
  `cited as materialized (
    select distinct v.url #>> '{}' as url from briefs b, jsonb_path_query(b.content, '$.highlights[*].evidence[*].url') v(url)
    where b.tenant_id = $1),`,
);

const removeLogs = removal('ingestion_logs', 'run_id', `x.status <> 'running' and ${past('x.logged_at')}`);

/** One that waits for a decision, or for the outcome of one. */
const openLetter = `d.tenant_id = $1 and d.status in ('parked', 'refused', 'retrying')`;

/** Ended jobs `x` that nothing refers to any more. */
const endedJob = `x.status in ('completed', 'failed', 'cancelled') and ${past('x.finished_at')} and ${past('x.updated_at')}
    and not exists (select from dlq_items d where ${openLetter} and d.job_id = x.id)
    and not exists (select from notifications n where n.tenant_id = $1 and n.job_id = x.id)
    and not exists (select from drafts d where d.tenant_id = $1 and d.job_id = x.id and d.status = 'writing')
    and not exists (select from exports e where e.tenant_id = $1 and e.job_id = x.id)
    -- A merge or split is undone by the id of its job.
    and not exists (select from entity_history h where h.tenant_id = $1 and h.change_id = x.id)
    -- The job of a content tells a repeat that its document stands.
    and not (x.kind = 'ingest' and exists (select from documents d where d.tenant_id = $1 and d.id = x.spec->>'document_id'))
    and not (x.kind = 'connector_call' and exists (select from connector_calls c where c.tenant_id = $1 and c.provider = x.spec->>'provider'
      and c.call_key = x.spec->>'call_key' and c.status = 'started'))
    -- The last of these is shown.
    and (x.kind not in ('pipeline', 'ledger_verify')
      or exists (select from jobs n where n.tenant_id = $1 and n.kind = x.kind and n.created_at > x.created_at))`;

/** First what stands under a job, in batches of $4; then the job. Decided dead letters go with their job. */
const removeItems = `
  with old as materialized (
    select i.job_id, i.ordinal from ingest_items i join jobs x on x.tenant_id = $1 and x.id = i.job_id
    where i.tenant_id = $1 and i.job_id = any($3) and ${endedJob} limit $4 for update of i skip locked)
  delete from ingest_items i using old where i.tenant_id = $1 and i.job_id = old.job_id and i.ordinal = old.ordinal returning 1`;
const removeJobs = `
  with old as materialized (
    select x.id from jobs x where x.tenant_id = $1 and x.id = any($3) and ${endedJob}
      and not exists (select from ingest_items i where i.tenant_id = $1 and i.job_id = x.id) for update of x skip locked),
  letters as (
    delete from dlq_items where tenant_id = $1 and job_id in (select id from old) and status in ('resolved', 'abandoned') returning 1),
  gone as (delete from jobs where tenant_id = $1 and id in (select id from old) returning 1)
  select 1 from gone union all select 1 from letters`;

/** A decided item is not read again. Its bytes go with the sweep of blobs, which no row names them for. */
const emptyItems = `
  with old as materialized (
    select i.job_id, i.ordinal from ingest_items i join jobs j on j.tenant_id = $1 and j.id = i.job_id
    where i.tenant_id = $1 and i.blob is not null and i.status in ('refused', 'failed') and ${past('i.updated_at')}
      and j.status in ('completed', 'failed', 'cancelled')
      and not exists (select from dlq_items d where ${openLetter} and d.job_id = i.job_id
        and (d.source_id = i.source_id or d.source_id is null or i.source_id is null))
    limit $3 for update of i skip locked)
  update ingest_items i set blob = null from old where i.tenant_id = $1 and i.job_id = old.job_id and i.ordinal = old.ordinal returning 1`;

/**
 * Ended calls of connectors with the keys $3. Without the call, a repeat would send again; without the call but with its
 * job ($4), a repeat would wait for ever for a process that has ended.
 */
const removeCalls = `
  with kept as materialized (
    select spec->>'provider' as provider, spec->>'call_key' as call_key from jobs where tenant_id = $1 and id = any($4)),
  old as materialized (
    select x.provider, x.call_key from connector_calls x where x.tenant_id = $1 and x.provider = any($5) and x.call_key = any($3)
      and x.status in ('completed', 'failed') and ${past('x.updated_at')}
      and not exists (select from kept k where k.provider = x.provider and k.call_key = x.call_key) for update of x skip locked)
  delete from connector_calls c using old where c.tenant_id = $1 and c.provider = old.provider and c.call_key = old.call_key returning 1`;

/** Questions about entities that may go. A pair that was rejected is not asked about again: that rejection stays. */
const closedReview = `kind = 'entity_match' and (status in ('confirmed', 'withdrawn') or status = 'rejected' and pair is null)`;

/**
 * A yes is undone by the history of its change ($4: those of $3), which is deleted with its entities. A no is undone as
 * long as the question names its entity.
 */
const removeReviews = removal(
  'reviews',
  'id',
  `${closedReview} and ${past('x.updated_at')} and (x.status <> 'rejected' or not x.subject ? 'a')
    and (x.status <> 'confirmed' or not exists (select from changed c where c.id = x.id))`,
  `changed as materialized (
    select c.id from unnest($3::text[], $4::text[]) c(id, change)
    where exists (select from entity_history h where h.tenant_id = $1 and h.change_id in (c.id, c.change))),`,
);

/**
 * Deletes what is past its retention. Safe at any time, also twice at once.
 * @returns how many rows were deleted, or for `failed_bytes` how many items let go of their bytes
 */
export async function retain(
  { db, keep }: { db: Pick<Database, 'query'>; keep: KeepSettings },
  tenant: string,
  what: Retained,
  options: RetainOptions = {},
): Promise<number> {
  const days = keep[retained[what]];
  if (days === 0) return 0;
  const { forMs = Infinity, signal, batch = defaultBatch } = options;
  const until = performance.now() + forMs;
  const isOver = (): boolean => {
    signal?.throwIfAborted();
    return performance.now() > until;
  };
  const { query } = db;
  const each = (page: string, remove: (ids: string[]) => Promise<number>): Promise<number> =>
    eachPage(query, page, [tenant, days], batch, isOver, remove);
  const removedBy =
    (sql: string) =>
    async (ids: string[]): Promise<number> =>
      (await query(sql, [tenant, days, ids])).length;

  if (what === 'articles') return await each(pageOf('articles', 'stored_at', 'id'), removedBy(removeArticles));
  if (what === 'run_logs') return await each(pageOf('ingestion_logs', 'created_at', 'run_id'), removedBy(removeLogs));
  if (what === 'failed_bytes') return await untilFew(batch, isOver, () => query(emptyItems, [tenant, days, batch]));
  if (what === 'connector_calls') {
    return await each(pageOf('connector_calls', 'created_at', 'call_key'), async (keys) => {
      const jobs = providers.flatMap((provider) => keys.map((key) => connectorJobId(tenant, provider, key)));
      return (await query(removeCalls, [tenant, days, keys, jobs, providers])).length;
    });
  }
  if (what === 'reviews') {
    return await each(pageOf('reviews', 'created_at', 'id', closedReview), async (ids) => {
      const changes = ids.map((id) => changeOf(tenant, { id, action: 'merge' }));
      return (await query(removeReviews, [tenant, days, ids, changes])).length;
    });
  }
  return await each(pageOf('jobs', 'created_at', 'id'), async (ids) => {
    const items = await untilFew(batch, isOver, () => query(removeItems, [tenant, days, ids, batch]));
    return items + (await removedBy(removeJobs)(ids));
  });
}

async function eachPage(
  query: Query,
  page: string,
  values: [tenant: string, days: number],
  batch: number,
  isOver: () => boolean,
  remove: (ids: string[]) => Promise<number>,
): Promise<number> {
  let removed = 0;
  let after: { at: string; id: string } = { at: '-infinity', id: '' };
  for (;;) {
    if (isOver()) return removed;
    const rows = await query<{ at: string; id: string }>(page, [...values, after.at, after.id, batch]);
    if (rows.length === 0) return removed;
    removed += await remove(rows.map(({ id }) => id));
    if (rows.length < batch) return removed;
    after = rows.at(-1)!;
  }
}

/** Repeats a statement of at most `batch` rows until it finds fewer. */
async function untilFew(batch: number, isOver: () => boolean, statement: () => Promise<unknown[]>): Promise<number> {
  for (let removed = 0; ;) {
    if (isOver()) return removed;
    const rows = await statement();
    removed += rows.length;
    if (rows.length < batch) return removed;
  }
}

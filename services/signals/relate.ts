import type { Database } from '../../adapters/postgres/database.ts';
import type { Referral } from '../../contracts/signals/signals.ts';
import { likelyFeatures, linksOf } from '../../engines/evidence/index.ts';
import type { Linkable } from '../../engines/evidence/types.ts';
import { nameKey } from '../../engines/text/names.ts';
import { knownScale } from '../kernel/model-scale.ts';
import { giveAreas } from './entity-areas.ts';
import { relink } from './relink.ts';

type Query = Database['query'];

/** Statements of one customer that are compared: the latest. */
const mostOfCustomer = 1_000;
/** Customers per call: a table may name thousands, whose statements then wait for their next document. */
const mostCustomers = 200;

interface Stated extends Omit<Linkable, 'vector'>, Record<string, unknown> {
  id: string;
  model: string | null;
  embedding: string | null;
  earlier_id: string | null;
  earlier: string | null;
  told_earlier_id: string | null;
  /** What `likelyFeatures` said before. */
  likely: string | null;
  /** Of several customers: what is likely for one need not be for another. */
  shared: boolean;
}

/**
 * Finds what these statements and others of the same customers do to each other: repeat, resolve, withdraw. The caller
 * holds the tenant's graph lock.
 */
export async function relate(query: Query, tenant: string, signalIds: readonly string[]): Promise<void> {
  const customers = await query<{ key: string }>(
    `select distinct key from signal_names where tenant_id = $1 and signal_id = any($2) and type = 'customer' order by key limit ${mostCustomers}`,
    [tenant, signalIds],
  );
  for (const { key } of customers) await relateCustomer(query, tenant, key);
}

async function relateCustomer(query: Query, tenant: string, customer: string): Promise<void> {
  const rows = await query<Stated>(
    `select * from (
       select s.id, s.statement as text, to_char(s.occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day, s.occurred_at, s.document_id, s.chunk_id,
         s.start_at, s.class, coalesce(s.tone, 'neutral') as tone, s.state, s.model, s.embedding::text, s.earlier_id, s.earlier, s.told_earlier_id, n.name as customer,
         array(select o.name from signal_names o where o.tenant_id = $1 and o.signal_id = s.id and o.type = 'feature' and not o.likely order by o.key) as features,
         array(select o.name from signal_names o where o.tenant_id = $1 and o.signal_id = s.id and o.type = 'competitor' order by o.key) as competitors,
         (select o.name from signal_names o where o.tenant_id = $1 and o.signal_id = s.id and o.type = 'feature' and o.likely) as likely,
         exists (select from signal_names o where o.tenant_id = $1 and o.signal_id = s.id and o.type = 'customer' and o.key <> $2) as shared
       from signal_names n join signals s on s.tenant_id = $1 and s.id = n.signal_id
       where n.tenant_id = $1 and n.type = 'customer' and n.key = $2
       order by s.occurred_at desc, s.id limit ${mostOfCustomer}) latest
     order by occurred_at, document_id, chunk_id, start_at, id`,
    [tenant, customer],
  );
  // Others, of a former model, are compared by their words.
  const model = rows.findLast((row) => row.embedding !== null)?.model ?? '';
  const { shipped } = knownScale(model);
  const stated = rows.map(({ embedding, ...row }) => ({
    ...row,
    vector: embedding === null || row.model !== model ? null : Float32Array.from(JSON.parse(embedding) as number[]),
  }));
  const own = stated.map((each) => (each.shared ? { ...each, customer: null } : each));
  await nameLikely(query, tenant, rows, likelyFeatures(own, shipped));
  const links = linksOf(stated, shipped);
  const found = new Map<string, { earlierId: string; earlier: Referral }>(
    links.map(({ from, to, kind }) => [rows[from]!.id, { earlierId: rows[to]!.id, earlier: kind }]),
  );
  // A language model has read both in their context.
  const ids = new Set(rows.map(({ id }) => id));
  for (const { id, state, told_earlier_id: earlierId } of rows) {
    if (earlierId === null || !ids.has(earlierId)) continue;
    if (state === 'resolved' || state === 'withdrawn')
      found.set(id, { earlierId, earlier: state === 'resolved' ? 'resolves' : 'withdraws' });
  }
  const changed = rows.flatMap(({ id, earlier_id, earlier }) => {
    const link = found.get(id) ?? { earlierId: null, earlier: null };
    return link.earlierId === earlier_id && link.earlier === earlier ? [] : [{ id, ...link }];
  });
  if (changed.length > 0) {
    await query(
      `update signals s set earlier_id = r."earlierId", earlier = r.earlier
       from jsonb_to_recordset($2::jsonb) as r(id text, "earlierId" text, earlier text) where s.tenant_id = $1 and s.id = r.id`,
      [tenant, JSON.stringify(changed)],
    );
  }
  await settle(
    query,
    tenant,
    rows.map(({ id }) => id),
  );
}

/** Names the features that statements are likely to be about, as if they were told, so that counts and reports have them. */
async function nameLikely(query: Query, tenant: string, rows: readonly Stated[], likely: readonly (string | null)[]): Promise<void> {
  const changed = rows.flatMap(({ id, likely: before }, i) =>
    before === likely[i] ? [] : [{ id, name: likely[i], key: nameKey(likely[i] ?? '') }],
  );
  if (changed.length === 0) return;
  const ids = changed.map(({ id }) => id);
  await query(`delete from signal_names where tenant_id = $1 and signal_id = any($2) and likely`, [tenant, ids]);
  await query(
    `insert into signal_names (tenant_id, signal_id, type, key, name, likely)
     select $1, r.id, 'feature', r.key, r.name, true from jsonb_to_recordset($2::jsonb) as r(id text, key text, name text) where r.key <> ''
     on conflict do nothing`,
    [tenant, JSON.stringify(changed)],
  );
  await relink(query, tenant, ids);
  await giveAreas(query, tenant, ids);
}

/**
 * Says which statements were settled, by the first later statement that resolves or withdraws them, or one that they
 * repeat.
 */
async function settle(query: Query, tenant: string, ids: readonly string[]): Promise<void> {
  await query(
    `with recursive root as (
       select s.id, s.id as top, 0 as depth from signals s where s.tenant_id = $1 and s.id = any($2)
       union all
       select r.id, s.earlier_id, r.depth + 1 from root r join signals s on s.tenant_id = $1 and s.id = r.top
       where s.earlier = 'repeats' and s.earlier_id is not null and r.depth < 20),
     tops as (select distinct on (id) id, top from root order by id, depth desc),
     ends as (
       select t.top, s.id as by, s.occurred_at as at from signals s
       join tops t on t.id = s.earlier_id where s.tenant_id = $1 and s.id = any($2) and s.earlier in ('resolves', 'withdraws')),
     told as (
       select distinct on (s.id) s.id, e.by, e.at from signals s join tops t on t.id = s.id
       left join ends e on e.top = t.top and e.at >= s.occurred_at and e.by <> s.id
       where s.tenant_id = $1 and s.id = any($2) order by s.id, e.at, e.by)
     update signals s set settled_by = told.by, settled_at = told.at from told
     where s.tenant_id = $1 and s.id = told.id and (s.settled_by is distinct from told.by or s.settled_at is distinct from told.at)`,
    [tenant, ids],
  );
}

/** These signals are gone: what they settled is open again. */
export async function unsettle(query: Query, tenant: string, ids: readonly string[]): Promise<void> {
  await query(
    `update signals set earlier_id = case when earlier_id = any($2) then null else earlier_id end,
       earlier = case when earlier_id = any($2) then null else earlier end,
       settled_by = case when settled_by = any($2) then null else settled_by end,
       settled_at = case when settled_by = any($2) then null else settled_at end
     where tenant_id = $1 and (earlier_id = any($2) or settled_by = any($2))`,
    [tenant, ids],
  );
}

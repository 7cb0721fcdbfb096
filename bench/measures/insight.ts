/** Queries about many signals, at two sizes: their cost, and its growth. */
import pg from 'pg';
import { postgresGraph } from '../../adapters/graph/postgres.ts';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { addDays, dayOf } from '../../services/signals/insight/days.ts';
import { countSignals, recount } from '../../services/signals/insight/counting.ts';
import { InsightService } from '../../services/signals/insight/index.ts';
import { EntityLookup } from '../../services/graph/lookup.ts';
import type { Context } from '../context.ts';
import { ms, spreadText, type Line, type Section } from '../report.ts';
import { spread, takeTurns, timed, type Spread } from '../stats.ts';

const p95Goal = 200;
/** Maximum growth of the cost with ten times the signals. */
const growthGoal = 2;
const entities = { customer: 500, feature: 120, issue: 300, theme: 40 };
/** The signals are spread over this many days. */
const days = 730;
const counting = 'counting 20 signals out and in';
const tables = 'signals, signal_entities, insight_counts, insight_triples, entities, entity_aliases';

export async function measureInsight(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const sizes = context.quick ? [20_000, 100_000] : [100_000, 1_000_000];
  const db = await openDatabase(runtime.database_url, { max: 4 });
  const notes: string[] = [];
  const bySize: Map<string, Spread>[] = [];
  try {
    for (const size of sizes) {
      const tenant = `insight-${size}`;
      context.say(`writing ${size} signals`);
      const written = await timed(() => write(db, tenant, size, () => asOwner(runtime.database_owner_url, `analyze ${tables}`)));
      const counted = await timed(() => asTenant(tenant, () => db.transaction((query) => recount(query, tenant), { unhurried: true })));
      await asOwner(runtime.database_owner_url, `vacuum analyze ${tables}`);
      notes.push(`${size} signals: written in ${seconds(written)} s, counted from nothing in ${seconds(counted)} s.`);
      bySize.push(await ask(db, tenant, context.quick));
    }
  } finally {
    await db.close();
  }
  const [few, many] = bySize as [Map<string, Spread>, Map<string, Spread>];
  const lines = [...many].map(([path, product]): Line => {
    const floor = few.get(path)!;
    const growth = product.p50 / floor.p50;
    return {
      path,
      product: spreadText(product),
      floor: `${ms(floor.p50)} / ${ms(floor.p95)} ms`,
      ratio: growth,
      goal: path === counting ? `≤ ×${growthGoal}` : `p95 ≤ ${p95Goal} ms, ≤ ×${growthGoal}`,
      // Below a few milliseconds the ratio is only noise.
      met: (path === counting || product.p95 <= p95Goal) && (growth <= growthGoal || product.p50 < 5),
      figures: { product, floor },
    };
  });
  notes.push(
    `Floor: the same at ${sizes[0]} signals (p50 / p95). ${Object.entries(entities).map(([type, n]) => `${n} ${type}s`).join(', ')}; how often each is told of follows a power law; ${days} days.`, // prettier-ignore
  );
  return { title: `Insight over ${sizes[1]} signals`, lines, notes };
}

async function ask(db: Database, tenant: string, quick: boolean): Promise<Map<string, Spread>> {
  const graph = postgresGraph(db.query);
  const lookup = new EntityLookup({
    db,
    embedder: null,
    matching: { fuzzy: 0.85, embedding: 0.8, margin: 0.1, autoMerge: 0.9, review: 0.6 },
  });
  const insight = new InsightService({ db, graph, lookup, find: () => Promise.resolve([]) });
  const today = dayOf(new Date());
  let turn = 0;
  const next = (of: number): number => (turn += 7) % of;
  const since = (): string => addDays(today, -30 - next(600));
  const metrics = ['customer_count', 'signal_count', 'severity_weighted'] as const;
  const metric = (): (typeof metrics)[number] => metrics[next(3)]!;
  const types = Object.keys(entities) as (keyof typeof entities)[];
  const paths: Record<string, () => Promise<unknown>> = {
    'heatmap issues_by_feature, any metric': () => insight.heatmap(tenant, { dimension: 'issues_by_feature', metric: metric(), limit: 20 }),
    'heatmap issues_by_customer, any metric': () =>
      insight.heatmap(tenant, { dimension: 'issues_by_customer', metric: metric(), limit: 20 }),
    'heatmap issues_by_feature since 30 to 630 days': () =>
      insight.heatmap(tenant, { dimension: 'issues_by_feature', metric: metric(), limit: 20, dateFrom: since() }),
    'heatmap features_by_customer since 30 to 630 days': () =>
      insight.heatmap(tenant, { dimension: 'features_by_customer', metric: metric(), limit: 20, dateFrom: since() }),
    'trends of 28 days, any type': () => insight.trends(tenant, { type: types[next(4)]!, windowDays: 28, limit: 15 }),
    'trends of 180 days, any type': () => insight.trends(tenant, { type: types[next(4)]!, windowDays: 180, limit: 15 }),
    'profile of a customer': () => insight.customer(tenant, `customer ${next(entities.customer)}`),
    'profile of the biggest customer': () => insight.customer(tenant, 'customer 0'),
    'health of a feature': () => insight.feature(tenant, `feature ${next(entities.feature)}`),
    'impact of an issue': () => insight.issue(tenant, `issue ${next(entities.issue)}`),
    'what if, any action': () =>
      next(2)
        ? insight.scenario(tenant, 'fix_issue', `issue ${next(300)}`)
        : insight.scenario(tenant, 'deprecate_feature', `feature ${next(120)}`),
    [counting]: () =>
      db.transaction(async (query) => {
        const ids = Array.from({ length: 20 }, (_, i) => `sig_${next(20_000) + i}`);
        await countSignals(query, tenant, ids, -1);
        await countSignals(query, tenant, ids, 1);
      }),
  };
  const inTenant = Object.fromEntries(Object.entries(paths).map(([path, work]) => [path, () => asTenant(tenant, work)]));
  const times = await takeTurns(inTenant, quick ? { rounds: 5, block: 4, warmUp: 3 } : { rounds: 10, block: 10, warmUp: 5 });
  return new Map(Object.entries(times).map(([path, all]) => [path, spread(all)]));
}

/** The date of signal n. */
const said = `date_trunc('day', now()) - (hashint4(n) & 2147483647) % ${days * 1440} * interval '1 minute'`;

/** Rows as extraction writes them, all in one passage. */
async function write(db: Database, tenant: string, size: number, analyze: () => Promise<void>): Promise<void> {
  const scoped = (work: (query: Database['query']) => Promise<unknown>): Promise<unknown> =>
    asTenant(tenant, () => db.transaction(work, { unhurried: true }));
  await scoped(async (query) => {
    await query('insert into tenants (id) values ($1) on conflict do nothing', [tenant]);
    const [base] = await query<{ scope: number }>(
      `insert into knowledge_bases (tenant_id, id, name) values ($1, 'signals', 'signals') returning scope`,
      [tenant],
    );
    await query(
      `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status, document_id) values ($1, 's', 'signals', 's', 'S', 'text', 'active', 'd')`,
      [tenant],
    );
    await query(
      `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, chunk_count, graph)
       values ($1, 'd', 's', $2, 's', 's', 'text', 'S', 'active', 1, 1, 'resolved')`,
      [tenant, base!.scope],
    );
    await query(
      `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, body, place, end_place, terms) values ($1, $2, 'd', 's', 0, 'B', '{}', '{}', 1)`,
      [tenant, base!.scope],
    );
    for (const [type, n] of Object.entries(entities)) {
      await query(
        `insert into entities (tenant_id, id, type, name, origin, created_by)
         select $1, $2 || '_' || n, $2, $2 || ' ' || n, 'extraction', 'bench' from generate_series(0, $3::int - 1) n`,
        [tenant, type, n],
      );
      await query(
        `insert into entity_aliases (tenant_id, type, key, entity_id, alias, origin, created_by)
         select $1, $2, $2 || ' ' || n, $2 || '_' || n, $2 || ' ' || n, 'name', 'bench' from generate_series(0, $3::int - 1) n`,
        [tenant, type, n],
      );
    }
  });
  // The first block is small, because foreign key checks keep the plan for an empty table until it is analyzed.
  for (let from = 0, block = 500; from < size; from += block, block = 50_000) {
    if (from > 0) await analyze();
    await scoped(async (query) => {
      await query('select setseed(0.1 + $1::float8 / 100000000)', [from]);
      await query(
        `insert into signals (tenant_id, id, document_id, source_id, chunk_id, start_at, end_at, statement, source, occurred_at, class, class_confidence,
           sentiment, severity, group_id, classifier)
         select $1, 'sig_' || n, 'd', 's', c.id, 0, 1, 'Signal ' || n, (array['slack', 'jira', 'document'])[1 + n % 3],
           ${said}, (array['request', 'bug', 'complaint', 'praise', 'question', 'churn_risk', 'information'])[1 + floor(7 * random())::int],
           0.9, random() * 2 - 1, floor(5 * random())::int, 'sig_' || n, 'bench'
         from generate_series($2::int, $3::int - 1) n, (select id from chunks where tenant_id = $1 limit 1) c`,
        [tenant, from, Math.min(size, from + block)],
      );
      for (const [type, n] of Object.entries(entities)) {
        await query(
          `insert into signal_entities (tenant_id, signal_id, entity_id, type, occurred_at)
           select $1, 'sig_' || n, $2 || '_' || floor($3::int * random() ^ 3)::int, $2, ${said}
           from generate_series($4::int, $5::int - 1) n where random() < $6::float8`,
          [tenant, type, n, from, Math.min(size, from + block), type === 'customer' ? 0.9 : 0.6],
        );
      }
    });
  }
}

async function asOwner(connectionString: string, statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  try {
    await owner.query(statement);
  } finally {
    await owner.end();
  }
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);

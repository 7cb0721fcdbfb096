/** Clusters of statements: quality on paraphrases, stable ids, deletions, concurrency. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createHttpEmbedder } from '../../adapters/models/embedder-http.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { bcubed } from '../../services/signals/opportunities/bcubed.fixture.ts';
import { strays, themes } from '../../services/signals/opportunities/paraphrases.fixture.ts';
import { hasWork, workSome } from '../../services/signals/opportunities/work.ts';
import { writeSignals, type TestSignal } from '../setup/signals.ts';
import { embeddingDouble } from '../setup/embeddings.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const whole = { beat: () => {}, spent: () => false };
const day = (n: number): string => new Date(Date.now() - n * 86_400_000).toISOString();

/** In an order that mixes the themes, the same always. */
const statements = [
  ...Object.entries(themes).flatMap(([theme, said]) => said.map((statement) => ({ statement, theme }))),
  ...strays.map((statement, i) => ({ statement, theme: `stray ${i}` })),
].sort((a, b) => a.statement.split('').reverse().join('').localeCompare(b.statement.split('').reverse().join('')));

describe('clusters of statements', { timeout: 120_000 }, () => {
  let stack: TestStack;
  let tenant = '';
  let tenants = 0;
  beforeAll(async () => {
    stack = await testStack({ workers: false });
  });
  beforeEach(() => {
    tenant = `clusters${(tenants += 1)}`;
  });
  afterAll(() => stack?.stop());

  const write = async (signals: TestSignal[]): Promise<string[]> => await writeSignals(stack.db, tenant, signals);
  const said = (statement: string, more: Partial<TestSignal> = {}): TestSignal => ({ statement, class: 'complaint', at: day(3), ...more });
  const work = (embedder = stack.embedder) => asTenant(tenant, () => workSome({ db: stack.db, embedder }, tenant, whole));
  const rows = <T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> =>
    asTenant(tenant, () => stack.db.query<T>(sql, [tenant, ...values]));
  const clusterOf = async (ids: readonly string[]): Promise<string[]> => {
    const found = await rows<{ signal_id: string; cluster_id: string }>(
      'select signal_id, cluster_id from opportunity_signals where tenant_id = $1 and signal_id = any($2)',
      [ids],
    );
    const byId = new Map(found.map(({ signal_id, cluster_id }) => [signal_id, cluster_id]));
    return ids.map((id) => byId.get(id) ?? '');
  };
  /** Stored values of clusters match their members, and no work is pending. */
  const consistent = async (): Promise<void> => {
    const wrong = await rows(
      `select c.id, c.size, m.n from opportunity_clusters c
       full join (select cluster_id, count(distinct group_id)::int as n from opportunity_signals where tenant_id = $1 group by 1) m on m.cluster_id = c.id
       where (c.tenant_id = $1 or c.tenant_id is null) and c.size is distinct from m.n`,
    );
    expect(wrong).toEqual([]);
    const lost = await rows(
      `select s.id from signals s left join opportunity_signals m on m.tenant_id = $1 and m.signal_id = s.id
       where s.tenant_id = $1 and (s.class in ('request', 'bug', 'complaint', 'churn_risk')) <> (m.signal_id is not null)`,
    );
    expect(lost).toEqual([]);
    const miscounted = await rows(
      `select o.id from opportunities o where o.tenant_id = $1 and o.closed_at is null
         and o.signal_count <> (select count(*) from opportunity_signals m where m.tenant_id = $1 and m.cluster_id = o.id)`,
    );
    expect(miscounted).toEqual([]);
    expect(await asTenant(tenant, () => hasWork(stack, tenant))).toBe(false);
  };

  it.skipIf(inject('servers').modelDir === null)('find paraphrases by their meaning, whatever their order', async () => {
    const found: number[] = [];
    for (const order of [statements, statements.toReversed()]) {
      tenant = `${tenant}x`;
      // One after the other, as they come in.
      const ids: string[] = [];
      for (let from = 0; from < order.length; from += 20) {
        ids.push(...(await write(order.slice(from, from + 20).map(({ statement }) => said(statement)))));
        await work();
      }
      const { precision, recall, f } = bcubed(
        await clusterOf(ids),
        order.map(({ theme }) => theme),
      );
      console.log(`paraphrases by meaning: B-cubed precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F ${f.toFixed(3)}`);
      found.push(f);
      await consistent();
    }
    for (const f of found) expect(f).toBeGreaterThan(0.85);
  });

  it('find some by their words alone, without a model', async () => {
    const ids = await write(statements.map(({ statement }) => said(statement)));
    await work(null);
    const { precision, recall, f } = bcubed(
      await clusterOf(ids),
      statements.map(({ theme }) => theme),
    );
    console.log(`paraphrases by words: B-cubed precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F ${f.toFixed(3)}`);
    expect(f).toBeGreaterThan(0.5);
  });

  const login = themes['login fails']!;
  const dark = themes['dark mode']!;
  /** Of the one opportunity that these signals are in. */
  const opportunityOf = async (ids: readonly string[]) => {
    const [cluster, ...others] = [...new Set(await clusterOf(ids))];
    expect(others).toEqual([]);
    const [row] = await rows<{ id: string; closed_at: Date | null; signal_count: number; statement_count: number; customer_count: number }>(
      'select * from opportunities where tenant_id = $1 and id = $2',
      [cluster],
    );
    return row;
  };
  const all = () =>
    rows<{ id: string; title: string; closed_reason: string | null; merged_into: string | null; signal_count: number; status: string }>(
      'select * from opportunities where tenant_id = $1 order by created_at, id',
    );

  it('keep their ids when statements are added, and nothing changes when nothing does', async () => {
    const ids = await write(login.slice(0, 3).map((statement) => said(statement)));
    await work();
    const before = await opportunityOf(ids);
    expect(before).toMatchObject({ signal_count: 3, closed_at: null });
    ids.push(...(await write(login.slice(3).map((statement) => said(statement)))));
    await write(dark.map((statement) => said(statement, { class: 'request' })));
    await work();
    expect(await opportunityOf(ids)).toMatchObject({ id: before!.id, signal_count: 6 });
    const told = await all();
    expect(told).toHaveLength(2);
    // Looked at again as a whole, all is as it was.
    await rows('update opportunity_clusters set refined = 1 where tenant_id = $1 returning id');
    await rows(
      'with s as (select tenant_id, id from signals where tenant_id = $1 order by id) insert into opportunity_changes (tenant_id, signal_id) select tenant_id, id from s returning id',
    );
    await work();
    expect((await all()).map(({ id, title }) => ({ id, title }))).toEqual(told.map(({ id, title }) => ({ id, title })));
    await consistent();
  });

  it('count near-duplicates once, and their customers all', async () => {
    const about = (name: string) => ({ about: { customer: [name] }, group: 'login' });
    const ids = await write([said(login[0]!, about('Acme')), said(login[0]!, about('Globex')), said(login[0]!, about('Initech'))]);
    await work();
    expect(await opportunityOf(ids)).toMatchObject({ signal_count: 3, statement_count: 1, customer_count: 3 });
    // One customer, who says one thing twice, is no opportunity yet.
    const alone = { about: { customer: ['Acme'] }, group: 'dark' };
    expect(
      await opportunityOf(await write([said(dark[0]!, alone), said(dark[0]!, alone)]).then(async (twice) => (await work(), twice))),
    ).toBeUndefined();
    await consistent();
  });

  it('leave out praise, questions and what is only told, and take in what a person corrects', async () => {
    const [first, ...others] = await write(login.map((statement, i) => said(statement, i === 0 ? { class: 'information' } : {})));
    await work();
    expect((await clusterOf([first!]))[0]).toBe('');
    expect(await opportunityOf(others)).toMatchObject({ signal_count: 5 });
    await rows(`update signals set class = 'bug' where tenant_id = $1 and id = $2 returning id`, [first]);
    await rows(`update signals set class = 'praise' where tenant_id = $1 and id = $2 returning id`, [others[0]]);
    await work();
    expect(await opportunityOf([first!, ...others.slice(1)])).toMatchObject({ signal_count: 5 });
    expect((await clusterOf([others[0]!]))[0]).toBe('');
    await consistent();
  });

  it('leave out what is taken back or settled, and take it in when it is open again', async () => {
    const ids = await write(login.map((statement) => said(statement)));
    await work();
    const { id } = (await opportunityOf(ids))!;
    await rows(`update signals set state = 'withdrawn' where tenant_id = $1 and id = $2 returning id`, [ids[0]]);
    await rows(`update signals set settled_by = $3, settled_at = now() where tenant_id = $1 and id = $2 returning id`, [ids[1], ids[2]]);
    await work();
    expect(await clusterOf(ids.slice(0, 2))).toEqual(['', '']);
    expect(await opportunityOf(ids.slice(2))).toMatchObject({ id, signal_count: ids.length - 2 });
    await rows(`update signals set settled_by = null, settled_at = null where tenant_id = $1 and id = $2 returning id`, [ids[1]]);
    await rows(`update signals set state = 'open' where tenant_id = $1 and id = $2 returning id`, [ids[0]]);
    await work();
    expect(await opportunityOf(ids)).toMatchObject({ id, signal_count: ids.length });
    await consistent();
  });

  it('are counted anew when statements go, and closed with the last; the id is not used again', async () => {
    const ids = await write(login.map((statement) => said(statement)));
    await work();
    const { id } = (await opportunityOf(ids))!;
    await rows('delete from signals where tenant_id = $1 and id = any($2) returning id', [ids.slice(0, 4)]);
    await work();
    expect(await opportunityOf(ids.slice(4))).toMatchObject({ id, signal_count: 2, closed_at: null });
    // As a whole document goes: passages, and statements with them.
    await rows('delete from chunks where tenant_id = $1 returning id');
    await work();
    expect(await all()).toMatchObject([{ id, closed_reason: 'no_evidence', signal_count: 0 }]);
    const again = await write(login.map((statement) => said(statement, { at: day(1) })));
    await work();
    expect((await opportunityOf(again))!.id).not.toBe(id);
    expect(await all()).toHaveLength(2);
    await consistent();
  });

  it('join when they turn out to be one: what people decided about is kept, the other points there', async () => {
    // Two halves that do not know of each other, as two who opened them apart.
    const [left, right] = [await write(login.slice(0, 3).map((s) => said(s))), [] as string[]];
    await work();
    const { id: first } = (await opportunityOf(left))!;
    await rows(
      'update opportunity_clusters set center = (select (array_fill(0, array[384]))::vector::halfvec(384)) where tenant_id = $1 returning id',
    );
    right.push(...(await write(login.slice(3).map((s) => said(s)))));
    await work();
    const { id: second } = (await opportunityOf(right))!;
    expect(second).not.toBe(first);
    await rows(`update opportunities set status = 'reviewing' where tenant_id = $1 and id = $2 returning id`, [second]);
    await rows(
      `insert into opportunity_factors (tenant_id, opportunity_id, factor, value, set_by) values ($1, $2, 'effort', 2, 'ann') returning factor`,
      [first],
    );
    await rows(`update opportunity_clusters c set refined = 1,
       center = (select avg(s.embedding)::halfvec(384) from opportunity_signals m join signals s on s.tenant_id = $1 and s.id = m.signal_id where m.tenant_id = $1 and m.cluster_id = c.id)
       where tenant_id = $1 returning id`);
    await work();
    const kept = await opportunityOf([...left, ...right]);
    expect(kept).toMatchObject({ signal_count: 6, effort: 2 });
    const gone = (await all()).find(({ id }) => id !== kept!.id)!;
    expect(gone).toMatchObject({ closed_reason: 'merged', merged_into: kept!.id });
    expect(new Set([kept!.id, gone.id])).toEqual(new Set([first, second]));
    await consistent();
  });

  it('move from words to the model when there is one, and keep their ids', async () => {
    // The night theme lies at the threshold: where it goes depends on the order of ids, which this is not about.
    const plain = [...login, ...dark].filter((statement) => !statement.includes('night theme'));
    const ids = await write(plain.map((statement) => said(statement)));
    await work(null);
    const before = new Set(await clusterOf(ids));
    expect((await rows('select distinct model from opportunity_clusters where tenant_id = $1'))[0]).toEqual({ model: 'words' });
    if (!stack.embedder) return;
    await work();
    expect(await rows('select distinct model from opportunity_clusters where tenant_id = $1')).toEqual([{ model: stack.embedder.id }]);
    const after = new Set(await clusterOf(ids));
    expect(after.size).toBe(2);
    for (const id of after) expect(before).toContain(id);
    await consistent();
  });

  it('move to a model of longer vectors and back', async (context) => {
    if (!stack.embedder) return context.skip();
    const ids = await write([
      said('The export of reports fails every morning.'),
      said('Export of a report: failure, again.'),
      said('The invoice has the wrong price.'),
      said('A wrong price on our invoice.'),
    ]);
    await work();
    const before = await clusterOf(ids);
    expect(new Set(before).size).toBe(2);
    const lengths = () =>
      rows<{ model: string; length: number }>(
        `select model, vector_dims(center) as length from opportunity_clusters where tenant_id = $1 union
         select model, vector_dims(center) from opportunity_anchors where tenant_id = $1 union
         select model, vector_dims(embedding) from signals where tenant_id = $1`,
      );
    const double = await embeddingDouble();
    const { EMBEDDING_URL: url, EMBEDDING_API_KEY: apiKey } = double.env();
    const server = createHttpEmbedder({ url: url!, apiKey, model: 'clusters', dialect: 'openai', dimensions: 1_024 });
    try {
      const [more] = await write([said('Reports: export broken.', { at: day(4) })]);
      await work(server);
      expect(await lengths()).toEqual([{ model: server.id, length: 1_024 }]);
      expect(await clusterOf([...ids, more!])).toEqual([...before, before[0]]);
      expect(await asTenant(tenant, () => hasWork({ db: stack.db, embedder: server }, tenant))).toBe(false);
      await work();
      expect(await lengths()).toEqual([{ model: stack.embedder.id, length: 384 }]);
      expect(await clusterOf(ids)).toEqual(before);
      await consistent();
    } finally {
      await server.close();
      await double.close();
    }
  });

  it('come out the same when two work at once and both are stopped anywhere', async () => {
    const ids = await write(statements.map(({ statement }) => said(statement)));
    const stopping = (after: number) => {
      let steps = 0;
      return { beat: () => {}, spent: () => (steps += 1) > after };
    };
    const failing = (after: number) => {
      // The connection goes away after some statements: what was not committed is gone.
      let left = after;
      const broken = (): boolean => (left -= 1) < 0;
      return {
        ...stack.db,
        query: stack.db.query,
        transaction: <T>(run: (query: typeof stack.db.query) => Promise<T>): Promise<T> =>
          stack.db.transaction((query) =>
            run(async (text, values) => {
              if (broken()) throw new Error('the connection is gone');
              return await query(text, values);
            }),
          ),
      };
    };
    await asTenant(tenant, async () => {
      for (let after = 1; after < 30; after += 5) {
        await Promise.all([
          workSome({ db: failing(after), embedder: stack.embedder }, tenant, stopping(3)).catch((error: Error) =>
            expect(error.message).toContain('gone'),
          ),
          workSome({ db: stack.db, embedder: stack.embedder }, tenant, stopping(1)),
        ]);
      }
    });
    await work();
    await consistent();
    const found = await clusterOf(ids);
    expect(found).not.toContain('');
    if (stack.embedder) {
      expect(
        bcubed(
          found,
          statements.map(({ theme }) => theme),
        ).f,
      ).toBeGreaterThan(0.85);
    }
  });

  it('follow shared issues where words differ', async () => {
    const about = { about: { issue: ['Nightly import stops'] } };
    const ids = await write([
      said('The nightly import stops half-way.', about),
      said('Our data from yesterday is missing in the morning.', about),
      said('Every night the import of orders breaks off.', about),
    ]);
    await work();
    expect(await opportunityOf(ids)).toMatchObject({ signal_count: 3, title: 'Nightly import stops' });
  });
});

/** Documents in several languages, with a server of a multilingual model beside the shipped one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { IngestAnswer, SearchHit } from '../../contracts/knowledge/knowledge.ts';
import type { SearchQuery } from '../../services/knowledge/search.ts';
import { restart } from '../../services/sweep.ts';
import { embeddingDouble, embeddingKey, type EmbeddingDouble } from '../setup/embeddings.ts';
import { seedEntity } from '../setup/graph.ts';
import { eventually, lostOf, testStack, type TestStack } from '../setup/stack.ts';

let double: EmbeddingDouble;
let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  double = await embeddingDouble();
  stack = await testStack({ env: double.env({ EMBEDDING_MAX_RETRIES: '0' }) });
  pm = await stack.caller({ name: 'pm' });
});
beforeEach(() => {
  double.away = null;
  double.next = [];
  double.dimensions = 1_024;
});
afterAll(async () => {
  await stack?.stop();
  await double?.close();
});

const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = [], tenant = 'acme', of = stack) =>
  asTenant(tenant, () => of.db.query<T>(text, values));
const found = async (query: string, extra: Partial<SearchQuery> = {}, of = stack, tenant = 'acme') => {
  const { hits, warnings } = await asTenant(tenant, () =>
    of.services.knowledge.search.chunks(tenant, { query, mode: 'hybrid', limit: 10, ...extra }),
  );
  return { titles: hits.map((hit: SearchHit) => hit.source), warnings };
};
async function ingest(title: string, content: string, kb_id = 'default', of = stack, caller = pm): Promise<IngestAnswer> {
  const answer = await of.ok<IngestAnswer>(caller, 'ingest.document.submit', { title, content, kb_id });
  await eventually(`${title} is taken in`, () =>
    asTenant(caller.tenant, async () => (await of.services.jobs.get(caller.tenant, answer.job_id)).status === 'completed'),
  );
  return answer;
}
/** A call of one customer, read into statements. */
async function call(of: TestStack, caller: Caller, title: string, told: string): Promise<void> {
  const content = `Agent: Hello, how can I help you today?\nCustomer: ${told}`;
  const { job_id } = await of.ok<{ job_id: string }>(caller, 'ingest.transcript.submit', {
    title,
    content,
    customer: 'Northwind Traders',
    meeting_type: 'customer_call',
  });
  await eventually(`${title} is read`, () =>
    asTenant(caller.tenant, async () => (await of.services.jobs.get(caller.tenant, job_id)).status === 'completed'),
  );
}
const statements = async (of: TestStack) =>
  (
    await rows<{ model: string; classifier: string; length: number; n: number }>(
      `select model, min(classifier) as classifier, min(vector_dims(embedding)) as length, count(*)::int as n from signals group by model order by model`,
      [],
      'acme',
      of,
    )
  ).map(({ model, classifier, length, n }) => `${model.split('@')[0]} ${length} ${n} ${classifier.split('/').at(-1)}`);
const models = async (tenant = 'acme', of = stack) =>
  (
    await rows<{ model: string | null; n: number; length: number }>(
      'select model, count(*)::int as n, min(vector_dims(embedding)) as length from chunks group by model order by model',
      [],
      tenant,
      of,
    )
  ).map(({ model, n, length }) => `${model?.split('@')[0]} ${length} ${n}`);

const documents = {
  Chinese: '客户报告：从上周开始，导出报告每天早上都失败。团队只能手工复制数据。',
  Japanese: '先週から毎朝、請求書の金額が間違って表示されます。経理の担当者が困っています。',
  Thai: 'ลูกค้าลืมรหัสผ่านและไม่สามารถเข้าสู่ระบบได้ตั้งแต่เมื่อวาน',
  Arabic: 'يقول العميل إنّ السِّعر تضاعف منذ العام الماضي، والمنافسون أرخص بكثيـــر.',
  German: 'Die Straßenkarte in München lässt sich seit gestern nicht mehr öffnen; die Außendienstler ärgern sich über die Störung.',
};

describe('documents in several languages', () => {
  beforeAll(async () => {
    for (const [title, content] of Object.entries(documents)) await ingest(title, content);
  });

  it('have vectors of the configured length', async () => {
    expect(await models()).toEqual(['of-all-languages 1024 5']);
  });

  it.each([
    ['Chinese', '导出失败'],
    ['Chinese', '手工'],
    ['Japanese', '請求書'],
    ['Japanese', '経理担当'],
    ['Thai', 'รหัสผ่าน'],
    ['Thai', 'เข้าสู่ระบบ'],
    ['Arabic', 'السعر'],
    ['Arabic', 'سعر المنافسين'],
    ['Arabic', 'بكثير'],
    ['German', 'Strassenkarte'],
    ['German', 'Muenchen'],
    ['German', 'MÜNCHEN'],
    ['German', 'stoerung'],
  ])('%s is found by its words: %s', async (title, query) => {
    expect(await found(query, { only: 'lexical' })).toEqual({ titles: [title], warnings: [] });
  });

  it.each([
    ['Chinese', 'the export of reports fails'],
    ['Chinese', 'レポートのエクスポートが失敗する'],
    ['Japanese', 'the invoice is wrong'],
    ['Japanese', 'فاتورة'],
    ['Thai', 'Passwort vergessen'],
    ['Arabic', '价格'],
  ])('%s is found by its meaning in another language: %s', async (title, query) => {
    const { titles, warnings } = await found(query, { mode: 'semantic' });
    expect(titles[0]).toBe(title);
    expect(warnings).toEqual([]);
    expect((await found(query)).titles[0]).toBe(title);
  });

  it('memories are found in another language', async () => {
    await stack.ok(pm, 'memory.record.save', { content: '我们决定价格明年不变。', category: 'decision' });
    await stack.ok(pm, 'memory.record.save', { content: '办公室的猫叫做小黑。', category: 'note' });
    const { memories } = await stack.ok<{ memories: { content: string }[] }>(pm, 'memory.record.search', { query: 'price decision' });
    expect(memories[0]!.content).toContain('价格');
  });

  it('names are found by their meaning, and unlike ones are not', async () => {
    const id = await seedEntity(stack, 'acme', { type: 'feature', name: '报告导出', signals: 3, embedded: true });
    await seedEntity(stack, 'acme', { type: 'feature', name: '发票', signals: 3, embedded: true });
    const { nodes } = await asTenant('acme', () => stack.services.graph.nodes.search('acme', { query: 'report export', limit: 5 }));
    expect(nodes.map((node) => node.entity_id)).toEqual([id]);
    const resolved = await asTenant('acme', () =>
      stack.services.graph.lookup.resolveName('acme', 'Berichte exportieren', { type: 'feature' }),
    );
    expect(resolved).toMatchObject({ entity: { id }, how: 'embedding' });
    await expect(
      asTenant('acme', () => stack.services.graph.lookup.resolveName('acme', 'dark mode', { type: 'feature' })),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a server that fails', () => {
  it('is away: words answer, contents are taken in, and get their vectors when it is back', async () => {
    await ingest('Before', 'The zebra crossing needs new paint.', 'away');
    double.away = 503;
    const { titles, warnings } = await found('zebra crossing', { filters: { kb_id: 'away' } });
    expect(titles).toEqual(['Before']);
    expect(warnings.join()).toMatch(/searched by words only/);
    await ingest('During', 'The okapi enclosure needs a new fence.', 'away');
    expect((await rows(`select 1 from chunks where model is null`)).length).toBe(1);
    await eventually('it rests', async () => {
      await found('zebra');
      return stack.embedder!.resting;
    });
    // It rests for some seconds each time.
    await eventually('it is told', async () => {
      await found('zebra');
      return (await stack.ok(pm, 'system.health.get', {})).embeddings.status === 'down';
    });
    // While it is away nothing is begun.
    await asTenant('acme', () => stack.services.knowledge.reindexing.tend('acme'));
    expect((await rows(`select 1 from jobs where kind = 'pipeline'`)).length).toBe(0);
    double.away = null;
    await eventually('it answers again', () => stack.embedder!.embed(['x']).catch(() => null));
    await asTenant('acme', () => stack.services.knowledge.reindexing.tend('acme'));
    await eventually('all have vectors', async () => (await rows(`select 1 from chunks where model is null`)).length === 0);
    expect((await found('okapi enclosure')).warnings).toEqual([]);
    expect(await stack.ok(pm, 'system.health.get', {})).toMatchObject({ embeddings: { status: 'up' } });
  });

  it('gives vectors of another length: words answer, and the answer says why', async () => {
    double.dimensions = 768;
    const { titles, warnings } = await found('Muenchen');
    expect(titles).toEqual(['German']);
    expect(warnings.join()).toContain('its vectors have 768 dimensions, EMBEDDING_DIMENSIONS is 1024');
  });

  it('never has its key in a row or in a history', async () => {
    const [everything] = await rows<{ text: string }>(
      `select concat(
         (select string_agg(j::text, '') from jobs j), (select string_agg(e::text, '') from ledger_events e),
         (select string_agg(t::text, '') from trajectories t), (select string_agg(d::text, '') from dlq_items d)) as text`,
    );
    expect(everything!.text.length).toBeGreaterThan(1_000);
    expect(everything!.text).not.toContain(embeddingKey);
    for await (const { workflowId } of stack.temporal.client.workflow.list({})) {
      expect(JSON.stringify(await stack.temporal.handle(workflowId).fetchHistory())).not.toContain(embeddingKey);
    }
  });
});

describe('a change of the model', () => {
  it('to a server of longer vectors and back, with a killed run in the middle', async (context) => {
    if (!stack.localEmbedder) return context.skip();
    const shipped = await testStack();
    const database = new URL(shipped.databaseUrl).pathname.slice(1);
    const ann = await shipped.caller({ name: 'ann' });
    for (let i = 0; i < 12; i += 1)
      await ingest(`Old ${i}`, `The automobile number ${i} would not start because its battery was empty.`, 'default', shipped, ann);
    expect(await models('acme', shipped)).toEqual(['bge-small-en-v1.5-int8 384 12']);
    const complaint = 'The invoice export crashes every time I select more than one month. Could you add a dark mode?';
    await call(shipped, ann, 'First call', complaint);
    expect(await statements(shipped)).toEqual(['bge-small-en-v1.5-int8 384 2 encoder']);
    await shipped.stop();

    const changed = await testStack({ database, env: double.env({ EMBEDDING_BATCH: '1' }) });
    const bob = await changed.caller({ name: 'bob' });
    await ingest('New', '导出报告每天早上都失败。', 'default', changed, bob);
    expect(await models('acme', changed)).toEqual(['bge-small-en-v1.5-int8 384 13', 'of-all-languages 1024 1']);
    // Statements of one customer with vectors of two lengths: compared by words, judged by the shipped classifier.
    await call(changed, bob, 'Second call', `${complaint} The search is slow.`);
    await eventually('all statements have vectors of the new model', async () =>
      /^of-all-languages 1024 [3-5] encoder$/.test((await statements(changed)).join()),
    );
    // Both answer: the former model from its own vectors.
    const old = await found('vehicle that has no power', { mode: 'semantic' }, changed);
    expect(old.titles.filter((title) => title.startsWith('Old')).length).toBeGreaterThan(5);
    expect(old.warnings.join()).toMatch(/embedding model has changed: new vectors are made soon.*are found by the former one/);
    expect((await found('report export fails', { mode: 'semantic' }, changed)).titles).toContain('New');

    // The server falls silent in the middle of the run, which is killed there.
    double.hangsAfter = 6;
    await asTenant('acme', () => changed.services.knowledge.reindexing.tend('acme'));
    const [job] = await rows<{ id: string; workflow_id: string }>(
      `select id, workflow_id from jobs where kind = 'pipeline'`,
      [],
      'acme',
      changed,
    );
    await eventually('it is in the middle', async () => double.hangsAfter! < 0);
    await changed.temporal.handle(job!.workflow_id).terminate('killed');
    await changed.stopWorkers();
    double.hangsAfter = null;
    expect(await models('acme', changed)).toHaveLength(2);
    expect((await found('battery', {}, changed)).warnings.join()).toMatch(/of 13 documents have new vectors/);
    await changed.startWorkers();
    await restart(changed.services, await lostOf(changed, job!.id));
    await eventually('all have new vectors', async () => (await models('acme', changed)).length === 1, 40_000);
    expect(await models('acme', changed)).toEqual(['of-all-languages 1024 15']);
    await eventually('the run has ended', () =>
      asTenant('acme', async () => (await changed.services.jobs.get('acme', job!.id)).status === 'completed'),
    );
    expect((await found('battery', {}, changed)).warnings).toEqual([]);
    // Nothing is left to do.
    await asTenant('acme', () => changed.services.knowledge.reindexing.tend('acme'));
    expect(await rows(`select 1 from jobs where kind = 'pipeline'`, [], 'acme', changed)).toHaveLength(1);
    await changed.stop();

    const back = await testStack({ database });
    const gone = await found('battery of an automobile', {}, back);
    expect(gone.titles[0]).toMatch(/^Old/);
    expect(gone.warnings.join()).toMatch(/are found by their words/);
    await asTenant('acme', () => back.services.knowledge.reindexing.tend('acme'));
    await eventually('all are back', async () => (await models('acme', back)).join() === 'bge-small-en-v1.5-int8 384 15', 40_000);
    expect((await found('vehicle that has no power', { mode: 'semantic' }, back)).warnings).toEqual([]);

    // Another process with another model writes a passage, after it was found that there is one model.
    await rows(
      `with chosen as (select document_id, min(id) as id from chunks group by document_id order by document_id limit 1),
         passage as (update chunks c set model = 'another@1' from chosen where c.id = chosen.id)
       update documents d set changed = this_moment() from chosen where d.id = chosen.document_id`,
      [],
      'acme',
      back,
    );
    expect((await found('vehicle that has no power', { mode: 'semantic' }, back)).warnings.join()).toMatch(/embedding model has changed/);
    await back.stop();
  }, 180_000);
});

describe('rules for words', () => {
  it('that are new are applied to stored documents in the background', async () => {
    const { document_id } = await ingest('Umlaut', 'Die Gießkanne für das Gewächshaus.', 'words');
    // As the former release wrote it.
    await rows(`update documents set terms_version = 1, changed = this_moment() where id = $1`, [document_id]);
    await rows(`delete from postings where term in ('giesskann', 'gewaechshau')`);
    expect((await found('Gewaechshaus', { only: 'lexical' })).titles).toEqual([]);
    await asTenant('acme', () => stack.services.knowledge.reindexing.tend('acme'));
    await eventually('its words are new', async () => (await found('Gewaechshaus Giesskanne', { only: 'lexical' })).titles.length === 1);
    await eventually(
      'it has the version',
      async () => (await rows('select 1 from documents where id = $1 and terms_version = 2', [document_id])).length === 1,
    );
  });
});

/** Reading documents and citations: passages in order, what belongs to them, what became of those that are gone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { ReadPassage } from '../../contracts/knowledge/reading.ts';
import type { SearchHit } from '../../contracts/knowledge/knowledge.ts';
import { seedEntity, seedSignal } from '../setup/graph.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
});
afterAll(() => stack?.stop());

interface Read {
  document: { document_id: string; title: string; passage_count: number; version: number };
  outline?: { title: string; level: number; ordinal: number }[];
  passages: ReadPassage[];
  previous_cursor: string | null;
}
const paragraphs = (n: number): string =>
  Array.from({ length: n }, (_, i) => `## Chapter ${i}\n\n${`Sentence ${i} about sluices and weirs. `.repeat(20)}`).join('\n\n');
async function ingest(title: string, content: string): Promise<{ source_id: string; document_id: string }> {
  const { job_id } = await stack.ok<{ job_id: string }>(pm, 'ingest.document.submit', { title, content, format: 'md' });
  return await eventually(`${title} is taken in`, async () => {
    const { job } = await stack.ok(pm, 'system.job.get', { job_id, wait_seconds: 30 });
    return job.status === 'completed' && job.result;
  });
}
const read = (document_id: string, extra: object = {}) => stack.ok<Read>(pm, 'knowledge.document.get', { document_id, ...extra });
const refused = async (caller: Caller, tool: string, args: object) => {
  const { error } = await stack.call(caller, tool, args);
  return { code: error?.code, details: error?.details };
};

describe('a document', () => {
  it('is read in order, each passage once, from any passage up and down', async () => {
    const { document_id } = await ingest('Sluices', `# Sluices\n\n${paragraphs(30)}`);
    const whole: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const answer = await stack.call(pm, 'knowledge.document.get', {
        document_id,
        limit: 7,
        include_outline: false,
        ...(cursor ? { cursor } : {}),
      });
      whole.push(...(answer.data as Read).passages.map(({ citation }) => citation));
      cursor = answer.envelope.metadata.next_cursor;
      if (cursor === undefined) break;
    }
    const first = await read(document_id, { limit: 7 });
    expect(whole).toEqual(Array.from({ length: first.document.passage_count }, (_, i) => `${document_id}#${i}`));
    expect(first.previous_cursor).toBeNull();
    expect(first.outline!.filter(({ title }) => title.startsWith('Chapter')).length).toBe(30);
    expect(first.outline![0]).toMatchObject({ title: 'Sluices', level: 1, ordinal: 0 });

    const middle = Math.floor(whole.length / 2);
    const around = await read(document_id, { around: middle, limit: 6 });
    expect(around.passages.map(({ ordinal }) => ordinal)).toContain(middle);
    const above = await read(document_id, { cursor: around.previous_cursor, limit: 3 });
    const begin = around.passages[0]!.ordinal;
    expect(above.passages.map(({ ordinal }) => ordinal)).toEqual([begin - 3, begin - 2, begin - 1]);
    expect(await refused(pm, 'knowledge.document.get', { document_id, around: 1, cursor: around.previous_cursor })).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await refused(pm, 'knowledge.document.get', { document_id, cursor: 'nonsense' })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('shows the names, statements and drafts of a passage with their places', async () => {
    const acme = await seedEntity(stack, 'acme', { type: 'customer', name: 'Lockkeeper Ltd' });
    const text = 'We at Lockkeeper Ltd cannot open the gate.';
    const id = await seedSignal(stack, 'acme', { text, mentions: { [acme]: 'Lockkeeper Ltd' } });
    await asTenant('acme', async () => {
      await stack.db.query(
        `insert into signals (tenant_id, id, document_id, source_id, chunk_id, start_at, end_at, statement, source, occurred_at, class, class_confidence, sentiment, severity, group_id, classifier)
         select 'acme', 'sig_1', document_id, source_id, id, 22, 41, 'cannot open the gate', 'document', now(), 'bug', 1, -0.5, 3, 'sig_1', 'test' from chunks where document_id = $1`,
        [id],
      );
      await stack.db.query(
        `insert into drafts (tenant_id, id, kind, type, audience, title, spec, status, job_id, created_by) values ('acme', 'draft_1', 'artifact', 'brd', 'internal', 'Gates', '{}', 'ready', 'job_1', 'x')`,
      );
      await stack.db.query(
        `insert into draft_sources (tenant_id, draft_id, number, ref, kind, excerpt, occurred_at, weight) values ('acme', 'draft_1', 2, $1, 'passage', 'cannot open', now(), 1)`,
        [`${id}#0`],
      );
    });
    const { passage, next } = await stack.ok<{ passage: ReadPassage; next: string | null }>(pm, 'knowledge.passage.get', {
      citation: `${id}#0`,
      include_mentions: true,
    });
    expect(next).toBeNull();
    expect(passage).toMatchObject({
      content: text,
      mentions: [{ entity_id: acme, name: 'Lockkeeper Ltd', type: 'customer' }],
      signals: [{ signal_id: 'sig_1', class: 'bug', severity: 'high' }],
      cited_by: [{ draft_id: 'draft_1', title: 'Gates', number: 2, excerpt: 'cannot open' }],
    });
    const { start, end } = passage.mentions![0]!;
    expect(text.slice(start, end)).toBe('Lockkeeper Ltd');

    const { passages } = await stack.ok<{ passages: { citation: string; content: string; marks: { start: number; end: number }[] }[] }>(
      pm,
      'entity.mention.list',
      { entity_id: acme },
    );
    expect(passages.map(({ citation, content, marks }) => [citation, ...marks.map((mark) => content.slice(mark.start, mark.end))])).toEqual(
      [[`${id}#0`, 'Lockkeeper Ltd']],
    );
  });

  it('marks the words of a query', async () => {
    await ingest('Weirs', 'A weir slows the river. Weirs are built across rivers, ABC-123 says.');
    const { hits } = await stack.ok<{ hits: SearchHit[] }>(pm, 'index.chunk.search', { query: 'weir of abc-123', include_matches: true });
    const [{ content, matches }] = hits.filter(({ source }) => source === 'Weirs') as [SearchHit];
    expect(matches!.map(({ start, end }) => content.slice(start, end))).toEqual(['weir', 'Weirs', 'ABC-123']);
    expect(
      (await stack.ok<{ hits: SearchHit[] }>(pm, 'index.chunk.search', { query: 'weir of abc-123' })).hits[0]!.matches,
    ).toBeUndefined();
  });

  it('says that it was replaced or deleted, to its tenant alone', async () => {
    const { source_id, document_id } = await ingest('Gone', 'A text that will be replaced.');
    const again = await ingest('Gone', 'A text that has replaced it.');
    expect(again.source_id).toBe(source_id);
    expect(await refused(pm, 'knowledge.document.get', { document_id })).toEqual({
      code: 'GONE',
      details: { current_document_id: again.document_id },
    });
    await stack.ok(pm, 'knowledge.source.delete', { source_id });
    await eventually(
      'its rows are gone',
      async () => (await asTenant('acme', () => stack.db.query('select 1 from documents where source_id = $1', [source_id]))).length === 0,
    );
    expect(await refused(pm, 'knowledge.passage.get', { citation: `${again.document_id}#0` })).toEqual({
      code: 'GONE',
      details: undefined,
    });
    const other = await stack.caller({ tenant: 'other' });
    expect(await refused(other, 'knowledge.document.get', { document_id: again.document_id })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(pm, 'knowledge.passage.get', { citation: 'doc_none#0' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(pm, 'knowledge.passage.get', { citation: 'nothing' })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('does not open memories', async () => {
    await stack.ok(pm, 'memory.record.save', { content: 'The keeper likes tea.', category: 'preference' });
    const [{ id }] = (await asTenant('acme', () =>
      stack.db.query<{ id: string }>(
        `select d.id from documents d join knowledge_bases b on b.tenant_id = d.tenant_id and b.scope = d.scope where b.id = '_memories'`,
      ),
    )) as [{ id: string }];
    expect(await refused(pm, 'knowledge.document.get', { document_id: id })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows a team the passages within its scope alone', async () => {
    const inside = await seedEntity(stack, 'acme', { type: 'feature', name: 'Gate Timer', area: 'Gates' });
    const outside = await seedEntity(stack, 'acme', { type: 'customer', name: 'Secret Canal', area: 'Canals' });
    const shown = await seedSignal(stack, 'acme', {
      text: 'Gate Timer stops. Secret Canal waits.',
      mentions: { [inside]: 'Gate Timer', [outside]: 'Secret Canal' },
    });
    const hidden = await seedSignal(stack, 'acme', { text: 'Secret Canal leaks.', mentions: { [outside]: 'Secret Canal' } });
    await stack.ok(await stack.caller({ name: 'boss', kind: 'human' }), 'access.stakeholder.configure', {
      team: 'sales',
      product_areas: ['Gates'],
      entity_types: ['feature'],
      data_freshness: 'realtime',
    });
    const sales = await stack.caller({ role: 'stakeholder', team: 'sales', name: 'sales' });
    const { passage } = await stack.ok<{ passage: ReadPassage }>(sales, 'knowledge.passage.get', {
      citation: `${shown}#0`,
      include_mentions: true,
    });
    expect(passage.mentions!.map(({ name }) => name)).toEqual(['Gate Timer']);
    expect(await refused(sales, 'knowledge.document.get', { document_id: hidden })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(sales, 'entity.mention.list', { entity_id: outside })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(sales, 'graph.neighbourhood.get', { entity_id: outside })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(sales, 'graph.fact.list', { entity_id: outside })).toMatchObject({ code: 'NOT_FOUND' });
    const { entities } = await stack.ok<{ entities: { name: string }[] }>(sales, 'graph.neighbourhood.get', { entity_id: inside });
    expect(entities.map(({ name }) => name)).toEqual(['Gate Timer']);
  });
});

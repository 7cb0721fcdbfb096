/** Memories through the pipeline: saved at once, found by words and meaning, completely deleted. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { SearchHit, Source } from '../../contracts/knowledge/knowledge.ts';
import { maxMemory, type FoundMemory, type Memory, type Saved } from '../../contracts/knowledge/memory.ts';
import { writeCursor } from '../../services/kernel/paging.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
let bob: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false });
  ann = await stack.caller({ name: 'ann' });
  bob = await stack.caller({ name: 'bob', role: 'agent' });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => stack?.stop());

const save = (content: string, extra: object = {}, caller = ann) =>
  stack.ok<Saved>(caller, 'memory.record.save', { content, category: 'decision', ...extra });
const search = async (query: string, extra: object = {}, caller = ann) =>
  (await stack.ok<{ memories: FoundMemory[] }>(caller, 'memory.record.search', { query, ...extra })).memories;
const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = [], tenant = 'acme') =>
  asTenant(tenant, () => stack.db.query<T>(text, values));

/** How many rows each table has of a memory. */
async function traces(id: string): Promise<Record<string, number>> {
  const [row] = await rows<Record<string, number>>(
    `select (select count(*)::int from memories where id = $1) as memories, (select count(*)::int from knowledge_sources where id = $1) as sources,
       (select count(*)::int from documents where source_id = $1) as documents, (select count(*)::int from chunks where source_id = $1) as chunks,
       (select count(*)::int from postings p where not exists (select from chunks c where c.id = p.chunk_id)) as orphans`,
    [id],
  );
  return row!;
}
const nothing = { memories: 0, sources: 0, documents: 0, chunks: 0, orphans: 0 };
const whole = { memories: 1, sources: 1, documents: 1, chunks: 1, orphans: 0 };

describe('memories', () => {
  it("keep devflow's shapes", async () => {
    const saved = await stack.call(ann, 'save_memory', {
      content: 'Auth results are cached in Redis for five minutes; it cut database queries by 60 %.',
      category: 'pattern',
      tags: ['performance', 'caching'],
    });
    expect(saved.data).toEqual({ memory_id: expect.stringMatching(/^memory_/), status: 'saved' });
    const found = await stack.call(bob, 'query_memories', { query: 'auth caching', category: 'pattern', top_k: 3 });
    const { memory_id } = saved.data as Saved;
    expect(found.data).toEqual({
      memories: [
        {
          memory_id,
          content: expect.stringContaining('Redis'),
          category: 'pattern',
          tags: ['performance', 'caching'],
          created_at: expect.any(String),
          score: expect.any(Number),
        },
      ],
    });
    expect(await search('Redis cache')).toEqual([expect.objectContaining({ memory_id, created_by: 'ann', metadata: {} })]);
    // Agents ask before they delete.
    expect((await stack.call(bob, 'delete_memory', { memory_id })).envelope.status).toBe('pending_approval');
    expect((await stack.call(ann, 'delete_memory', { memory_id })).data).toEqual({ memory_id, status: 'deleted' });
    expect(await search('Redis cache')).toEqual([]);
  });

  it('are found by meaning when there is a model', async (context) => {
    if (!stack.embedder) return context.skip();
    const { memory_id } = await save('The automobile would not start because its battery was empty.', { tags: ['meaning'] });
    await save('Knead the dough, then bake it until the crust is brown.', { tags: ['meaning'] });
    const found = await search('vehicle without power', { tags: ['meaning'] });
    expect(found.map((memory) => memory.memory_id)[0]).toBe(memory_id);
    expect(await rows('select model is not null as embedded from chunks where source_id = $1', [memory_id])).toEqual([{ embedded: true }]);
  });

  it('are one for the same content, however often and by how many it is saved', async () => {
    const content = 'We deploy on Tuesdays only.';
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) => save(content, { tags: [`t${i % 2}`], metadata: { [`k${i % 2}`]: i % 2 } }, i % 2 ? ann : bob)),
    );
    expect(new Set(all.map((saved) => saved.memory_id)).size).toBe(1);
    expect(all.map((saved) => saved.status).sort()).toEqual([...Array.from({ length: 7 }, () => 'exists'), 'saved']);
    expect(await traces(all[0]!.memory_id)).toEqual(whole);
    const [memory] = await search('deploy Tuesdays', { tags: ['t0', 't1'] });
    expect(memory).toMatchObject({ content, metadata: { k0: 0, k1: 1 } });
    expect(memory!.tags.toSorted()).toEqual(['t0', 't1']);
    expect(await search('deploy Tuesdays', { tags: ['t2'] })).toEqual([]);
    const elsewhere = await save(content, { category: 'convention' });
    expect(elsewhere).toMatchObject({ status: 'saved' });
    expect((await search('deploy Tuesdays', { category: 'convention' })).map((m) => m.memory_id)).toEqual([elsewhere.memory_id]);

    const keyed = { content: 'Said once under a key.', category: 'decision' };
    const first = await stack.call(ann, 'memory.record.save', keyed, { idempotencyKey: 'memory-1' });
    const again = await stack.call(ann, 'memory.record.save', keyed, { idempotencyKey: 'memory-1' });
    expect(again.data).toEqual(first.data);
    expect(again.data).toMatchObject({ status: 'saved' });
  });

  it('saved and deleted at once are there whole or not at all', async () => {
    const cat = await stack.caller({ name: 'cat' });
    for (let round = 0; round < 12; round += 1) {
      const content = `Round ${round} of the quokka.`;
      const { memory_id } = await save(content);
      const answers = await Promise.all([
        stack.call(ann, 'memory.record.delete', { memory_id }),
        stack.call(bob, 'memory.record.save', { content, category: 'decision', tags: ['again'] }),
        stack.call(cat, 'memory.record.delete', { memory_id }),
        stack.call(ann, 'memory.record.save', { content, category: 'decision' }),
      ]);
      for (const answer of answers) expect([undefined, 'NOT_FOUND']).toContain(answer.error?.code);
      const left = await traces(memory_id);
      expect([whole, nothing], JSON.stringify(left)).toContainEqual(left);
      const found = (await search(`round ${round} quokka`)).filter((memory) => memory.content === content);
      expect(found).toHaveLength(left['memories']!);
    }
  });

  it('that die half-way leave nothing', async () => {
    const content = 'The tenrec is saved or not.';
    const real = stack.db.transaction.bind(stack.db);
    let id = '';
    for (let dieAt = 1; id === ''; dieAt += 1) {
      vi.spyOn(stack.db, 'transaction').mockImplementation((work) =>
        real(async (query) => {
          let statements = 0;
          return await work(async (text, values) => {
            const result = await query(text, values);
            statements += 1;
            if (statements === dieAt) throw new AppError('SERVICE_UNAVAILABLE', 'died');
            return result as never;
          });
        }),
      );
      const answer = await stack.call(ann, 'memory.record.save', { content, category: 'decision' });
      vi.restoreAllMocks();
      if (answer.error) expect((await rows('select 1 from memories where content = $1', [content])).length, `statement ${dieAt}`).toBe(0);
      else {
        expect(dieAt).toBeGreaterThan(4);
        id = (answer.data as Saved).memory_id;
      }
    }
    expect(await traces(id)).toEqual(whole);
  });

  it('are saved without a vector, and said to be, when the model fails', async (context) => {
    if (!stack.embedder) return context.skip();
    vi.spyOn(stack.embedder, 'embed').mockRejectedValue(new AppError('SERVICE_UNAVAILABLE', 'The model is broken.'));
    const answer = await stack.call(ann, 'memory.record.save', { content: 'The margay climbs head first.', category: 'problem' });
    expect(answer.data).toMatchObject({ status: 'saved' });
    expect(answer.envelope.warnings.join()).toMatch(/Saved.*words only.*model is broken/);
    const { memory_id } = answer.data as Saved;
    expect(await rows('select model, embedding from chunks where source_id = $1', [memory_id])).toEqual([{ model: null, embedding: null }]);
    expect((await search('margay')).map((memory) => memory.memory_id)).toContain(memory_id);
    vi.restoreAllMocks();
    expect((await search('margay climbs'))[0]!.memory_id).toBe(memory_id);
  });

  it('that are long have passages, and are found once, whole', async () => {
    const content = Array.from({ length: 30 }, (_, i) => `Paragraph ${i}: the pangolin ${'curls up and waits. '.repeat(20)}`).join('\n\n');
    expect(content.length).toBeGreaterThan(10_000);
    const { memory_id } = await save(content.slice(0, maxMemory));
    const { chunks } = await traces(memory_id);
    expect(chunks).toBeGreaterThan(10);
    const found = (await search('pangolin paragraph')).filter((memory) => memory.memory_id === memory_id);
    expect(found).toHaveLength(1);
    expect(found[0]!.content).toBe(content.slice(0, maxMemory).trim());
    await stack.ok(ann, 'memory.record.delete', { memory_id });
    expect(await traces(memory_id)).toEqual(nothing);
  });

  it('are no knowledge: neither searched nor listed nor deleted as such', async () => {
    const { memory_id } = await save('The okapi is a memory.');
    const { hits } = await stack.ok<{ hits: SearchHit[] }>(ann, 'index.chunk.search', { query: 'okapi memory' });
    expect(hits.filter((hit) => hit.source_id === memory_id)).toEqual([]);
    const { sources } = await stack.ok<{ sources: Source[] }>(ann, 'knowledge.source.list', { limit: 100 });
    expect(sources).toEqual([]);
    for (const tool of ['knowledge.source.get', 'knowledge.source.delete']) {
      expect((await stack.call(ann, tool, { source_id: memory_id })).error, tool).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await stack.call(ann, 'knowledge.source.update', { source_id: memory_id, title: 'x' })).error).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect((await stack.ok<{ bases: unknown[] }>(ann, 'knowledge.base.list')).bases).toEqual([]);
    expect(await traces(memory_id)).toEqual(whole);
  });

  it("stay their tenant's", async () => {
    const gil = await stack.caller({ tenant: 'globex', name: 'gil' });
    const empty = await stack.call(gil, 'memory.record.search', { query: 'axolotl' });
    expect(empty.data).toEqual({ memories: [] });
    expect(empty.envelope.warnings.join()).toMatch(/Nothing has been saved yet/);
    const content = 'The axolotl is a secret.';
    const ours = await save(content);
    const theirs = await save(content, {}, gil);
    expect(theirs).toMatchObject({ status: 'saved' });
    expect(theirs.memory_id).not.toBe(ours.memory_id);
    expect((await search('axolotl', {}, gil)).map((memory) => memory.created_by)).toEqual(['gil']);
    expect((await stack.call(gil, 'memory.record.delete', { memory_id: ours.memory_id })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await search('axolotl')).map((memory) => memory.memory_id)).toContain(ours.memory_id);
  });

  it('are listed newest first, page by page', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift((await save(`Listed ${i}.`, { category: 'listing' })).memory_id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stack.call(ann, 'memory.record.list', { category: 'listing', limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...(page.data as { memories: Memory[] }).memories.map((memory) => memory.memory_id));
      expect(page.envelope.metadata.total_count).toBe(5);
      cursor = page.envelope.metadata.next_cursor;
    } while (cursor);
    expect(seen).toEqual(ids);
    for (const cursor of [
      'rubbish',
      writeCursor('2026-13-45 00:00:00+00', 'x'),
      Buffer.from('9999-99-99T00:00:00Z|x').toString('base64url'),
    ]) {
      expect((await stack.call(ann, 'memory.record.list', { cursor })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });

  it('say what is wrong with them', async () => {
    const odd = await stack.call(ann, 'memory.record.save', { content: 'An odd one.', category: 'oddity' });
    expect(odd.data).toMatchObject({ status: 'saved' });
    expect(odd.envelope.warnings.join()).toMatch(/not one of the usual categories/);
    for (const wrong of [
      { content: '   ', category: 'decision' },
      { content: 'x'.repeat(maxMemory + 1), category: 'decision' },
      { content: 'a\0b', category: 'decision' },
      { content: 'x', category: '' },
      { content: 'x', category: 'y'.repeat(65) },
      { content: 'x', category: 'decision', tags: ['@category:pattern'] },
      { content: 'x', category: 'decision', tags: [''] },
      { content: 'x', category: 'decision', metadata: [] },
      { content: 'x', category: 'decision', metadata: { big: 'x'.repeat(20_000) } },
      { content: 'x' },
    ]) {
      expect((await stack.call(ann, 'memory.record.save', wrong)).error, JSON.stringify(wrong).slice(0, 80)).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    }
    expect((await stack.call(ann, 'memory.record.search', { query: '  ' })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    const none = await stack.call(ann, 'memory.record.search', { query: 'anything', category: 'nobody' });
    expect(none.data).toEqual({ memories: [] });
    expect(none.envelope.warnings.join()).toMatch(/No memory has this category/);
    expect((await stack.call(ann, 'memory.record.delete', { memory_id: 'memory_none' })).error).toMatchObject({ code: 'NOT_FOUND' });
    const lone = await save('A lone \ud800 surrogate.', { metadata: { lone: '\ud800' } });
    expect(lone.status).toBe('saved');
  });
});

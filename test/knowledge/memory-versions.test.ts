/** Memories that change: versions and what held when, two who change one at once, and the end by expiry. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { FoundMemory, Memory, RememberedHistory, Saved, UpdatedMemory } from '../../contracts/knowledge/memory.ts';
import { sweepMemories } from '../../services/knowledge/memories-keep.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
let bob: Caller;
beforeAll(async () => {
  // By words alone, so that a search finds nothing else.
  stack = await testStack({ workers: false, model: false });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
  bob = await stack.caller({ name: 'bob', kind: 'human' });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => stack?.stop());

const save = (content: string, extra: object = {}, caller = ann) =>
  stack.ok<Saved>(caller, 'memory.record.save', { content, category: 'decision', ...extra });
const update = (memory_id: string, change: object, caller = ann) =>
  stack.ok<UpdatedMemory>(caller, 'memory.record.update', { memory_id, ...change });
const search = async (query: string, extra: object = {}, caller = ann) =>
  (await stack.ok<{ memories: FoundMemory[] }>(caller, 'memory.record.search', { query, ...extra })).memories;
const list = async (extra: object = {}, caller = ann) =>
  (await stack.ok<{ memories: Memory[] }>(caller, 'memory.record.list', { limit: 100, ...extra })).memories;
const read = (memory_id: string, caller = ann) => stack.ok<RememberedHistory>(caller, 'memory.record.get', { memory_id });
const contents = (memories: { content: string }[]): string[] => memories.map(({ content }) => content);
const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = [], tenant = 'acme') =>
  asTenant(tenant, () => stack.db.query<T>(text, values));

/** Index entries of a memory: one of each for a version that is valid, else none. */
async function indexed(id: string): Promise<{ sources: number; documents: number; chunks: number; orphans: number }> {
  const [row] = await rows<{ sources: number; documents: number; chunks: number; orphans: number }>(
    `select (select count(*)::int from knowledge_sources where id = $1) as sources, (select count(*)::int from documents where source_id = $1) as documents,
       (select count(*)::int from chunks where source_id = $1) as chunks,
       (select count(*)::int from postings p where not exists (select from chunks c where c.id = p.chunk_id)) as orphans`,
    [id],
  );
  return row!;
}
const inIndex = { sources: 1, documents: 1, chunks: 1, orphans: 0 };
const notThere = { sources: 0, documents: 0, chunks: 0, orphans: 0 };

describe.each(['team', 'user'] as const)('a memory of the scope %s that is updated', (scope) => {
  const there = scope === 'team' ? inIndex : notThere;

  it('is a new version; the old one is no longer found, and stays readable', async () => {
    const first = await save(`The marmot port is 8080 (${scope}).`, { scope, tags: ['net'], metadata: { by: 'infra' } });
    const second = await update(first.memory_id, { content: `The marmot port is 9090 (${scope}).` });
    expect(second).toEqual({ memory_id: expect.any(String), status: 'updated', superseded: first.memory_id });
    const third = await update(second.memory_id, { content: `The marmot port is 7070 (${scope}).`, tags: ['net', 'new'] });
    expect(contents(await search('marmot port', { scope }))).toEqual([`The marmot port is 7070 (${scope}).`]);
    expect((await list({ scope, tags: ['net'] })).map((memory) => memory.memory_id)).toEqual([third.memory_id]);
    const history = await read(third.memory_id);
    expect(history.memory).toMatchObject({ tags: ['net', 'new'], metadata: { by: 'infra' }, scope, valid_to: null, superseded_by: null });
    expect(history.history.map((version) => [version.memory_id, version.superseded_by])).toEqual([
      [second.memory_id, third.memory_id],
      [first.memory_id, second.memory_id],
    ]);
    // Each moment has one version.
    expect(history.history.map((version) => version.valid_to)).toEqual([history.memory.valid_from, history.history[0]!.valid_from]);
    expect((await read(first.memory_id)).current_id).toBe(third.memory_id);
    expect(await indexed(first.memory_id)).toEqual(notThere);
    expect(await indexed(third.memory_id)).toEqual(there);
  });

  it('is found as it was at a given time', async () => {
    const [one, two] = ['The lemur deploys on Mondays', 'The lemur deploys on Fridays'].map((text) => `${text} (${scope}).`);
    const first = await save(one!, { scope, category: 'lemur' });
    const begun = (await read(first.memory_id)).memory.valid_from;
    const { memory_id } = await update(first.memory_id, { content: two });
    const changed = (await read(memory_id)).memory.valid_from;
    const before = new Date(Date.parse(begun) - 1).toISOString();
    const ask = async (as_of: string) => [
      contents(await search('when does the lemur deploy', { as_of, category: 'lemur', scope })),
      contents(await list({ as_of, category: 'lemur', scope })),
    ];
    expect(await ask(changed)).toEqual([[two], [two]]);
    if (begun < changed) {
      expect(await ask(begun)).toEqual([[one], [one]]);
      expect(await ask(new Date(Date.parse(changed) - 1).toISOString())).toEqual([[one], [one]]);
    }
    expect(await ask(before)).toEqual([[], []]);
    // A day means its end.
    expect(await ask(changed.slice(0, 10))).toEqual([[two], [two]]);
    const none = await stack.call(ann, 'memory.record.search', { query: 'lemur', as_of: before, category: 'lemur', scope });
    expect(none.envelope.warnings.join()).toMatch(/No memory that fits was valid at that time/);
    // Old versions are found by meaning and words like the present ones, and their words do not weigh in present answers.
    expect(await search('lemur Mondays', { category: 'lemur', scope })).toEqual([expect.objectContaining({ content: two })]);
  });

  it('may become again what it was', async () => {
    const [on, off] = [`The tapir flag is on (${scope}).`, `The tapir flag is off (${scope}).`];
    const first = await save(on, { scope });
    const second = await update(first.memory_id, { content: off });
    const third = await update(second.memory_id, { content: on });
    expect(third).toMatchObject({ status: 'updated', superseded: second.memory_id });
    expect(third.memory_id).not.toBe(first.memory_id);
    expect(contents(await search('tapir flag', { scope }))).toEqual([on]);
    expect((await save(on, { scope })).memory_id).toBe(third.memory_id);
    // The first one may be saved anew beside what replaced it.
    expect((await read(third.memory_id)).history.map((version) => version.memory_id)).toEqual([second.memory_id, first.memory_id]);
    await stack.ok(ann, 'memory.record.delete', { memory_id: third.memory_id });
    expect(await rows('select 1 from memories where content = any($1)', [[on, off]])).toEqual([]);
  });

  it('by two at once has one successor, and the other one is told', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { memory_id } = await save(`Round ${round}: the okapi is here (${scope}).`, { scope });
      const answers = await Promise.all(
        ['left', 'right', 'gone'].map((where) =>
          stack.call(ann, 'memory.record.update', { memory_id, content: `Round ${round}: the okapi is ${where} (${scope}).` }),
        ),
      );
      const won = answers.filter((answer) => !answer.error);
      expect(won).toHaveLength(1);
      const current = (won[0]!.data as UpdatedMemory).memory_id;
      for (const { error } of answers.filter((answer) => answer.error)) {
        expect(error).toMatchObject({ code: 'CONFLICT', hint: expect.stringContaining(current), details: { current_id: current } });
      }
      expect(await search(`round ${round} okapi`, { scope, limit: 1 })).toEqual([expect.objectContaining({ memory_id: current })]);
      // What lost has left nothing.
      expect(await rows('select 1 from memories where content like $1', [`Round ${round}: the okapi%(${scope})%`])).toHaveLength(2);
      const late = await stack.call(ann, 'memory.record.save', { content: 'Late.', category: 'decision', scope, supersedes: memory_id });
      expect(late.error).toMatchObject({ code: 'CONFLICT' });
    }
  });

  it('twice, because the first answer was lost, has one new version', async () => {
    const { memory_id } = await save(`The vole has two queues (${scope}).`, { scope });
    const change = { memory_id, content: `The vole has three queues (${scope}).` };
    const first = await stack.ok<UpdatedMemory>(ann, 'memory.record.update', change);
    expect(await stack.ok(ann, 'memory.record.update', change)).toEqual({ memory_id: first.memory_id, status: 'exists' });
    const all = await Promise.all(Array.from({ length: 4 }, () => stack.ok<UpdatedMemory>(ann, 'memory.record.update', change)));
    expect(new Set(all.map((each) => each.memory_id))).toEqual(new Set([first.memory_id]));
    expect(await rows('select 1 from memories where content like $1', [`The vole has%(${scope})%`])).toHaveLength(2);
  });

  it('half-way, because the process died, is as it was', async () => {
    const old = `The saiga is saved (${scope}).`;
    const { memory_id } = await save(old, { scope });
    const real = stack.db.transaction.bind(stack.db);
    let done = false;
    for (let dieAt = 1; !done; dieAt += 1) {
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
      const answer = await stack.call(ann, 'memory.record.update', { memory_id, content: `The saiga is renewed (${scope}).` });
      vi.restoreAllMocks();
      done = !answer.error;
      if (done) expect(dieAt).toBeGreaterThan(5);
      else {
        expect((await read(memory_id)).current_id).toBe(memory_id);
        expect(await indexed(memory_id)).toEqual(there);
      }
    }
    expect(await indexed(memory_id)).toEqual(notThere);
    expect(contents(await search('saiga', { scope, limit: 1 }))).toEqual([`The saiga is renewed (${scope}).`]);
  });
});

describe('a memory', () => {
  it('can replace another one when it is saved', async () => {
    const first = await save('Logs go to syslog.', { scope: 'user' });
    const second = await save('Logs go to the collector.', { supersedes: first.memory_id });
    expect(second).toMatchObject({ status: 'saved', superseded: first.memory_id });
    // It is of the scope of what it replaces.
    expect(await search('where do logs go', { scope: 'user' })).toEqual([expect.objectContaining({ memory_id: second.memory_id })]);
    const third = await save('Logs stay where they are.', { scope: 'user' });
    // One that is there already takes the place of the replaced one.
    expect(await save('Logs stay where they are.', { supersedes: second.memory_id })).toEqual({
      memory_id: third.memory_id,
      status: 'exists',
      superseded: second.memory_id,
    });
    expect(
      (await stack.call(ann, 'memory.record.save', { content: 'x', category: 'decision', supersedes: 'memory_none' })).error,
    ).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('changes in place when it says the same', async () => {
    const { memory_id } = await save('The dugong is grey.', { tags: ['a'], metadata: { x: 1 }, ttl_days: 5 });
    expect(await update(memory_id, { tags: ['b', 'c'], content: ' The dugong is grey. ' })).toEqual({ memory_id, status: 'changed' });
    expect(await update(memory_id, { metadata: { y: 2 }, expires_at: null })).toEqual({ memory_id, status: 'changed' });
    const { memory, history } = await read(memory_id);
    expect(memory).toMatchObject({ tags: ['b', 'c'], metadata: { y: 2 }, expires_at: null });
    expect(history).toEqual([]);
    expect(await search('dugong', { tags: ['b'] })).toHaveLength(1);
    expect(await search('dugong', { tags: ['a'] })).toEqual([]);
    const moved = await update(memory_id, { category: 'pattern' });
    expect(moved).toMatchObject({ status: 'updated' });
    expect(await search('dugong', { category: 'pattern' })).toHaveLength(1);
    expect(await search('dugong', { category: 'decision', tags: ['b'] })).toEqual([]);
    expect((await stack.call(ann, 'memory.record.update', { memory_id })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await stack.call(ann, 'memory.record.update', { memory_id, tags: ['z'] })).error).toMatchObject({ code: 'CONFLICT' });
  });

  it("of another tenant cannot be updated or read, and another's history is not found", async () => {
    const gil = await stack.caller({ tenant: 'globex', name: 'gil' });
    const { memory_id } = await save('The numbat is ours.');
    for (const [tool, args] of [
      ['memory.record.get', { memory_id }],
      ['memory.record.update', { memory_id, content: 'Theirs.' }],
      ['memory.record.save', { content: 'Theirs.', category: 'decision', supersedes: memory_id }],
    ] as const) {
      expect((await stack.call(gil, tool, args)).error, tool).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await rows('select 1 from memories', [], 'globex')).toEqual([]);
    const now = new Date().toISOString();
    expect(await search('numbat', { as_of: now }, gil)).toEqual([]);
    const mine = await save('Mine until it changed.', { scope: 'user' });
    const changed = await update(mine.memory_id, { content: 'Changed, still mine.' });
    const then = (await read(mine.memory_id)).memory.valid_from;
    for (const as_of of [then, now, new Date().toISOString()]) {
      expect(contents(await search('mine until it changed', { as_of }, bob))).not.toContain('Mine until it changed.');
      expect(contents(await list({ as_of }, bob)).filter((content) => content.includes('mine'))).toEqual([]);
    }
    expect((await stack.call(bob, 'memory.record.get', { memory_id: changed.memory_id })).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that expires is not found from then on; the sweep deletes it after a while, with what it replaced', async () => {
    const gone = async (id: string) => (await rows('select 1 from memories where id = $1', [id])).length === 0;
    const sweep = (days: number) => asTenant('acme', () => sweepMemories(stack.db, 'acme', days));
    /** As if the expiry had been so many days ago, and the memory saved a day before that. */
    const expire = (id: string, days: number) =>
      rows(
        `update memories set expires_at = now() - make_interval(days => $2), valid_from = now() - make_interval(days => $2 + 1) where id = $1`,
        [id, days],
      );
    for (const scope of ['team', 'user'] as const) {
      const former = await save(`The serval sleeps (${scope}).`, { scope });
      const { memory_id } = await update(former.memory_id, { content: `The serval is awake (${scope}).`, ttl_days: 1 });
      const [found] = await search('serval', { scope });
      expect(Math.round((Date.parse(found!.expires_at!) - Date.now()) / 3_600_000)).toBe(24);
      await expire(memory_id, 3);
      const at = new Date(Date.now() - 3.5 * 86_400_000).toISOString();
      const check = async () => {
        expect(await search('serval', { scope })).toEqual([]);
        expect(contents(await list({ scope })).filter((content) => content.includes('serval'))).toEqual([]);
        // It was valid then.
        expect(contents(await search('serval', { scope, as_of: at }))).toEqual([`The serval is awake (${scope}).`]);
        expect((await read(memory_id)).memory).toMatchObject({ superseded_by: null, valid_to: expect.any(String) });
        for (const change of [{ content: 'Awake again.' }, { ttl_days: 3 }]) {
          expect((await stack.call(ann, 'memory.record.update', { memory_id, ...change })).error).toMatchObject({ code: 'GONE' });
        }
      };
      await check();
      // Twice at once.
      expect(await Promise.all([sweep(5), sweep(5)])).toEqual([0, 0]);
      expect(await indexed(memory_id)).toEqual(notThere);
      await check();
      expect(await sweep(0)).toBe(0);
      // Saved again, it is a memory of its own.
      const again = await save(`The serval is awake (${scope}).`, { scope });
      expect(again.status).toBe('saved');
      expect(again.memory_id).not.toBe(memory_id);
      expect((await Promise.all([sweep(2), sweep(2)])).reduce((a, b) => a + b)).toBe(2);
      expect([await gone(memory_id), await gone(former.memory_id), await gone(again.memory_id)]).toEqual([true, true, false]);
      expect(contents(await search('serval', { scope }))).toEqual([`The serval is awake (${scope}).`]);
    }
  });

  it('that has expired and is saved again before a sweep is one, valid memory', async () => {
    const { memory_id } = await save('The civet is back.', { ttl_days: 1 });
    await rows(`update memories set expires_at = now() - interval '1 hour', valid_from = now() - interval '1 day' where id = $1`, [
      memory_id,
    ]);
    const all = await Promise.all(Array.from({ length: 5 }, () => save('The civet is back.', { ttl_days: 30 })));
    expect(all.map(({ status }) => status).sort()).toEqual(['exists', 'exists', 'exists', 'exists', 'saved']);
    expect(new Set(all.map((each) => each.memory_id)).size).toBe(1);
    expect(await search('civet')).toHaveLength(1);
  });

  it('keeps the later expiry when it is saved again', async () => {
    const content = 'The coati may stay.';
    const first = await save(content, { ttl_days: 1 });
    await save(content, { ttl_days: 10 });
    await save(content, { ttl_days: 2 });
    const left = async () => (await read(first.memory_id)).memory.expires_at;
    expect(Math.round((Date.parse((await left())!) - Date.now()) / 86_400_000)).toBe(10);
    await save(content);
    expect(await left()).toBeNull();
    for (const wrong of [
      { ttl_days: 0 },
      { ttl_days: 4_000 },
      { expires_at: '2020-01-01' },
      { expires_at: 'tomorrow' },
      { ttl_days: 1, expires_at: '2999-01-01' },
    ]) {
      const answer = await stack.call(ann, 'memory.record.save', { content, category: 'decision', ...wrong });
      expect(answer.error, JSON.stringify(wrong)).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });

  it('saved by an older version is found as of any time, and gets its words and vector from the sweep', async () => {
    const { memory_id } = await save('The genet came first.');
    await rows(`update memories set key = null, valid_from = null, terms = '{}', model = null, embedding = null where id = $1`, [
      memory_id,
    ]);
    expect(contents(await search('genet', { limit: 1 }))).toEqual(['The genet came first.']);
    const { created_at } = (await read(memory_id)).memory;
    expect(contents(await search('genet', { limit: 1, as_of: created_at }))).toEqual(['The genet came first.']);
    expect((await save('The genet came first.')).status).toBe('exists');
    expect(await asTenant('acme', () => stack.services.knowledge.memories.indexing.tend('acme'))).toBeGreaterThan(0);
    expect(await rows('select terms, model is not null as embedded from memories where id = $1', [memory_id])).toEqual([
      { terms: ['genet', 'came', 'first'], embedded: stack.embedder !== null },
    ]);
    const { memory_id: later } = await update(memory_id, { content: 'The genet came second.' });
    expect((await read(later)).history.map((version) => version.memory_id)).toEqual([memory_id]);
  });
});

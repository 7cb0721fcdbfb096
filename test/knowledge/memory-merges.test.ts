/** Memories that say the same: found, merged, and taken apart again exactly. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Consolidated, FoundMemory, RememberedHistory, Saved, UndoneMerge } from '../../contracts/knowledge/memory.ts';
import { near } from '../../engines/memory/alike.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
let bob: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
  bob = await stack.caller({ name: 'bob', kind: 'human' });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => stack?.stop());

const save = (content: string, extra: object = {}, caller = ann) =>
  stack.ok<Saved>(caller, 'memory.record.save', { content, category: 'decision', ...extra });
const search = async (query: string, extra: object = {}, caller = ann) =>
  (await stack.ok<{ memories: FoundMemory[] }>(caller, 'memory.record.search', { query, ...extra })).memories;
const consolidate = (extra: object = {}, caller = ann) => stack.ok<Consolidated>(caller, 'memory.record.consolidate', extra);
const restore = (merge_id: string, caller = ann) => stack.ok<UndoneMerge>(caller, 'memory.record.restore', { merge_id });
const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = [], tenant = 'acme') =>
  asTenant(tenant, () => stack.db.query<T>(text, values));

/** All that is kept of the memories of a category, without numbers that the database gives. */
async function everything(category: string): Promise<unknown> {
  const memories = await rows('select m.* from memories m where category = $1 order by id', [category]);
  const ids = memories.map((row) => row['id']);
  return {
    memories,
    sources: await rows(
      'select id, kb_id, title, tags, status, document_id, chunk_count from knowledge_sources where id = any($1) order by id',
      [ids],
    ),
    documents: await rows('select id, source_id, status, title, chunk_count, terms from documents where id = any($1) order by id', [ids]),
    chunks: await rows(
      'select document_id, ordinal, body, terms, model, embedding::text from chunks where source_id = any($1) order by 1, 2',
      [ids],
    ),
    postings: await rows(
      'select c.document_id, c.ordinal, p.term, p.tf, p.dl from postings p join chunks c on c.id = p.chunk_id where c.source_id = any($1) order by 1, 2, 3',
      [ids],
    ),
  };
}
const two = async (category: string, extra: object = {}, caller = ann) => {
  const short = await save(
    `The ${category} deploys to production on Tuesdays.`,
    { category, tags: ['a', 'b'], metadata: { by: 'ann', n: 1 }, ttl_days: 9, ...extra },
    caller,
  );
  const long = await save(
    `The ${category} always deploys to production on Tuesdays. The person on call watches it.`,
    { category, tags: ['b', 'c'], metadata: { n: 2 }, ...extra },
    caller,
  );
  return { short: short.memory_id, long: long.memory_id };
};

describe('memories that say the same', () => {
  it('are proposed, then merged: the longest stays, with the tags and metadata of all', async () => {
    const { short, long } = await two('okapi');
    const before = await everything('okapi');
    const proposed = await consolidate({ category: 'okapi' });
    expect(proposed).toMatchObject({ applied: false, examined: 2, left: 0, skipped: [] });
    expect(proposed.groups).toEqual([
      {
        keep: { memory_id: long, content: 'The okapi always deploys to production on Tuesdays. The person on call watches it.' },
        merge: [
          {
            memory_id: short,
            content: 'The okapi deploys to production on Tuesdays.',
            similarity: stack.embedder ? expect.any(Number) : null,
          },
        ],
      },
    ]);
    expect(await everything('okapi')).toEqual(before);

    const { groups } = await consolidate({ category: 'okapi', apply: true });
    expect(groups[0]!.merge_id).toMatch(/^merge_/);
    const found = await search('okapi deploys', { category: 'okapi' });
    expect(found).toEqual([expect.objectContaining({ memory_id: long, metadata: { by: 'ann', n: 2 }, expires_at: null })]);
    expect(found[0]!.tags.toSorted()).toEqual(['a', 'b', 'c']);
    expect(await search('okapi deploys', { category: 'okapi', tags: ['a'] })).toHaveLength(1);
    const read = await stack.ok(ann, 'memory.record.get', { memory_id: short });
    expect(read).toMatchObject({ current_id: long, memory: { superseded_by: long, valid_to: expect.any(String) }, merges: [] });
    const merges = async () => (await stack.ok<RememberedHistory>(ann, 'memory.record.get', { memory_id: long })).merges;
    expect(await merges()).toEqual([{ merge_id: groups[0]!.merge_id, at: read['memory'].valid_to, merged: [short] }]);
    // Once more changes nothing.
    expect((await consolidate({ category: 'okapi', apply: true })).groups).toEqual([]);

    expect(await restore(groups[0]!.merge_id!)).toEqual({
      merge_id: groups[0]!.merge_id,
      status: 'restored',
      memory_id: long,
      restored: [short],
    });
    expect(await everything('okapi')).toEqual(before);
    expect(await restore(groups[0]!.merge_id!)).toMatchObject({ status: 'was_restored' });
    expect(await merges()).toEqual([]);
    expect(await everything('okapi')).toEqual(before);
  });

  it('are only merged within their scope, owner and category', async () => {
    const content = ['The dik-dik writes tests first.', 'the dik-dik writes tests first'];
    for (const [caller, extra] of [
      [ann, { scope: 'user' }],
      [bob, { scope: 'user' }],
      [ann, { scope: 'agent' }],
      [ann, {}],
    ] as const) {
      await save(content[0]!, { ...extra, category: 'pattern' }, caller);
    }
    await save(content[1]!, { scope: 'user', category: 'convention' });
    for (const scope of ['team', 'user', 'agent'])
      expect((await consolidate({ scope })).groups.filter(({ keep }) => /dik-dik/.test(keep.content))).toEqual([]);
    await save(content[1]!, { scope: 'user', category: 'pattern' });
    expect((await consolidate({ scope: 'user' }, bob)).groups).toEqual([]);
    const { groups } = await consolidate({ scope: 'user', apply: true });
    expect(groups).toHaveLength(1);
    const merge_id = groups[0]!.merge_id!;
    for (const other of [bob, await stack.caller({ tenant: 'globex', name: 'gil' })]) {
      expect((await stack.call(other, 'memory.record.restore', { merge_id })).error).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await restore(merge_id)).status).toBe('restored');
    // A private memory stands in no index, neither before nor after.
    expect(await rows(`select 1 from chunks where body ilike '%dik-dik%'`)).toHaveLength(1);
  });

  it('never are those with other numbers, names, negations or words; near ones are told with the reason', async () => {
    const category = 'saola';
    for (const content of [
      'The saola timeout is 30 seconds.',
      'The saola timeout is 60 seconds.',
      'Use the saola cache in staging.',
      'Do not use the saola cache in staging.',
      'The saola job moved from Redis to Kafka.',
      'The saola job moved from Kafka to Redis.',
      'The saola contract ends on 2026-03-01.',
      'The saola contract ends on 2027-03-01.',
    ]) {
      await save(content, { category });
    }
    const answer = await consolidate({ category, apply: true, limit: 200 });
    expect(answer.groups).toEqual([]);
    expect(answer.examined).toBe(8);
    const reasons = new Set(answer.apart.map(({ reason }) => reason));
    expect([...reasons]).toEqual(expect.arrayContaining(['numbers differ', 'one of them denies or restricts']));
    expect(answer.apart.every(({ memory_ids, contents }) => memory_ids.length === 2 && contents.length === 2)).toBe(true);
  });

  it('are looked at page by page, and each call says what is left', async () => {
    const category = 'pages';
    for (let i = 0; i < 5; i += 1) await two(`${category}${i}x`, { category });
    const seen: string[] = [];
    let cursor: string | undefined;
    let left = 10;
    do {
      const page = await consolidate({ category, limit: 3, ...(cursor ? { cursor } : {}) });
      left -= page.examined;
      expect(page.left).toBe(left);
      seen.push(...page.groups.map(({ keep }) => keep.memory_id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(left).toBe(0);
    expect(new Set(seen).size).toBe(5);
    const first = await stack.call(ann, 'memory.record.consolidate', { category, limit: 3 });
    expect(first.envelope.warnings.join()).toMatch(/7 memories were not looked at/);
    expect((await stack.call(ann, 'memory.record.consolidate', { cursor: 'rubbish' })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('merged by two at once, or while one of them changes, are merged once or not at all', async () => {
    for (let round = 0; round < 5; round += 1) {
      const category = `round${round}`;
      const { short, long } = await two(category);
      const answers = await Promise.all([
        consolidate({ category, apply: true }),
        consolidate({ category, apply: true }, bob),
        ...(round % 2
          ? [stack.call(bob, 'memory.record.update', { memory_id: short, content: `The ${category} deploys to production on Fridays.` })]
          : []),
      ]);
      const merges = (answers.slice(0, 2) as Consolidated[]).flatMap(({ groups }) => groups);
      const made = await rows('select merged_ids from memory_merges where kept_id = $1', [long]);
      expect(made.length).toBe(merges.length);
      expect(made.length).toBeLessThanOrEqual(1);
      const [row] = await rows<{ superseded_by: string }>('select superseded_by from memories where id = $1', [short]);
      expect(row!.superseded_by === long).toBe(made.length === 1);
    }
  });

  it('half merged or half taken apart, because the process died, are as before', async () => {
    const category = 'gerenuk';
    await two(category);
    const real = stack.db.transaction.bind(stack.db);
    const dying = async (work: () => Promise<unknown>): Promise<number> => {
      const before = await everything(category);
      for (let dieAt = 1; ; dieAt += 1) {
        let died = false;
        vi.spyOn(stack.db, 'transaction').mockImplementation((inside) =>
          real(async (query) => {
            let statements = 0;
            return await inside(async (text, values) => {
              const result = await query(text, values);
              statements += 1;
              if (statements === dieAt && !text.startsWith('set')) {
                died = true;
                throw new AppError('SERVICE_UNAVAILABLE', 'died');
              }
              return result as never;
            });
          }),
        );
        await work();
        vi.restoreAllMocks();
        if (!died) return dieAt;
        expect(await everything(category), `statement ${dieAt}`).toEqual(before);
      }
    };
    const before = await everything(category);
    let merge_id = '';
    const merged = await dying(async () => {
      const answer = await stack.call(ann, 'memory.record.consolidate', { category, apply: true });
      merge_id = (answer.data as Consolidated | undefined)?.groups[0]?.merge_id ?? '';
    });
    expect(merged).toBeGreaterThan(5);
    const undone = await dying(() => stack.call(ann, 'memory.record.restore', { merge_id }));
    expect(undone).toBeGreaterThan(5);
    expect(await everything(category)).toEqual(before);
  });

  it('that were changed after their merge are not taken apart, and it is said why', async () => {
    const refusal = async (merge_id: string) => (await stack.call(ann, 'memory.record.restore', { merge_id })).error;
    const merge = async (category: string) => {
      const ids = await two(category);
      return { ...ids, merge_id: (await consolidate({ category, apply: true })).groups[0]!.merge_id! };
    };
    const one = await merge('changed1');
    await stack.ok(ann, 'memory.record.update', { memory_id: one.long, content: 'Another one.' });
    expect(await refusal(one.merge_id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('no longer holds') });
    const tagged = await merge('changed2');
    await stack.ok(ann, 'memory.record.update', { memory_id: tagged.long, tags: ['z'] });
    expect(await refusal(tagged.merge_id)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('changed since') });
    const again = await merge('changed3');
    await two('changed3');
    expect(await refusal(again.merge_id)).toMatchObject({ code: 'CONFLICT' });
    const gone = await merge('changed4');
    await stack.ok(ann, 'memory.record.delete', { memory_id: gone.long });
    expect(await refusal(gone.merge_id)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await rows('select 1 from memories where id = any($1)', [[gone.long, gone.short]])).toEqual([]);
    const both = await merge('twice');
    const answers = await Promise.all([restore(both.merge_id), restore(both.merge_id, bob)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['restored', 'was_restored']);
  });
});

it('the nearness that is demanded of vectors lies between texts that say the same and texts that do not', async (context) => {
  if (!stack.embedder) return context.skip();
  const same = [
    ['We always deploy on Tuesdays.', 'we deploy on Tuesdays'],
    ['Clients must never get stack traces.', 'Clients never get stack traces.'],
    ['Invoices are numbered by the billing service. It counts per customer.', 'Invoices are numbered by the billing service.'],
    ['Please call `resetCache()` before the tests!', 'Call `resetCache()` before the tests.'],
    ['Auth results are cached in Redis for 5 minutes.', 'auth results are cached in redis for 5 minutes'],
    ['Ann owns the release. She is in Oslo and works from there.', 'Ann owns the release.'],
  ];
  const others = [
    ['Invoices are numbered by the billing service.', 'The office is closed in August.'],
    ['We always deploy on Tuesdays.', 'Ann prefers tea to coffee.'],
    ['Use tabs for indentation.', 'The queue is drained by two workers.'],
  ];
  const cosine = async ([a, b]: string[]) => {
    const [x, y] = await stack.embedder!.embed([a!, b!]);
    return x!.reduce((sum, value, i) => sum + value * y![i]!, 0) / (Math.hypot(...x!) * Math.hypot(...y!));
  };
  const [low, high] = [await Promise.all(same.map(cosine)), await Promise.all(others.map(cosine))];
  expect(Math.min(...low), low.join()).toBeGreaterThan(near);
  expect(Math.max(...high), high.join()).toBeLessThan(near - 0.04);
});

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Trajectory } from '../../contracts/knowledge/trajectory.ts';
import type { IngestAnswer, SearchHit, Source, SourceDetail } from '../../contracts/knowledge/knowledge.ts';
import { AnswerCache } from '../../services/knowledge/cache.ts';
import { bm25, termFrequencies, terms } from '../../engines/retrieval/terms.ts';
import { writeCursor } from '../../services/kernel/paging.ts';
import { histories, replay } from '../setup/replay.ts';
import { committedVisible } from '../setup/databases.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const data = new URL('../../../shared/data/5-files/', import.meta.url).pathname;

let stack: TestStack;
let pm: Caller;
let root: string;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
  root = stack.config.INGEST_ROOTS[0]!;
});
afterAll(() => stack?.stop());

interface Hits {
  hits: SearchHit[];
}
const search = (query: string, extra: object = {}, caller = pm) => stack.ok<Hits>(caller, 'index.chunk.search', { query, ...extra });
const ingest = (args: object, caller = pm) => stack.ok<IngestAnswer>(caller, 'ingest.document.submit', args);
const source = async (id: string) => (await stack.ok<{ source: SourceDetail }>(pm, 'knowledge.source.get', { source_id: id })).source;
/** The number of rows that the tenant sees. */
const count = async (table: string, where = 'true', tenant = 'acme'): Promise<number> =>
  (await asTenant(tenant, () => stack.db.query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`)))[0]!.n;

let files = 0;
function file(name: string, content: string | Uint8Array): string {
  const folder = join(root, `files-${process.pid}-${(files += 1)}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const vtt = `WEBVTT

00:00:01.000 --> 00:00:04.000
<v Ann>Welcome everybody to the sprint review.

00:01:10.500 --> 00:01:15.250
<v Bob>The zeppelin export crashes whenever a customer has more than ten thousand rows.

00:02:00.000 --> 00:02:04.000
<v Ann>We will mend that next week.
`;

describe('taking content in', () => {
  it('cites a VTT by its times and speaker', async () => {
    const answer = await stack.call(pm, 'ingest.transcript.submit', {
      title: 'Sprint review',
      content: vtt,
      format: 'vtt',
      chunk_size: 100,
      date: '2026-03-04',
    });
    expect(answer.error).toBeUndefined();
    const made = answer.data as IngestAnswer;
    expect(made).toMatchObject({ status: 'completed', job_id: expect.stringMatching(/^job_/), chunk_count: 3 });
    expect(answer.envelope.refs).toEqual(
      expect.arrayContaining([
        { type: 'job', id: made.job_id },
        { type: 'workflow', id: made.workflow_id, url: expect.stringContaining('http://temporal.test/') },
        { type: 'source', id: made.source_id },
      ]),
    );
    const { hits } = await search('zeppelin export crash');
    expect(hits[0]).toMatchObject({
      source: 'Sprint review',
      source_id: made.source_id,
      citation: `${made.document_id}#1`,
      metadata: { type: 'transcript', place: { start_time: '00:01:10.500', end_time: '00:01:15.250', speaker: 'Bob' } },
    });
    expect(await source(made.source_id!)).toMatchObject({ status: 'active', chunk_count: 3, metadata: { date: '2026-03-04' } });
  });

  it('finds the reply beside the turn that has the words, in conversations only', async () => {
    const talk = [
      'Ann: Did the binturong importer ever work?',
      'Bob: Not once, and nobody knows why it was bought at all.',
      'Ann: Then it goes.',
    ];
    const made = await ingest({
      title: 'Retrospective',
      content: [...talk, ...talk.map((line) => `${line} So it was.`)].join('\n'),
      chunk_size: 100,
    });
    const prose = talk
      .map((line) => `${line.slice(5)} ${'Prose goes on for a while here.'.repeat(2)}`)
      .join('\n\n')
      .replaceAll('binturong', 'gymnure');
    const other = await ingest({ title: 'Essay', content: prose, chunk_size: 120 });
    const talked = await stack.call(pm, 'index.chunk.search', { query: 'binturong importer', filters: { sources: [made.source_id] } });
    const { hits } = talked.data as Hits;
    const reply = hits.find((hit) => hit.content.includes('nobody knows why') && !hit.content.includes('binturong'))!;
    expect(hits[0]!.content).toContain('binturong');
    expect(reply).toMatchObject({ source: 'Retrospective', metadata: { scores: {} } });
    expect(reply.score).toBeLessThan(hits[0]!.score);
    const { trajectory } = await stack.ok<{ trajectory: Trajectory }>(pm, 'index.answer.explain', {
      trajectory_id: (talked.data as { trajectory_id: string }).trajectory_id,
    });
    expect(trajectory.steps.map((step) => step.thought).join('\n')).toMatch(
      /In conversations: \d+ passages? counts? more .* [1-9]\d* of them not found before/,
    );
    expect(trajectory.sources.find((each) => each.id === reply.citation)!.scores!['beside']).toBeGreaterThan(0);
    const essay = await search('gymnure importer', { filters: { sources: [other.source_id] } });
    expect(essay.hits.every((hit) => hit.content.includes('gymnure'))).toBe(true);
    // A minimum similarity is kept: a neighbour could not show any.
    const narrow = await search('binturong importer', { filters: { sources: [made.source_id] }, similarity_threshold: 0.5 });
    expect(narrow.hits.every((hit) => hit.content.includes('binturong'))).toBe(true);
  });

  it('cites SRT, Markdown and text by time, headings and lines', async () => {
    await ingest({ title: 'clip', format: 'srt', content: '1\n00:00:05,000 --> 00:00:07,500\nThe walrus spreadsheet is green.\n' });
    expect((await search('walrus spreadsheet')).hits[0]!.metadata.place).toMatchObject({
      start_time: '00:00:05.000',
      end_time: '00:00:07.500',
    });

    const md = file(
      'guide.md',
      '# Guide\n\nHello.\n\n## Marmot setup\n\nInstall the marmot driver.\n\n```ts\nconst marmot = burrow();\n```\n',
    );
    const made = await ingest({ file_path: md, tags: ['docs'] });
    const [hit] = (await search('marmot driver', { include_code_examples: true })).hits;
    expect(hit).toMatchObject({
      source: 'Guide',
      source_id: made.source_id,
      url: `file://${md}`,
      metadata: { has_code: true, tags: ['docs'] },
    });
    expect(hit!.metadata.place).toMatchObject({ start_line: 5, headings: ['Guide', 'Marmot setup'] });
    expect(hit!.code_examples).toEqual([{ language: 'ts', code: 'const marmot = burrow();' }]);

    await ingest({ file_path: file('plain.txt', 'one\n\ntwo\n\nthe quokka is on line five') });
    expect((await search('quokka')).hits[0]).toMatchObject({ source: 'plain.txt', metadata: { place: { start_line: 1, end_line: 5 } } });
  });

  it.skipIf(!existsSync(data))('reads real files', async () => {
    const samples = [
      'docling/webvtt/webvtt_example_01.vtt',
      'subtitles/webvtt-py/sample.vtt',
      'subtitles/webvtt-py/sample.srt',
      'tika/testWebVTT_simple.vtt',
    ];
    for (const name of samples) {
      const made = await ingest({ file_path: file(name.split('/').at(-1)!, readFileSync(join(data, name))), tags: ['real'] });
      expect(made.status, name).toBe('completed');
    }
    const { hits } = await search('caption text', { filters: { tags: ['real'] } });
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.every((hit) => hit.metadata.place.start_time !== undefined)).toBe(true);
  });

  it('keeps the seed names and their shapes', async () => {
    const path = file('seed.txt', 'The pangolin roadmap has three phases.');
    const made = await stack.call(pm, 'ingest_document', { file_path: path, document_type: 'product_spec', nonsense: 1 });
    expect(made.data).toMatchObject({ status: 'completed', job_id: expect.any(String), workflow_id: expect.any(String) });
    expect(made.envelope.warnings).toContain('Unknown field "nonsense" was ignored.');
    const found = await stack.call(pm, 'search_knowledge', { query: 'pangolin roadmap', mode: 'reranked', top_k: 3 });
    expect(found.data).toEqual({
      results: [
        expect.objectContaining({
          content: expect.stringContaining('pangolin'),
          source: 'seed.txt',
          url: `file://${path}`,
          score: expect.any(Number),
          metadata: expect.any(Object),
        }),
      ],
      total_results: 1,
      search_time_ms: expect.any(Number),
    });
    expect(found.envelope.warnings.join()).toMatch(/No reranker/);
    const { sources } = await stack.ok<{ sources: Source[] }>(pm, 'list_knowledge_sources', {});
    expect(Object.keys(sources[0]!).sort()).toEqual(['chunk_count', 'id', 'last_updated', 'tags', 'title', 'type', 'url']);
    expect(await stack.ok(pm, 'get_source_info', { source_id: (made.data as IngestAnswer).source_id })).toMatchObject({
      title: 'seed.txt',
      type: 'document',
      priority: 0,
      metadata: { document_type: 'product_spec' },
    });
    expect((await stack.ok<Hits>(pm, 'index.search', { query: 'pangolin' })).hits).toHaveLength(1);
  });

  it('pages and filters the list of sources', async () => {
    const caller = await stack.caller({ tenant: 'lists' });
    for (const n of [1, 2, 3])
      await ingest(
        { title: `n${n}`, content: `text ${n}`, tags: n === 1 ? ['a'] : ['a', 'b'], kb_id: n === 3 ? 'other' : 'default' },
        caller,
      );
    const list = (args: object) => stack.call(caller, 'knowledge.source.list', args);
    const first = await list({ limit: 2 });
    expect((first.data as { sources: Source[] }).sources.map((s) => s.title)).toEqual(['n3', 'n2']);
    expect(first.envelope.metadata).toMatchObject({ total_count: 3, result_count: 2 });
    // Made within one millisecond, and in no order of their ids: the page after holds the rest all the same.
    await asTenant('lists', () =>
      stack.db.query(
        `update knowledge_sources set created_at = timestamptz '2026-01-01' + right(title, 1)::int * interval '100 microseconds'`,
      ),
    );
    const second = await list({ limit: 2, cursor: (await list({ limit: 2 })).envelope.metadata.next_cursor });
    expect((second.data as { sources: Source[] }).sources.map((s) => s.title)).toEqual(['n1']);
    expect(((await list({ tags: ['a', 'b'] })).data as { sources: Source[] }).sources).toHaveLength(2);
    expect(((await list({ kb_id: 'other' })).data as { sources: Source[] }).sources).toHaveLength(1);
    expect(((await list({ status: 'error' })).data as { sources: Source[] }).sources).toHaveLength(0);
    const found = async (search: string) => ((await list({ search })).data as { sources: Source[] }).sources;
    const [n2] = await found('N2');
    expect(n2!.title).toBe('n2');
    expect(await found(n2!.id)).toEqual([n2]);
    expect(await found('n 3')).toMatchObject([{ title: 'n3' }]);
    expect([await found('n%'), await found("n'2")]).toEqual([[], []]);
    for (const cursor of [
      'rubbish',
      writeCursor('2026-13-45 00:00:00+00', 'x'),
      Buffer.from('9999-99-99T00:00:00Z|x').toString('base64url'),
    ]) {
      expect((await list({ cursor })).error?.code).toBe('VALIDATION_ERROR');
    }
  });
});

describe('an answer that is kept', () => {
  it('is no larger for the sources that its filters match, and ends with a change of tags', async () => {
    const caller = await stack.caller({ tenant: 'tagged' });
    const { source_id } = await ingest({ title: 'Tagged', content: 'The colugo glides.', tags: ['many'] }, caller);
    await asTenant('tagged', () =>
      stack.db.query(
        `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, tags, status)
         select 'tagged', 'source_' || n, 'default', 'n:' || n, 'n', 'document', '{many}', 'active' from generate_series(1, 5000) n`,
      ),
    );
    // Nothing is remembered while a transaction is open that began before.
    await committedVisible(stack.db);
    const versions = vi.spyOn(AnswerCache.prototype, 'set');
    const find = () =>
      asTenant('tagged', () =>
        stack.services.knowledge.search.chunks('tagged', { query: 'colugo', mode: 'hybrid', limit: 10, filters: { tags: ['many'] } }),
      );
    expect(await find()).toMatchObject({ cached: false, hits: [{ source_id }] });
    expect(versions.mock.calls[0]![1].length).toBeLessThan(300);
    versions.mockRestore();
    expect(await find()).toMatchObject({ cached: true });
    await stack.ok(caller, 'knowledge.source.update', { source_id, tags: ['few'] });
    expect(await find()).toMatchObject({ cached: false, hits: [] });
  });
});

describe('the same content again', () => {
  it('is one job, and nothing is done twice', async () => {
    const args = { title: 'Twice', content: 'An axolotl regrows its limbs.' };
    const first = await ingest(args);
    const again = await stack.call(pm, 'ingest.document.submit', args);
    expect(again.data).toEqual(first);
    expect(again.envelope.warnings.join()).toMatch(/already/);
    expect(await count('documents', `source_id = '${first.source_id}'`)).toBe(1);
    expect((await search('axolotl')).hits).toHaveLength(1);
  });

  it('submitted by ten at once is one job', async () => {
    const args = { title: 'At once', content: 'The capybara likes warm water.' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ingest(args)));
    expect(new Set(answers.map((answer) => answer.job_id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.document_id)).size).toBe(1);
    expect((await search('capybara')).hits).toHaveLength(1);
  });

  it('cut otherwise, or called otherwise, is another job', async () => {
    const content = 'The okapi is shy. '.repeat(30);
    const [a, b] = [await ingest({ title: 'Okapi', content }), await ingest({ title: 'Okapi', content, chunk_size: 200 })];
    expect(b.source_id).toBe(a.source_id);
    expect(b.job_id).not.toBe(a.job_id);
    expect(b.chunk_count).toBeGreaterThan(a.chunk_count!);
    // Passages of the former version are deleted after it is replaced.
    await eventually('only the new ones are left', async () => (await count('chunks', `source_id = '${a.source_id}'`)) === b.chunk_count);
  });
});

describe('changed content under the same name', () => {
  it('replaces, with no moment of emptiness or of both', async () => {
    const path = file('versions.txt', '');
    const seen = new Set<string>();
    const version = async (n: number) => {
      writeFileSync(path, `The ibex document, version ${n}.`);
      return await ingest({ file_path: path });
    };
    const first = await version(0);
    let over = false;
    const watching = (async () => {
      while (!over) {
        const { hits } = await search('ibex document');
        expect(hits).toHaveLength(1);
        seen.add(hits[0]!.content);
      }
    })();
    const { source_id } = first;
    for (let n = 1; n <= 6; n += 1) expect((await version(n)).source_id).toBe(source_id);
    over = true;
    await watching;
    expect(seen.size).toBeGreaterThan(1);
    expect((await search('ibex document')).hits[0]!.content).toContain('version 6');
    await eventually('the old ones are gone', async () => (await count('documents', `source_id = '${source_id}'`)) === 1);
    expect(await count('chunks', `source_id = '${source_id}'`)).toBe(1);
    expect(await count('postings', `chunk_id not in (select id from chunks)`)).toBe(0);

    // Back to a version that was there before: a job that has completed runs again, since its document is gone.
    const back = await version(0);
    expect(back.job_id).toBe(first.job_id);
    expect(back.document_id).not.toBe(first.document_id);
    expect((await search('ibex document')).hits[0]!.content).toContain('version 0');
  });

  it('submitted at once leaves the one submitted last', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => ingest({ title: 'Race', content: `The fossa text ${n}.`, metadata: { n } })),
    );
    const { source_id } = answers[0]!;
    const [row] = await asTenant('acme', () =>
      stack.db.query<{ revision: number; top: number }>(
        `select d.revision, s.revision as top from documents d join knowledge_sources s on s.id = d.source_id where d.source_id = $1 and d.status = 'active'`,
        [source_id],
      ),
    );
    expect(row!.revision).toBe(row!.top);
    expect((await search('fossa')).hits).toHaveLength(1);
    await eventually('the others are gone', async () => (await count('documents', `source_id = '${source_id}'`)) === 1);
  });
});

describe('what cannot be taken in', () => {
  const refusal = async (args: object) => (await stack.call(pm, 'ingest.document.submit', args)).error;

  it('files outside the roots, by any way', async () => {
    const inside = file('secret-link.txt', 'x');
    symlinkSync('/etc/passwd', join(inside, '..', 'link.txt'));
    symlinkSync('/etc', join(inside, '..', 'folder'));
    const bad = [
      '/etc/passwd',
      '../../../../etc/passwd',
      join(inside, '..', 'link.txt'),
      join(inside, '..', 'folder', 'passwd'),
      '/no/such/file.txt',
      '/proc/self/environ',
      'a\u0001\n',
    ];
    for (const file_path of bad) {
      const error = await refusal({ file_path });
      expect(error?.code, file_path).toMatch(/VALIDATION_ERROR|NOT_FOUND/);
      expect(error?.hint, file_path).toContain('INGEST_ROOTS');
      expect(error?.message, file_path).not.toContain('root:');
    }
    expect((await refusal({ file_path: '/etc/passwd' }))?.message).toBe(
      (await refusal({ file_path: '/etc/no-such-file' }))?.message.replace('no-such-file', 'passwd'),
    );
    expect((await refusal({ file_path: 'nul\0.txt' }))?.code).toBe('VALIDATION_ERROR');
  });

  it('hidden files and missing ones', async () => {
    mkdirSync(join(root, '.hidden'), { recursive: true });
    writeFileSync(join(root, '.hidden', 'key.txt'), 'key');
    expect((await refusal({ file_path: join(root, '.hidden', 'key.txt') }))?.code).toBe('VALIDATION_ERROR');
    expect((await refusal({ file_path: join(root, 'nowhere.txt') }))?.code).toBe('NOT_FOUND');
  });

  it('binary, unknown and empty content fails its job with the reason, and the former version stands', async () => {
    const path = file('page.txt', 'A proper tapir text.');
    const good = await ingest({ file_path: path });
    writeFileSync(path, Buffer.from([0, 1, 2, 3, 0, 255, 0, 7]));
    const error = await refusal({ file_path: path });
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/not readable as text/),
      details: { source_id: good.source_id },
    });
    expect(await source(good.source_id!)).toMatchObject({
      status: 'active',
      metadata: { last_error: expect.stringMatching(/not readable/) },
    });
    expect((await search('tapir')).hits).toHaveLength(1);

    const pdf = await refusal({ file_path: file('new.bin', Buffer.from([0, 0, 0])) });
    expect(pdf).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringMatching(/Supported: .*\.vtt/) });
    // A type that cannot be read is refused before anything of it is kept.
    expect(pdf!.details).not.toHaveProperty('job_id');
    const blank = await refusal({ title: 'blank', content: '  \n ' });
    expect(blank?.message).toMatch(/no text/);
    expect(await source(blank!.details!['source_id'] as string)).toMatchObject({ status: 'error', chunk_count: 0 });
    expect(await count('documents', `status <> 'active'`)).toBe(0);
    const job = await stack.ok<{ job: { status: string; error: object } }>(pm, 'system.job.get', { job_id: blank!.details!['job_id'] });
    expect(job.job).toMatchObject({ status: 'failed', error: { code: 'VALIDATION_ERROR' } });
  });

  it('a text without a title is called by its first line, and replaces nothing', async () => {
    const one = await stack.call(pm, 'index.ingest', { source: { kind: 'text', text: '# Wombats\n\nThey dig.\n\n## Food\n\n- grass\n' } });
    expect(one.envelope.warnings).toContainEqual(expect.stringContaining('no title'));
    const { source_id, document_id } = (one.envelope.data ?? {}) as { source_id: string; document_id: string };
    expect(await source(source_id)).toMatchObject({ title: 'Wombats' });
    const [row] = await asTenant('acme', () =>
      stack.db.query<{ format: string }>('select format from documents where id = $1', [document_id]),
    );
    expect(row).toEqual({ format: 'md' });
    const again = await stack.ok(pm, 'index.ingest', { source: { kind: 'text', text: 'Another text.' } });
    expect((again as { source_id: string }).source_id).not.toBe(source_id);
  });

  it('neither or both of content and file_path', async () => {
    expect((await refusal({ title: 'x' }))?.code).toBe('VALIDATION_ERROR');
    expect((await refusal({ title: 'x', content: 'y', file_path: 'z' }))?.code).toBe('VALIDATION_ERROR');
    expect((await refusal({ title: 'x', content: 'y', metadata: { a: '\0' } }))?.code).toBe('VALIDATION_ERROR');
  });
});

describe('searching by words', () => {
  it('scores as BM25 says', async () => {
    const caller = await stack.caller({ tenant: 'scores' });
    const texts = [
      'red fox jumps over the red fence',
      'a blue fence',
      'the fox sleeps and the fox dreams of a hen house far away',
      'nothing to see',
    ];
    for (const [i, content] of texts.entries()) await ingest({ title: `t${i}`, content }, caller);
    const { hits } = await search('red fox fox', {}, caller);
    const lengths = texts.map((text, i) => [...termFrequencies(text, `t${i}`).values()].reduce((a, b) => a + b, 0));
    const average = lengths.reduce((a, b) => a + b, 0) / texts.length;
    const expected = texts
      .map((text, i) => {
        const tf = termFrequencies(text, `t${i}`);
        const score = terms('red fox fox').reduce((sum, term) => {
          const df = texts.filter((other) => termFrequencies(other).has(term)).length;
          return sum + (tf.has(term) ? bm25(tf.get(term)!, lengths[i]!, average, df, texts.length) : 0);
        }, 0);
        return { source: `t${i}`, score };
      })
      .filter((entry) => entry.score > 0)
      .sort((a, b) => b.score - a.score);
    expect(hits.map((hit) => hit.source)).toEqual(expected.map((entry) => entry.source));
    for (const [i, hit] of hits.entries()) expect(hit.metadata.scores.bm25).toBeCloseTo(expected[i]!.score, 3);
  });

  it('filters inside the query', async () => {
    const a = await ingest({ title: 'Filter A', content: 'The narwhal report.', tags: ['north', 'sea'] });
    await ingest({ title: 'Filter B', content: 'The narwhal code:\n\n```py\nprint("narwhal")\n```', format: 'md', tags: ['north'] });
    await ingest({ title: 'Filter C', content: 'The narwhal elsewhere.', kb_id: 'arctic' });
    const titles = async (filters: object) => (await search('narwhal', { filters })).hits.map((hit) => hit.source).sort();
    expect(await titles({})).toEqual(['Filter A', 'Filter B', 'Filter C']);
    expect(await titles({ tags: ['north'] })).toEqual(['Filter A', 'Filter B']);
    expect(await titles({ tags: ['north', 'sea'] })).toEqual(['Filter A']);
    expect(await titles({ sources: [a.source_id] })).toEqual(['Filter A']);
    expect(await titles({ has_code: true })).toEqual(['Filter B']);
    expect(await titles({ kb_id: 'arctic' })).toEqual(['Filter C']);
    expect(await titles({ tags: ['nope'] })).toEqual([]);
    expect((await search('narwhal', { limit: 2 })).hits).toHaveLength(2);
    expect((await stack.call(pm, 'index.chunk.search', { query: 'x', filters: { kb_id: 'nope' } })).error?.code).toBe('NOT_FOUND');
  });

  it('bears any query', async () => {
    await ingest({ title: 'Odd', content: 'Some ordinary words about query planning.' });
    const odd = [
      'the of and',
      '???',
      '\0',
      "'; drop table chunks; --",
      '"unclosed',
      '🎉🎉',
      '\ud800',
      'a'.repeat(10_000),
      'query planning '.repeat(660),
      Array.from({ length: 1500 }, (_, i) => `w${i}`)
        .join(' ')
        .slice(0, 10_000),
      '東京 % _ \\',
    ];
    for (const query of odd) {
      const answer = await stack.call(pm, 'index.chunk.search', { query });
      expect(answer.error, query.slice(0, 30)).toBeUndefined();
    }
    for (const query of ['', '   ', 'x'.repeat(10_001)])
      expect((await stack.call(pm, 'index.chunk.search', { query })).error?.code).toBe('VALIDATION_ERROR');
    const stop = await stack.call(pm, 'index.chunk.search', { query: 'what is the' });
    expect(stop.envelope.warnings.join()).toMatch(/common words/);
    expect((await stack.call(pm, 'index.chunk.search', { query: 'planning', mode: 'semantic' })).envelope.warnings.join()).toMatch(
      /No embedding model/,
    );
  });
});

describe('tenants', () => {
  it('never see each other, searching at once', async () => {
    const names = ['t-one', 't-two', 't-three'];
    const callers = await Promise.all(names.map((tenant) => stack.caller({ tenant })));
    await Promise.all(
      callers.map((caller) => ingest({ title: 'Shared title', content: `The same lemur words, kept by ${caller.tenant}.` }, caller)),
    );
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const caller = callers[i % 3]!;
        const { hits } = await search('lemur words', {}, caller);
        expect(hits.map((hit) => hit.content)).toEqual([`The same lemur words, kept by ${caller.tenant}.`]);
      }),
    );
    const mine = (await search('lemur', {}, callers[0])).hits[0]!;
    expect((await stack.call(callers[1]!, 'knowledge.source.get', { source_id: mine.source_id })).error?.code).toBe('NOT_FOUND');
    expect((await search('lemur', { filters: { sources: [mine.source_id] } }, callers[1])).hits).toEqual([]);
  });
});

describe('the process', () => {
  it('is called off by its job, and leaves nothing behind', async () => {
    await stack.stopWorkers();
    const pending = stack.call(pm, 'ingest.document.submit', { title: 'Called off', content: 'The aardvark text. '.repeat(20_000) });
    const id = await eventually('the job is there', async () => {
      const [row] = await asTenant('acme', () => stack.db.query<{ id: string }>(`select id from jobs where title = 'Called off'`));
      return row?.id;
    });
    await eventually('its process is there', async () => (await stack.call(pm, 'system.job.cancel', { job_id: id })).error === undefined);
    await stack.startWorkers();
    const answer = await pending;
    // If the workers return late, the caller was told to retry.
    if (answer.error) expect(answer.error).toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/cancelled/) });
    else expect(answer.envelope.status).toBe('accepted');
    await eventually('the job is cancelled', async () => {
      const { job } = await stack.ok<{ job: { status: string } }>(pm, 'system.job.get', { job_id: id });
      return job.status === 'cancelled';
    });
    const sourceId = (answer.error?.details?.['source_id'] ?? (answer.data as { source_id: string }).source_id) as string;
    expect(await source(sourceId)).toMatchObject({ status: 'error', chunk_count: 0 });
    expect(await count('documents', `source_id = '${sourceId}'`)).toBe(0);
    const again = await ingest({ title: 'Called off', content: 'The aardvark text. '.repeat(20_000) });
    expect(again).toMatchObject({ job_id: id, status: 'completed' });
  });

  it('answers accepted when it takes longer, and goes on', async () => {
    await stack.stopWorkers();
    const { answer, finished } = await asTenant('acme', () =>
      stack.services.knowledge.commands.submit(pm, { kind: 'document', title: 'Slow', content: 'The dugong is slow.' }, { waitMs: 300 }),
    );
    expect(finished).toBe(false);
    expect(answer).toMatchObject({ status: 'queued' });
    await stack.startWorkers();
    const { job } = await stack.ok<{ job: { status: string } }>(pm, 'system.job.get', { job_id: answer.job_id, wait_seconds: 60 });
    expect(job).toMatchObject({
      status: 'completed',
      result: { source_id: answer.source_id, chunk_count: 1, warnings: [expect.stringMatching(/No embedding model/)] },
    });
    expect((await search('dugong')).hits).toHaveLength(1);
  });

  it('starts again from its row when it was lost', async () => {
    await stack.stopWorkers();
    const { answer } = await asTenant('acme', () =>
      stack.services.knowledge.commands.submit(pm, { kind: 'document', title: 'Lost', content: 'The numbat was lost.' }, { waitMs: 100 }),
    );
    await stack.temporal.handle(answer.workflow_id).terminate('lost in a test');
    await stack.startWorkers();
    await asTenant('acme', () => stack.services.knowledge.commands.restart('acme', answer.job_id));
    const { job } = await stack.ok<{ job: { status: string } }>(pm, 'system.job.get', { job_id: answer.job_id, wait_seconds: 60 });
    expect(job.status).toBe('completed');
    expect((await search('numbat')).hits).toHaveLength(1);
  });

  it('takes a big document in bounded batches', async () => {
    const lines = Array.from({ length: 12_000 }, (_, i) => `Line ${i} about ${['echidna', 'wombat', 'bilby'][i % 3]} number ${i}.`);
    const { answer } = await asTenant('acme', () =>
      stack.services.knowledge.commands.submit(
        pm,
        { kind: 'document', title: 'Big', content: lines.join('\n\n'), chunkSize: 100 },
        { waitMs: 60_000 },
      ),
    );
    expect(answer.status).toBe('completed');
    expect(answer.chunk_count).toBeGreaterThan(5_000);
    const { hits } = await search('wombat number 11998');
    expect(hits[0]!.content).toContain('11998');
    expect(hits[0]!.metadata.place.start_line).toBeGreaterThan(23_900);
    const { historyLength } = await stack.temporal.handle(answer.workflow_id).describe();
    expect(historyLength).toBeLessThan(1_500);
  });

  it('replays what it did here', async () => {
    await eventually(
      'all are listed',
      async () => (await stack.temporal.client.workflow.count(`WorkflowType = 'ingest' and ExecutionStatus = 'Running'`)).count === 0,
    );
    const ended = await replay(histories(stack.temporal.client, `WorkflowType = 'ingest' and ExecutionStatus != 'Completed'`));
    expect(ended).toBeGreaterThan(2);
    expect(await replay(some(histories(stack.temporal.client, `WorkflowType = 'ingest' and ExecutionStatus = 'Completed'`), 20))).toBe(20);
  }, 120_000);
});

/** A long run's worth of histories takes long to replay. */
async function* some<T>(all: AsyncIterable<T>, most: number): AsyncGenerator<T> {
  let n = 0;
  for await (const one of all) {
    if ((n += 1) > most) return;
    yield one;
  }
}

/** Search as users see it, through the pipeline: every spelling, reranking, cached answers, explanations, code. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { SearchHit } from '../../contracts/knowledge/knowledge.ts';
import type { Trajectory } from '../../contracts/knowledge/trajectory.ts';
import { createServices } from '../../services/index.ts';
import { Catalogue } from '../../tools/catalogue/catalogue.ts';
import { tools } from '../../tools/index.ts';
import { committedVisible } from '../setup/databases.ts';
import { takeIn } from '../setup/evidence.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let server: Server;
/** What the reranker does with a call; it likes passages that say "best". */
let rerankerFails = false;
let reranked: { query: string; documents: string[] }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { query: string; documents: string[] };
      reranked.push(body);
      if (rerankerFails) return void response.writeHead(400).end();
      const results = body.documents.map((document, index) => ({ index, relevance_score: document.includes('best') ? 0.9 : 0.1 }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  stack = await testStack({
    env: { RERANKER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/rerank`, RERANKER_MODEL: 'judge' },
  });
  pm = await stack.caller({ name: 'pm' });
  for (const [title, content] of Object.entries(documents)) await ingest({ title, content, format: 'md', tags: ['handbook'] });
}, 120_000);
afterEach(() => {
  rerankerFails = false;
  reranked = [];
  vi.restoreAllMocks();
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await stack?.stop();
});

const documents = {
  Tokens:
    'Access tokens expire after ten minutes.\n\nVerify one like this:\n\n```python\nverify(token)\n```\n\nA refresh token lives for a day.',
  Retries: 'The client repeats a failed call with growing pauses. This is the best page about pauses.\n\n```js\nretry(call);\n```',
  Deletion: 'When an account is deleted its data is erased within thirty days.',
  Exports: 'Exports of large tables are written to a file and sent by mail. Pauses between the parts are normal.',
};
const ingest = ({ title, content, ...more }: { title: string; content: string; [key: string]: unknown }, caller = pm) =>
  takeIn(stack, caller, title, content, more);
const call = (name: string, args: object, caller = pm) => stack.call(caller, name, args);
const search = async (query: string, args: object = {}, caller = pm) => {
  const { error, envelope, data } = await call('index.chunk.search', { query, ...args }, caller);
  if (error) throw error;
  return { hits: (data as { hits: SearchHit[] }).hits, warnings: envelope.warnings, metadata: envelope.metadata };
};

describe('every spelling', () => {
  it('of devflow gives the devflow object', async () => {
    const { data } = await call('search_knowledge', { query: 'token expiry', top_k: 2, include_code_examples: true });
    const object = data as { results: Record<string, unknown>[]; total_results: number; search_time_ms: number };
    expect(Object.keys(object)).toEqual(['results', 'total_results', 'search_time_ms']);
    expect(object.total_results).toBe(object.results.length);
    expect(object.results.length).toBeLessThanOrEqual(2);
    expect(object.results[0]).toMatchObject({
      content: expect.stringContaining('Access tokens'),
      source: 'Tokens',
      url: null,
      score: expect.any(Number),
      metadata: { citation: expect.stringMatching(/^doc_\w+#0$/), tags: ['handbook'] },
      code_examples: [{ language: 'python', code: 'verify(token)' }],
    });
    expect((await call('search_knowledge', { query: 'tokens', top_k: 1000 })).envelope.warnings).toContain('"top_k" was cut to 100.');
  });

  it('of agentic-rag gives readable text and structured data', async ({ skip }) => {
    if (!stack.embedder) return skip('no embedding model');
    const near = await call('vector_search', { query: 'how long is an access token valid', similarity_threshold: 0.5, top_k: 3 });
    expect(near.text).toMatch(
      /^Vector Search Results:\n\n1\. \[Score: 0\.\d{3}\]\n {3}Content: Access tokens expire.*\n {3}Chunk ID: doc_\w+#0\n/,
    );
    expect(near.text).toMatch(/\n\nTrajectory ID: traj_\w+$/);
    const { hits } = near.envelope.data as { hits: { similarity: number; chunk_id: string; content: string; score: number }[] };
    expect(hits[0]).toMatchObject({
      similarity: hits[0]!.score,
      chunk_id: expect.stringMatching(/#0$/),
      content: expect.stringContaining('Access'),
    });

    const both = await call('hybrid_retrieve', { query: 'token expiry' });
    expect(both.text).toMatch(/^=== Hybrid Retrieval Results ===\n\n--- Vector Results ---\n1\. .+ \(score: \d\.\d{3}\)\n/);
    expect(both.text).toMatch(/\n\n--- Graph Results ---\n(- .+ \([a-z_]+\)\n){1,5}\nTrajectory ID: traj_\w+$/);
    expect((both.envelope.data as { nodes: { name: string }[] }).nodes.map((node) => node.name)).toContain('Tokens');
    expect(reranked).toHaveLength(1);
    await call('hybrid_retrieve', { query: 'token expiry', use_reranking: false });
    expect(reranked).toHaveLength(1);
  });

  it('of intelli-platform gives the envelope', async () => {
    const found = await call('index.search', { query: 'account deletion', limit: 1, filters: { kb_id: 'default' } });
    expect(found.envelope).toMatchObject({
      status: 'success',
      data: { hits: [{ source: 'Deletion' }], search_time_ms: expect.any(Number) },
      metadata: { result_count: 1, trajectory_id: expect.stringMatching(/^traj_/) },
    });
    await ingest({ title: 'Elsewhere', content: 'Account deletion in another base.', kb_id: 'other' });
    for (const name of ['knowledge.kb_query', 'knowledge.base.query']) {
      const limited = await call(name, {
        query: 'account deletion',
        kb_id: 'other',
        ...(name.includes('kb') ? { top_k: 5 } : { limit: 5 }),
      });
      expect((limited.data as { hits: SearchHit[] }).hits.map((hit) => hit.source)).toEqual(['Elsewhere']);
    }
    expect((await call('knowledge.base.query', { query: 'x', kb_id: 'nowhere' })).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('takes what is not listed, and lists no more than it did', async () => {
    const { hits } = await search('pauses', { mode: 'reranked', include_graph: true, reranker: 'flashrank', limit: 5 });
    expect(hits[0]!.source).toBe('Retries');
    const schema = new Catalogue(tools).list(pm, 'core').find((tool) => tool.name === 'index.chunk.search')!.inputSchema;
    expect(Object.keys(schema['properties'] as object)).toEqual(['query', 'limit', 'filters']);
  });
});

describe('a similarity threshold', () => {
  it('that nothing reaches tells the best there is', async ({ skip }) => {
    if (!stack.embedder) return skip('no embedding model');
    const none = await call('vector_search', { query: 'zebra crossings in Denmark', similarity_threshold: 0.99 });
    expect(none.text).toMatch(/^Vector Search Results:\n\nNothing was found\./);
    expect(none.envelope.warnings.join()).toMatch(/No passage reaches the similarity 0\.99; the best has 0\.\d\d/);
    const some = await search('token', { mode: 'semantic', similarity_threshold: 0.55, limit: 100 });
    expect(some.hits.every((hit) => hit.metadata.scores.cosine! >= 0.55)).toBe(true);
  });
});

describe('reranking', () => {
  it('reorders the hits of the hybrid search by reading them', async () => {
    const plain = await search('pauses between parts of exports');
    expect(plain.hits[0]!.source).toBe('Exports');
    expect(reranked).toEqual([]);
    const read = await search('pauses between parts of exports', { mode: 'reranked', limit: 2 });
    expect(read.hits.map((hit) => hit.source)).toEqual(['Retries', expect.any(String)]);
    expect(read.hits[0]).toMatchObject({ score: 0.9, metadata: { scores: { rerank: 0.9 } } });
    expect(reranked[0]!.query).toBe('pauses between parts of exports');
    expect(reranked[0]!.documents.length).toBeGreaterThan(2);
    expect(read.warnings).toEqual([]);
  });

  it('by vectors alone, under its agentic-rag name', async ({ skip }) => {
    if (!stack.embedder) return skip('no embedding model');
    const answer = await call('query_with_reranking', { query: 'waiting before the next attempt', top_k: 1 });
    expect(answer.text).toMatch(/^Vector Search Results:\n\n1\. \[Score: 0\.900\]/);
    const { hits } = answer.envelope.data as { hits: { metadata: { scores: object } }[] };
    expect(hits[0]!.metadata.scores).toEqual({ cosine: expect.any(Number), rerank: 0.9 });
    const named = await call('query_with_reranking', { query: 'waiting before the next attempt', reranker: 'colbert' });
    expect(named.envelope.warnings.join()).toMatch(/"colbert" is not configured: judge@/);
  });

  it('that fails leaves the plain order, says so, and is not kept', async () => {
    const plain = (await search('pauses in exports')).hits.map((hit) => hit.citation);
    rerankerFails = true;
    const failed = await search('pauses in exports', { mode: 'reranked' });
    expect(failed.hits.map((hit) => hit.citation)).toEqual(plain);
    expect(failed.warnings.join()).toMatch(/plain order: The reranker at RERANKER_URL cannot be used: it answered 400/);
    rerankerFails = false;
    const mended = await search('pauses in exports', { mode: 'reranked' });
    expect(mended.metadata.cached).toBeUndefined();
    expect(mended.warnings).toEqual([]);
  });

  it('without a reranker is the plain order with a warning', async () => {
    const without = createServices({ ...stack, reranker: null });
    const asked = { query: 'pauses', mode: 'hybrid', limit: 5 } as const;
    const answer = (rerank: boolean | 'if_available') =>
      asTenant('acme', () => without.knowledge.search.chunks('acme', { ...asked, rerank, reranker: 'colbert' }));
    const plain = await asTenant('acme', () => without.knowledge.search.chunks('acme', asked));
    expect((await answer(true)).hits).toEqual(plain.hits);
    expect((await answer(true)).warnings.join()).toMatch(/No reranker is configured \("colbert" was named\)/);
    expect((await answer('if_available')).warnings).toEqual(plain.warnings);
  });
});

describe('kept answers', () => {
  it('cost no embedding, keep apart what was asked, and have a trajectory of their own', async () => {
    const embed = stack.embedder ? vi.spyOn(stack.embedder, 'embed') : undefined;
    await committedVisible(stack.db);
    const first = await search('growing pauses');
    const again = await search('  growing\n pauses ');
    expect(first.metadata.cached).toBeUndefined();
    expect(again.metadata.cached).toBe(true);
    expect(again.hits).toEqual(first.hits);
    const asked = embed?.mock.calls.filter(([texts]) => texts.some((text) => /growing\s+pauses/.test(text)));
    expect(asked?.length ?? 1).toBe(1);
    expect(again.metadata.trajectory_id).not.toBe(first.metadata.trajectory_id);
    const { trajectory } = await stack.ok<{ trajectory: Trajectory }>(pm, 'index.answer.explain', {
      trajectory_id: again.metadata.trajectory_id,
    });
    expect(trajectory.steps[0]).toMatchObject({ data: { first_trajectory_id: first.metadata.trajectory_id } });
    for (const other of [{ limit: 1 }, { mode: 'semantic' }, { similarity_threshold: 0.1 }, { filters: { tags: ['handbook'] } }]) {
      expect((await search('growing pauses', other)).metadata.cached, JSON.stringify(other)).toBeUndefined();
    }
    expect((await search('growing pauses', { include_code_examples: true })).hits[0]).toHaveProperty('code_examples');
  });

  it('end with a write by any process, and never pass to another tenant', async () => {
    const caller = await stack.caller({ tenant: 'kept' });
    const other = await stack.caller({ tenant: 'kept-too' });
    const path = { title: 'Quokka', kb_id: 'zoo' };
    await ingest({ ...path, content: 'The quokka is small.' }, caller);
    const ask = () => search('quokka', {}, caller);
    await committedVisible(stack.db);
    await ask();
    expect((await ask()).metadata.cached).toBe(true);
    const strange = await call('index.chunk.search', { query: 'quokka' }, other);
    expect((strange.data as { hits: unknown[] }).hits).toEqual([]);

    const elsewhere = createServices(stack);
    const submit = (content: string) =>
      asTenant('kept', () =>
        elsewhere.knowledge.commands.submit(caller, { kind: 'document', title: 'Quokka', kbId: 'zoo', content }, { waitMs: 20_000 }),
      );
    await submit('The quokka is small and friendly.');
    expect((await ask()).hits.map((hit) => hit.content)).toEqual(['The quokka is small and friendly.']);
    // The replaced document is cleared away later, which ends what was kept once more.
    await eventually('the replaced document is cleared away', async () => {
      const rows = await asTenant('kept', () => stack.db.query(`select 1 from documents where tenant_id = 'kept'`));
      return rows.length === 1;
    });
    await eventually('it is kept again', async () => (await ask()).metadata.cached);
    await asTenant('kept', () => stack.db.query(`update knowledge_sources set tags = '{marsupial}' where tenant_id = 'kept'`));
    const renamed = await ask();
    expect(renamed.metadata.cached).toBe(true);
    expect(renamed.hits[0]!.metadata.tags).toEqual(['marsupial']);
    await asTenant('kept', async () => {
      await stack.db.query(`delete from documents where tenant_id = 'kept'`);
      await stack.db.query(`delete from chunks where tenant_id = 'kept'`);
    });
    expect(await ask()).toMatchObject({ hits: [], metadata: { result_count: 0 } });
  });

  it('may be switched off', async () => {
    const off = createServices({ ...stack, searchCache: null });
    for (let i = 0; i < 2; i += 1) {
      const answer = await asTenant('acme', () => off.knowledge.search.chunks('acme', { query: 'tokens', mode: 'hybrid', limit: 3 }));
      expect(answer).toMatchObject({ cached: false });
    }
  });

  it('are not made while a change below the latest may still commit', async () => {
    const caller = await stack.caller({ tenant: 'racing' });
    await ingest({ title: 'First', content: 'The numbat arrived first.' }, caller);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let opened = (): void => {};
    const open = new Promise<void>((resolve) => (opened = resolve));
    const slow = asTenant('racing', () =>
      stack.db.transaction(async (query) => {
        await query('select pg_current_xact_id()');
        opened();
        await held;
      }),
    );
    await open;
    await ingest({ title: 'Second', content: 'The numbat arrived second.' }, caller);
    await search('numbat', {}, caller);
    expect((await search('numbat', {}, caller)).metadata.cached).toBeUndefined();
    release();
    await slow;
    await eventually('it is kept', async () => (await search('numbat', {}, caller)).metadata.cached);
  });
});

describe('explanations', () => {
  it('tell plan, reasoning and sources, in every spelling', async () => {
    const { metadata, hits } = await search('token expiry', { limit: 3 });
    const id = { trajectory_id: metadata.trajectory_id };
    const { trajectory } = await stack.ok<{ trajectory: Trajectory }>(pm, 'index.answer.explain', id);
    expect(trajectory).toMatchObject({
      ...id,
      kind: 'retrieval',
      query: 'token expiry',
      principal: pm.principal,
      tool_call_id: expect.any(String),
    });
    expect(trajectory.sources.map((source) => source.id)).toEqual(hits.map((hit) => hit.citation));
    expect(trajectory.sources[0]!.scores).toMatchObject({
      bm25: expect.any(Number),
      bm25_rank: 1,
      ...(stack.embedder ? { cosine: expect.any(Number) } : {}),
    });
    const reasoning = trajectory.steps.map((step) => step.thought).join('\n');
    expect(reasoning).toMatch(/By words \(token, expiri\): \d+ candidates?/);
    if (stack.embedder) expect(reasoning).toMatch(/words count \d+ %, meaning \d+ %/);
    expect(reasoning).toMatch(/3 passages returned/);

    const text = (await call('explain_answer', id)).text;
    expect(text).toMatch(
      /^=== Answer Explanation ===\n\nPlan:\n {2}- Settle what is searched\n[^]+\n\nReasoning:\n {2}\* \d+ passages[^]+\n\nSources:\n {2}\[chunk\] doc_/,
    );
    expect((await call('explain_answer', id)).data).toMatchObject({
      plan: trajectory.plan,
      thoughts: expect.any(Array),
      sources: trajectory.sources,
    });
    expect((await call('index.explain', id)).data).toMatchObject({
      plan: trajectory.plan,
      reasoning: trajectory.steps,
      sources: trajectory.sources,
    });
  });

  it('are read from the table by any process, within the tenant alone', async () => {
    const { metadata } = await search('deletion of accounts', { mode: 'reranked' });
    const elsewhere = createServices(stack);
    const found = await asTenant('acme', () => elsewhere.knowledge.trajectories.get('acme', metadata.trajectory_id!));
    expect(found.plan).toContain('Rerank');
    const stranger = await stack.caller({ tenant: 'stranger' });
    for (const [caller, id] of [
      [stranger, metadata.trajectory_id],
      [pm, 'traj_00000000000000000000'],
      [pm, "'; drop table trajectories; --"],
    ] as const) {
      const missing = await call('explain_answer', { trajectory_id: id }, caller);
      expect(missing.error).toMatchObject({ code: 'NOT_FOUND', message: 'Trajectory not found' });
      expect(missing.text).toMatch(/^Trajectory not found/);
    }
  });

  it('bear any query, and go when they are old', async () => {
    for (const query of ['\0 nul', '\ud800 half', `quotes " ' \\ {"a":1}`, '東京', 'x'.repeat(10_000)]) {
      const { metadata } = await search(query);
      const { trajectory } = await stack.ok<{ trajectory: Trajectory }>(pm, 'index.answer.explain', {
        trajectory_id: metadata.trajectory_id,
      });
      expect(trajectory.kind).toBe('retrieval');
    }
    const old = (await search('an old question')).metadata.trajectory_id!;
    const young = (await search('a young question')).metadata.trajectory_id!;
    const { trajectories } = stack.services.knowledge;
    await asTenant('acme', () => trajectories.get('acme', young));
    await asTenant('acme', () => stack.db.query(`update trajectories set created_at = now() - interval '31 days' where id = $1`, [old]));
    expect(await trajectories.prune('stranger', 30)).toBe(0);
    expect(await trajectories.prune('acme', 30)).toBe(1);
    await expect(asTenant('acme', () => trajectories.get('acme', old))).rejects.toThrow('Trajectory not found');
    expect((await asTenant('acme', () => trajectories.get('acme', young))).query).toBe('a young question');
  });

  it('wait for a store that is away', async () => {
    const { trajectories } = createServices(stack).knowledge;
    const real = stack.db.query;
    let away = true;
    vi.spyOn(stack.db, 'query').mockImplementation(async (text: string, values?: unknown[]) => {
      if (away && text.startsWith('insert into trajectories')) {
        const { AppError } = await import('../../contracts/errors.ts');
        throw new AppError('SERVICE_UNAVAILABLE', 'away');
      }
      return await real(text, values);
    });
    const id = trajectories.note('acme', { kind: 'retrieval', query: 'patience', plan: [], steps: [], sources: [], principal: 'pm' });
    await trajectories.close();
    away = false;
    await trajectories.close();
    expect((await asTenant('acme', () => trajectories.get('acme', id))).query).toBe('patience');
  });
});

describe('code examples', () => {
  it('come with language, context and source', async () => {
    const { examples } = await stack.ok<{ examples: Record<string, unknown>[] }>(pm, 'index.code_example.search', {
      query: 'verify a token',
      language: 'py',
    });
    expect(examples).toEqual([
      {
        code: 'verify(token)',
        language: 'python',
        context: expect.stringContaining('Verify one like this:'),
        source: 'Tokens',
        source_id: expect.any(String),
        url: null,
        citation: expect.stringMatching(/#0$/),
        score: expect.any(Number),
      },
    ]);
    const { data } = await call('get_code_examples', { topic: 'retry a call', language: 'JavaScript', top_k: 1 });
    expect(data).toMatchObject({ examples: [{ code: 'retry(call);', language: 'js', source: 'Retries' }] });
    const none = await call('get_code_examples', { topic: 'retry a call', language: 'cobol' });
    expect(none.envelope.warnings.join()).toMatch(/No code block found is said to be cobol/);
  });
});

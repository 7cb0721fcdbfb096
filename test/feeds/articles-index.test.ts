/** Stored articles as knowledge, through a real worker. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let agent: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  agent = await stack.caller({ name: 'harvester' });
});
afterAll(() => stack?.stop());

const article = (n: number, content: string) => ({ title: `Article ${n}`, url: `https://news.example/${n}`, content, source_id: 'blog' });
const index = async (args: object) => {
  const { job_id } = await stack.ok<{ job_id: string }>(agent, 'feed.article.index', args);
  return await eventually('the end of the indexing', async () => {
    const { job } = await stack.ok<{ job: { status: string; result: { counts: Record<string, number> } } }>(agent, 'system.job.get', {
      job_id,
    });
    return job.status !== 'queued' && job.status !== 'running' && job;
  });
};

it('makes the articles of a run searchable, once', async () => {
  await stack.ok(agent, 'feed.article.store', {
    run_id: 'r1',
    articles: [article(1, 'The zebrafish genome was sequenced again.'), article(2, 'Glassblowers met in Murano.')],
  });
  await stack.ok(agent, 'feed.article.store', { run_id: 'r2', articles: [article(3, 'Of another run.')] });
  expect(await index({ run_id: 'r1' })).toMatchObject({ status: 'completed', result: { counts: { total: 2, done: 2 } } });
  const { hits } = await stack.ok<{ hits: object[] }>(agent, 'index.chunk.search', { query: 'zebrafish genome' });
  expect(JSON.stringify(hits[0])).toContain('zebrafish');
  expect(await index({ run_id: 'r1' })).toMatchObject({ status: 'completed', result: { counts: { total: 2, unchanged: 2 } } });
}, 120_000);

it('needs the right to write knowledge', async () => {
  const answer = await stack.call({ ...agent, scopes: ['feed:write'] }, 'feed.article.index', { run_id: 'r1' });
  expect(answer.error?.code).toBe('FORBIDDEN');
});

/** Many contents in one submission: folders, archives, sites, lists; what is parked, retried, given up; the pipeline. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { DlqItem, IngestAnswer, SearchHit } from '../../contracts/knowledge/knowledge.ts';
import type { GivenItem } from '../../services/knowledge/runs.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let root: string;
beforeAll(async () => {
  stack = await testStack({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
  root = stack.config.INGEST_ROOTS[0]!;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => stack?.stop());

const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asTenant('acme', () => stack.db.query<T>(text, values));
const jobOf = async (id: string, seconds = 30) =>
  (await stack.ok<{ job: Job }>(pm, 'system.job.get', { job_id: id, wait_seconds: seconds })).job;
const found = async (kb_id: string, query: string) =>
  (await stack.ok<{ hits: SearchHit[] }>(pm, 'index.chunk.search', { query, limit: 100, filters: { kb_id } })).hits;
/** What a failed expectation about a job shows. */
const tell = async (job: Job) => JSON.stringify({ job, parked: await rows('select * from dlq_items where job_id = $1', [job.job_id]) });
const dlq = async (job_id: string, more: object = {}) =>
  (await stack.ok<{ items: DlqItem[] }>(pm, 'ingest.dlq.list', { job_id, ...more })).items;

function folder(name: string, files: Record<string, string | Buffer>): string {
  const path = join(root, name);
  rmSync(path, { recursive: true, force: true });
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(path, file, '..'), { recursive: true });
    writeFileSync(join(path, file), content);
  }
  return path;
}

/** Waits for what takes seconds, and ten times as long on a busy machine. */
const items = (kb: string, given: GivenItem[], waitMs = 90_000) =>
  asTenant('acme', () => stack.services.knowledge.runs.submitItems(pm, { title: kb, kbId: kb, items: given }, { waitMs }));

describe('a folder', () => {
  it('is taken in whole; what has not changed stays, what has is replaced, what cannot be read is told', async () => {
    const path = folder('papers', {
      'one.md': '# One\n\nThe aardvark digs.',
      'deep/two.txt': 'The binturong smells of popcorn.',
      'deep/broken.pdf': '%PDF-1.4 this is no PDF',
      'picture.png': Buffer.from([0x89, 0x50]),
      '.hidden/secret.txt': 'nobody reads this',
    });
    const first = await stack.ok<IngestAnswer>(pm, 'ingest.document.submit', { file_path: path, kb_id: 'papers' });
    const job = await jobOf(first.job_id);
    expect(job, await tell(job)).toMatchObject({
      status: 'completed',
      result: { counts: { total: 3, done: 2, unchanged: 0, refused: 1, failed: 0, left: 0 }, skipped_count: 1 },
    });
    expect((await found('papers', 'aardvark'))[0]).toMatchObject({ content: expect.stringContaining('aardvark digs') });
    expect(await found('papers', 'nobody reads')).not.toContainEqual(
      expect.objectContaining({ content: expect.stringContaining('nobody') }),
    );
    const [refused] = await dlq(first.job_id);
    expect(refused).toMatchObject({ status: 'refused', stage: 'extraction', title: 'broken.pdf', error_code: 'VALIDATION_ERROR' });

    writeFileSync(join(path, 'one.md'), '# One\n\nThe aardwolf eats termites.');
    const second = await jobOf((await stack.ok<IngestAnswer>(pm, 'ingest.document.submit', { file_path: path, kb_id: 'papers' })).job_id);
    expect(second.job_id).not.toBe(first.job_id);
    expect(second).toMatchObject({ result: { counts: { done: 1, unchanged: 1, refused: 1 } } });
    const hits = (await found('papers', 'aardvark aardwolf')).map((hit) => hit.content).join();
    expect(hits).toContain('aardwolf');
    expect(hits).not.toContain('aardvark');
    expect(await rows(`select 1 from documents where status = 'retired'`)).toEqual([]);

    // After the fix, a retry ingests it in the same run.
    writeFileSync(join(path, 'deep/broken.pdf'), '');
    rmSync(join(path, 'deep/broken.pdf'));
    writeFileSync(join(path, 'deep/broken.pdf'), '%PDF-1.4 still none');
    const [again] = await dlq(second.job_id);
    expect(await stack.ok(pm, 'retry_dlq_item', { dlq_id: again!.dlq_id })).toMatchObject({ dlq_id: again!.dlq_id, job_id: second.job_id });
    await eventually('it is refused again', async () => (await dlq(second.job_id))[0]?.attempts === 2);
    await eventually('the run has ended', async () => (await jobOf(second.job_id, 0)).status === 'completed');
    await stack.ok(pm, 'ingest.dlq.abandon', { dlq_id: again!.dlq_id });
    expect(await dlq(second.job_id)).toEqual([]);
    expect((await stack.call(pm, 'ingest.dlq.retry', { dlq_id: again!.dlq_id })).error).toMatchObject({ code: 'CONFLICT' });
    expect((await stack.call(pm, 'ingest.dlq.retry', { dlq_id: 'dlq_none' })).error).toMatchObject({ code: 'NOT_FOUND' });
  }, 120_000);

  it('asked for by two at once is one run; an empty one is refused', async () => {
    const path = folder('twice', Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.txt`, `Number ${i} is a caracal.`])));
    const both = await Promise.all(
      [1, 2].map(() => stack.call(pm, 'index.ingest', { source: { kind: 'file', file_path: path }, kb_id: 'twice' })),
    );
    const ids = new Set(both.map((answer) => (answer.data as IngestAnswer).job_id));
    expect(ids.size).toBe(1);
    expect(await jobOf([...ids][0]!)).toMatchObject({ status: 'completed', result: { counts: { total: 40, done: 40 } } });
    expect(await found('twice', 'caracal')).toHaveLength(40);
    const empty = await stack.call(pm, 'ingest.document.submit', { file_path: folder('void', { 'a.png': 'x' }) });
    expect(empty.error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('a.png') });
  });

  it('survives a worker that dies again and again: each document once, none lost', async () => {
    const files = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`${i}.txt`, `Dossier ${i} tells of the dhole.`]));
    const path = folder('dying', files);
    const real = stack.db.transaction.bind(stack.db);
    let calls = 0;
    vi.spyOn(stack.db, 'transaction').mockImplementation(async (work) => {
      calls += 1;
      const call = calls;
      // Some die before they act, some after.
      if (call % 7 === 3) throw new Error(`died before transaction ${call}`);
      const result = await real(work);
      if (call % 7 === 5) throw new Error(`died after transaction ${call}`);
      return result;
    });
    const { job_id } = await stack.ok<IngestAnswer>(pm, 'ingest.document.submit', { file_path: path, kb_id: 'dying' });
    // Which attempts die depends on which run side by side: a step that dies five times in a row waits for a person.
    const job = await eventually(
      'its end',
      async () => {
        for (const { dlq_id, status } of await dlq(job_id)) if (status === 'parked') await stack.call(pm, 'ingest.dlq.retry', { dlq_id });
        const seen = await jobOf(job_id, 2);
        return seen.finished_at !== null && seen;
      },
      60_000,
    );
    vi.restoreAllMocks();
    expect(job, await tell(job)).toMatchObject({ status: 'completed', result: { counts: { total: 120, done: 120 } } });
    expect(
      await rows(
        `select count(*)::int as n, count(distinct source_id)::int as sources from chunks where scope = (select scope from knowledge_bases where id = 'dying')`,
      ),
    ).toEqual([{ n: 120, sources: 120 }]);
  }, 120_000);
});

describe('a list of contents', () => {
  it('is taken in, big ones too, the last of one name standing', async () => {
    const big = Array.from({ length: 400 }, (_, i) => `Paragraph ${i}: the echidna lays eggs and walks on.`).join('\n\n');
    const { job } = await items('list', [
      { identity: 'a', title: 'A', text: 'The fossa climbs.' },
      { identity: 'b', title: 'B', text: big, tags: ['long'] },
      { identity: 'a', title: 'A', text: 'The fossa climbs down.' },
    ]);
    expect(job, await tell(job)).toMatchObject({ status: 'completed', result: { counts: { total: 2, done: 2 } } });
    expect((await found('list', 'fossa')).filter((hit) => hit.content.includes('fossa')).map((hit) => hit.content)).toEqual([
      'The fossa climbs down.',
    ]);
    expect((await found('list', 'echidna paragraph'))[0]).toMatchObject({ source: 'B', metadata: { tags: ['long'] } });
  });

  it('that is taken for interrupted while it is handed over takes nothing in, and says so', async () => {
    const { runs } = stack.services.knowledge;
    const open = () => rows<{ id: string }>(`select id from jobs where title = 'halted'`);
    async function* halting(): AsyncGenerator<GivenItem> {
      yield { identity: 'h', title: 'H', text: 'The saiga wanders.' };
      await runs.restart('acme', await stack.services.jobs.get('acme', (await open())[0]!.id));
    }
    const submitted = asTenant('acme', () => runs.submitItems(pm, { title: 'halted', kbId: 'halted', items: halting() }));
    await expect(submitted).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('interrupted') });
    expect(await jobOf((await open())[0]!.id, 0)).toMatchObject({ status: 'failed', error: { code: 'CONFLICT' } });
    expect(await rows(`select 1 from documents where scope = (select scope from knowledge_bases where id = 'halted')`)).toEqual([]);
  });

  it('parks when the model is away, and goes on after a retry', async (context) => {
    if (!stack.embedder) return context.skip();
    const broken = vi.spyOn(stack.embedder, 'embed').mockRejectedValue(new AppError('SERVICE_UNAVAILABLE', 'The model is broken.'));
    const { job } = await items(
      'parked',
      Array.from({ length: 30 }, (_, i) => ({ identity: `p${i}`, title: `P${i}`, text: `The genet ${i}.` })),
      0,
    );
    await eventually('it is parked', async () => (await dlq(job.job_id)).some((item) => item.status === 'parked'), 60_000);
    const parked = await dlq(job.job_id, { failure_stage: 'embedding' });
    expect(parked[0]).toMatchObject({ error_code: 'SERVICE_UNAVAILABLE', attempts: 5, step: 'index' });
    await eventually('the job shows it', async () => (await jobOf(job.job_id, 0)).progress['stage'] === 'parked');
    broken.mockRestore();
    // Two at once decide: one of them does.
    const decided = await Promise.all([1, 2].map(() => stack.call(pm, 'ingest.dlq.retry', { dlq_id: parked[0]!.dlq_id })));
    expect(decided.map((answer) => answer.error?.code ?? 'ok').sort()).toEqual(['CONFLICT', 'ok']);
    for (const item of await dlq(job.job_id))
      if (item.status === 'parked') await stack.call(pm, 'ingest.dlq.retry', { dlq_id: item.dlq_id });
    await eventually('it is done', async () => {
      for (const item of await dlq(job.job_id))
        if (item.status === 'parked') await stack.call(pm, 'ingest.dlq.retry', { dlq_id: item.dlq_id });
      return (await jobOf(job.job_id, 0)).status === 'completed';
    });
    expect(await found('parked', 'genet')).toHaveLength(30);
    expect(await dlq(job.job_id)).toEqual([]);
  }, 120_000);

  it('gives up what a person gives up, and no more', async (context) => {
    if (!stack.embedder) return context.skip();
    const broken = vi.spyOn(stack.embedder, 'embed').mockRejectedValue(new AppError('SERVICE_UNAVAILABLE', 'The model is broken.'));
    const { job } = await items('given-up', [{ identity: 'x', title: 'X', text: 'The hirola stands.' }], 0);
    await eventually('it is parked', async () => (await dlq(job.job_id))[0]?.status === 'parked', 60_000);
    const [item] = await dlq(job.job_id);
    expect(await stack.ok(pm, 'ingest.dlq.abandon', { dlq_id: item!.dlq_id })).toMatchObject({ item: { status: 'abandoned' } });
    broken.mockRestore();
    expect(await jobOf(job.job_id)).toMatchObject({ status: 'completed', result: { counts: { failed: 1, done: 0 } } });
    expect(await found('given-up', 'hirola')).toEqual([]);
  });
});

describe('a run that ends early', () => {
  const refusable = 'Not a\0text.';
  const many = (count: number): GivenItem[] => [
    { identity: 'refused', title: 'Refused', text: refusable },
    ...Array.from({ length: count }, (_, i) => ({ identity: `e${i}`, title: `E${i}`, text: `The zorilla ${i}.` })),
  ];
  let release = (): void => {};
  afterEach(() => release());
  /** No bytes can be read until `release`. @param except those of this text can */
  function holdBytes(except?: string): void {
    release();
    const real = stack.blobs.get.bind(stack.blobs);
    const open = except === undefined ? '' : createHash('sha256').update(except).digest('hex');
    let letGo = (): void => {};
    const held = new Promise<void>((done) => (letGo = done));
    const holding = vi.spyOn(stack.blobs, 'get').mockImplementation(async (tenant, sha256) => {
      if (sha256 !== open) await held;
      return await real(tenant, sha256);
    });
    release = () => {
      holding.mockRestore();
      letGo();
    };
  }
  const statusOf = async (id: string) => (await jobOf(id, 0)).status;
  const processEnded = ({ workflow_id }: Pick<Job, 'workflow_id'>) =>
    eventually('its process has ended', async () => (await stack.temporal.handle(workflow_id).describe()).status.name !== 'RUNNING');
  async function callOff(job: Job): Promise<void> {
    const { job_id } = job;
    await stack.ok(pm, 'system.job.cancel', { job_id });
    await processEnded(job);
    expect(await statusOf(job_id)).toBe('cancelled');
  }

  it('parked and then cancelled leaves nothing to decide about', async () => {
    vi.spyOn(stack.blobs, 'get').mockRejectedValue(new AppError('SERVICE_UNAVAILABLE', 'The disk is away.'));
    const { job } = await items('called-off', many(2), 0);
    await eventually('it is parked', async () => (await dlq(job.job_id))[0]?.status === 'parked', 60_000);
    await callOff(job);
    expect(await dlq(job.job_id)).toEqual([]);
    const [letter] = await dlq(job.job_id, { include_decided: true });
    expect(letter).toMatchObject({ status: 'abandoned' });
    // As such processes left it before.
    await rows(`update dlq_items set status = 'parked' where id = $1`, [letter!.dlq_id]);
    expect((await stack.call(pm, 'ingest.dlq.retry', { dlq_id: letter!.dlq_id })).error).toMatchObject({ code: 'CONFLICT' });
    expect(await stack.ok(pm, 'ingest.dlq.abandon', { dlq_id: letter!.dlq_id })).toMatchObject({ item: { status: 'abandoned' } });
  });

  it('takes up what is tried again later, and nothing else', async () => {
    holdBytes(refusable);
    const { job } = await items('cut-short', many(50), 0);
    await eventually('one is refused', async () => (await dlq(job.job_id))[0]?.status === 'refused');
    await callOff(job);
    holdBytes();
    const { dlq_id } = (await dlq(job.job_id))[0]!;
    // Cancelled during the retry: it waits for a decision again.
    expect(await stack.ok(pm, 'ingest.dlq.retry', { dlq_id })).toMatchObject({ item: { status: 'retrying' } });
    await eventually('it is under way', async () => (await statusOf(job.job_id)) === 'running');
    await callOff(job);
    expect((await dlq(job.job_id))[0]).toMatchObject({ dlq_id, status: 'refused', error_code: 'CONFLICT' });
    release();
    // Whoever had it retried died before the process was told.
    await rows(`update dlq_items set status = 'retrying' where id = $1`, [dlq_id]);
    await stack.ok(pm, 'ingest.dlq.retry', { dlq_id });
    const ended = await eventually('it was worked on', async () => {
      const found = await jobOf(job.job_id);
      return found.status === 'completed' && found;
    });
    expect(ended, await tell(ended)).toMatchObject({ result: { counts: { total: 51, refused: 1, failed: 50, done: 0 } } });
    expect((await dlq(job.job_id))[0]).toMatchObject({ status: 'refused', error_code: 'VALIDATION_ERROR' });
  }, 120_000);

  it('looks again when something is tried again while it tidies', async () => {
    const real = stack.db.query.bind(stack.db);
    let again: Promise<unknown> | undefined;
    vi.spyOn(stack.db, 'query').mockImplementation(async (text: string, values?: unknown[]) => {
      if (/select distinct d.source_id/.test(text) && !again) {
        again = (async () => stack.ok(pm, 'ingest.dlq.retry', { dlq_id: (await dlq(String(values![1])))[0]!.dlq_id }))();
        await again;
      }
      return await real(text, values);
    });
    const { job } = await items('woken', many(1), 0);
    const [letter] = await eventually('it was refused twice', async () => {
      const letters = await dlq(job.job_id);
      return letters[0]?.attempts === 2 && letters[0].status === 'refused' && letters;
    });
    expect(letter).toMatchObject({ title: 'Refused' });
    expect(await jobOf(job.job_id)).toMatchObject({ status: 'completed', result: { counts: { done: 1, refused: 1, left: 0 } } });
  });

  it('closes the letter of a content that another run has taken in', async () => {
    const path = folder('mended', { 'x.txt': refusable });
    const first = await jobOf((await stack.ok<IngestAnswer>(pm, 'ingest.document.submit', { file_path: path, kb_id: 'mended' })).job_id);
    const [letter] = await dlq(first.job_id);
    writeFileSync(join(path, 'x.txt'), 'The banteng grazes.');
    const second = await stack.ok<IngestAnswer>(pm, 'ingest.document.submit', { file_path: path, kb_id: 'mended' });
    expect(await jobOf(second.job_id)).toMatchObject({ result: { counts: { done: 1 } } });
    await processEnded(second);
    await stack.ok(pm, 'ingest.dlq.retry', { dlq_id: letter!.dlq_id });
    await eventually('it is closed', async () => (await dlq(first.job_id)).length === 0);
    expect(await jobOf(first.job_id)).toMatchObject({ result: { counts: { unchanged: 1, refused: 0 } } });
  });
});

describe('a site', () => {
  let server: Server;
  let base: string;
  const pages: Record<string, string> = {
    '/': '<title>Home</title><h1>Home</h1><p>The indri sings.</p><a href="/a">a</a><a href="/private">p</a>',
    '/a': '<title>A</title><h1>Page A</h1><p>The jaguarundi runs. <a href="/b">b</a></p>',
    '/a?token=mum': '<title>A</title><p>The page for one who has the token.</p>',
    '/b': '<title>B</title><h1>Page B</h1><p>The kowari hunts at night.</p>',
    '/private': '<p>The private page.</p>',
    '/robots.txt': 'User-agent: *\nDisallow: /private',
  };
  beforeAll(async () => {
    server = createServer((request, response) => {
      const page = pages[request.url ?? ''];
      if (page === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': request.url === '/robots.txt' ? 'text/plain' : 'text/html' }).end(page);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('is read to the depth asked for, within its robots.txt, and cited by address', async () => {
    const answer = await stack.call(pm, 'ingest_url', { url: `${base}/`, depth: 1 });
    expect(answer.error).toBeUndefined();
    const job = await jobOf((answer.envelope.data as IngestAnswer).job_id);
    expect(job, await tell(job)).toMatchObject({ status: 'completed', result: { counts: { total: 2, done: 2 } } });
    const [hit] = await found('default', 'jaguarundi');
    expect(hit).toMatchObject({ url: `${base}/a`, metadata: { type: 'page' } });
    expect((await found('default', 'kowari private')).map((each) => each.url)).not.toContain(`${base}/private`);
  });

  it('with a user or token in its address: neither is kept or shown', async () => {
    const address = `http://ann:hush@${base.slice(7)}/a`;
    const asked: [string, object][] = [
      ['ingest.url.submit', { url: address }],
      ['ingest.content.submit', { source: { kind: 'url', url: address } }],
      ['ingest.youtube.submit', { video_url: 'https://ann:hush@www.youtube.com/watch?v=abcdefghijk' }],
    ];
    for (const [tool, args] of asked) {
      expect((await stack.call(pm, tool, args)).error, tool).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { reason: 'credentials' },
      });
    }
    expect(await rows(`select 1 from jobs where spec::text like '%hush%'`)).toEqual([]);
    const { job_id } = await stack.ok<IngestAnswer>(pm, 'ingest.url.submit', { url: `${base}/a?token=mum`, depth: 0, kb_id: 'tokens' });
    const job = await jobOf(job_id);
    expect(job).toMatchObject({ status: 'completed', title: `${base.slice(7)}/a` });
  });

  it('that is not there is refused at once; a private address too, unless allowed', async () => {
    const missing = await stack.call(pm, 'ingest.url.submit', { url: `${base}/missing`, depth: 0 });
    expect(missing.error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stack.call(pm, 'ingest.url.submit', { url: 'file:///etc/passwd' })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('what is replaced', () => {
  const blobOf = (text: string): string => {
    const hash = createHash('sha256').update(text).digest('hex');
    return join(stack.config.SIGNALBOX_DATA_DIR, 'blobs', 'acme', hash.slice(0, 2), hash);
  };
  const version = (n: number): GivenItem[] =>
    Array.from({ length: 5 }, (_, i) => ({ identity: `v${i}`, title: `V${i}`, text: `The vaquita ${i}, version ${n}.` }));

  it('goes with its bytes, looked for once for many sources', async () => {
    expect((await items('versions', version(1))).job.status).toBe('completed');
    expect(existsSync(blobOf(version(1)[0]!.text!))).toBe(true);
    const asked = vi.spyOn(stack.db, 'query');
    expect((await items('versions', version(2))).job.status).toBe('completed');
    // Once for all five, and once to see that none is left.
    expect(asked.mock.calls.filter(([text]) => text.includes('select distinct d.source_id'))).toHaveLength(2);
    for (const { text } of version(1)) expect(existsSync(blobOf(text!))).toBe(false);
    for (const { text } of version(2)) expect(existsSync(blobOf(text!))).toBe(true);
  });
});

describe('the pipeline', () => {
  it('completes what was stored without vectors, one run of a scope at a time', async (context) => {
    if (!stack.embedder) return context.skip();
    await items('late', [{ identity: 'l', title: 'L', text: 'The linsang is seldom seen.' }]);
    await rows(`update chunks set model = null, embedding = null where scope = (select scope from knowledge_bases where id = 'late')`);
    const ran = await Promise.all([1, 2].map(() => stack.ok<{ job_id: string }>(pm, 'run_pipeline', { scope: 'unprocessed' })));
    for (const { job_id } of ran) expect(await jobOf(job_id)).toMatchObject({ status: 'completed' });
    expect(await rows(`select count(*)::int as n from chunks c where model is null`)).toEqual([{ n: 0 }]);
    const all = await stack.ok<{ job_id: string }>(pm, 'ingest.pipeline.run', { scope: 'all' });
    const job = await jobOf(all.job_id, 60);
    expect(job).toMatchObject({ status: 'completed' });
    const [{ n }] = (await rows<{ n: number }>(`select count(*)::int as n from documents where status = 'active'`)) as [{ n: number }];
    expect(job.result).toMatchObject({ documents: n });
    expect((await found('late', 'linsang'))[0]).toMatchObject({ content: 'The linsang is seldom seen.' });
  }, 120_000);
});

describe('between its stages', () => {
  it('a run waits for the database, however long that is away', async () => {
    const patience = new Map<string, number>();
    for (const type of ['ingestRun', 'pipeline']) {
      for await (const { history } of histories(stack.temporal.client, `WorkflowType = '${type}'`)) {
        for (const { activityTaskScheduledEventAttributes: scheduled } of history.events ?? []) {
          if (scheduled) patience.set(scheduled.activityType!.name!, scheduled.retryPolicy!.maximumAttempts ?? 0);
        }
      }
    }
    expect(patience.get('indexItems')).toBe(5);
    for (const name of ['pendingItems', 'countDocuments', 'countForGraph']) expect(patience.get(name), name).toBe(0);
  });
});

describe('replay', () => {
  it('of what they did here', async () => {
    for (const type of ['ingestRun', 'pipeline']) {
      const query = `WorkflowType = '${type}' and ExecutionStatus != 'Running'`;
      expect(await replay(histories(stack.temporal.client, query))).toBeGreaterThan(1);
      if (!process.env['RECORD_HISTORIES']) continue;
      const target = fileURLToPath(new URL('../replay/histories', import.meta.url));
      let count = 0;
      for await (const { history } of histories(stack.temporal.client, query)) {
        count += 1;
        save(join(target, `${type}-${String(count).padStart(2, '0')}.history.gz`), history);
      }
    }
  }, 120_000);
});

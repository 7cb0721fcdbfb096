/** The stages of an ingestion, killed, repeated and late; vectors; and histories for the replay tests. */
import { Context, asyncLocalStorage } from '@temporalio/activity';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ingestActivities } from '../../activities/knowledge/ingest.ts';
import { follow } from '../../services/kernel/followers.ts';
import { publish } from '../../services/knowledge/records-publish.ts';
import { parse } from '../../adapters/parsers/index.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { IngestRef } from '../../contracts/activities/knowledge/ingest.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { DlqItem, IngestAnswer, SearchHit } from '../../contracts/knowledge/knowledge.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack();
  pm = await stack.caller({ name: 'pm' });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => stack?.stop());

/** Each test has a knowledge base of its own: by meaning, everything is found somehow. */
const submit = (kbId: string, title: string, content: string, waitMs = 60_000) =>
  asTenant('acme', () => stack.services.knowledge.commands.submit(pm, { kind: 'document', kbId, title, content }, { waitMs }));
const search = async (kb_id: string, query: string, extra: object = {}) => {
  const answer = await stack.call(pm, 'index.chunk.search', { query, filters: { kb_id }, ...extra });
  if (answer.error) throw answer.error;
  return { hits: (answer.data as { hits: SearchHit[] }).hits, warnings: answer.envelope.warnings };
};
const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asTenant('acme', () => stack.db.query<T>(text, values));
const jobOf = async (id: string, seconds = 30) =>
  (await stack.ok<{ job: Job }>(pm, 'system.job.get', { job_id: id, wait_seconds: seconds })).job;
const refOf = ({ job_id, source_id, document_id }: IngestAnswer): IngestRef => ({
  tenant: 'acme',
  jobId: job_id,
  sourceId: source_id!,
  documentId: document_id!,
});

/** Runs an activity like a worker that was suspended for a long time. */
async function asleep<T>(activity: () => Promise<T>): Promise<T> {
  const never = new AbortController();
  const context = Object.assign(Object.create(Context.prototype) as Context, {
    info: { attempt: 1 },
    cancellationSignal: never.signal,
    heartbeat: () => {},
  });
  return await asyncLocalStorage.run(context, activity);
}

describe('publication', () => {
  it('is refused while passages are missing or not indexed, and what stands goes on standing', async () => {
    const { answer: standing } = await submit('guarded', 'Guarded', 'The first version stands.');
    const { answer } = await submit('guarded', 'Guarded, too', 'A document that is not complete yet.\n\n'.repeat(100));
    const ref = refOf(answer);
    const status = async () => (await rows<{ status: string }>('select status from documents where id = $1', [ref.documentId]))[0]?.status;
    await rows(`update documents set status = 'building' where id = $1`, [ref.documentId]);
    const guarded = () => asTenant('acme', () => publish(stack.db, ref));

    const last = `(select max(ordinal) from chunks where document_id = $1)`;
    const [before] = await rows<{ terms: number }>(`select terms from chunks where document_id = $1 and ordinal = ${last}`, [
      ref.documentId,
    ]);
    await rows(`update chunks set terms = null where document_id = $1 and ordinal = ${last}`, [ref.documentId]);
    await expect(guarded()).rejects.toThrow('1 of them not indexed');
    expect(await status()).toBe('building');

    await rows(`update chunks set terms = $2 where document_id = $1 and ordinal = ${last}`, [ref.documentId, before!.terms]);
    await rows(`update documents set chunk_count = chunk_count + 1 where id = $1`, [ref.documentId]);
    await expect(guarded()).rejects.toThrow('has');
    expect(await status()).toBe('building');

    await rows(`update documents set chunk_count = chunk_count - 1 where id = $1`, [ref.documentId]);
    expect(await guarded()).toMatchObject({ state: 'active' });
    expect((await rows('select 1 from documents where id = $1 and status = $2', [standing.document_id, 'active'])).length).toBe(1);
  });
});

it('a newer version takes the place of what stands in one step: what followed from that is void, and it is told', async () => {
  const first = refOf((await submit('replaced', 'Replaced', 'The first version of the okapi.')).answer);
  const found: string[] = [];
  follow({
    async documentsVoid(query, _tenant, ids) {
      if (!ids.includes(first.documentId)) return;
      const [newer] = await query<{ status: string }>('select status from documents where source_id = $1 and id <> $2', [
        first.sourceId,
        first.documentId,
      ]);
      found.push(newer?.status ?? 'none');
    },
  });
  const second = refOf((await submit('replaced', 'Replaced', 'The second version of the okapi.')).answer);
  expect(found[0]).toBe('building');
  const told = await rows<{ type: string; subject: string }>(
    `select type, subject from outbox where subject = any($1) and type like 'document.%' order by id`,
    [[first.documentId, second.documentId]],
  );
  expect(told.map(({ type, subject }) => `${type} ${subject === first.documentId ? 'first' : 'second'}`)).toEqual([
    'document.published first',
    'document.retired first',
    'document.published second',
  ]);
});

/** Whether an activity of the process `ingest` calls. */
function inIngest(): boolean {
  try {
    return Context.current().info.workflowType === 'ingest';
  } catch {
    return false;
  }
}

describe('stages', () => {
  it('that die after they acted are repeated without a trace', async () => {
    await stack.stopWorkers();
    const { answer } = await submit('killed', 'Killed', 'The kakapo cannot fly.\n\n'.repeat(200), 0);
    const real = stack.db.transaction.bind(stack.db);
    let calls = 0;
    // open, insert and describe (each attempt from the start), index, publish, extract, resolve, signals: each acts and dies once.
    const dying = new Set([1, 3, 6, 10, 11, 13, 14, 16]);
    vi.spyOn(stack.db, 'transaction').mockImplementation(async (work) => {
      // Others of this process, e.g. the ledger, are not meant.
      if (!inIngest()) return await real(work);
      calls += 1;
      const call = calls;
      const result = await real(work);
      if (dying.has(call)) throw new Error(`died after transaction ${call}`);
      return result;
    });
    await stack.startWorkers();
    const job = await jobOf(answer.job_id, 60);
    vi.restoreAllMocks();
    expect(job, JSON.stringify(job)).toMatchObject({ status: 'completed' });
    expect(calls).toBe(17);
    expect(job.result).toMatchObject({ chunk_count: expect.any(Number), warnings: [] });
    expect(await rows('select graph from documents where source_id = $1', [answer.source_id])).toEqual([{ graph: 'resolved' }]);
    const [sums] = await rows(
      `select count(*)::int as chunks, count(distinct ordinal)::int as ordinals, count(embedding)::int as vectors,
         (select count(distinct (chunk_id, term))::int from postings where chunk_id in (select id from chunks where source_id = $1)) as postings,
         (select count(*)::int from postings where chunk_id in (select id from chunks where source_id = $1)) as all_postings
       from chunks where source_id = $1`,
      [answer.source_id],
    );
    const { chunk_count } = job.result as { chunk_count: number };
    expect(sums).toMatchObject({ chunks: chunk_count, ordinals: chunk_count, ...(stack.embedder ? { vectors: chunk_count } : {}) });
    expect(sums!['postings']).toBe(sums!['all_postings']);
    expect((await search('killed', 'kakapo', { limit: 100 })).hits).toHaveLength(Math.min(100, chunk_count));
  });

  it('that come late change nothing', async () => {
    const first = refOf((await submit('late', 'Late', 'The saola, first version.')).answer);
    const second = refOf((await submit('late', 'Late', 'The saola, second version.')).answer);
    await eventually(
      'the first is gone',
      async () => (await rows('select 1 from documents where id = $1', [first.documentId])).length === 0,
    );
    const activities = ingestActivities({ ...stack, parse, cleared: () => Promise.resolve() });
    const range = { from: 0, to: 50, vectors: true };
    expect(await asleep(() => activities.publishDocument(first))).toMatchObject({ state: 'superseded' });
    await asleep(() => activities.indexChunks(first, range));
    await asleep(() => activities.clearRetired(first));
    await asleep(() => activities.discardDocument(first, null, null));
    // The very activities of the version that stands, once more.
    expect(await asleep(() => activities.prepareDocument(second))).toMatchObject({ state: 'active', chunks: 1 });
    await asleep(() => activities.indexChunks(second, range));
    expect(await asleep(() => activities.publishDocument(second))).toMatchObject({ state: 'active', chunks: 1 });
    expect((await search('late', 'saola')).hits.map((hit) => hit.content)).toEqual(['The saola, second version.']);
    expect(await rows('select status from documents where source_id = $1', [second.sourceId])).toEqual([{ status: 'active' }]);
  });

  it('of a version that was taken back cannot bring it back', async () => {
    await expect(submit('bad', 'Bad', 'a\0b')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const [job] = await rows<{ id: string; spec: { source_id: string } }>(`select id, spec from jobs where title = 'Bad'`);
    const ref = { tenant: 'acme', jobId: job!.id, sourceId: job!.spec.source_id, documentId: 'doc_of_before' };
    const activities = ingestActivities({ ...stack, parse, cleared: () => Promise.resolve() });
    await expect(asleep(() => activities.prepareDocument(ref))).rejects.toMatchObject({ type: 'app:GONE', nonRetryable: true });
    await expect(asleep(() => activities.publishDocument(ref))).rejects.toMatchObject({ type: 'app:GONE' });
    expect(await rows('select 1 from documents where source_id = $1', [ref.sourceId])).toEqual([]);
  });

  it('in which an older version overtakes a newer one lose', async () => {
    await stack.stopWorkers();
    const older = (await submit('order', 'Order', 'The vaquita, older.', 0)).answer;
    const newer = (await submit('order', 'Order', 'The vaquita, newer.', 0)).answer;
    const specs = await rows<{ id: string; spec: { document_id: string; revision: number } }>(
      'select id, spec from jobs where id = any($1)',
      [[older.job_id, newer.job_id]],
    );
    const ref = (answer: IngestAnswer) =>
      refOf({ ...answer, document_id: specs.find((row) => row.id === answer.job_id)!.spec.document_id });
    const activities = ingestActivities({ ...stack, parse, cleared: () => Promise.resolve() });
    for (const which of [older, newer]) {
      await asleep(() => activities.prepareDocument(ref(which)));
      await asleep(() => activities.indexChunks(ref(which), { from: 0, to: 50, vectors: false }));
    }
    expect(await asleep(() => activities.publishDocument(ref(newer)))).toMatchObject({ state: 'active' });
    expect(await asleep(() => activities.publishDocument(ref(older)))).toMatchObject({ state: 'superseded' });
    expect((await search('order', 'vaquita')).hits.map((hit) => hit.content)).toEqual(['The vaquita, newer.']);
    await stack.startWorkers();
    expect(await jobOf(newer.job_id)).toMatchObject({ status: 'completed' });
    await jobOf(older.job_id);
    expect((await search('order', 'vaquita')).hits.map((hit) => hit.content)).toEqual(['The vaquita, newer.']);
  });
});

describe('vectors', () => {
  it('find by meaning, and honour a threshold', async (context) => {
    if (!stack.embedder) return context.skip();
    await submit('meaning', 'Cars', 'The automobile would not start because its battery was empty.');
    await submit('meaning', 'Bread', 'Knead the dough, let it rise, bake it until the crust is brown.');
    const { hits, warnings } = await search('meaning', 'vehicle that has no power', { mode: 'semantic' });
    expect(warnings).toEqual([]);
    expect(hits[0]).toMatchObject({ source: 'Cars', metadata: { scores: { cosine: expect.any(Number) } } });
    expect(hits[0]!.score).toBe(hits[0]!.metadata.scores.cosine);
    const none = await search('meaning', 'vehicle that has no power', { mode: 'semantic', similarity_threshold: 0.99 });
    expect(none.hits).toEqual([]);
    expect(none.warnings.join()).toMatch(/the best has 0\.\d\d/);
    const hybrid = await search('meaning', 'battery of a vehicle');
    expect(hybrid.hits[0]).toMatchObject({
      source: 'Cars',
      metadata: { scores: { cosine: expect.any(Number), bm25: expect.any(Number) } },
    });
    expect((await search('meaning', 'how is it', { mode: 'hybrid' })).warnings.join()).toMatch(/meaning alone/);
  });

  it('of another model are not compared', async (context) => {
    if (!stack.embedder) return context.skip();
    await submit('foreign', 'Foreign', 'The binturong smells of popcorn.');
    await rows(`update chunks set model = 'other' where source_id in (select id from knowledge_sources where title = 'Foreign')`);
    const { hits, warnings } = await search('foreign', 'binturong popcorn');
    expect(hits.map((hit) => hit.metadata.scores)).toEqual([{ bm25: expect.any(Number) }]);
    expect(warnings.join()).toMatch(/ingest the sources again/);
  });

  it('park their process when the model cannot be used, and have it go on after a retry', async (context) => {
    if (!stack.embedder) return context.skip();
    const broken = vi.spyOn(stack.embedder, 'embed').mockRejectedValue(new AppError('SERVICE_UNAVAILABLE', 'The model is broken.'));
    const { answer } = await submit('broken', 'No model', 'The margay climbs head first.', 0);
    const parked = async () =>
      (await stack.ok<{ items: DlqItem[] }>(pm, 'get_dlq_status', { failure_stage: 'embedding' })).items.filter(
        (item) => item.job_id === answer.job_id,
      );
    await eventually('it is parked', async () => (await parked())[0]?.status === 'parked', 60_000);
    expect((await parked())[0]).toMatchObject({ error: 'The model is broken.', attempts: 5, source_id: answer.source_id });
    expect(broken).toHaveBeenCalled();
    broken.mockRestore();
    const retried = await stack.ok(pm, 'retry_dlq_item', { dlq_id: (await parked())[0]!.dlq_id });
    expect(retried).toEqual({ dlq_id: expect.any(String), status: expect.stringMatching(/retrying|resolved/), job_id: answer.job_id });
    expect(await jobOf(answer.job_id)).toMatchObject({ status: 'completed' });
    expect((await search('broken', 'margay')).hits).toHaveLength(1);
    expect(await parked()).toEqual([]);
  });

  it('given up, or called off while parked, leave nothing behind', async (context) => {
    if (!stack.embedder) return context.skip();
    const broken = vi.spyOn(stack.embedder, 'embed').mockRejectedValue(new AppError('SERVICE_UNAVAILABLE', 'The model is broken.'));
    const jobs = await Promise.all(['One', 'Two'].map((title) => submit('left', title, `The ${title} sloth hangs.`, 0)));
    const ids = jobs.map(({ answer }) => answer.job_id);
    const open = async () =>
      (await stack.ok<{ items: DlqItem[] }>(pm, 'ingest.dlq.list', {})).items.filter((item) => ids.includes(item.job_id));
    await eventually('both are parked', async () => (await open()).filter((item) => item.status === 'parked').length === 2, 60_000);
    const [one] = (await open()).filter((item) => item.job_id === ids[0]);
    await stack.ok(pm, 'ingest.dlq.abandon', { dlq_id: one!.dlq_id });
    await stack.ok(pm, 'system.job.cancel', { job_id: ids[1] });
    broken.mockRestore();
    expect((await jobOf(ids[0]!)).status).toBe('failed');
    expect((await jobOf(ids[1]!)).status).toBe('cancelled');
    expect(await open()).toEqual([]);
    expect(await rows('select 1 from documents where source_id = any($1)', [jobs.map(({ answer }) => answer.source_id)])).toEqual([]);
  });

  it('refused contents can be tried again, as they are', async () => {
    await expect(submit('refused', 'Refused', 'a\0b')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const list = async () =>
      (await stack.ok<{ items: DlqItem[] }>(pm, 'ingest.dlq.list', {})).items.filter((item) => item.title === 'Refused');
    const [item] = await list();
    expect(item).toMatchObject({ status: 'refused', attempts: 1, stage: 'extraction' });
    await stack.ok(pm, 'ingest.dlq.retry', { dlq_id: item!.dlq_id });
    await eventually('it is refused again', async () => (await list())[0]?.attempts === 2);
    await jobOf(item!.job_id);
    await stack.ok(pm, 'ingest.dlq.abandon', { dlq_id: item!.dlq_id });
    expect(await list()).toEqual([]);
  });
});

describe('replay', () => {
  it('of retries and cancellations under way', async () => {
    // Called off while batches are being indexed, which waits so long.
    const release = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lock = asTenant('acme', () =>
      stack.db.transaction(async (query) => {
        await query('lock table postings in share mode');
        locked.resolve();
        await release.promise;
      }),
    );
    await locked.promise;
    const { answer } = await submit(
      'cancel',
      'Called off later',
      Array.from({ length: 3000 }, (_, i) => `Sentence ${i} about margins.`).join('\n\n'),
      0,
    );
    await eventually('it is being indexed', async () => (await jobOf(answer.job_id, 0)).progress['stage'] === 'index');
    await stack.ok(pm, 'system.job.cancel', { job_id: answer.job_id });
    release.resolve();
    await lock;
    expect((await jobOf(answer.job_id)).status).toBe('cancelled');
    expect(await rows('select 1 from documents where source_id = $1', [answer.source_id])).toEqual([]);
    await eventually(
      'all have ended',
      async () => (await stack.temporal.client.workflow.count(`WorkflowType = 'ingest' and ExecutionStatus = 'Running'`)).count === 0,
    );
    expect(await replay(histories(stack.temporal.client, `WorkflowType = 'ingest'`))).toBeGreaterThan(8);
    if (!process.env['RECORD_HISTORIES']) return;
    const folder = fileURLToPath(new URL('../replay/histories', import.meta.url));
    mkdirSync(folder, { recursive: true });
    let count = 0;
    for await (const { history } of histories(stack.temporal.client, `WorkflowType = 'ingest'`)) {
      count += 1;
      save(join(folder, `ingest-${String(count).padStart(2, '0')}.history.gz`), history);
    }
  }, 120_000);
});

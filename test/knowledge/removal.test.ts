/** Complete deletion of sources and bases: with kills, repeats, and concurrent submissions. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { RemovalAnswer } from '../../contracts/knowledge/bases.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { IngestAnswer, SearchHit, Source } from '../../contracts/knowledge/knowledge.ts';
import { deleteRetired } from '../../services/knowledge/records-publish.ts';
import { removeSome } from '../../services/knowledge/removal-clear.ts';
import { findLost, restart } from '../../services/sweep.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => stack?.stop());

type Answer = RemovalAnswer & { source_id: string };
const ingest = (title: string, content: string, extra: object = {}) =>
  stack.ok<IngestAnswer & { source_id: string; document_id: string }>(pm, 'ingest.document.submit', { title, content, ...extra });
/** Without waiting for it. */
const submit = (title: string, content: string, kbId = 'default') =>
  asTenant('acme', () => stack.services.knowledge.commands.submit(pm, { kind: 'document', title, content, kbId }, { waitMs: 0 }));
const remove = (sourceId: string, waitMs = 60_000) =>
  asTenant('acme', () => stack.services.knowledge.removal.source(pm, sourceId, { waitMs }));
const removeBase = (kbId: string, waitMs = 60_000) => asTenant('acme', () => stack.services.knowledge.removal.base(pm, kbId, { waitMs }));
const search = async (query: string, extra: object = {}) =>
  (await stack.ok<{ hits: SearchHit[] }>(pm, 'index.chunk.search', { query, ...extra })).hits;
const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asTenant('acme', () => stack.db.query<T>(text, values));
const jobOf = async (id: string, seconds = 60) =>
  (await stack.ok<{ job: Job }>(pm, 'system.job.get', { job_id: id, wait_seconds: seconds })).job;
const blobs = (): string[] =>
  readdirSync(join(stack.config.SIGNALBOX_DATA_DIR, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

/** How many rows each table has of a source; orphans of anybody. */
async function traces(sourceId: string): Promise<Record<string, number>> {
  const [row] = await rows<Record<string, number>>(
    `select (select count(*)::int from knowledge_sources where id = $1) as sources, (select count(*)::int from documents where source_id = $1) as documents,
       (select count(*)::int from chunks where source_id = $1) as chunks,
       (select count(*)::int from postings p where not exists (select from chunks c where c.id = p.chunk_id)) as orphans`,
    [sourceId],
  );
  return row!;
}
const nothing = { sources: 0, documents: 0, chunks: 0, orphans: 0 };
const long = (word: string, paragraphs: number): string =>
  Array.from({ length: paragraphs }, (_, i) => `# ${word} ${i}\n\nParagraph ${i} about the ${word}.`).join('\n\n');

describe('a deleted source', () => {
  it('is gone from every place, and a repeat says the same', async () => {
    const made = await ingest('Numbat', 'The numbat eats termites.', { tags: ['x'], format: 'md' });
    const [{ blob }] = (await rows<{ blob: string }>('select blob from documents where id = $1', [made.document_id])) as [{ blob: string }];
    expect(blobs()).toContain(blob);
    const { scope } = (await rows<{ scope: number }>('select scope from documents where id = $1', [made.document_id]))[0]!;

    const answer = await stack.call(pm, 'knowledge.source.delete', { source_id: made.source_id });
    const data = answer.data as Answer;
    expect(data).toEqual({
      source_id: made.source_id,
      job_id: expect.stringMatching(/^job_/),
      workflow_id: `removal/acme/${made.source_id}`,
      status: 'completed',
      source_count: 1,
      document_count: 1,
      chunk_count: 1,
    });
    expect(answer.envelope).toMatchObject({
      status: 'success',
      warnings: [],
      refs: expect.arrayContaining([{ type: 'job', id: data.job_id }]),
    });
    expect(await traces(made.source_id)).toEqual(nothing);
    expect(blobs()).not.toContain(blob);
    expect(await search('numbat termites')).toEqual([]);
    expect((await stack.call(pm, 'knowledge.source.get', { source_id: made.source_id })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect(
      await rows(`select type, data from outbox where subject = $1 and type like 'document.%' order by id`, [made.document_id]),
    ).toEqual([
      { type: 'document.published', data: { scope, source_id: made.source_id } },
      { type: 'document.retired', data: { scope, source_id: made.source_id } },
      { type: 'document.deleted', data: { scope, source_id: made.source_id } },
    ]);
    expect((await jobOf(data.job_id)).result).toEqual({ sources: 1, documents: 1, chunks: 1 });
    // The job does not contain the source's content.
    expect(JSON.stringify(await rows('select * from jobs where id = $1', [data.job_id]))).not.toMatch(/numbat/i);

    const again = await stack.call(pm, 'knowledge.source.delete', { source_id: made.source_id });
    expect(again.data).toEqual(data);
    expect(again.envelope.warnings.join()).toMatch(/deleted already/);
    expect((await stack.call(pm, 'knowledge.source.delete', { source_id: 'source_none' })).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('can be taken in again, and be deleted again', async () => {
    for (let life = 1; life <= 3; life += 1) {
      const made = await ingest('Nine lives', 'The cat came back.', life === 1 ? { tags: ['old'] } : {});
      expect(made.status).toBe('completed');
      expect((await search('cat came back')).map((hit) => hit.metadata.tags)).toEqual([life === 1 ? ['old'] : []]);
      expect(await stack.ok<Answer>(pm, 'knowledge.source.delete', { source_id: made.source_id })).toMatchObject({
        status: 'completed',
        chunk_count: 1,
      });
      expect(await traces(made.source_id)).toEqual(nothing);
    }
  });

  it("is its tenant's own affair", async () => {
    const gil = await stack.caller({ tenant: 'globex', name: 'gil' });
    const made = await ingest('Ours', 'The dugong is ours.');
    expect((await stack.call(gil, 'knowledge.source.delete', { source_id: made.source_id })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stack.call(gil, 'knowledge.source.update', { source_id: made.source_id, title: 'Theirs' })).error).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await search('dugong')).toHaveLength(1);
    const reader = await stack.caller({ role: 'readonly', name: 'reader' });
    expect((await stack.call(reader, 'knowledge.source.delete', { source_id: made.source_id })).error).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('keeps the blob that another source, an artifact or a content that waits for its turn needs', async () => {
    const text = 'The same bytes in three places.';
    const one = await ingest('Copy one', text);
    const two = await ingest('Copy two', text);
    const { sha256 } = await stack.ok<{ sha256: string }>(pm, 'substrate.artifact.upload', { content: text, media_type: 'text/plain' });
    await remove(one.source_id);
    expect(blobs()).toContain(sha256);
    expect(await search('three places')).toHaveLength(1);
    await remove(two.source_id);
    expect(blobs()).toContain(sha256);
    await rows('delete from artifacts where sha256 = $1', [sha256]);
    // Of a run that is over, so that nobody takes it up.
    const job = { id: 'job_waits', kind: 'ingest_run' as const, title: 'waits', workflowId: 'test/waits', spec: {}, createdBy: 'pm' };
    await asTenant('acme', () => stack.services.jobs.open('acme', job));
    await rows(`update jobs set status = 'completed' where id = 'job_waits'`);
    await rows(
      `insert into ingest_items (tenant_id, job_id, ordinal, identity, type, blob) values ('acme', 'job_waits', 1, 'waits', 'document', $1)`,
      [sha256],
    );
    await remove((await ingest('Copy three', text)).source_id);
    expect(blobs()).toContain(sha256);
    await rows(`delete from ingest_items where job_id = 'job_waits'`);
    await remove((await ingest('Copy four', text)).source_id);
    expect(blobs()).not.toContain(sha256);
  });
});

describe('bytes', () => {
  const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');

  it('of a content that was refused go with its source; another one that has the same keeps them', async () => {
    const text = 'Not a\0text.';
    const refused = [];
    for (const title of ['Refused', 'Refused, too']) {
      expect((await stack.call(pm, 'ingest.document.submit', { title, content: text })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
      refused.push((await rows<{ id: string }>('select id from knowledge_sources where title = $1', [title]))[0]!.id);
    }
    await remove(refused[0]!);
    // It may be tried again.
    expect(blobs()).toContain(hashed(text));
    await remove(refused[1]!);
    expect(blobs()).not.toContain(hashed(text));
  });

  it('of what was replaced survive no death between them and their row', async () => {
    const text = 'The quokka, to be replaced.';
    const { source_id: sourceId, document_id } = await ingest('Replaced', text);
    await rows(`update documents set status = 'retired' where id = $1`, [document_id]);
    const clear = (store: TestStack['blobs']) =>
      asTenant('acme', async () => {
        while (await deleteRetired(stack.db, store, { tenant: 'acme', sourceId }));
      });
    const died = () => Promise.reject(new Error('died'));
    await expect(clear({ ...stack.blobs, delete: died })).rejects.toThrow('died');
    await clear(stack.blobs);
    expect(blobs()).not.toContain(hashed(text));
    expect(await rows('select 1 from documents where id = $1', [document_id])).toEqual([]);
  });
});

describe('while workers are away', () => {
  it('a removal takes out of sight at once, two callers join, and it is finished when they are back', async () => {
    const made = await ingest('Hidden', long('aardwolf', 3), { format: 'md' });
    await stack.stopWorkers();
    const [one, two] = await Promise.all([remove(made.source_id, 0), remove(made.source_id, 0)]);
    expect(one).toMatchObject({ finished: false, answer: { status: 'queued', chunk_count: 3 } });
    expect(two.answer).toEqual(one.answer);
    expect(await search('aardwolf')).toEqual([]);
    expect((await stack.call(pm, 'knowledge.source.get', { source_id: made.source_id })).error).toMatchObject({ code: 'NOT_FOUND' });
    const { sources } = await stack.ok<{ sources: Source[] }>(pm, 'knowledge.source.list', { limit: 100 });
    expect(sources.map((source) => source.id)).not.toContain(made.source_id);
    expect((await stack.call(pm, 'knowledge.source.update', { source_id: made.source_id, title: 'x' })).error).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect((await traces(made.source_id))['chunks']).toBe(3);
    // Hidden records do not come back: cancelling the job has no effect.
    await stack.ok(pm, 'system.job.cancel', { job_id: one.answer.job_id });
    await stack.startWorkers();
    expect(await jobOf(one.answer.job_id)).toMatchObject({ status: 'completed', kind: 'removal' });
    expect(await traces(made.source_id)).toEqual(nothing);
  });

  it('what was submitted before loses, what is submitted later stands', async () => {
    const before = await ingest('Before', 'The fossa, first version.');
    await stack.stopWorkers();
    const second = await submit('Before', 'The fossa, second version.');
    const removal = await remove(before.source_id, 0);
    await stack.startWorkers();
    await jobOf(removal.answer.job_id);
    await jobOf(second.answer.job_id);
    expect(await search('fossa')).toEqual([]);
    await eventually('nothing is left', async () => JSON.stringify(await traces(before.source_id)) === JSON.stringify(nothing));

    const again = await ingest('After', 'The jerboa, first version.', { tags: ['former'] });
    await stack.stopWorkers();
    const gone = await remove(again.source_id, 0);
    const later = await submit('After', 'The jerboa, later version.');
    expect(later.answer.source_id).toBe(again.source_id);
    const shown = await stack.ok<{ source: Source & { metadata: object } }>(pm, 'knowledge.source.get', { source_id: again.source_id });
    expect(shown.source).toMatchObject({ status: 'indexing', tags: [], chunk_count: 0, metadata: {} });
    await stack.startWorkers();
    expect(await jobOf(later.answer.job_id)).toMatchObject({ status: 'completed' });
    expect(await jobOf(gone.answer.job_id)).toMatchObject({ status: 'completed' });
    expect((await search('jerboa')).map((hit) => hit.content)).toEqual(['The jerboa, later version.']);
    await eventually('the former document is gone', async () => (await traces(again.source_id))['documents'] === 1);
    expect(await traces(again.source_id)).toEqual({ sources: 1, documents: 1, chunks: 1, orphans: 0 });
    expect(await rows(`select 1 from knowledge_sources where id = $1 and metadata <> '{}'`, [again.source_id])).toEqual([]);
  });

  it('a removal whose caller died before its process is started by the sweep', async () => {
    const made = await ingest('Lost', 'The tarsier is lost.');
    vi.spyOn(stack.temporal.client.workflow, 'start').mockRejectedValue(new Error('the caller died'));
    await expect(remove(made.source_id)).rejects.toThrow('the caller died');
    vi.restoreAllMocks();
    expect(await search('tarsier')).toEqual([]);
    const lost = await eventually('it is found', async () => {
      const found = (await findLost(stack, 0)).filter((entry) => entry.workflowId === `removal/acme/${made.source_id}`);
      return found.length > 0 && found;
    });
    expect(lost).toEqual([expect.objectContaining({ kind: 'job', neverStarted: true })]);
    await restart(stack.services, lost);
    expect(await jobOf(lost[0]!.id)).toMatchObject({ status: 'completed' });
    expect(await traces(made.source_id)).toEqual(nothing);
  });
});

describe('a second life', () => {
  it('whose caller died before its process is started by the sweep', async () => {
    const { source_id: sourceId } = await ingest('Phoenix', 'The hoatzin climbs.');
    await remove(sourceId);
    vi.spyOn(stack.temporal.client.workflow, 'start').mockRejectedValue(new Error('the caller died'));
    await expect(submit('Phoenix', 'The hoatzin climbs.')).rejects.toThrow('the caller died');
    vi.restoreAllMocks();
    const lost = await eventually('it is found', async () => {
      const found = (await findLost(stack, 0)).filter((entry) => entry.workflowId.startsWith('ingest/'));
      return found.length > 0 && found;
    });
    expect(lost).toEqual([expect.objectContaining({ kind: 'job', neverStarted: true })]);
    await restart(stack.services, lost);
    expect(await jobOf(lost[0]!.id)).toMatchObject({ status: 'completed' });
    expect(await search('hoatzin')).toHaveLength(1);
  });
});

describe('while a run waits for its turn', () => {
  const items = (version: string) =>
    Array.from({ length: 4 }, (_, i) => ({ identity: `run:${i}`, title: `Run ${i}`, text: `The dhole, ${version}, number ${i}.` }));
  const run = (kbId: string, version: string, waitMs: number) =>
    asTenant('acme', () => stack.services.knowledge.runs.submitItems(pm, { title: 'Run', kbId, items: items(version) }, { waitMs }));
  const found = async (kb_id: string) => (await search('dhole', { filters: { kb_id } })).map((hit) => hit.content).sort();

  it('what is deleted of it is left out, the rest is taken in', async () => {
    expect((await run('dholes', 'first', 30_000)).job.status).toBe('completed');
    const [{ id }] = (await rows<{ id: string }>(`select id from knowledge_sources where kb_id = 'dholes' and identity = 'run:2'`)) as [
      { id: string },
    ];
    await stack.stopWorkers();
    const waiting = await run('dholes', 'second', 0);
    const gone = await remove(id, 0);
    await stack.startWorkers();
    expect(await jobOf(waiting.job.job_id)).toMatchObject({ status: 'completed', result: { counts: { done: 3, refused: 1, left: 0 } } });
    expect(await jobOf(gone.answer.job_id)).toMatchObject({ status: 'completed' });
    expect(await found('dholes')).toEqual([0, 1, 3].map((i) => `The dhole, second, number ${i}.`));
    expect(await traces(id)).toEqual(nothing);
    const [item] = await rows(`select title, blob, status from ingest_items where job_id = $1 and identity = 'run:2'`, [
      waiting.job.job_id,
    ]);
    expect(item).toEqual({ title: null, blob: null, status: 'refused' });
    const unwanted = createHash('sha256').update('The dhole, second, number 2.').digest('hex');
    expect(blobs()).not.toContain(unwanted);
  });

  it('into a base that is deleted, it is called off', async () => {
    expect((await run('doomed', 'first', 30_000)).job.status).toBe('completed');
    await stack.stopWorkers();
    const waiting = await run('doomed', 'second', 0);
    const gone = await removeBase('doomed', 0);
    await stack.startWorkers();
    expect(await jobOf(gone.answer.job_id)).toMatchObject({ status: 'completed', result: { sources: 4, documents: 4, chunks: 4 } });
    expect((await jobOf(waiting.job.job_id)).status).toBe('cancelled');
    expect(await rows(`select 1 from knowledge_bases where id = 'doomed'`)).toEqual([]);
    expect(
      await rows(`select 1 from chunks where body like '%dhole, second%' and scope not in (select scope from knowledge_bases)`),
    ).toEqual([]);
    expect((await run('doomed', 'third', 30_000)).job.status).toBe('completed');
    expect(await found('doomed')).toHaveLength(4);
  });
});

describe('a removal that dies', () => {
  it('after any of its statements goes on where it was', async () => {
    const made = await ingest('Dying', long('potoroo', 1_100), { format: 'md', chunk_size: 100 });
    await jobOf(made.job_id);
    const [{ blob }] = (await rows<{ blob: string }>('select blob from documents where source_id = $1', [made.source_id])) as [
      { blob: string },
    ];
    await stack.stopWorkers();
    const { answer } = await remove(made.source_id, 0);
    expect(answer.chunk_count).toBeGreaterThan(1_000);
    let deaths = 0;
    for (let dieAt = 1; ; dieAt += 1) {
      let statements = 0;
      const dying = <T>(result: T): T => {
        statements += 1;
        if (statements === dieAt) throw new Error(`died after statement ${dieAt}`);
        return result;
      };
      // Each attempt dies one statement later than the one before.
      const db: TestStack['db'] = {
        ...stack.db,
        query: async (text, values) => dying(await stack.db.query(text, values)) as never,
        transaction: async (work) =>
          dying(await stack.db.transaction((query) => work(async (text, values) => dying(await query(text, values)) as never))),
      };
      try {
        const left = await asTenant('acme', () => removeSome({ db, blobs: stack.blobs }, { tenant: 'acme', jobId: answer.job_id }));
        if (!left.more) break;
      } catch (error) {
        expect((error as Error).message).toMatch(/^died/);
        deaths += 1;
      }
    }
    expect(deaths).toBeGreaterThan(10);
    expect(await traces(made.source_id)).toEqual(nothing);
    expect(blobs()).not.toContain(blob);
    await stack.startWorkers();
    expect(await jobOf(answer.job_id)).toMatchObject({
      status: 'completed',
      result: { sources: 1, documents: 1, chunks: answer.chunk_count },
    });
  }, 120_000);

  it('in its worker is taken up again', async () => {
    const made = await ingest('Dying twice', long('bilby', 5), { format: 'md' });
    const real = stack.db.transaction.bind(stack.db);
    let calls = 0;
    await stack.stopWorkers();
    const { answer } = await remove(made.source_id, 0);
    vi.spyOn(stack.db, 'transaction').mockImplementation(async (work) => {
      const result = await real(work);
      calls += 1;
      if (calls <= 3) throw new Error(`died after transaction ${calls}`);
      return result;
    });
    await stack.startWorkers();
    expect(await jobOf(answer.job_id)).toMatchObject({ status: 'completed' });
    vi.restoreAllMocks();
    expect(calls).toBeGreaterThan(3);
    expect(await traces(made.source_id)).toEqual(nothing);
  });
});

describe('at the same time', () => {
  it('as its ingestion: that one is called off', async () => {
    const text = long('caracal', 6_000);
    const { answer } = await submit('Running', text);
    await eventually('it is being indexed', async () => (await jobOf(answer.job_id, 0)).progress['stage'] === 'index');
    const removed = await remove(answer.source_id!);
    expect(removed).toMatchObject({ finished: true, answer: { status: 'completed', document_count: 1 } });
    // Called off; if a batch was just being written, that one learnt first that its document is gone.
    expect(['cancelled', 'failed']).toContain((await jobOf(answer.job_id)).status);
    expect(await traces(answer.source_id!)).toEqual(nothing);
    expect(blobs()).not.toContain(createHash('sha256').update(text).digest('hex'));
    const again = await ingest('Running', 'The caracal, short.');
    expect(again.status).toBe('completed');
    expect(await search('caracal')).toHaveLength(1);
  });

  it('and the bytes that it still reads stay until it has ended', async () => {
    const text = 'The bongo, to be called off.';
    const { source_id: sourceId, job_id: ingestion } = await ingest('Called off', text);
    const { answer: removal } = await remove(sourceId, 20_000);
    const hash = await asTenant('acme', () => stack.blobs.put('acme', Buffer.from(text)));
    const ref = { tenant: 'acme', jobId: removal.job_id };
    // As they stand while the ingestion has heard of it and has not ended.
    await rows(`update jobs set status = 'running', spec = spec || '{"document_id":null}' where id = $1`, [ingestion]);
    await rows(`update jobs set spec = spec || jsonb_build_object('called_off', array[$2], 'blobs', array[$3]) where id = $1`, [
      ref.jobId,
      ingestion,
      hash,
    ]);
    const clear = () => asTenant('acme', () => removeSome(stack, ref));
    await clear();
    expect(blobs()).toContain(hash);
    await rows(`update jobs set status = 'cancelled' where id = $1`, [ingestion]);
    await clear();
    expect(blobs()).not.toContain(hash);
  });

  it('as a former removal says that it is done: it goes on', async () => {
    const { source_id: sourceId } = await ingest('Once more', 'The rhebok, once.');
    const real = stack.services.jobs.write.bind(stack.services.jobs);
    let again: Promise<unknown> | undefined;
    vi.spyOn(stack.services.jobs, 'write').mockImplementation(async (ref, snapshot) => {
      const rev = await real(ref, snapshot);
      if (snapshot.status === 'completed' && snapshot.result?.['sources'] === 1 && !again) {
        again = submit('Once more', 'The rhebok, once more.').then(() => remove(sourceId, 0));
        await again;
      }
      return rev;
    });
    const { answer } = await remove(sourceId, 30_000);
    await again;
    expect(await jobOf(answer.job_id)).toMatchObject({ status: 'completed' });
    await eventually('it is gone', async () => JSON.stringify(await traces(sourceId)) === JSON.stringify(nothing));
    expect(await search('rhebok')).toEqual([]);
    const runs = await stack.temporal.client.workflow.count(`WorkflowId = '${answer.workflow_id}'`);
    expect(runs.count).toBe(1);
  });

  it('a submission whose job is called off before its process starts begins anew, and stands', async () => {
    const title = 'Overtaken';
    const { source_id: sourceId } = await ingest(title, 'The takin, version 0.');
    const open = stack.services.jobs.open.bind(stack.services.jobs);
    vi.spyOn(stack.services.jobs, 'open').mockImplementationOnce(async (tenant, job) => {
      const opened = await open(tenant, job);
      // As a removal does that finds the source under the new job.
      await rows(`update jobs set spec = spec || '{"document_id":null}' where id = $1`, [job.id]);
      return opened;
    });
    expect(await ingest(title, 'The takin, version 1.')).toMatchObject({ status: 'completed', source_id: sourceId });
    expect((await search('takin', { limit: 50 })).map((hit) => hit.content)).toEqual(['The takin, version 1.']);
  });

  it('as many submissions and removals: one outcome, nothing half', async () => {
    const title = 'Contested';
    const { source_id: sourceId } = await ingest(title, 'The markhor, version 0.');
    for (let round = 1; round <= 6; round += 1) {
      const versions = [0, 1].map((i) => `The markhor, version ${round}.${i}.`);
      const started = await Promise.allSettled([
        submit(title, versions[0]!),
        remove(sourceId, 0),
        submit(title, versions[1]!),
        ...(round % 2 ? [remove(sourceId, 0)] : []),
      ]);
      for (const end of started) {
        if (end.status === 'rejected') expect(end.reason, String(end.reason)).toMatchObject({ code: 'NOT_FOUND' });
      }
      await eventually(
        'all jobs have ended',
        async () => (await rows(`select 1 from jobs where status in ('queued', 'running')`)).length === 0,
        60_000,
      );
      await eventually(
        'former documents are gone',
        async () => (await rows(`select 1 from documents where status <> 'active'`)).length === 0,
      );
      const found = (await search('markhor', { limit: 50 })).map((hit) => hit.content);
      const left = await traces(sourceId);
      if (left['documents'] === 0) expect(found).toEqual([]);
      else {
        expect(left).toEqual({ sources: 1, documents: 1, chunks: 1, orphans: 0 });
        expect(versions).toContain(found[0]);
        expect(found).toHaveLength(1);
      }
      // Whatever came out: what is submitted after all of them stands.
      await ingest(title, `The markhor, after round ${round}.`);
      expect((await search('markhor', { limit: 50 })).map((hit) => hit.content)).toEqual([`The markhor, after round ${round}.`]);
    }
  }, 180_000);
});

describe('a deleted base', () => {
  it('takes with it the bytes of all that waited for it, when it is deleted once more while that is under way', async () => {
    await ingest('Waits', 'The serow.', { kb_id: 'waiting' });
    await stack.stopWorkers();
    const texts = ['The serow, first.', 'The serow, second.'];
    for (const [i, text] of texts.entries()) {
      const id = `job_waiting_${i}`;
      const job = { id, kind: 'ingest_run' as const, title: id, workflowId: `test/${id}`, spec: { kb_id: 'waiting' }, createdBy: 'pm' };
      await asTenant('acme', () => stack.services.jobs.open('acme', job));
      const blob = await asTenant('acme', () => stack.blobs.put('acme', Buffer.from(text)));
      await rows(`insert into ingest_items (tenant_id, job_id, ordinal, identity, type, blob) values ('acme', $1, 1, $1, 'document', $2)`, [
        id,
        blob,
      ]);
      expect(await removeBase('waiting', 0)).toMatchObject({ finished: false });
    }
    await rows(`update jobs set status = 'completed' where id like 'job_waiting_%'`);
    await stack.startWorkers();
    await eventually('it is gone', async () => (await rows(`select 1 from knowledge_bases where id = 'waiting'`)).length === 0);
    const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'));
    await eventually('its bytes are gone', () => Promise.resolve(!blobs().some((hash) => hashes.includes(hash))));
  });

  it('takes all its sources with it, is counted first, and can be made anew', async () => {
    await stack.ok(pm, 'knowledge.base.create', { name: 'Field notes', description: 'From 2026' });
    const kb_id = 'field-notes';
    for (let i = 0; i < 3; i += 1) await ingest(`Note ${i}`, `The serval, note ${i}.`, { kb_id });
    await ingest('Elsewhere', 'The serval elsewhere.', { kb_id: 'other' });
    const counts = { source_count: 3, document_count: 3, chunk_count: 3 };
    expect(await stack.ok(pm, 'knowledge.base.delete', { kb_id, dry_run: true })).toEqual({ kb_id, dry_run: true, ...counts });
    expect(await search('serval', { filters: { kb_id } })).toHaveLength(3);

    const gil = await stack.caller({ tenant: 'globex', name: 'gil-too' });
    expect((await stack.call(gil, 'knowledge.base.delete', { kb_id })).error).toMatchObject({ code: 'NOT_FOUND' });
    const deleted = await stack.ok<RemovalAnswer>(pm, 'knowledge.base.delete', { kb_id });
    expect(deleted).toMatchObject({ kb_id, dry_run: false, status: 'completed', ...counts });
    expect((await search('serval')).map((hit) => hit.content)).toEqual(['The serval elsewhere.']);
    expect((await stack.call(pm, 'index.chunk.search', { query: 'serval', filters: { kb_id } })).error).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await rows('select 1 from knowledge_bases where id = $1', [kb_id])).toEqual([]);
    expect(await stack.ok(pm, 'knowledge.base.delete', { kb_id })).toEqual(deleted);

    expect(await stack.ok(pm, 'knowledge.base.create', { name: 'Field notes' })).toEqual({ kb_id, existed: false });
    await ingest('Note 0', 'The serval, note 0.', { kb_id });
    expect(await search('serval', { filters: { kb_id } })).toHaveLength(1);
    expect(await stack.ok(pm, 'knowledge.base.delete', { kb_id })).toMatchObject({ status: 'completed', source_count: 1 });
  });

  it('that is used again meanwhile stays, with what came later', async () => {
    for (let i = 0; i < 3; i += 1) await ingest(`Paper ${i}`, `The kowari, paper ${i}.`, { kb_id: 'busy' });
    await stack.stopWorkers();
    const unstarted = await submit('Paper 3', 'The kowari, never finished.', 'busy');
    const gone = await removeBase('busy', 0);
    expect(gone.answer).toMatchObject({ status: 'queued', source_count: 4, document_count: 3 });
    const bases = async () => (await stack.ok<{ bases: { kb_id: string; source_count: number }[] }>(pm, 'knowledge.base.list')).bases;
    expect((await bases()).map((base) => base.kb_id)).not.toContain('busy');
    const later = await submit('Paper 1', 'The kowari, paper 1 again.', 'busy');
    expect((await bases()).find((base) => base.kb_id === 'busy')).toMatchObject({ source_count: 1 });
    await stack.startWorkers();
    expect(await jobOf(gone.answer.job_id)).toMatchObject({ status: 'completed' });
    expect(await jobOf(later.answer.job_id)).toMatchObject({ status: 'completed' });
    expect((await jobOf(unstarted.answer.job_id)).status).not.toBe('completed');
    expect((await search('kowari', { filters: { kb_id: 'busy' } })).map((hit) => hit.content)).toEqual(['The kowari, paper 1 again.']);
    expect(await rows(`select tags from knowledge_bases where id = 'busy'`)).toEqual([{ tags: [] }]);
    expect(await rows(`select 1 from knowledge_sources where kb_id = 'busy'`)).toHaveLength(1);
  });

  it('with many sources is deleted by bounded steps', async () => {
    const items = Array.from({ length: 130 }, (_, i) => ({ identity: `many:${i}`, title: `Many ${i}`, text: `The echidna number ${i}.` }));
    const { job } = await asTenant('acme', () =>
      stack.services.knowledge.runs.submitItems(pm, { title: 'Many', kbId: 'many', items }, { waitMs: 60_000 }),
    );
    expect(job, JSON.stringify(await rows('select step, error from dlq_items'))).toMatchObject({ status: 'completed' });
    expect(await search('echidna', { filters: { kb_id: 'many' }, limit: 100 })).toHaveLength(100);
    const before = blobs().length;
    expect(await stack.ok(pm, 'knowledge.base.delete', { kb_id: 'many' })).toMatchObject({
      status: 'completed',
      source_count: 130,
      chunk_count: 130,
    });
    expect(await rows(`select 1 from chunks where body like '%echidna%'`)).toEqual([]);
    expect(
      await rows(`select 1 from ingest_items where job_id = $1 and (title is not null or blob is not null or identity like 'many:%')`, [
        job.job_id,
      ]),
    ).toEqual([]);
    expect(before - blobs().length).toBe(130);
  }, 120_000);

  it('is refused where it must be', async () => {
    await ingest('In default', 'The nyala.');
    expect((await stack.call(pm, 'knowledge.base.delete', { kb_id: 'default' })).error).toMatchObject({ code: 'CONFLICT' });
    expect((await stack.call(pm, 'knowledge.base.delete', { kb_id: '_memories' })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await stack.call(pm, 'knowledge.base.delete', { kb_id: 'none' })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stack.call(pm, 'knowledge.base.delete', { kb_id: 'none', dry_run: true })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect(await search('nyala')).toHaveLength(1);
  });
});

describe('bases and descriptions', () => {
  it('are made once, listed, and told apart', async () => {
    const made = await stack.call(pm, 'knowledge.kb_create', { name: 'Verträge & Co. (2026)', description: 'x', tags: ['a', 'b'] });
    expect(made.data).toEqual({ kb_id: 'vertrage-co-2026' });
    const create = (args: object) => stack.call(pm, 'knowledge.base.create', args);
    expect((await create({ name: 'Verträge & Co. (2026)', description: 'x', tags: ['b', 'a'] })).data).toEqual({
      kb_id: 'vertrage-co-2026',
      existed: true,
    });
    expect((await create({ name: 'Verträge & Co. (2026)', description: 'y' })).error).toMatchObject({ code: 'CONFLICT' });
    expect((await create({ name: 'Other', kb_id: 'vertrage-co-2026' })).error).toMatchObject({ code: 'CONFLICT' });
    expect((await create({ name: '你好' })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await create({ name: 'Mine', tags: ['@removed'] })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    const at = await Promise.all(Array.from({ length: 6 }, () => create({ name: 'At once' })));
    expect(at.filter((answer) => !(answer.data as { existed: boolean }).existed)).toHaveLength(1);
    // A base that an ingestion made on its way gets its name now.
    await ingest('Bare', 'The bare base.', { kb_id: 'bare' });
    expect((await create({ name: 'Bare bones', kb_id: 'bare', description: 'z' })).data).toEqual({ kb_id: 'bare', existed: true });
    const { bases } = await stack.ok<{ bases: { kb_id: string }[] }>(pm, 'knowledge.base.list');
    expect(bases.find((base) => base.kb_id === 'bare')).toMatchObject({
      name: 'Bare bones',
      description: 'z',
      source_count: 1,
      chunk_count: 1,
    });
  });

  it('of sources are changed field by field', async () => {
    const made = await ingest('Plain', 'The gaur.', { tags: ['one'] });
    const { source } = await stack.ok<{ source: object }>(pm, 'knowledge.source.update', {
      source_id: made.source_id,
      description: 'About cattle',
      tags: ['two'],
      priority: 5,
    });
    expect(source).toMatchObject({ title: 'Plain', description: 'About cattle', tags: ['two'], priority: 5 });
    expect(await search('gaur', { filters: { tags: ['one'] } })).toEqual([]);
    expect((await search('gaur', { filters: { tags: ['two'] } })).map((hit) => hit.source)).toEqual(['Plain']);
    expect((await stack.call(pm, 'get_source_info', { source_id: made.source_id })).data).toEqual({
      id: made.source_id,
      title: 'Plain',
      description: 'About cattle',
      type: 'document',
      url: null,
      tags: ['two'],
      priority: 5,
      chunk_count: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      metadata: {},
    });
    expect((await stack.call(pm, 'list_knowledge_sources', { tags: ['two'], status: 'active' })).data).toEqual({
      sources: [
        {
          id: made.source_id,
          title: 'Plain',
          type: 'document',
          url: null,
          tags: ['two'],
          chunk_count: 1,
          last_updated: expect.any(String),
        },
      ],
    });
    expect((await stack.call(pm, 'knowledge.source.update', { source_id: made.source_id })).error).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('bytes that an export names', () => {
  it('stay until it has expired', async () => {
    const content = 'Bytes that somebody has a link to.';
    const sha256 = createHash('sha256').update(content).digest('hex');
    await rows(
      `insert into exports (tenant_id, id, job_id, kind, format, sha256, size, filename, media_type, row_counts, created_by, expires_at)
       values ('acme', 'export_kept', 'job_kept', 'ledger', 'json', $1, $2, 'kept.json', 'application/json', '{}', 'test', now() + interval '1 day')`,
      [sha256, content.length],
    );
    await remove((await ingest('Exported', content)).source_id);
    expect(blobs()).toContain(sha256);
    await rows(`update exports set expires_at = now() - interval '1 second' where id = 'export_kept'`);
    await remove((await ingest('Exported again', content)).source_id);
    expect(blobs()).not.toContain(sha256);
    await rows(`delete from exports where id = 'export_kept'`);
  });
});

describe('replay', () => {
  it('of removals, repeated and raced', async () => {
    await eventually(
      'all have ended',
      async () => (await stack.temporal.client.workflow.count(`WorkflowType = 'removal' and ExecutionStatus = 'Running'`)).count === 0,
    );
    expect(await replay(histories(stack.temporal.client, `WorkflowType = 'removal'`))).toBeGreaterThan(10);
    if (!process.env['RECORD_HISTORIES']) return;
    const folder = fileURLToPath(new URL('../replay/histories', import.meta.url));
    // One of each course: plain, called off in vain, waiting for an ingestion, repeated by a second removal, retried.
    const courses = new Set<string>();
    for await (const { history } of histories(stack.temporal.client, `WorkflowType = 'removal'`)) {
      const events = history.events ?? [];
      const count = (field: keyof (typeof events)[number]): number => events.filter((event) => event[field]).length;
      const retried = events.some((event) => (event.activityTaskStartedEventAttributes?.attempt ?? 1) > 1);
      const course = `${count('activityTaskScheduledEventAttributes')} ${count('workflowExecutionCancelRequestedEventAttributes')} ${retried}`;
      if (!courses.has(course)) save(join(folder, `removal-${String(courses.size + 1).padStart(2, '0')}.history.gz`), history);
      courses.add(course);
    }
    expect(courses.size).toBeGreaterThan(3);
  }, 120_000);
});

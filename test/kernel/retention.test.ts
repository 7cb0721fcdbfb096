/** Records past their retention are deleted, and nothing that is open or that something refers to. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeepSettings } from '../../adapters/open.ts';
import { zipOf } from '../../adapters/parsers/testing.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { DlqItem } from '../../contracts/knowledge/knowledge.ts';
import { queues } from '../../contracts/temporal.ts';
import { blobsNamed, isSweepDue, sweepBlobs } from '../../services/kernel/blobs.ts';
import { connectorJobId } from '../../services/kernel/jobs.ts';
import { retain, type Retained, type RetainOptions } from '../../services/kernel/retention.ts';
import { changeOf } from '../../services/kernel/reviews/reviews-records.ts';
import type { sweep } from '../../workflows/kernel/sweep/workflow.ts';
import { seedEntity } from '../setup/graph.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const keepFor = (days: number): KeepSettings => ({
  articlesDays: days,
  runLogsDays: days,
  jobsDays: days,
  failedBytesDays: days,
  connectorCallsDays: days,
  reviewsDays: days,
  memoriesDays: 0,
  ledgerDays: 0,
});

let stack: TestStack;
let pm: Caller;
let tenant: string;
beforeAll(async () => {
  stack = await testStack({ model: false });
});
beforeEach(async () => {
  tenant = `t${randomBytes(6).toString('hex')}`;
  pm = await stack.caller({ tenant, name: 'pm', kind: 'human' });
});
afterAll(() => stack?.stop());

const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = [], of = tenant): Promise<T[]> =>
  asTenant(of, () => stack.db.query<T>(text, values));
const ids = async (table: string, id = 'id', of = tenant): Promise<string[]> =>
  (await rows<{ id: string }>(`select ${id} as id from ${table} where tenant_id = $1 order by 1`, [of], of)).map((row) => row.id);
const tidy = (what: Retained, options: RetainOptions & { db?: Pick<Database, 'query'>; days?: number } = {}): Promise<number> => {
  const { db = stack.db, days = 10, ...rest } = options;
  return asTenant(tenant, () => retain({ db, keep: keepFor(days) }, tenant, what, rest));
};

const article = (n: number, ageDays: number, of = tenant): Promise<unknown> =>
  rows(
    `insert into articles (tenant_id, id, canonical_url, url, title, run_id, stored_by, stored_at)
     values ($1, 'article_' || lpad($2::text, 4, '0'), 'https://news.example/' || $2::text, 'https://news.example/' || $2::text || '?utm_source=x', 'Title', 'run', 'test', now() - make_interval(days => $3))`,
    [of, n, ageDays],
    of,
  );

interface OldJob {
  kind?: string;
  status?: string;
  ageDays?: number;
  spec?: object;
}
const job = (id: string, { kind = 'draft', status = 'completed', ageDays = 20, spec = {} }: OldJob = {}): Promise<unknown> =>
  rows(
    `insert into jobs (tenant_id, id, kind, title, status, workflow_id, spec, created_by, created_at, updated_at, finished_at)
     select $1, $2, $3, 'A job', $4, 'task/' || $1 || '/' || $2, $5, 'test', at, at, case when $4 in ('completed', 'failed', 'cancelled') then at end
     from (select now() - make_interval(days => $6) as at) x`,
    [tenant, `${tenant}_${id}`, kind, status, JSON.stringify(spec), ageDays],
  );
const jobs = async (): Promise<string[]> => (await ids('jobs')).map((id) => id.replace(`${tenant}_`, ''));
const items = (jobId: string, count: number, status = 'done'): Promise<unknown> =>
  rows(
    `insert into ingest_items (tenant_id, job_id, ordinal, identity, type, status, updated_at)
     select $1, $2, n, 'item ' || n, 'document', $3, now() - interval '20 days' from generate_series(1, $4::int) n`,
    [tenant, `${tenant}_${jobId}`, status, count],
  );
const letter = (jobId: string, status: string): Promise<unknown> =>
  rows(
    `insert into dlq_items (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
     values ($1, 'dlq_' || $2, $2, 'w', 'A letter', 'extraction', 'parse', 'X', 'x', 1, $3)`,
    [tenant, `${tenant}_${jobId}`, status],
  );

/** As a process that dies before its statement number `at`. */
const dyingAt = (at: number): Pick<Database, 'query'> => {
  let statements = 0;
  return {
    query: async (text, values) => {
      statements += 1;
      if (statements === at) throw new Error('killed');
      return await stack.db.query(text, values);
    },
  };
};

describe('articles', () => {
  it('stay when they are young, cited by a brief, or in the knowledge base', async () => {
    for (const n of [1, 2, 3, 4, 5]) await article(n, n === 1 ? 9 : 11);
    const content = { highlights: [{ evidence: [{ url: 'https://news.example/2?utm_source=x' }, { url: 'https://news.example/3' }] }] };
    await rows(
      `insert into briefs (tenant_id, id, version, date, run_id, input_hash, content, created_by) values ($1, 'b', 1, current_date, 'run', 'h', $2, 'test')`,
      [tenant, JSON.stringify(content)],
    );
    await rows(`insert into knowledge_bases (tenant_id, id, name) values ($1, 'news', 'News')`, [tenant]);
    await rows(
      `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, status) values ($1, 's', 'news', 'https://news.example/4', 'T', 'document', 'active')`,
      [tenant],
    );
    const other = `o${randomBytes(6).toString('hex')}`;
    await stack.caller({ tenant: other });
    await article(5, 11, other);
    expect(await tidy('articles', { days: 0 })).toBe(0);
    expect(await tidy('articles')).toBe(1);
    expect(await ids('articles')).toEqual(['article_0001', 'article_0002', 'article_0003', 'article_0004']);
    expect(await ids('articles', 'id', other)).toEqual(['article_0005']);
    expect(await tidy('articles')).toBe(0);
  });

  it('go once when two sweeps run at once, and in the end when one is killed between batches', async () => {
    for (let n = 0; n < 40; n += 1) await article(n, n < 5 ? 1 : 20);
    await expect(tidy('articles', { batch: 6, db: dyingAt(4) })).rejects.toThrow('killed');
    const left = (await ids('articles')).length;
    expect(left).toBe(34);
    const both = await Promise.all([tidy('articles', { batch: 4 }), tidy('articles', { batch: 4 })]);
    expect(both[0] + both[1]).toBe(29);
    expect((await ids('articles')).length).toBe(5);
  });
});

it('logs of runs stay while the run is under way', async () => {
  for (const [run, status, age] of [
    ['running', 'running', 20],
    ['ended', 'completed', 20],
    ['failed', 'failed', 20],
    ['young', 'completed', 5],
  ])
    await rows(
      `insert into ingestion_logs (tenant_id, run_id, status, created_by, created_at, logged_at)
       select $1, $2, $3, 'test', at, at from (select now() - make_interval(days => $4) as at) x`,
      [tenant, run, status, age],
    );
  // Begun long ago, and told about today.
  await rows(
    `insert into ingestion_logs (tenant_id, run_id, status, created_by, created_at) values ($1, 'late', 'completed', 'test', now() - interval '20 days')`,
    [tenant],
  );
  expect(await tidy('run_logs')).toBe(2);
  expect(await ids('ingestion_logs', 'run_id')).toEqual(['late', 'running', 'young']);
});

describe('jobs', () => {
  it('go with their items and decided dead letters; those that are open, young or referred to stay', async () => {
    await job('gone', { kind: 'ingest_run' });
    await items('gone', 25);
    await letter('gone', 'abandoned');
    await job('running', { status: 'running' });
    await job('queued', { status: 'queued' });
    await job('young', { ageDays: 5 });
    await job('waits', { kind: 'ingest_run', status: 'failed' });
    await items('waits', 3, 'refused');
    await letter('waits', 'refused');
    await job('notified', { kind: 'notification' });
    await rows(
      `insert into notifications (tenant_id, id, channel, recipient, recipient_hash, recipient_shown, title, body, priority, content_hash, status, job_id, created_by)
       values ($1, 'n', 'email', 'x', 'x', 'x', 'x', 'x', 'normal', 'x', 'failed', $2, 'test')`,
      [tenant, `${tenant}_notified`],
    );
    await job('writing', { status: 'failed' });
    await rows(
      `insert into drafts (tenant_id, id, kind, type, audience, title, spec, job_id, created_by) values ($1, 'd', 'report', 'customer_insights', 'internal', 'x', '{}', $2, 'test')`,
      [tenant, `${tenant}_writing`],
    );
    await job('merged', { kind: 'merge' });
    await rows(`insert into entity_history (tenant_id, entity_id, event, change_id, by_whom) values ($1, 'e', 'merged', $2, 'test')`, [
      tenant,
      `${tenant}_merged`,
    ]);
    await job('calling', { kind: 'connector_call', status: 'failed', spec: { provider: 'slack', call_key: 'k' } });
    await rows(
      `insert into connector_calls (tenant_id, provider, call_key, operation, request_hash, status, dry_run) values ($1, 'slack', 'k', 'x', 'x', 'started', false)`,
      [tenant],
    );
    await job('verified_before', { kind: 'ledger_verify', ageDays: 30 });
    await job('verified_last', { kind: 'ledger_verify' });

    const stays = ['calling', 'merged', 'notified', 'queued', 'running', 'verified_last', 'waits', 'writing', 'young'];
    // 25 items, a letter, and two jobs.
    expect(await tidy('jobs', { batch: 10 })).toBe(28);
    expect(await jobs()).toEqual(stays);
    expect(await rows(`select from ingest_items where tenant_id = $1`, [tenant])).toHaveLength(3);
    expect(await ids('dlq_items')).toEqual([`dlq_${tenant}_waits`]);
    expect(await tidy('jobs')).toBe(0);

    await rows(`update dlq_items set status = 'resolved' where tenant_id = $1`, [tenant]);
    await rows(`delete from notifications where tenant_id = $1`, [tenant]);
    await rows(`update drafts set status = 'withdrawn' where tenant_id = $1`, [tenant]);
    await rows(`update connector_calls set status = 'completed' where tenant_id = $1`, [tenant]);
    expect(await tidy('jobs')).toBe(3 + 1 + 4);
    expect(await jobs()).toEqual(['merged', 'queued', 'running', 'verified_last', 'young']);
  });

  it('are complete or gone when a sweep is killed between batches, and go once when two sweep at once', async () => {
    for (const id of ['a', 'b', 'c', 'd']) {
      await job(id, { kind: 'ingest_run' });
      await items(id, 30);
    }
    await expect(tidy('jobs', { batch: 8, db: dyingAt(6) })).rejects.toThrow('killed');
    const begun = await rows(`select from ingest_items where tenant_id = $1`, [tenant]);
    expect(begun.length).toBe(120 - 4 * 8);
    // A job outlives its items, never the other way round.
    expect(await jobs()).toEqual(['a', 'b', 'c', 'd']);
    const [first, second] = await Promise.all([tidy('jobs', { batch: 8 }), tidy('jobs', { batch: 8 })]);
    // What one skipped because the other held it is left to the next sweep.
    const rest = await tidy('jobs');
    expect(first + second + rest).toBe(begun.length + 4);
    expect([await jobs(), await rows(`select from ingest_items where tenant_id = $1`, [tenant])]).toEqual([[], []]);
  });

  it('that somebody opens again at this moment stay', async () => {
    await job('again', { status: 'failed' });
    await job('other', { status: 'failed' });
    await asTenant(tenant, () =>
      stack.db.transaction(async (query) => {
        await query(`update jobs set status = 'queued', finished_at = null where tenant_id = $1 and id = $2`, [tenant, `${tenant}_again`]);
        expect(await tidy('jobs')).toBe(1);
      }),
    );
    expect(await tidy('jobs')).toBe(0);
    expect(await jobs()).toEqual(['again']);

    // An ended one that a repeated call finds is used before its process is started.
    await job('found', { kind: 'ingest' });
    const opened = await asTenant(tenant, () =>
      stack.services.jobs.open(tenant, { id: `${tenant}_found`, kind: 'ingest', title: 'x', workflowId: 'w', spec: {}, createdBy: 'test' }),
    );
    expect(opened.status).toBe('completed');
    expect(await tidy('jobs')).toBe(0);
    expect(await jobs()).toEqual(['again', 'found']);
  });

  it('stop at the end of their time and when the sweep is cancelled', async () => {
    for (const id of ['a', 'b', 'c']) await job(id);
    expect(await tidy('jobs', { forMs: -1 })).toBe(0);
    await expect(tidy('jobs', { signal: AbortSignal.abort(new Error('cancelled')) })).rejects.toThrow('cancelled');
    expect(await tidy('jobs', { batch: 1 })).toBe(3);
  });
});

describe('calls of connectors', () => {
  const call = (key: string, status: string, { ageDays = 20, provider = 'slack' } = {}): Promise<unknown> =>
    rows(
      `insert into connector_calls (tenant_id, provider, call_key, operation, request_hash, status, dry_run, created_at, updated_at)
       select $1, $2, $3, 'x', 'x', $4, false, at - interval '5 days', at from (select now() - make_interval(days => $5) as at) x`,
      [tenant, provider, key, status, ageDays],
    );
  const calls = (): Promise<string[]> => ids('connector_calls', `provider || '/' || call_key`);

  it('stay while their outcome is open or unknown, and as long as their job', async () => {
    await call('done', 'completed');
    await call('refused', 'failed');
    await call('open', 'started');
    await call('unknown', 'ambiguous');
    await call('young', 'completed', { ageDays: 9 });
    await call('kept', 'completed');
    // The same key at another provider is another call.
    await call('kept', 'completed', { provider: 'hubspot' });
    await rows(
      `insert into jobs (tenant_id, id, kind, title, status, workflow_id, spec, created_by)
       values ($1, $2, 'connector_call', 'A call', 'completed', 'w', $3, 'test')`,
      [tenant, connectorJobId(tenant, 'slack', 'kept'), JSON.stringify({ provider: 'slack', call_key: 'kept' })],
    );
    expect(await tidy('connector_calls', { days: 0 })).toBe(0);
    const both = await Promise.all([tidy('connector_calls', { batch: 1 }), tidy('connector_calls', { batch: 1 })]);
    const rest = await tidy('connector_calls');
    expect(both[0] + both[1] + rest).toBe(3);
    expect(await calls()).toEqual(['slack/kept', 'slack/open', 'slack/unknown', 'slack/young']);
    await rows('delete from jobs where tenant_id = $1', [tenant]);
    expect(await tidy('connector_calls')).toBe(1);
    expect(await calls()).toEqual(['slack/open', 'slack/unknown', 'slack/young']);
  });

  it('that end at this moment stay', async () => {
    await call('ends', 'completed');
    await asTenant(tenant, () =>
      stack.db.transaction(async (query) => {
        await query('update connector_calls set updated_at = now() where tenant_id = $1', [tenant]);
        expect(await tidy('connector_calls')).toBe(0);
      }),
    );
    expect(await tidy('connector_calls')).toBe(0);
    expect(await calls()).toEqual(['slack/ends']);
  });
});

describe('questions about entities', () => {
  const ageReviews = (): Promise<unknown> =>
    rows(
      `update reviews set created_at = created_at - interval '20 days', updated_at = updated_at - interval '20 days' where tenant_id = $1`,
      [tenant],
    );

  it('stay while they are open or can be undone, and those that keep names apart', async () => {
    const review = (id: string, status: string, { subject = {}, pair = null as string | null, action = 'merge' } = {}): Promise<unknown> =>
      rows(
        `insert into reviews (tenant_id, id, kind, action, type, subject, pair, status, origin, created_by, created_at, updated_at)
         select $1, $2, 'entity_match', $3, 'customer', $4, $5, $6, 'test', 'test', at, at from (select now() - interval '20 days' as at) x`,
        [tenant, id, action, JSON.stringify(subject), pair, status],
      );
    const history = (change: string): Promise<unknown> =>
      rows(`insert into entity_history (tenant_id, entity_id, event, change_id, by_whom) values ($1, 'e', 'absorbed', $2, 'test')`, [
        tenant,
        change,
      ]);
    const about = { subject: { a: 'a', b: 'b' } };
    await review('fb_withdrawn', 'withdrawn', about);
    await review('fb_pending', 'pending', about);
    await review('fb_deciding', 'deciding', about);
    await review('fb_merged', 'confirmed', about);
    await history(changeOf(tenant, { id: 'fb_merged', action: 'merge' }));
    await review('fb_named', 'confirmed', { ...about, action: 'alias' });
    await history('fb_named');
    await review('fb_forgotten', 'confirmed');
    await review('fb_rejected', 'rejected', { ...about, pair: 'pair_1' });
    await review('fb_superseded', 'rejected', about);
    await review('fb_apart', 'rejected', { pair: 'pair_2' });
    await review('fb_nothing', 'rejected');
    await rows(
      `insert into reviews (tenant_id, id, kind, action, subject, status, origin, created_by, created_at, updated_at)
       values ($1, 'out_judged', 'agent_output', 'judge', '{}', 'confirmed', 'agent', 'test', now() - interval '20 days', now() - interval '20 days')`,
      [tenant],
    );
    const both = await Promise.all([tidy('reviews', { batch: 2 }), tidy('reviews', { batch: 2 })]);
    const rest = await tidy('reviews');
    expect(both[0] + both[1] + rest).toBe(3);
    const stays = ['apart', 'deciding', 'merged', 'named', 'pending', 'rejected', 'superseded'].map((name) => `fb_${name}`);
    expect(await ids('reviews')).toEqual([...stays, 'out_judged']);
    expect(await tidy('reviews', { days: 30 })).toBe(0);
  });

  it('can be undone as long as they stay, and go when they were undone', async () => {
    const entity_ids = [
      await seedEntity(stack, tenant, { type: 'customer', name: 'Fabrikam Logistics' }),
      await seedEntity(stack, tenant, { type: 'customer', name: 'Contoso Freight' }),
    ];
    const { feedback_id: id } = await stack.ok<{ feedback_id: string }>(pm, 'entity.proposal.submit', {
      kind: 'merge',
      entity_ids,
      reason: 'x',
    });
    await stack.ok(pm, 'entity.merge.confirm', { feedback_id: id });
    await ageReviews();
    expect(await tidy('reviews')).toBe(0);
    const { reopened } = await stack.ok<{ reopened: string }>(pm, 'entity.change.undo', { feedback_id: id });
    // It was withdrawn at this moment.
    expect(await tidy('reviews')).toBe(0);
    await ageReviews();
    expect(await tidy('reviews')).toBe(1);
    expect(await ids('reviews')).toEqual([reopened]);
    expect((await stack.call(pm, 'entity.change.undo', { feedback_id: id })).error?.code).toBe('NOT_FOUND');
  });
});

/** All times of the tenant's jobs, items and letters so many days ago. */
const age = async (days: number): Promise<void> => {
  await rows(
    `update jobs set created_at = created_at - make_interval(days => $2), updated_at = updated_at - make_interval(days => $2), finished_at = finished_at - make_interval(days => $2) where tenant_id = $1`,
    [tenant, days],
  );
  await rows(`update ingest_items set updated_at = updated_at - make_interval(days => $2) where tenant_id = $1`, [tenant, days]);
};
const ended = async (job_id: string): Promise<Job> =>
  (await stack.ok<{ job: Job }>(pm, 'system.job.get', { job_id, wait_seconds: 30 })).job;
const submit = async (content: string): Promise<Job> =>
  await ended((await stack.ok<{ job_id: string }>(pm, 'ingest.document.submit', { content, title: 'Handbook' })).job_id);
const hits = async (query: string): Promise<number> =>
  (await stack.ok<{ hits: unknown[] }>(pm, 'index.chunk.search', { query, limit: 5 })).hits.length;

it('the job of a content stays as long as its document, and afterwards the content can come again', async () => {
  await submit('The aardvark digs at night.');
  await age(20);
  expect(await tidy('jobs')).toBe(0);
  expect(
    (
      await stack.call(pm, 'ingest.document.submit', { content: 'The aardvark digs at night.', title: 'Handbook' })
    ).envelope.warnings.join(),
  ).toContain('ingested already');
  await submit('The binturong smells of popcorn.');
  expect([await hits('aardvark'), await hits('binturong')]).toEqual([0, 1]);
  await eventually('the former document is deleted', async () => (await ids('documents')).length === 1);
  await age(20);
  expect(await tidy('jobs')).toBe(1);
  await submit('The aardvark digs at night.');
  expect([await hits('aardvark'), await hits('binturong')]).toEqual([1, 0]);
});

it('bytes of what failed stay for a retry, and go when it is decided; the archive of a run goes when it ends', async () => {
  const path = join(stack.config.INGEST_ROOTS[0]!, `${tenant}.zip`);
  writeFileSync(
    path,
    zipOf([
      { path: 'good.txt', data: 'The capybara swims.' },
      { path: 'bad.pdf', data: '%PDF-1.4 this is no PDF' },
    ]),
  );
  const { job_id } = await stack.ok<{ job_id: string }>(pm, 'ingest.document.submit', { file_path: path });
  expect((await ended(job_id)).status).toBe('completed');
  const [{ spec }] = (await rows<{ spec: { origin: { blob: string } } }>('select spec from jobs where tenant_id = $1 and id = $2', [
    tenant,
    job_id,
  ])) as [{ spec: { origin: { blob: string } } }];
  const [{ blob }] = (await rows<{ blob: string }>(`select blob from ingest_items where tenant_id = $1 and status = 'refused'`, [
    tenant,
  ])) as [{ blob: string }];
  const named = () => asTenant(tenant, () => blobsNamed(stack.db.query, tenant));
  // An open dead letter can read the archive again.
  expect(await named()).toEqual(expect.arrayContaining([spec.origin.blob, blob]));

  await age(20);
  expect([await tidy('failed_bytes'), await tidy('jobs')]).toEqual([0, 0]);
  const { items: open } = await stack.ok<{ items: DlqItem[] }>(pm, 'ingest.dlq.list', { job_id });
  await stack.ok(pm, 'ingest.dlq.abandon', { dlq_id: open[0]!.dlq_id });
  expect(await tidy('failed_bytes', { days: 30 })).toBe(0);
  const both = await Promise.all([tidy('failed_bytes'), tidy('failed_bytes')]);
  expect(both[0] + both[1]).toBe(1);
  const left = await named();
  expect(left).not.toContain(blob);
  expect(left).not.toContain(spec.origin.blob);

  const hours = (n: number) => asTenant(tenant, () => sweepBlobs(stack, tenant, { graceMs: 1, now: () => Date.now() + n * 3_600_000 }));
  await hours(1);
  expect((await hours(2)).deleted).toBeGreaterThanOrEqual(2);
  await expect(stack.blobs.get(tenant, blob)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(stack.blobs.get(tenant, spec.origin.blob)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await hits('capybara')).toBe(1);

  expect(await tidy('jobs')).toBe(4);
  expect((await stack.call(pm, 'system.job.get', { job_id })).error?.code).toBe('NOT_FOUND');
});

it('the sweep does it for each tenant once a day, and tells how many', async () => {
  const every = 15 * 60_000;
  // One whose turn is now and one whose turn is next, so that a quarter of an hour that ends meanwhile does no harm.
  const due = [dueAt(Date.now(), every), dueAt(Date.now() + every, every)];
  for (const name of due) {
    await stack.caller({ tenant: name });
    await article(1, 400, name);
    await article(2, 1, name);
  }
  const report = await stack.temporal.client.workflow.execute<typeof sweep>('sweep', {
    workflowId: `sweep/retention-${tenant}`,
    taskQueue: queues.background,
    args: [],
  });
  const left = [(await ids('articles', 'id', due[0])).length, (await ids('articles', 'id', due[1])).length];
  expect([
    [1, 2],
    [2, 1],
    [1, 1],
  ]).toContainEqual(left);
  expect(report.expired).toBeGreaterThanOrEqual(1);
  expect(report.skipped).toBe(0);
});

it('the sweep deletes memories that expired long ago, and completes those without vectors', async () => {
  const save = (content: string, extra: object = {}) =>
    stack.ok<{ memory_id: string }>(pm, 'memory.record.save', { content, category: 'decision', ...extra });
  const [old, fresh, kept] = [
    await save('Expired long ago.', { ttl_days: 1 }),
    await save('Just expired.', { ttl_days: 1 }),
    await save('Stays.'),
  ];
  const expire = (id: string, days: number) =>
    rows(
      `update memories set expires_at = now() - make_interval(days => $2), valid_from = now() - make_interval(days => $2 + 1) where tenant_id = $1 and id = $3`,
      [tenant, days, id],
    );
  await expire(old.memory_id, 31);
  await expire(fresh.memory_id, 29);
  await rows(`update memories set terms = '{}' where tenant_id = $1 and id = $2`, [tenant, kept.memory_id]);
  const report = await stack.temporal.client.workflow.execute<typeof sweep>('sweep', {
    workflowId: `sweep/memories-${tenant}`,
    taskQueue: queues.background,
    args: [],
  });
  expect(report.skipped).toBe(0);
  expect(await ids('memories')).toEqual([fresh.memory_id, kept.memory_id].sort());
  // The index has what is valid.
  expect(await ids('documents')).toEqual([kept.memory_id]);
  expect(await rows('select terms from memories where tenant_id = $1 and id = $2', [tenant, kept.memory_id])).toEqual([
    { terms: ['stai'] },
  ]);
});

function dueAt(at: number, every: number): string {
  for (;;) {
    const name = `due-${randomBytes(3).toString('hex')}`;
    if (isSweepDue(name, every, at)) return name;
  }
}

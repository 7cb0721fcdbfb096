/** system.job.list, and what is told of jobs and delegated tasks: each change of status, progress every two seconds. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { JobSnapshot } from '../../contracts/activities/kernel/jobs.ts';
import { onServer, withDatabase } from '../setup/databases.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  ann = await stack.caller({ name: 'ann' });
});
afterAll(() => stack?.stop());

const sql = <T extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
  asTenant('acme', () => stack.db.query<T>(text, ['acme', ...values]));
const open = (id: string, workflowId = `ingest/acme/${id}`) =>
  asTenant('acme', () =>
    stack.services.jobs.open('acme', { id, kind: 'ingest', title: `Job ${id}`, workflowId, spec: {}, createdBy: 'ann' }),
  );
const write = (id: string, rev: number, status: JobSnapshot['status'], progress: JobSnapshot['progress']) =>
  stack.services.jobs.write({ tenant: 'acme', id }, { rev, status, progress });
const told = async (subject: string, type = 'job.changed') =>
  (
    await sql<{ data: Record<string, unknown> }>(
      'select data from outbox where tenant_id = $1 and type = $2 and subject = $3 order by id',
      type,
      subject,
    )
  ).map(({ data }) => data);
/** As if the last one had been told two seconds ago, or only now, however slow this machine is. Nothing is told of that. */
const toldAgo = (seconds: 2 | -60, table: 'jobs' | 'delegated_tasks', id: string) =>
  onServer(
    withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)),
    `set session_replication_role = replica;
     update ${table} set told_at = clock_timestamp() - interval '${seconds} seconds' where tenant_id = 'acme' and id = '${id}'`,
  );
const later = (table: 'jobs' | 'delegated_tasks', id: string) => toldAgo(2, table, id);
const atOnce = (table: 'jobs' | 'delegated_tasks', id: string) => toldAgo(-60, table, id);

describe('what is told of a job', () => {
  it('is each change of status, and progress at most every two seconds', async () => {
    await open('job_told');
    await write('job_told', 1, 'running', { stage: 'parse', done: 0, total: 3 });
    await atOnce('jobs', 'job_told');
    await write('job_told', 2, 'running', { stage: 'parse', done: 1, total: 3 });
    await write('job_told', 3, 'running', { stage: 'parse', done: 2, total: 3 });
    expect(await told('job_told')).toEqual([
      { job_kind: 'ingest', status: 'queued', progress: { stage: 'queued' } },
      { job_kind: 'ingest', status: 'running', progress: { stage: 'parse', done: 0, total: 3 } },
    ]);
    await later('jobs', 'job_told');
    const before = (await told('job_told')).length;
    await write('job_told', 4, 'running', { stage: 'embed', done: 1, total: 9 });
    await atOnce('jobs', 'job_told');
    await write('job_told', 5, 'running', { stage: 'embed', done: 2, total: 9 });
    await write('job_told', 6, 'completed', { stage: 'done' });
    expect((await told('job_told')).slice(before)).toEqual([
      { job_kind: 'ingest', status: 'running', progress: { stage: 'embed', done: 1, total: 9 } },
      { job_kind: 'ingest', status: 'completed', progress: { stage: 'done' } },
    ]);
  });

  it('is nothing for a repeat, for an older snapshot and for a row that is only touched', async () => {
    await open('job_still');
    await write('job_still', 2, 'running', { stage: 'parse' });
    await later('jobs', 'job_still');
    const before = (await told('job_still')).length;
    await open('job_still');
    await write('job_still', 2, 'running', { stage: 'parse' });
    await write('job_still', 1, 'queued', { stage: 'queued' });
    await sql(`update jobs set updated_at = now() where tenant_id = $1 and id = 'job_still'`);
    expect(await told('job_still')).toHaveLength(before);
  });

  it('is undone with the change that it is about', async () => {
    await open('job_undone');
    await expect(
      asTenant('acme', () =>
        stack.db.transaction(async (query) => {
          await query(`update jobs set status = 'failed' where tenant_id = 'acme' and id = 'job_undone'`);
          throw new Error('killed');
        }),
      ),
    ).rejects.toThrow('killed');
    expect((await told('job_undone')).map(({ status }) => status)).toEqual(['queued']);
  });

  it('is told once however many write the same change at once', async () => {
    await open('job_race');
    await Promise.all(Array.from({ length: 8 }, () => write('job_race', 1, 'running', { stage: 'parse' })));
    expect((await told('job_race')).map(({ status }) => status)).toEqual(['queued', 'running']);
  });

  it('comes to those who follow the events', async () => {
    const { next } = await stack.ok(ann, 'event.stream.subscribe', { types: ['job.changed'] });
    await open('job_event');
    const { events } = await stack.ok(ann, 'event.stream.subscribe', { types: ['job.changed'], after: next, wait_seconds: 5 });
    expect(events).toMatchObject([{ type: 'job.changed', subject: 'job_event', refs: [{ type: 'job', id: 'job_event' }] }]);
  });
});

it('tells each change of a delegated task, and its progress every two seconds', async () => {
  await sql(`insert into delegated_tasks (tenant_id, direction, id, source_agent, target_agent, capability, timeout_seconds, correlation_id, created_by, key_id, deadline)
    values ($1, 'sent', 'task_d', 'pm', 'peer', 'dig', 60, 'c', 'pm', 'k', now() + interval '1 minute')`);
  const progress = (done: number) =>
    sql(
      `update delegated_tasks set progress = $2 where tenant_id = $1 and id = 'task_d'`,
      JSON.stringify({ done, total: 5, message: 'a secret' }),
    );
  await atOnce('delegated_tasks', 'task_d');
  await progress(1);
  await sql(`update delegated_tasks set status = 'running' where tenant_id = $1 and id = 'task_d'`);
  const first = await told('task_d', 'agent.task_changed');
  await later('delegated_tasks', 'task_d');
  const before = (await told('task_d', 'agent.task_changed')).length;
  await progress(2);
  await atOnce('delegated_tasks', 'task_d');
  await progress(3);
  const events = [...first, ...(await told('task_d', 'agent.task_changed')).slice(before)];
  expect(events.map(({ status, progress: of }) => [status, of])).toEqual([
    ['pending', {}],
    ['running', { done: 1, total: 5 }],
    ['running', { done: 2, total: 5 }],
  ]);
  expect(events[0]).toMatchObject({ direction: 'sent', from: 'pm', to: 'peer' });
  expect(JSON.stringify(events)).not.toContain('secret');
});

describe('the list of jobs', () => {
  beforeAll(async () => {
    await sql(`insert into jobs (tenant_id, id, kind, workflow_id, status, title, spec, created_by, created_at)
      select $1, 'job_l' || lpad(n::text, 3, '0'), case when n % 2 = 0 then 'export' else 'draft' end, 'w/acme/' || n,
        (array['queued', 'running', 'completed', 'failed', 'cancelled'])[1 + n % 5], 'Job ' || n, '{}', 'ann', now() - make_interval(mins => n / 3)
      from generate_series(1, 60) n`);
    await sql(`insert into dlq_items (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
      select $1, 'dlq_l' || n, 'job_l003', 'w', 't', 'extraction', 'parse', 'INTERNAL', 'e', 1, case when n <= 2 then 'parked' else 'abandoned' end
      from generate_series(1, 3) n`);
  });

  it('is read page by page, each job once, newest first, with its process and its parked stages', async () => {
    const seen: { job_id: string; created_at: string; dead_letters: number; url: string | null }[] = [];
    let cursor: string | undefined;
    do {
      const page = await stack.call(ann, 'system.job.list', { limit: 13, ...(cursor ? { cursor } : {}) });
      seen.push(...(page.data as { jobs: typeof seen }).jobs);
      cursor = page.envelope.metadata?.['next_cursor'];
    } while (cursor);
    const [{ n } = { n: 0 }] = await sql<{ n: number }>('select count(*)::int as n from jobs where tenant_id = $1');
    expect([seen.length, new Set(seen.map((job) => job.job_id)).size]).toEqual([n, n]);
    expect(seen.map((job) => job.created_at)).toEqual(
      seen
        .map((job) => job.created_at)
        .toSorted()
        .toReversed(),
    );
    expect(seen.find((job) => job.job_id === 'job_l003')).toMatchObject({ dead_letters: 2, url: expect.stringContaining('temporal.test') });
  });

  it('is filtered by status, kind and ids, within one tenant', async () => {
    const list = async (args: object, who = ann) => (await stack.ok(who, 'system.job.list', { limit: 100, ...args })).jobs;
    const unfinished = await list({ status: 'unfinished', kind: 'export' });
    expect(new Set(unfinished.map((job: { status: string }) => job.status))).toEqual(new Set(['queued', 'running']));
    expect(unfinished.every((job: { kind: string }) => job.kind === 'export')).toBe(true);
    expect(await list({ status: 'failed', kind: 'draft' })).toHaveLength(6);
    expect((await list({ job_ids: ['job_l001', 'job_l002', 'job_none'] })).map((job: { job_id: string }) => job.job_id).toSorted()).toEqual(
      ['job_l001', 'job_l002'],
    );
    expect(await list({}, await stack.caller({ tenant: 'globex', name: 'stranger' }))).toEqual([]);
    expect((await stack.call(ann, 'system.job.list', { cursor: 'x' })).envelope.error?.code).toBe('VALIDATION_ERROR');
  });
});

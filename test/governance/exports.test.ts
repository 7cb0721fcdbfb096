/** Exports of records: through the tools, by links, and with failing workers. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf } from '../../adapters/parsers/unzip.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { ExportAnswer, ExportType, ListedExport } from '../../contracts/governance/exports.ts';
import type { Job } from '../../contracts/jobs.ts';
import { contentsOf, leftOut } from '../../services/governance/exports/contents.ts';
import { writeToken } from '../../services/governance/exports/links.ts';
import { writeExport } from '../../services/governance/exports/records.ts';
import { restart } from '../../services/sweep.ts';
import { exportDesk, type ExportDesk } from '../setup/exports.ts';
import { replayCourses } from '../setup/replay.ts';
import { writeSignals } from '../setup/signals.ts';
import { eventually, lostOf, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let desk: ExportDesk;
let pm: Awaited<ReturnType<TestStack['caller']>>;
let other: Awaited<ReturnType<TestStack['caller']>>;

const formula = '=HYPERLINK("http://evil.test","look")';
const awkward = 'Says "no, never"\nand, then, \u2028 leaves';

beforeAll(async () => {
  stack = await testStack({ model: false });
  desk = exportDesk(stack);
  pm = await stack.caller({ name: 'pm', kind: 'human' });
  other = await stack.caller({ tenant: 'globex', name: 'other', kind: 'human' });
  await writeSignals(stack.db, 'acme', [
    { statement: formula, class: 'bug', at: '2026-01-10T23:59:59.999Z', sentiment: -0.5, about: { customer: ['Initech'] } },
    { statement: awkward, class: 'complaint', at: '2026-02-01T00:00:00Z' },
    { statement: 'Works well', class: 'praise', at: '2026-03-05T12:00:00Z' },
  ]);
  await writeSignals(stack.db, 'globex', [{ statement: 'A secret of globex', class: 'bug', at: '2026-01-10T00:00:00Z' }]);
});
afterAll(async () => {
  await desk?.close();
  await stack?.stop();
});

interface Document {
  export: { tenant: string };
  tables: Record<string, Record<string, unknown>[]>;
  row_counts: Record<string, number>;
}
const asJson = async (answer: ExportAnswer): Promise<Document> => JSON.parse((await desk.fetched(answer)).toString('utf8')) as Document;

async function unzipped(bytes: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, bytes: content } of entriesOf(bytes, { maxUnpackedBytes: 1e9 }))
    files.set(path, Buffer.from(content).toString('utf8'));
  return files;
}
/** Everything on disk that is of a tenant's blobs, half-written files included. */
const onDisk = (tenant: string): string[] => {
  const folder = join(stack.config.SIGNALBOX_DATA_DIR, 'blobs', tenant);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
};
const jobOf = async (caller: Caller, job_id: string): Promise<Job> =>
  (await stack.ok<{ job: Job }>(caller, 'system.job.get', { job_id, wait_seconds: 5 })).job;

describe('an export', () => {
  it('as JSON has the tenant’s rows, exactly as they are', async () => {
    const answer = await desk.take(pm, { export_type: 'signals' });
    expect(answer).toMatchObject({ status: 'completed', format: 'json', row_counts: { signals: 3, signal_entities: 1 } });
    expect(Date.parse(answer.expires_at!) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    const { tables, row_counts, export: about } = await asJson(answer);
    expect(about.tenant).toBe('acme');
    expect(row_counts).toEqual(answer.row_counts);
    expect(new Set(tables['signals']!.map(({ statement }) => statement))).toEqual(new Set([formula, awkward, 'Works well']));
    expect(tables['signals']![0]).not.toHaveProperty('embedding');
    expect(tables['signals']!.find(({ statement }) => statement === formula)).toMatchObject({
      tenant_id: 'acme',
      sentiment: -0.5,
      occurred_at: '2026-01-10T23:59:59.999+00:00',
      area: null,
    });
    expect(JSON.stringify(tables)).not.toContain('globex');
    const theirs = await asJson(await desk.take(other, { export_type: 'signals' }));
    expect(theirs.tables['signals']!.map(({ statement }) => statement)).toEqual(['A secret of globex']);
  });

  it('as CSV is a zip with a file per table that no spreadsheet runs', async () => {
    const answer = await desk.take(pm, { export_type: 'signals', format: 'csv' });
    expect(answer.filename).toMatch(/^signalbox-signals-\d{8}T\d{6}\.zip$/);
    const files = await unzipped(await desk.fetched(answer));
    expect([...files.keys()]).toEqual(['signals.csv', 'signal_entities.csv', 'export.json']);
    const csv = files.get('signals.csv')!;
    expect(csv).toContain(`"'=HYPERLINK(""http://evil.test"",""look"")"`);
    expect(csv).toContain('"Says ""no, never""\nand, then, \u2028 leaves"');
    expect(csv).toContain(',-0.5,');
    expect(csv.split('\r\n')).toHaveLength(5);
    expect(JSON.parse(files.get('export.json')!)).toMatchObject({ row_counts: { signals: 3, signal_entities: 1 } });
  });

  it('under the seed’s name has its range, both days included', async () => {
    const answer = await desk.take(pm, { export_type: 'signals', date_from: '2026-01-10', date_to: '2026-02-01' }, 'export_data');
    expect(new Set((await asJson(answer)).tables['signals']!.map(({ statement }) => statement))).toEqual(new Set([formula, awkward]));
    const day = await desk.take(pm, { export_type: 'signals', date_from: '2026-01-10', date_to: '2026-01-10' }, 'export_data');
    expect(day.row_counts).toEqual({ signals: 1, signal_entities: 1 });
    const none = await desk.take(pm, { export_type: 'signals', date_from: '2030-01-01', format: 'csv' }, 'export_data');
    const files = await unzipped(await desk.fetched(none));
    expect(files.get('signals.csv')!.trim().split('\r\n')).toHaveLength(1);
  });

  it.each(['entities', 'opportunities', 'knowledge_graph', 'feedback_log'] as const)('of %s', async (export_type) => {
    const answer = await desk.take(pm, { export_type });
    const { tables } = await asJson(answer);
    expect(Object.keys(tables)).toEqual(contentsOf(export_type).map(({ table }) => table));
    for (const [table, rows] of Object.entries(tables)) expect(rows.length).toBe(answer.row_counts![table]);
  });

  it('of everything uses no dates, says so, and has nothing that gives access', async () => {
    const asked = await stack.call(pm, 'export_data', { export_type: 'full_backup', date_from: '2030-01-01' });
    expect(asked.envelope.warnings).toContainEqual(expect.stringContaining('dates were not used'));
    const { tables } = await asJson(await desk.take(pm, { export_type: 'full_backup' }));
    expect(tables['signals']).toHaveLength(3);
    expect(tables['documents']).toHaveLength(3);
    for (const rows of Object.values(tables)) for (const row of rows) expect(row['tenant_id']).toBe('acme');
    expect(Object.keys(tables)).not.toContain('api_keys');
  });

  it('is refused for what makes no sense', async () => {
    const refused = async (args: object) => (await stack.call(pm, 'system.data.export', args)).error?.code;
    expect(await refused({ export_type: 'signals', date_from: '2026-02-02', date_to: '2026-02-01' })).toBe('VALIDATION_ERROR');
    expect(await refused({ export_type: 'signals', date_from: '2026-02-31' })).toBe('VALIDATION_ERROR');
    expect(await refused({ export_type: 'passwords' })).toBe('VALIDATION_ERROR');
  });

  it('knows every table: it takes it out or says why not', async () => {
    const tables = await stack.db.query<{ name: string; columns: string[] }>(
      `select table_name::text as name, array_agg(column_name::text) as columns from information_schema.columns
       where table_schema = 'public' group by table_name having bool_or(column_name = 'tenant_id')`,
    );
    const full = contentsOf('full_backup');
    expect(tables.map(({ name }) => name).filter((name) => !(name in leftOut) && !full.some(({ table }) => table === name))).toEqual([]);
    const telling = /secret|token|credential|password|key_id|^hash$/;
    const open = full.flatMap(({ table, without }) =>
      (tables.find(({ name }) => name === table)?.columns ?? ['missing: token']).filter(
        (column) => telling.test(column) && !without?.includes(column),
      ),
    );
    // What a model has read and written.
    expect(open.filter((column) => !/^(input_|output_|cached_)?tokens(_per_day)?$/.test(column))).toEqual([]);
  });
});

describe('who gets it', () => {
  it('an agent asks a person; another agent does not get the link, people do, another tenant finds nothing', async () => {
    const agent = await stack.caller({ kind: 'agent', role: 'agent', name: 'reporter' });
    const stranger = await stack.caller({ kind: 'agent', role: 'agent', name: 'stranger' });
    expect((await stack.call(agent, 'export_data', { export_type: 'entities' })).envelope.status).toBe('pending_approval');
    const { job_id } = await stack.approved<ExportAnswer>(agent, 'system.data.export', { export_type: 'entities', format: 'csv' });
    const codeFor = async (caller: Caller) => (await stack.call(caller, 'system.export.get', { job_id })).error?.code;
    expect(await codeFor(stranger)).toBe('FORBIDDEN');
    expect(await codeFor(other)).toBe('NOT_FOUND');
    expect(await codeFor(agent)).toBeUndefined();
    expect(await codeFor(pm)).toBeUndefined();
  });

  it('are listed: for people all, for a key its own, by its scopes, page by page, and no longer downloadable when expired', async () => {
    const list = async (caller: Caller, args: object = {}) => {
      const { envelope } = await stack.call(caller, 'system.export.list', args);
      return { exports: (envelope.data as { exports: ListedExport[] }).exports, next: envelope.metadata.next_cursor };
    };
    const mine = await desk.take(pm, { export_type: 'opportunities' });
    const ledger = await desk.take(pm, {}, 'system.ledger.export');
    const all = await list(pm, { limit: 100 });
    expect(all.exports.slice(0, 2).map(({ job_id }) => job_id)).toEqual([ledger.job_id, mine.job_id]);
    expect(all.exports[1]).toMatchObject({
      status: 'completed',
      export_type: 'opportunities',
      created_by: 'pm',
      downloadable: true,
      filename: mine.filename,
      expires_at: mine.expires_at,
    });
    const first = await list(pm, { limit: 1 });
    expect((await list(pm, { limit: 1, cursor: first.next })).exports).toEqual([all.exports[1]]);
    const agent = await stack.caller({ kind: 'agent', role: 'agent', name: 'lister' });
    expect((await list(agent)).exports).toEqual([]);
    const auditor = await stack.caller({ name: 'auditor', kind: 'human', scopes: ['ledger:read'] });
    expect(new Set((await list(auditor)).exports.map(({ export_type }) => export_type))).toEqual(new Set(['ledger']));
    const exporter = await stack.caller({ name: 'exporter', kind: 'human', scopes: ['system:export'] });
    expect((await list(exporter, { limit: 100 })).exports.filter(({ export_type }) => export_type === 'ledger')).toEqual([]);
    expect((await list(other, { limit: 100 })).exports.every(({ created_by }) => created_by === 'other')).toBe(true);
    await asTenant('acme', () => stack.db.query(`update exports set expires_at = now() where job_id = $1`, [mine.job_id]));
    expect((await list(pm)).exports.find(({ job_id }) => job_id === mine.job_id)).toMatchObject({ downloadable: false, error: null });
  });

  it('whoever has the link, until it ends; no other link leads there', async () => {
    const answer = await desk.take(pm, { export_type: 'signals' });
    const url = new URL(answer.link!);
    const response = await desk.follow(answer.link!);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="${answer.filename}"`,
      'x-content-type-options': 'nosniff',
    });
    const status = async (path: string) => (await desk.app.inject({ method: 'GET', url: path })).statusCode;
    expect(await status(url.pathname)).toBe(401);
    expect(await status(`${url.pathname}?token=x&token=y`)).toBe(401);
    expect(await status(`${url.pathname}${url.search.replace('acme', 'globex')}`)).toBe(401);
    const theirs = await desk.take(other, { export_type: 'signals' });
    expect(await status(`${new URL(theirs.link!).pathname}${url.search}`)).toBe(401);
    const past = writeToken(stack.secrets, { tenant: 'acme', id: answer.export_id!, until: Math.floor(Date.now() / 1_000) - 1 });
    expect(await status(`${url.pathname}?token=${past}`)).toBe(410);
  });

  it('a session of the console by the job alone, with the rights of the link', async () => {
    const answer = await desk.take(pm, { export_type: 'signals' });
    const session = async (caller: { apiKey: string }) => {
      const signedIn = await desk.app.inject({
        method: 'POST',
        url: '/console/api/session',
        headers: { 'sec-fetch-site': 'same-origin', host: 'localhost' },
        payload: { key: caller.apiKey },
      });
      return String(signedIn.headers['set-cookie']).split(';')[0]!;
    };
    const take = async (caller: { apiKey: string }, site = 'same-origin') =>
      await desk.app.inject({
        method: 'GET',
        url: `/console/api/exports/${answer.job_id}`,
        headers: { cookie: await session(caller), 'sec-fetch-site': site },
      });
    const file = await take(pm);
    expect(file.statusCode).toBe(200);
    expect(file.rawPayload).toEqual(await desk.fetched(answer));
    expect(file.headers['content-disposition']).toBe(`attachment; filename="${answer.filename}"`);
    expect((await take(pm, 'same-site')).statusCode).toBe(403);
    expect((await take(other)).statusCode).toBe(404);
    const stranger = await stack.caller({ kind: 'agent', role: 'agent', name: 'stranger' });
    expect((await take(stranger)).statusCode).toBe(403);
  });

  it('nobody after it has expired: the sweep takes row and file', async () => {
    const answer = await desk.take(pm, { export_type: 'signals' });
    expect(onDisk('acme')).toContain(answer.artifact_ref);
    await asTenant('acme', () =>
      stack.db.query(`update exports set expires_at = now() - interval '1 second' where tenant_id = 'acme' and id = $1`, [
        answer.export_id,
      ]),
    );
    expect((await desk.follow(answer.link!)).statusCode).toBe(410);
    expect((await stack.call(pm, 'system.export.get', { job_id: answer.job_id })).error?.code).toBe('GONE');
    expect(await asTenant('acme', () => stack.services.exports.sweep('acme'))).toBeGreaterThanOrEqual(1);
    expect(onDisk('acme')).not.toContain(answer.artifact_ref);
    expect((await desk.follow(answer.link!)).statusCode).toBe(410);
  });
});

describe('whatever happens to the worker', () => {
  const spec = (type: string) => ({ type, format: 'json', range: { from: null, to: null }, key_id: pm.keyId });
  /** A job whose process is not started. */
  const jobFor = (id: string, type = 'entities') =>
    asTenant('acme', () =>
      stack.services.jobs.open('acme', {
        id,
        kind: 'export',
        title: 'Export',
        workflowId: `export/acme/${id}`,
        spec: spec(type),
        createdBy: 'pm',
      }),
    );
  /** Nobody else finishes them, and only so many may be under way. */
  const endJob = (id: string) =>
    stack.services.jobs.write({ tenant: 'acme', id }, { rev: 9, status: 'failed', progress: { stage: 'write' } });
  /** Asks and does not wait. */
  const ask = (type: ExportType, format: 'json' | 'csv', callKey: string) =>
    asTenant('acme', () => stack.services.exports.export(pm, { type, format }, callKey, { waitMs: 0 }));
  const attempt = (id: string, given: { signal?: AbortSignal; blobs?: typeof stack.blobs } = {}) =>
    asTenant('acme', () =>
      writeExport(
        { ...stack, ...(given.blobs ? { blobs: given.blobs } : {}) },
        { tenant: 'acme', id },
        { signal: given.signal ?? new AbortController().signal, tell: () => {} },
      ),
    );

  it('a repeat answers what is written; of an attempt that died before its file stood nothing is left', async () => {
    await jobFor('job_dead');
    const before = onDisk('acme');
    const dying: typeof stack.blobs = {
      ...stack.blobs,
      putStream: (tenant, owner, source, note) =>
        stack.blobs.putStream(tenant, owner, source, async (blob) => {
          await note(blob);
          throw new Error('killed');
        }),
    };
    await expect(attempt('job_dead', { blobs: dying })).rejects.toThrow('killed');
    const written = await attempt('job_dead');
    expect(await stack.blobs.has('acme', written.artifact_ref)).toBe(true);
    expect(await attempt('job_dead')).toEqual(written);
    expect(onDisk('acme').length).toBe(before.length + 1);
    const rows = await asTenant('acme', () =>
      stack.db.query('select 1 from exports where tenant_id = $1 and job_id = $2', ['acme', 'job_dead']),
    );
    expect(rows).toHaveLength(1);
    await endJob('job_dead');
  });

  it('an attempt that is called off leaves nothing', async () => {
    await jobFor('job_off', 'full_backup');
    const before = onDisk('acme');
    await expect(attempt('job_off', { signal: AbortSignal.abort(new Error('called off')) })).rejects.toThrow('called off');
    expect(onDisk('acme')).toEqual(before);
    await endJob('job_off');
  });

  it('everything in it is of one moment', async () => {
    await jobFor('job_moment', 'signals');
    let wrote = false;
    const meanwhile: typeof stack.blobs = {
      ...stack.blobs,
      putStream: async (tenant, owner, source, note) => {
        if (!wrote)
          await writeSignals(stack.db, 'acme', [
            { statement: 'Said meanwhile', class: 'bug', at: '2026-04-01T00:00:00Z', about: { customer: ['Hooli'] } },
          ]);
        wrote = true;
        return await stack.blobs.putStream(tenant, owner, source, note);
      },
    };
    const { row_counts, artifact_ref } = await attempt('job_moment', { blobs: meanwhile });
    expect(wrote).toBe(true);
    const { tables } = JSON.parse(Buffer.from(await stack.blobs.get('acme', artifact_ref)).toString('utf8')) as Document;
    expect([tables['signals']!.length, tables['signal_entities']!.length]).toEqual([row_counts['signals'], row_counts['signal_entities']]);
    expect(JSON.stringify(tables)).not.toContain('Said meanwhile');
    await endJob('job_moment');
  });

  it('the job is finished by the next one, and found by the sweep when its process is lost', async () => {
    await stack.stopWorkers();
    const asked = await ask('entities', 'json', 'call-later');
    expect(asked.answer.status).toBe('queued');
    await stack.temporal.handle(asked.job.workflow_id).terminate('lost');
    const lost = await lostOf(stack, asked.job.job_id);
    expect(lost).toMatchObject([{ kind: 'job', tenant: 'acme' }]);
    expect(await restart(stack.services, lost)).toBe(1);
    await stack.startWorkers();
    const job = await eventually('it is done', async () => {
      const found = await jobOf(pm, asked.job.job_id);
      return found.status === 'completed' ? found : null;
    });
    expect(job.progress).toMatchObject({ stage: 'done', done: expect.any(Number) });
    // Neither the exported data nor the link is in the job or its history.
    expect(JSON.stringify(job)).not.toMatch(/token=|Initech/);
  });

  it('cancelled while it is read it leaves neither row nor file, even if it is ready by then', async () => {
    const before = onDisk('acme');
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let locked: (() => void) | undefined;
    const locking = new Promise<void>((resolve) => (locked = resolve));
    const lock = asTenant('acme', () =>
      stack.db.transaction(async (query) => {
        await query('lock table claim_decisions in access exclusive mode');
        locked!();
        await held;
      }),
    );
    await locking;
    const { job } = await ask('feedback_log', 'json', 'call-cancelled').catch((error: unknown) => {
      release!();
      throw error;
    });
    await eventually('it is under way', async () => (await jobOf(pm, job.job_id)).status === 'running');
    await stack.ok(pm, 'system.job.cancel', { job_id: job.job_id });
    release!();
    await lock;
    await eventually('it has ended', async () => (await jobOf(pm, job.job_id)).status === 'cancelled');
    expect((await stack.call(pm, 'system.export.get', { job_id: job.job_id })).error?.code).toBe('CONFLICT');
    expect(onDisk('acme')).toEqual(before);
    expect(
      await asTenant('acme', () => stack.db.query('select 1 from exports where tenant_id = $1 and job_id = $2', ['acme', job.job_id])),
    ).toEqual([]);
  });

  it('the same asked for twice is one job, and a third at once is refused', async () => {
    await stack.stopWorkers();
    const [one, two] = [await ask('entities', 'csv', 'call-one'), await ask('entities', 'csv', 'call-two')];
    expect(two.job.job_id).toBe(one.job.job_id);
    await ask('signals', 'csv', 'call-three');
    await expect(ask('opportunities', 'csv', 'call-four')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 30 });
    await stack.startWorkers();
    await eventually('both are done', async () => {
      const open = await asTenant('acme', () =>
        stack.db.query(`select 1 from jobs where kind = 'export' and status in ('queued', 'running')`),
      );
      return open.length === 0;
    });
    // A repeat with the same call key returns the first export.
    expect((await ask('entities', 'csv', 'call-one')).job.job_id).toBe(one.job.job_id);
  });
});

describe('replay', () => {
  it('of what they did here', async () => {
    await eventually(
      'all have ended',
      async () => (await stack.temporal.client.workflow.count(`WorkflowType = 'exportData' and ExecutionStatus = 'Running'`)).count === 0,
    );
    expect(await replayCourses(stack.temporal.client, 'exportData')).toBeGreaterThan(0);
  }, 120_000);
});

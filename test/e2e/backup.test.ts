/** A backup under load, everything destroyed, restored elsewhere: every act that was acknowledged before stands, none is doubled. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Envelope } from '../../contracts/envelope.ts';
import type { Task } from '../../contracts/work/work.ts';
import { readConfig, readRuntime, type Runtime } from '../../platform/config.ts';
import { removeFolder, tempFolder } from '../../platform/embedded/fixtures/help.ts';
import { isAlive } from '../../platform/embedded/process.ts';
import { eventually } from '../setup/stack.ts';

const launcher = join(import.meta.dirname, '..', '..', 'cli', 'signalbox.js');
let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
});
afterAll(async () => {
  for (const name of ['first', 'second']) await run(name, ['down']);
  await removeFolder(folder);
}, 120_000);

const environmentOf = (name: string): Record<string, string> => ({
  SIGNALBOX_DATA_DIR: join(folder, name),
  MCP_SERVER_PORT: '0',
  TEMPORAL_PORT: '0',
  TEMPORAL_UI_PORT: '0',
  POSTGRES_PORT: '0',
  EMBEDDING_MODEL_DIR: 'none',
  ...(process.env['SIGNALBOX_CACHE_DIR'] ? { SIGNALBOX_CACHE_DIR: process.env['SIGNALBOX_CACHE_DIR'] } : {}),
});

async function run(name: string, args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env['PATH'], HOME: folder, ...environmentOf(name) };
  const child = spawn(process.execPath, [launcher, ...args], { cwd: folder, env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return await new Promise((done) => child.on('close', (code) => done({ code, out, err })));
}

async function json<T = Record<string, any>>(name: string, args: string[]): Promise<T> {
  const { code, out, err } = await run(name, [...args, '--json']);
  if (code !== 0) throw new Error(`signalbox ${args.join(' ')} ended with ${code}: ${out}${err}`);
  return JSON.parse(out) as T;
}

const runtimeOf = (name: string): Runtime | null => readRuntime(readConfig(environmentOf(name)));

/** Calls a tool. @returns null when it was not acknowledged */
async function call(runtime: Runtime, key: string, tool: string, args: object, idempotencyKey = randomUUID()): Promise<Envelope | null> {
  try {
    const response = await fetch(`${runtime.api}/api/tools/${tool}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(args),
    });
    return (await response.json()) as Envelope;
  } catch {
    return null;
  }
}
async function ok<T>(runtime: Runtime, key: string, tool: string, args: object): Promise<T> {
  const answer = await call(runtime, key, tool, args);
  if (answer?.status !== 'success') throw new Error(`${tool}: ${JSON.stringify(answer)}`);
  return answer.data as T;
}

interface Act {
  did: 'created' | 'claimed' | 'completed' | 'ingested' | 'asked' | 'approved';
  id: string;
  by: string;
  token?: number | undefined;
  at: number;
}

const phase_id = 7;
const schemaOf = (name: string) => ({ name, version: '1.0.0', json_schema: { type: 'object' } });
const textOf = (n: number) => `Customer ${n} asks for the export number${n} in the weekly meeting of the team.`;

/** Agents at work until they are told to stop. Each acknowledged act is noted. */
function load(runtime: Runtime, keys: Record<string, string>, acts: Act[]): { stop(): Promise<void> } {
  let stopped = false;
  const note = (act: Omit<Act, 'at'>): void => void acts.push({ ...act, at: Date.now() });
  const forever = async (turn: (n: number) => Promise<void>): Promise<void> => {
    for (let n = 0; !stopped; n += 1) await turn(n);
  };
  const agent = (by: string) =>
    forever(async () => {
      const claimed = await call(runtime, keys[by]!, 'work.task.claim', { phase_id, lease_seconds: 3600 });
      const task = (claimed?.data as { task?: Task } | null)?.task;
      if (claimed?.status !== 'success' || !task) return;
      note({ did: 'claimed', id: task.id, by, token: task.fencing_token ?? 0 });
      const completed = await call(runtime, keys[by]!, 'work.task.complete', { task_id: task.id, fencing_token: task.fencing_token });
      if (completed?.status === 'success') note({ did: 'completed', id: task.id, by });
    });
  const running = [
    ...['agent-1', 'agent-2', 'agent-3'].map(agent),
    forever(async (n) => {
      const made = await call(runtime, keys['pm']!, 'work.task.create', { description: `Work ${n}`, phase_id });
      if (made?.status === 'success') note({ did: 'created', id: (made.data as { task: Task }).task.id, by: 'pm' });
    }),
    forever(async (n) => {
      const sent = await call(runtime, keys['pm']!, 'ingest.document.submit', {
        title: `Meeting ${n}`,
        content: textOf(n),
      });
      const id = (sent?.data as { source_id?: string } | null)?.source_id;
      if (id !== undefined && sent?.status !== 'error') note({ did: 'ingested', id, by: 'pm' });
    }),
    forever(async (n) => {
      const asked = await call(runtime, keys['agent-4']!, 'schema.definition.register', schemaOf(`schema-${n}`));
      if (asked?.status !== 'pending_approval') return;
      const id = (asked.data as { approval_id: string }).approval_id;
      note({ did: 'asked', id, by: 'agent-4' });
      // Every second one waits for a person still.
      if (n % 2 === 0) return;
      const approved = await call(runtime, keys['pm']!, 'approval.request.approve', { approval_id: id, wait_seconds: 20 });
      const { approval } = (approved?.data ?? {}) as { approval?: { status: string } };
      if (approval?.status === 'completed') note({ did: 'approved', id, by: 'pm' });
    }),
  ];
  return {
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

async function killAll(name: string): Promise<void> {
  const pids = Object.values(runtimeOf(name)!.pids);
  for (const pid of [...pids].reverse()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended with its parent.
    }
  }
  await eventually('all have ended', () => Promise.resolve(pids.every((pid) => !isAlive(pid))));
  await removeFolder(join(folder, name));
}

it('keeps every acknowledged act and doubles none', { timeout: 600_000 }, async () => {
  await json('first', ['up', '--detach']);
  const first = runtimeOf('first')!;
  const keys: Record<string, string> = {};
  for (const [name, role] of [['pm', 'pm'], ...[1, 2, 3, 4].map((n) => [`agent-${n}`, 'agent'])] as [string, string][]) {
    const made = await json<{ api_key: string }>('first', [
      'keys',
      'create',
      '--tenant',
      'default',
      '--role',
      role,
      '--name',
      name,
      '--rpm',
      '100000',
    ]);
    keys[name] = made.api_key;
  }
  await ok(first, keys['pm']!, 'work.phase.set', { phase_id });

  const acts: Act[] = [];
  const working = load(first, keys, acts);
  const counts = (did: Act['did']): number => acts.filter((act) => act.did === did).length;
  await eventually(
    'acts of every kind',
    () => Promise.resolve(counts('completed') >= 15 && counts('ingested') >= 5 && counts('approved') >= 2),
    120_000,
  );
  const before = acts.length;
  const archive = join(folder, 'backup.zip');
  await json('first', ['backup', archive, '--with-key']);
  // The load went on, and goes on: what it adds from here on may be lost.
  const during = acts.length - before;
  expect(during).toBeGreaterThan(0);
  await killAll('first');
  await working.stop();
  expect(existsSync(join(folder, 'first'))).toBe(false);

  expect((await run('second', ['restore', archive, '--check'])).code).toBe(0);
  await json('second', ['restore', archive]);
  const restoredAt = new Date();
  await json('second', ['up', '--detach']);
  const second = runtimeOf('second')!;
  expect(second.api).not.toBe(first.api);
  let told: { name: string; state: string; detail: string }[] = [];
  await eventually(
    'every open record has its process',
    async () => {
      const { checks } = JSON.parse((await run('second', ['doctor', '--json'])).out) as { checks: typeof told };
      told = checks.filter(({ name, state }) => ['lost processes', 'process states'].includes(name) || state === 'fail');
      return told.length === 2 && told.every(({ state, detail }) => state === 'ok' && ['none', 'agree'].includes(detail));
    },
    120_000,
  ).catch((cause: unknown) => {
    throw new Error(`Not every open record has its process: ${JSON.stringify(told)}`, { cause });
  });

  const kept = acts.slice(0, before);
  const db = new pg.Client({ connectionString: second.database_owner_url });
  db.on('error', () => {});
  await db.connect();
  const map = async <T>(sql: string): Promise<Map<string, T>> =>
    new Map((await db.query<{ id: string; value: T }>(sql)).rows.map(({ id, value }) => [id, value]));
  const tasks = await map<{ status: string; agent: string; token: number }>(
    `select id, jsonb_build_object('status', status, 'agent', assigned_agent_id, 'token', fencing_token) as value from work_tasks where tenant_id = 'default'`,
  );
  const sources = await map<string>(`select id, status as value from knowledge_sources where tenant_id = 'default'`);
  const approvals = await map<string>(`select id, status as value from approvals where tenant_id = 'default'`);
  const missing = kept.filter(({ did, id, by, token }) => {
    if (did === 'ingested') return !sources.has(id);
    if (did === 'asked') return !approvals.has(id);
    if (did === 'approved') return approvals.get(id) !== 'completed';
    const task = tasks.get(id);
    if (did === 'created') return !task;
    if (did === 'completed') return task?.status !== 'done';
    return task?.status !== 'done' && (task?.token !== token || !task?.agent.startsWith(by));
  });
  expect(missing).toEqual([]);

  // Agents work on: those that held a task complete it under its token, all others are claimed and completed.
  for (const by of ['agent-1', 'agent-2', 'agent-3']) {
    for (;;) {
      const { task } = await ok<{ task: Task | null }>(second, keys[by]!, 'work.task.claim', { phase_id });
      if (!task) break;
      await ok(second, keys[by]!, 'work.task.complete', { task_id: task.id, fencing_token: task.fencing_token });
    }
  }
  const { rows: open } = await db.query(`select id, status from work_tasks where tenant_id = 'default' and status <> 'done'`);
  expect(open).toEqual([]);
  const { rows: doubled } = await db.query(
    `select task_id from work_task_events where tenant_id = 'default' and status = 'done' group by task_id having count(*) > 1`,
  );
  expect(doubled).toEqual([]);

  // Ingestions that were under way finish, each source with one document.
  const underWay = async () => (await db.query(`select id, kind, status, progress from jobs where status in ('queued', 'running')`)).rows;
  await eventually('no ingestion is under way', async () => (await underWay()).length === 0, 120_000).catch(async (cause: unknown) => {
    throw new Error(`Still under way: ${JSON.stringify(await underWay())}`, { cause });
  });
  const ingested = kept.filter(({ did }) => did === 'ingested').map(({ id }) => id);
  const { rows: documents } = await db.query<{ source_id: string; count: number }>(
    `select source_id, count(*)::int from documents where source_id = any($1) and status = 'active' group by source_id`,
    [ingested],
  );
  expect(documents.filter(({ count }) => count !== 1)).toEqual([]);
  expect(documents.length).toBe(new Set(ingested).size);
  const { rows: blobs } = await db.query<{ blob: string }>(`select distinct blob from documents where tenant_id = 'default'`);
  const files = new Set(
    readdirSync(join(folder, 'second', 'blobs'), { recursive: true, encoding: 'utf8' }).map((path) => path.split('/').at(-1)),
  );
  expect(blobs.filter(({ blob }) => !files.has(blob))).toEqual([]);

  // Waiting approvals are decided, and their calls made.
  const waiting = [...approvals].filter(([, status]) => status === 'pending').map(([id]) => id);
  expect(waiting.length).toBeGreaterThan(0);
  const { approval } = await ok<{ approval: { status: string } }>(second, keys['pm']!, 'approval.request.approve', {
    approval_id: waiting[0],
    wait_seconds: 20,
  });
  expect(approval.status).toBe('completed');

  // What is written now comes after what was restored: in the ledger's chain, in searches, in the events.
  const { rows: moments } = await db.query<{ later: boolean }>(
    `select bool_and(e.xid > s.to_xid) as later from ledger_events e
     cross join (select to_xid from ledger_seals where tenant_id = 'default' and created_at < $1 order by seq desc limit 1) s
     where e.tenant_id = 'default' and e.at > $1`,
    [restoredAt],
  );
  expect(moments).toEqual([{ later: true }]);
  expect(await ok(second, keys['pm']!, 'system.ledger.verify', {})).toMatchObject({ intact: true, breaches: [] });
  await ok(second, keys['pm']!, 'ingest.document.submit', { title: 'After the restore', content: 'The zeppelin lands at dawn.' });
  const { hits } = await ok<{ hits: object[] }>(second, keys['pm']!, 'index.chunk.search', {
    query: 'zeppelin at dawn',
  });
  expect(JSON.stringify(hits[0])).toContain('zeppelin');
  await db.end();
  console.log(`backup under load: ${kept.length} acts acknowledged before it, ${during} during it; 0 missing, 0 doubled`);

  // Neither a running target nor one with data, nor a damaged backup is taken.
  expect((await run('second', ['restore', archive])).err).toContain('already runs');
  await run('second', ['down']);
  expect((await run('second', ['restore', archive])).err).toContain('is not empty');
  await truncate(archive, 200_000);
  expect((await run('third', ['restore', archive])).err).toContain('not a whole backup');
  expect(existsSync(join(folder, 'third', 'postgres'))).toBe(false);
});

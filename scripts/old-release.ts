/**
 * Records the data of a former release for test/upgrade: `node scripts/old-release.ts CHECKOUT NAME`, where CHECKOUT is a worktree of
 * that release in which `npm ci` has run. The release's own commands start it and make the data; its records and files become
 * test/upgrade/NAME.zip, and the histories of its processes are added to test/replay/histories.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import proto from '@temporalio/proto';
import pg from 'pg';
import { secretBox } from '../adapters/secrets/box.ts';
import { openTemporal } from '../adapters/temporal/client.ts';
import { createSink } from '../deploy/backup/archive.ts';
import { format } from '../deploy/backup/manifest.ts';
import { postgresTools, startTool } from '../deploy/backup/postgres-tools.ts';
import { readConfig, type Runtime } from '../platform/config.ts';

const [checkout, name] = process.argv.slice(2);
if (!checkout || !name) throw new Error('node scripts/old-release.ts CHECKOUT NAME');
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-old-'));
await chmod(folder, 0o711);
const data = join(folder, 'data');
const env = {
  ...process.env,
  SIGNALBOX_DATA_DIR: data,
  MCP_SERVER_PORT: '0',
  TEMPORAL_PORT: '0',
  TEMPORAL_UI_PORT: '0',
  POSTGRES_PORT: '0',
  EMBEDDING_MODEL_DIR: 'none',
};
const signalbox = (...args: string[]): string =>
  execFileSync(process.execPath, ['cli/signalbox.js', ...args], {
    cwd: checkout,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

signalbox('up', '--detach');
const runtime = JSON.parse(readFileSync(join(data, 'runtime.json'), 'utf8')) as Runtime;
try {
  await makeData();
  await record();
} finally {
  process.kill(runtime.pids['worker']!, 'SIGCONT');
  signalbox('down');
  rmSync(folder, { recursive: true, force: true });
}

async function call(tool: string, args: object, key = runtime.api_key): Promise<{ task: { id: string; fencing_token: number } }> {
  const response = await fetch(`${runtime.api}/api/tools/${tool}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': `${tool}:${JSON.stringify(args)}` },
    body: JSON.stringify(args),
  });
  const answer = (await response.json()) as { status: string; data: { task: { id: string; fencing_token: number } } };
  if (answer.status === 'error') throw new Error(`${tool}: ${JSON.stringify(answer)}`);
  return answer.data;
}

async function makeData(): Promise<void> {
  const agent = JSON.parse(signalbox('keys', 'create', '--tenant', runtime.tenant, '--role', 'agent', '--name', 'old-agent', '--json')) as {
    api_key: string;
  };
  const phase_id = 3;
  await call('work.phase.set', { phase_id });
  const create = async (description: string, more: object = {}) =>
    (await call('work.task.create', { description, phase_id, lease_seconds: 3600, ...more })).task.id;
  const done = await create('Done by the former release', { priority: 'high' });
  const claimed = await call('work.task.claim', { phase_id }, agent.api_key);
  await call('work.task.complete', { task_id: done, fencing_token: claimed.task.fencing_token }, agent.api_key);
  await create('Held across the upgrade', { priority: 'high' });
  await call('work.task.claim', { phase_id, lease_seconds: 3600 }, agent.api_key);
  const open = await create('Open across the upgrade');
  await create('Blocked across the upgrade', { blocked_by: [open] });
  await call('ingest.document.submit', { title: 'Ingested', content: 'The zeppelin export was ingested by the former release.' });
  // From here on nothing is worked on: what is submitted is under way when the records are taken.
  process.kill(runtime.pids['worker']!, 'SIGSTOP');
  await call('ingest.document.submit', { title: 'Under way', content: 'The dirigible import was under way at the upgrade.' });
  // The first release asked nobody.
  await call('schema.definition.register', { name: 'upgraded', version: '1.0.0', json_schema: { type: 'object' } }, agent.api_key).catch(
    (error: unknown) => console.log(String(error)),
  );
}

async function record(): Promise<void> {
  const ownerUrl = runtime.database_owner_url;
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows: migrations } = await client.query<{ migration_name: string }>('select migration_name from _prisma_migrations order by 1');
  const { rows: tenants } = await client.query<{ count: number }>('select count(*)::int from tenants');
  await client.end();
  const config = readConfig({});
  const tools = await postgresTools(config, 18, console.log);
  const sink = await createSink(join(root, 'test', 'upgrade', `${name}.zip`));
  const blobs = { count: 0, bytes: 0, missing: 0 };
  for (const entry of readdirSync(join(data, 'blobs'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/^[0-9a-f]{64}$/.test(entry.name)) continue;
    const tenant = entry.parentPath.slice(join(data, 'blobs').length + 1).split('/')[0]!;
    const { bytes } = await sink.add(`blobs/${tenant}/${entry.name}`, createReadStream(join(entry.parentPath, entry.name)));
    blobs.count += 1;
    blobs.bytes += bytes;
  }
  const dump = startTool(tools.dump, ['--format=custom', '--no-owner', '--schema=public', '--compress=9'], ownerUrl);
  const [records] = await Promise.all([sink.add('records.dump', dump.out), dump.ended]);
  const keyFile = join(data, 'secret.key');
  const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8') : null;
  if (key !== null) await sink.add('secret.key', createReadStream(keyFile));
  const { version } = JSON.parse(readFileSync(join(checkout!, 'package.json'), 'utf8')) as { version: string };
  await sink.finish({
    format,
    id: name!,
    version,
    taken_at: new Date().toISOString(),
    postgres: '18.4',
    migrations: migrations.map(({ migration_name }) => migration_name),
    tenants: tenants[0]!.count,
    key_id: key === null ? null : secretBox(key, data).keyIds[0]!,
    has_key: key !== null,
    records: { name: 'records.dump', ...records },
    blobs,
  });
  const temporal = openTemporal({ address: runtime.temporal, namespace: config.TEMPORAL_NAMESPACE, uiUrl: undefined, secrets: null });
  const counts: Record<string, number> = {};
  for await (const { workflowId, runId } of temporal.client.workflow.list({ query: `WorkflowType in ('task', 'ingest', 'toolCall')` })) {
    const history = await temporal.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const kind = workflowId.split('/')[0]!;
    counts[kind] = (counts[kind] ?? 0) + 1;
    const file = join(root, 'test', 'replay', 'histories', `release-${name}-${kind}-${counts[kind]}.history.gz`);
    writeFileSync(file, gzipSync(proto.temporal.api.history.v1.History.encode(history).finish(), { level: 9 }));
  }
  await temporal.close();
  console.log(JSON.stringify({ name, version, migrations: migrations.length, records: records.bytes, blobs, histories: counts }));
}

/**
 * Tries the containers: builds the images, starts docker-compose.yml under a name, a port and passwords of its own, and works through
 * Caddy with the official MCP client. Under this load it kills api, worker, Temporal and Postgres with SIGKILL and replaces api and
 * workers; then it backs up, deletes all volumes and restores. What was acknowledged must stand each time. Needs Docker with
 * compose 2.24 or newer, takes some minutes, and removes what it made. `npm run containers`.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parse } from 'yaml';
import type { Task } from '../contracts/work/work.ts';
import { freePort } from '../platform/embedded/ports.ts';
import { acknowledged, checkAll, connect, type Door, lesson, underLoad } from './containers-load.ts';
import { expect, seconds } from './tour/narrate.ts';

/** What docs/install.md and the README promise, in bytes. */
const largestImage = 400e6;
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-containers-'));
const backups = join(folder, 'backups');
const project = `signalbox-trial-${process.pid}`;
const port = await freePort(8443);
const url = `https://localhost:${port}`;
const interrupted = new AbortController();
const door: Door = { url, tag: project, interrupted: interrupted.signal };
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));

const example = readFileSync(join(root, '.env.example'), 'utf8');
/** Without the settings of this shell: they would win over the file. */
const env = { ...process.env };
for (const [, name] of example.matchAll(/^(\w+)=/gm)) delete env[name!];

function docker(args: string[], signal: AbortSignal | undefined = interrupted.signal): Promise<string> {
  return new Promise((done, failed) => {
    execFile('docker', args, { cwd: root, env, maxBuffer: 256e6, ...(signal ? { signal } : {}) }, (error, stdout, stderr) => {
      if (!error) return done(stdout);
      const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-15).join('\n');
      failed(new Error(signal?.aborted ? 'interrupted' : `docker ${args.slice(0, 3).join(' ')} … ${args.at(-1)} failed: ${said}`));
    });
  });
}
const files = ['-f', join(root, 'docker-compose.yml'), '-f', join(folder, 'override.yml'), '--env-file', join(folder, 'env')];
const composing = ['compose', '--project-name', project, '--project-directory', root, ...files];
const compose = (...args: string[]): Promise<string> => docker([...composing, ...args]);
const containerOf = async (service: string): Promise<string> => (await compose('ps', '--all', '--quiet', service)).trim().split('\n')[0]!;
const inspect = async (what: string, format: string): Promise<string> => (await docker(['inspect', '--format', format, what])).trim();

/** Own names of images: those of an installation on this machine stay. */
function prepare(): void {
  // User 65532 writes there.
  mkdirSync(backups);
  chmodSync(backups, 0o777);
  const secret = (): string => randomBytes(18).toString('hex');
  const values = example.replaceAll(/^(\w+)=dev-.*$/gm, (_all, name: string) => `${name}=${secret()}`);
  // The load comes from one key; at the limit it would measure the limit.
  const changed = { BACKUP_FOLDER: backups, MCP_RATE_LIMIT_RPM: '1000000' };
  const set = (text: string, [name, value]: [string, string]): string => text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
  writeFileSync(join(folder, 'env'), Object.entries(changed).reduce(set, values), { mode: 0o600 });
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { build?: string | { target: string } }>;
  };
  const images = Object.entries(services)
    .filter(([, { build }]) => build !== undefined)
    .map(([name, { build }]) => `  ${name}: { image: '${project}${typeof build === 'object' ? '-backup' : ''}' }`);
  writeFileSync(
    join(folder, 'override.yml'),
    ['services:', ...images, `  caddy: { ports: !override ['127.0.0.1:${port}:443'] }`, ''].join('\n'),
  );
}

async function step<T>(title: string, work: () => Promise<[T, string?] | void>): Promise<T> {
  const started = performance.now();
  const [result, detail = ''] = (await work()) ?? [];
  console.log(`ok ${title.padEnd(58)} ${seconds(performance.now() - started).padStart(8)}  ${detail}`.trimEnd());
  return result as T;
}

/** Kills a container's first process from outside: after `docker kill` Docker would not start it again. */
async function killHard(service: string): Promise<void> {
  const id = await containerOf(service);
  const pid = await inspect(id, '{{.State.Pid}}');
  const kill = ['node', '-e', `process.kill(${Number(pid)}, 'SIGKILL')`];
  await docker(['run', '--rm', '--pid=host', '--user=0', project, ...kill]);
  for (const until = Date.now() + 240_000; ; await sleep(500)) {
    const [now, health] = (await inspect(id, '{{.State.Pid}} {{.State.Health.Status}}')).split(' ');
    if (now !== pid && now !== '0' && health === 'healthy') return;
    expect(Date.now() < until, `${service} is healthy again within four minutes`);
  }
}

const own = getCACertificates('default');
/** Trusts the authority that Caddy made for localhost. */
async function start(...options: string[]): Promise<void> {
  await compose('up', '--wait', '--wait-timeout', '600', ...options);
  setDefaultCACertificates([...own, await compose('exec', '-T', 'caddy', 'cat', '/data/caddy/pki/authorities/local/root.crt')]);
  const ready = await fetch(`${url}/ready`);
  expect(ready.ok, `/ready answers 200, not ${ready.status}`);
}

async function trial(): Promise<void> {
  await step('the images are built', async () => {
    await compose('build');
    const size = Number(await inspect(project, '{{.Size}}'));
    expect(size <= largestImage, `the image has at most ${largestImage / 1e6} MB, not ${Math.round(size / 1e6)}`);
    return [undefined, `${Math.round(size / 1e6)} MB`];
  });
  await step('all services are up and healthy', () => start());
  await step('only Caddy is reached from outside', async () => {
    const lines = (await compose('ps', '--format', '{{.Service}} {{.Ports}}')).trim().split('\n');
    const open = lines.filter((line) => line.includes('->'));
    expect(open.length === 1 && open[0]!.startsWith('caddy '), `only Caddy's port is published: ${open.join('; ')}`);
  });
  const key = await step('the first key is made', async () => {
    const secret = /^key +(\S+)/m.exec(await compose('run', '--rm', 'admin-key'))?.[1];
    expect(secret !== undefined, 'admin-key prints a key');
    return [secret];
  });
  let agent = await step('the official client is connected through Caddy', async () => {
    const connected = await connect(door, key);
    expect(connected.tools.length > 5, 'tools are listed');
    return [connected, `${connected.tools.length} tools`];
  });
  await step('a document is taken in', async () => {
    const source = { kind: 'text', title: 'Herons', format: 'md', text: `# Herons\n\n${lesson}\n` };
    const { job_id } = await agent.ok<{ job_id: string }>('index.ingest', { source });
    const { job } = await agent.ok<{ job: { status: string } }>('system.job.get', { job_id, wait_seconds: 30 });
    expect(job.status === 'completed', `the job is completed, not ${job.status}`);
  });
  for (const service of ['api', 'workers', 'temporal', 'postgres'])
    await step(`${service} is killed under load and comes back`, () => underLoad(door, key, () => killHard(service)));
  await step('api and workers are replaced under load', () =>
    underLoad(door, key, () => compose('up', '--wait', '--force-recreate', '--no-deps', 'api', 'workers')),
  );
  await step('what was acknowledged stands', async () => checkAll(door, (agent = await connect(door, key))));
  const held = await step('a lease is held, and a backup made', async () => {
    const text = `held task of ${project}`;
    const { task } = await agent.ok<{ task: Task }>('work.task.create', {
      description: text,
      phase_id: 1,
      tags: [project],
      needs_review: false,
    });
    acknowledged.set(task.id, { text, done: false });
    const claimed = await agent.ok<{ task: Task }>('work.task.claim', { task_id: task.id, lease_seconds: 86_400 });
    await compose('run', '--rm', 'backup', 'once');
    return [claimed.task];
  });
  await step('the services stop by themselves', async () => {
    await compose('stop');
    for (const service of ['api', 'workers', 'backup']) {
      const code = await inspect(await containerOf(service), '{{.State.ExitCode}}');
      expect(code === '0', `${service} ends with 0, not ${code}`);
    }
  });
  await step('all containers and volumes are deleted', async () => void (await compose('down', '--volumes')));
  await step('the backup is restored into an empty installation', async () => {
    // The service made one of the empty installation, too.
    const name = readdirSync(backups)
      .filter((file) => file.endsWith('.zip'))
      .sort()
      .at(-1);
    await start();
    await compose('stop', 'api', 'workers', 'backup');
    const restore = ['cli/signalbox.js', 'restore', `/backups/${name}`, '--force'];
    await compose('run', '--rm', '--env', 'TMPDIR=/backups', '--entrypoint', 'node', 'backup', ...restore);
    await start();
  });
  await step('what was acknowledged stands after the restore', async () => checkAll(door, (agent = await connect(door, key))));
  await step('the lease goes on under its token', async () => {
    await agent.ok('work.task.complete', { task_id: held.id, fencing_token: held.fencing_token, result: 'held through the restore' });
  });
}

const started = performance.now();
try {
  prepare();
  await trial();
  console.log(`The containers work: ${seconds(performance.now() - started)}`);
} catch (error) {
  console.error(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await docker([...composing, '--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '5'], undefined).catch(() => {});
  for (const image of [project, `${project}-backup`]) await docker(['image', 'rm', image], undefined).catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

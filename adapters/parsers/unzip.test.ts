import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { zipOf, type ZipPart } from './testing.ts';
import { entriesOf, type UnzipLimits } from './unzip.ts';

afterEach(() => vi.restoreAllMocks());

const limits: UnzipLimits = { maxUnpackedBytes: 32 * 1024 * 1024, maxEntries: 100 };

async function list(source: Uint8Array | string, own: Partial<UnzipLimits> = {}): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const { path, bytes } of entriesOf(source, { ...limits, ...own })) found.push([path, Buffer.from(bytes).toString()]);
  return found;
}
const refused = (parts: ZipPart[], error: object, own: Partial<UnzipLimits> = {}): Promise<void> =>
  expect(list(zipOf(parts), own)).rejects.toMatchObject(error);

const plain: ZipPart[] = [
  { path: 'a.txt', data: 'one' },
  { path: 'folder/', data: '' },
  { path: 'folder/b.txt', data: 'two' },
  { path: '__MACOSX/folder/._b.txt', data: 'noise' },
  { path: 'folder/.DS_Store', data: 'noise' },
];

it('gives the files of a zip, from memory or disk', async () => {
  const expected = [
    ['a.txt', 'one'],
    ['folder/b.txt', 'two'],
  ];
  expect(await list(zipOf(plain))).toEqual(expected);
  const folder = mkdtempSync(join(tmpdir(), 'unzip-'));
  try {
    writeFileSync(join(folder, 'a.zip'), zipOf(plain));
    expect(await list(join(folder, 'a.zip'))).toEqual(expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('inflates one at a time: who stops early has not paid for the rest', async () => {
  const big = new Uint8Array(20 * 1024 * 1024);
  for await (const { path } of entriesOf(
    zipOf([
      { path: 'a.txt', data: 'one' },
      { path: 'b', data: big },
    ]),
    { ...limits, maxRatio: 5000 },
  )) {
    expect(path).toBe('a.txt');
    break;
  }
});

it('goes into zips inside, as deep as told', async () => {
  const inner = zipOf([
    { path: 'x.txt', data: 'deep' },
    { path: 'deeper.zip', data: zipOf([{ path: 'y.txt', data: 'deeper' }]) },
  ]);
  const outer = zipOf([{ path: 'inner.zip', data: inner }]);
  expect(await list(outer, { maxDepth: 3 })).toEqual([
    ['inner.zip/x.txt', 'deep'],
    ['inner.zip/deeper.zip/y.txt', 'deeper'],
  ]);
  await expect(list(outer)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { reason: 'too_large' } });
});

it('refuses paths that lead outside, and links', async () => {
  for (const path of ['../a.txt', 'a/../../b.txt', '/etc/passwd', 'C:/a.txt', '..\\a.txt']) {
    await refused([{ path, data: 'x' }], { code: 'VALIDATION_ERROR', details: { reason: 'damaged' } });
  }
  await refused([{ path: 'link', data: '/etc/passwd', mode: 0o120777 }], { details: { reason: 'unsupported' } });
});

it('refuses bombs, however they are hidden', async () => {
  const a = { path: 'a', data: new Uint8Array(30 * 1024 * 1024) };
  const b = { ...a, path: 'b' };
  const loose = { maxRatio: 5000 };
  await refused([a], { code: 'PAYLOAD_TOO_LARGE', details: { reason: 'too_large', entry: 'a' } });
  await refused([{ ...a, declaredSize: 100 }], { details: { reason: 'damaged' } });
  await refused([a, b], { details: { reason: 'too_large', entry: 'b' } }, loose);
  await refused([{ path: 'in.zip', data: zipOf([a]) }, b], { details: { reason: 'too_large', entry: 'b' } }, loose);
  // Three hundred times the same entry: refused by the directory alone.
  await refused(
    Array.from({ length: 300 }, (_, i) => ({ path: `${i}.txt`, data: '' })),
    { code: 'PAYLOAD_TOO_LARGE', details: { max_entries: 100 } },
  );
  const many = Array.from({ length: 101 }, (_, i) => ({ path: String(i), data: '' }));
  await refused(many, { details: { reason: 'too_large', entries: 101 } });
});

it('refuses what is locked, cut off or no zip', async () => {
  await refused([{ path: 'a', data: 'x', flags: 1 }], { details: { reason: 'encrypted' } });
  for (const content of [zipOf(plain).subarray(0, 120), Buffer.from('no zip at all, but long enough to hold its end')]) {
    await expect(list(content)).rejects.toMatchObject({ details: { reason: 'truncated' } });
  }
});

it('gives up after its time, and does not count what others do with the entries', async () => {
  const parts = Array.from({ length: 20 }, (_, i) => ({ path: `${i}.txt`, data: 'text' }));
  await refused(parts, { code: 'PAYLOAD_TOO_LARGE', details: { reason: 'timeout' } }, { timeoutMs: 0 });
  let seen = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + seen * 60_000);
  for await (const _entry of entriesOf(zipOf(parts), { ...limits, timeoutMs: 30_000 })) seen += 1;
  expect(seen).toBe(20);
});

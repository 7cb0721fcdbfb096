import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { maxFileBytes, readInside } from './commands-file.ts';

let folder: string;
let root: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-files-')));
  root = join(folder, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(join(folder, 'root-not'));
  writeFileSync(join(root, 'sub', 'a.txt'), 'inside');
  writeFileSync(join(folder, 'root-not', 'b.txt'), 'outside');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => readInside([root], path);

it('reads inside, by absolute, relative and linked ways', async () => {
  symlinkSync(join(root, 'sub'), join(root, 'way'));
  for (const path of [join(root, 'sub', 'a.txt'), 'sub/a.txt', 'sub/../sub/a.txt', 'way/a.txt']) {
    const found = await read(path);
    expect(Buffer.from(found.bytes).toString(), path).toBe('inside');
    expect(found.path).toBe(join(root, 'sub', 'a.txt'));
  }
});

it('reads nothing outside, whatever the way', async () => {
  symlinkSync(join(folder, 'root-not'), join(root, 'out'));
  symlinkSync(join(folder, 'root-not', 'b.txt'), join(root, 'b.txt'));
  const ways = [
    '../root-not/b.txt',
    'out/b.txt',
    'b.txt',
    join(folder, 'root-not', 'b.txt'),
    '..',
    '/',
    '/dev/zero',
    '/dev/stdin',
    '/proc/self/environ',
  ];
  for (const way of ways)
    await expect(read(way), way).rejects.toMatchObject({ code: 'VALIDATION_ERROR', hint: expect.stringContaining('INGEST_ROOTS') });
});

it('reads regular files alone', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await expect(read('pipe')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(read('sub')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(read('sub/none.txt')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(read('sub/a.txt/deeper')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  symlinkSync('loop', join(root, 'loop'));
  await expect(read('loop')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  writeFileSync(join(root, '.env'), 'SECRET=1');
  await expect(read('.env')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

it('refuses what is too large without reading it', async () => {
  writeFileSync(join(root, 'large.txt'), '');
  truncateSync(join(root, 'large.txt'), maxFileBytes + 1);
  await expect(read('large.txt')).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { max_bytes: maxFileBytes } });
});

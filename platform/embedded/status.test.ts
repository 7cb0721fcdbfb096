import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { removeFolder, tempFolder } from './fixtures/help.ts';
import { status, treeOf } from './status.ts';

test('a tree is a process with its descendants, in whatever order they are listed', () => {
  const parents = [[5, 4], [4, 2], [3, 1], [2, 1], [9, 8]] as const; // prettier-ignore
  expect(treeOf(2, parents, new Set([2]))).toEqual([2, 4, 5]);
  expect(treeOf(7, parents, new Set())).toEqual([7]);
  // Separate parts are not counted twice.
  expect(treeOf(1, parents, new Set([1, 2]))).toEqual([1, 3]);
});

test("a part's memory is that of all it started, grandchildren too", async () => {
  const folder = await tempFolder();
  const hold = `const held = Buffer.alloc(60e6, 1); process.stdout.write('ready'); setInterval(() => held, 1e6)`;
  const nested = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', process.argv[1]], { stdio: ['ignore', 'inherit', 'ignore'] });
    process.on('SIGTERM', () => { child.kill(); process.exit(); }); setInterval(() => {}, 1e6)`;
  const inner = `eval(${JSON.stringify(nested.replace('process.argv[1]', JSON.stringify(hold)))})`;
  const child = spawn(process.execPath, ['-e', nested, inner], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    mkdirSync(join(folder, 'data'));
    const config = readConfig({ SIGNALBOX_DATA_DIR: join(folder, 'data') });
    const runtime = {
      api: 'http://127.0.0.1:1',
      database_url: 'postgresql://a:b@127.0.0.1:1/c',
      temporal: '127.0.0.1:2',
      pids: { worker: child.pid },
    };
    writeFileSync(join(folder, 'data', 'runtime.json'), JSON.stringify(runtime));
    const [worker] = (await status(config)).parts;
    expect(worker!.rss_bytes).toBeGreaterThan(150e6);
    expect(worker!.pss_bytes ?? worker!.rss_bytes).toBeGreaterThan(70e6);
  } finally {
    child.kill();
    await removeFolder(folder);
  }
});

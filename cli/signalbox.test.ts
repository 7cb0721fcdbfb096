import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../platform/embedded/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
cpSync(join(import.meta.dirname, 'signalbox.js'), join(folder, 'cli', 'signalbox.js'), { recursive: true });

const up = () => run(process.execPath, [join(folder, 'cli', 'signalbox.js'), 'up']);

test('without its packages it says what to run', async () => {
  expect(await up()).toMatchObject({ code: 3, output: 'signalbox: Its packages are not installed: run `npm ci`.\n' });
});

test('installed without scripts and without development packages it says what to run', async () => {
  mkdirSync(join(folder, 'node_modules', 'commander'), { recursive: true });
  const { code, output } = await up();
  expect({ code, output }).toMatchObject({
    code: 3,
    output: expect.stringMatching(/^signalbox: The database client is not generated.*`npm ci`\.\n$/),
  });
});

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../platform/embedded/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
cpSync(join(import.meta.dirname, 'signalbox.js'), join(folder, 'cli', 'signalbox.js'), { recursive: true });

test('without its packages it says what to run', async () => {
  expect(await run(process.execPath, [join(folder, 'cli', 'signalbox.js'), 'up'])).toMatchObject({
    code: 3,
    output: 'signalbox: Its packages are not installed: run `npm ci`.\n',
  });
});

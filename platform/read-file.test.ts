import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textIfThere } from './read-file.ts';

test('a missing file is null; one that cannot be read is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-test-'));
  const file = join(folder, 'a');
  expect(textIfThere(file)).toBeNull();
  await writeFile(file, 'text\n');
  expect(textIfThere(file)).toBe('text\n');
  expect(() => textIfThere(folder)).toThrow('EISDIR');
  await rm(folder, { recursive: true });
});

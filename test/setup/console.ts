/** Before the tests of the console: the browser is found, and the console is built from the sources as they are. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

/** The shell has no windows of its own to draw, and takes half of the processor time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const runnable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export default async function setup(project: TestProject): Promise<void> {
  const given = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = [...(given ? [given] : []), ...names.flatMap((name) => folders.map((folder) => join(folder, name)))].find(runnable) ?? null;
  if (found === null) {
    const missing =
      'There is no Chromium: the console is not tested. Install it (apt-get install chromium), or name it with CHROMIUM_PATH.';
    if (process.env['CI']) throw new Error(missing);
    console.warn(missing);
  } else await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../console/build.ts'), '--if-stale']);
  project.provide('chromium', found);
}

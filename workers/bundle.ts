import type { WorkflowBundle } from '@temporalio/worker';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exportsTraces } from '../platform/telemetry.ts';
import { version } from '../platform/version.ts';

const requireHere = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../', import.meta.url));

/** Build of the workers, for their versions: it changes with the workflow code. */
export const buildId = (): string => `${version}-${fingerprint()}`;

/** Everything the bundle is made from: our workflow code, the names it shares, the way it is built, and the SDK's version. */
function fingerprint(): string {
  const hash = createHash('sha256').update((requireHere('@temporalio/worker/package.json') as { version: string }).version);
  const files = ['workflows', 'contracts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  );
  for (const file of [join('workers', 'bundle-build.ts'), ...files.sort()]) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** What a package or an image brings with it (workers/prebuild.ts). A checkout has none. */
export const shipped = join(root, 'workers', 'built');

/**
 * The workflow code as one script: shipped, or built once per change of its sources and cached in `folder`.
 * @param traced with trace interceptors; otherwise left out, because they double the script
 */
export async function workflowBundle(folder: string, traced = exportsTraces()): Promise<WorkflowBundle> {
  const name = `workflows-${fingerprint()}${traced ? '-traced' : ''}.js`;
  const kept = (file: string): WorkflowBundle => ({ code: readFileSync(file, 'utf8') });
  const file = [shipped, folder].map((place) => join(place, name)).find((each) => existsSync(each));
  if (file) return kept(file);
  await build(join(folder, name), traced);
  return kept(join(folder, name));
}

/** In a process of its own: the bundler would stay in the memory of this one. */
async function build(file: string, traced: boolean): Promise<void> {
  const program = fileURLToPath(new URL('./bundle-build.ts', import.meta.url));
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program, file, ...(traced ? ['traced'] : [])]);
}

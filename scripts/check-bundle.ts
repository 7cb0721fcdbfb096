/**
 * Builds the workflow bundle as a worker does, to find imports that cannot run in Temporal's sandbox before a worker
 * starts, and checks that no workflow module keeps state.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workflowBundle } from '../workers/bundle.ts';

// The modules are evaluated once per worker and shared by all its workflows. The SDK freezes their objects; a variable, or
// a collection that is filled later, would carry state from one workflow, of one tenant, to the next.
const stateful = /^(?:export )?(?:(?:let|var)\s|const [^=]*=\s*new (?:Map|Set|WeakMap|WeakSet|Array)\b[^(]*\(\))/m;
const root = join(import.meta.dirname, '..');
const shared = ['workflows', 'contracts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name)),
);
const found = shared.filter((name) => stateful.test(readFileSync(join(root, name), 'utf8')));
if (found.length > 0) throw new Error(`Workflows share their modules, so these must not keep state: ${found.join(', ')}.`);

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bundle-'));
try {
  const bundle = await workflowBundle(folder, false);
  if (!('code' in bundle)) throw new Error('the bundle has no code');
  // The SDK alone has about 1.6 MB, a schema library adds as much. Raise the limit when the workflows themselves have
  // grown.
  const megabytes = Buffer.byteLength(bundle.code) / 1e6;
  const limit = 2.5;
  console.log(`workflow bundle: ${megabytes.toFixed(2)} MB`);
  if (megabytes > limit)
    throw new Error(`The workflow bundle has ${megabytes.toFixed(2)} MB, more than ${limit}: workflow code imports something heavy.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Builds the workflow bundle like a worker, so that an import that cannot run in Temporal's sandbox is found here and
 * not at the start of a worker.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workflowBundle } from '../workers/bundle.ts';

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

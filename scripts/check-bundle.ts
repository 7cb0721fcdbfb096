/**
 * Builds the workflow bundle as a worker would, so that an import that cannot run in Temporal's sandbox is
 * found here and not at the start of a worker. Writes nothing.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
if (!existsSync(workflowsPath)) throw new Error('workflows/index.ts does not exist');
const { code } = await bundleWorkflowCode({
  workflowsPath,
  workflowInterceptorModules: [fileURLToPath(new URL('../workflows/kernel/sealed.ts', import.meta.url))],
  // The default prints webpack's statistics.
  logger: new DefaultLogger('WARN'),
});
// The SDK alone is about 1.6 MB; a schema library adds another one. Raise this when the workflows themselves have grown.
const megabytes = Buffer.byteLength(code) / 1e6;
const limit = 2.5;
console.log(`workflow bundle: ${megabytes.toFixed(2)} MB`);
if (megabytes > limit)
  throw new Error(`The workflow bundle has ${megabytes.toFixed(2)} MB, more than ${limit}: workflow code imports something heavy.`);

/** Builds the workflow bundle into a file: `node workers/bundle-build.ts FILE [traced]`. Run by workers/bundle.ts. */
import { bundleWorkflowCode } from '@temporalio/worker';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workflows = fileURLToPath(new URL('../workflows/', import.meta.url));
const silent = (): void => {};

const [file = '', traced] = process.argv.slice(2);
const workflowsPath = join(workflows, 'index.ts');
const sealing = join(workflows, 'kernel', 'sealed.ts');
/** Carry the trace through workflows into their activities. */
const tracing = '@temporalio/interceptors-opentelemetry/lib/workflow-interceptors';
const { code } = await bundleWorkflowCode({
  workflowsPath,
  failureConverterPath: join(workflows, 'kernel', 'failures.ts'),
  workflowInterceptorModules: [sealing, ...(traced ? [createRequire(import.meta.url).resolve(tracing)] : [])],
  // Evaluated once per worker instead of once per workflow, which saves 2 ms and the memory of a copy each time. Safe,
  // because no module of ours keeps state (scripts/check-bundle.ts holds that).
  preloadModules: [sealing, workflowsPath],
  // Without the sources in it, which each of a worker's threads would keep.
  webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
  logger: {
    log: silent,
    trace: silent,
    debug: silent,
    info: silent,
    warn: silent,
    // The error that is thrown does not say what cannot be bundled; this does.
    error: (message: string) => void process.stderr.write(`${message}\n`),
  },
});
// By rename: a second process may build the same bundle, and none may read half of it.
mkdirSync(dirname(file), { recursive: true });
writeFileSync(`${file}.${process.pid}`, code);
renameSync(`${file}.${process.pid}`, file);

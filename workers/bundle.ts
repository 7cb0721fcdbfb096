import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { traceExport } from '../platform/telemetry.ts';

const requireHere = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../', import.meta.url));

/** Hash of everything in the bundle: our workflow code, the shared names, and the SDK's version. */
function fingerprint(): string {
  const hash = createHash('sha256').update((requireHere('@temporalio/worker/package.json') as { version: string }).version);
  const files = ['workflows', 'contracts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  );
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

export const workflowsPath = join(root, 'workflows', 'index.ts');

const sealing = join(root, 'workflows', 'kernel', 'sealed.ts');
/** Interceptors that propagate the trace through workflows into activities. */
const tracing = ['@temporalio/interceptors-opentelemetry/lib/workflow-interceptors'];

/**
 * The workflow code as one script, built once per change of its sources and cached in `folder`.
 * @param traced with trace interceptors; otherwise left out, because they double the script
 */
export async function workflowBundle(folder: string, traced = traceExport() !== null): Promise<WorkflowBundle> {
  const file = join(folder, `workflows-${fingerprint()}${traced ? '-traced' : ''}.js`);
  try {
    return { code: readFileSync(file, 'utf8') };
  } catch {
    const bundle = await bundleWorkflowCode({
      workflowsPath,
      logger: quiet,
      workflowInterceptorModules: [sealing, ...(traced ? tracing.map((name) => requireHere.resolve(name)) : [])],
    });
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, bundle.code);
    renameSync(`${file}.${process.pid}`, file);
    return bundle;
  }
}

const silent = (): void => {};
// Only the log says what cannot be bundled: the thrown error has no details.
const quiet = {
  log: silent,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: (message: string) => void process.stderr.write(`${message}\n`),
};

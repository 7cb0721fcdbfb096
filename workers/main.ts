import { NativeConnection, Runtime } from '@temporalio/worker';
import { join, resolve } from 'node:path';
import { openOutside } from '../adapters/open.ts';
import { createParser, parserSettings } from '../adapters/parsers/bounded.ts';
import { untilReachable } from '../adapters/reachable.ts';
import { readConfig } from '../platform/config.ts';
import { exitWithParent, reportReady } from '../platform/embedded/child.ts';
import { cannotStart, createLogger } from '../platform/logger.ts';
import { startTelemetry } from '../platform/telemetry.ts';
import { createServices } from '../services/index.ts';
import { restoredFor } from '../services/kernel/restored.ts';
import { Catalogue } from '../tools/catalogue/catalogue.ts';
import { ToolDirectory } from '../tools/catalogue/directory.ts';
import { exposedTools } from '../tools/catalogue/exposed.ts';
import { tools } from '../tools/index.ts';
import { Metrics } from '../tools/catalogue/metrics.ts';
import { Pipeline } from '../tools/catalogue/pipeline.ts';
import { toolVersions } from '../tools/catalogue/registry.ts';
import { workflowBundle } from './bundle.ts';
import { createWorkers } from './host.ts';
import { temporalLogger } from './log.ts';
import { ensureSchedules, sweepNow } from './schedules.ts';

const config = readConfig();
const log = createLogger('worker', config.LOG_LEVEL);
const telemetry = await startTelemetry('worker', { enabled: config.TELEMETRY_ENABLED, endpoint: config.TELEMETRY_EXPORT_ENDPOINT });

// Signals are handled below, in order.
Runtime.install({ shutdownSignals: [], logger: temporalLogger(log) });

const [outside, connection, bundle] = await Promise.all([
  untilReachable('Postgres', log, () =>
    // Ingestion comes in bursts, and nobody waits for the second in which the model is loaded again.
    openOutside(config, log, { modelIdleMs: 30_000 }),
  ),
  untilReachable('Temporal', log, () =>
    NativeConnection.connect({ address: config.TEMPORAL_ADDRESS ?? `127.0.0.1:${config.TEMPORAL_PORT}` }),
  ),
  workflowBundle(join(resolve(config.SIGNALBOX_DATA_DIR), 'cache')),
]).catch((error: unknown) => cannotStart(log, error));
const services = createServices(outside);
const catalogue = new Catalogue(exposedTools(tools, config));
const pipeline = new Pipeline({
  tools: new ToolDirectory(catalogue, await toolVersions(outside.db.query, tools), outside.embedder),
  services,
  metrics: new Metrics(),
  log,
  logRequests: config.MCP_LOG_REQUESTS,
});
const parser = createParser(parserSettings(config));
const workers = await createWorkers({
  connection,
  namespace: config.TEMPORAL_NAMESPACE,
  bundle,
  services,
  parse: (input) => parser.parse(input),
  execute: (execution) => pipeline.execute(execution),
});

let stopping = false;
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

await untilReachable('the schedule', log, async () => {
  await ensureSchedules(outside.temporal);
  if ((await restoredFor(outside.db.query)) !== null) await sweepNow(outside.temporal);
});
await untilReachable('the projection', log, () => services.projections.start());
const running = Promise.all(workers.map((worker) => worker.run()));
services.events.waker.start();
// Often, because unlinked rows can be deleted undetected.
const linking = setInterval(
  () => void services.governance.chain.sealAll().catch((error: unknown) => log.warn({ err: error }, 'the ledger is linked later')),
  10_000,
);

exitWithParent(async () => {
  stop();
  await running.catch(() => {});
});
log.info({ queues: workers.map((worker) => worker.options.taskQueue) }, 'workers are running');
reportReady();
try {
  await running;
} catch (error) {
  log.error({ err: error }, 'a worker failed');
  process.exitCode = 1;
  stop();
} finally {
  clearInterval(linking);
  await services.events.close().catch(() => {});
  await parser.close().catch(() => {});
  await services.knowledge.trajectories.close().catch(() => {});
  await services.agents.close().catch(() => {});
  await services.schemas.close().catch(() => {});
  await services.governance.keys.close().catch(() => {});
  await services.governance.ledger.close().catch(() => {});
  await outside.close().catch(() => {});
  await telemetry.stop().catch(() => {});
  await connection.close().catch(() => {});
}
process.exit();

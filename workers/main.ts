import { Runtime } from '@temporalio/worker';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openOutside } from '../adapters/open.ts';
import { createParser, parserSettings } from '../adapters/parsers/bounded.ts';
import { untilReachable } from '../adapters/reachable.ts';
import { temporalTarget } from '../adapters/temporal/connection.ts';
import { promote } from '../adapters/temporal/deployment.ts';
import { readConfig } from '../platform/config.ts';
import { exitWithParent, reportReady } from '../platform/embedded/child.ts';
import { cannotStart, createLogger } from '../platform/logger.ts';
import { startTelemetry } from '../platform/telemetry.ts';
import { version } from '../platform/version.ts';
import { createServices } from '../services/index.ts';
import { restoredFor } from '../services/kernel/restored.ts';
import { Catalogue } from '../tools/catalogue/catalogue.ts';
import { ToolDirectory } from '../tools/catalogue/directory.ts';
import { exposedTools } from '../tools/catalogue/exposed.ts';
import { tools } from '../tools/index.ts';
import { Metrics } from '../tools/catalogue/metrics.ts';
import { Pipeline } from '../tools/catalogue/pipeline.ts';
import { toolVersions } from '../tools/catalogue/registry.ts';
import { healthOf } from '../api/health.ts';
import { showGauges } from '../api/gauges.ts';
import { readAtScrape } from '../platform/metrics.ts';
import { buildId, workflowBundle } from './bundle.ts';
import { connectWorkers } from './connection.ts';
import { createWorkers } from './host.ts';
import { temporalLogger } from './log.ts';
import { openPort } from './port.ts';
import { sdkMetrics } from './sdk-metrics.ts';
import { ensureSchedules, sweepNow } from './schedules.ts';
import { lightThreads } from './threads.ts';

const config = readConfig();
const log = createLogger('worker', config.LOG_LEVEL);
const telemetry = await startTelemetry('worker', { enabled: config.TELEMETRY_ENABLED, endpoint: config.TELEMETRY_EXPORT_ENDPOINT });

// Signals are handled below, in order.
const sdk = config.WORKER_PORT === 0 ? null : await sdkMetrics();
Runtime.install({ shutdownSignals: [], logger: temporalLogger(log), ...(sdk ? { telemetryOptions: sdk.telemetryOptions } : {}) });

const [outside, link, bundle] = await Promise.all([
  untilReachable('Postgres', log, () =>
    // Ingestion comes in bursts, and nobody waits for the second in which the model is loaded again.
    openOutside(config, log, { modelIdleMs: 30_000 }),
  ),
  untilReachable('Temporal', log, () => connectWorkers(temporalTarget(config), log)),
  workflowBundle(join(resolve(config.SIGNALBOX_DATA_DIR), 'cache')),
]).catch((error: unknown) => cannotStart(log, error));
const services = createServices(outside);
const catalogue = new Catalogue(exposedTools(tools, config));
const metrics = new Metrics({ maxTenants: config.METRICS_TENANTS });
const versions = await untilReachable('Postgres', log, () => toolVersions(outside.db.query, tools));
const pipeline = new Pipeline({
  tools: new ToolDirectory(catalogue, versions, outside.localEmbedder),
  services,
  metrics,
  log,
  logRequests: config.MCP_LOG_REQUESTS,
});
const parser = createParser(parserSettings(config));
if (!config.WORKFLOW_STACK_TRACES) lightThreads();
const deployment = config.TEMPORAL_DEPLOYMENT_NAME
  ? { name: config.TEMPORAL_DEPLOYMENT_NAME, buildId: config.TEMPORAL_WORKER_BUILD_ID ?? buildId() }
  : null;
const workers = await createWorkers({
  connection: link.connection,
  deployment,
  namespace: config.TEMPORAL_NAMESPACE,
  bundle,
  queues: config.WORKER_QUEUES,
  services,
  parse: (input) => parser.parse(input),
  execute: (execution) => pipeline.execute(execution),
  cachedWorkflows: config.WORKFLOW_CACHE_SIZE,
});

showGauges(metrics, config, 'worker', () => services);
readAtScrape(metrics.inside, () => workers, [
  {
    name: 'signalbox_worker_running',
    help: 'Whether the worker of a queue takes tasks',
    labels: ['queue'],
    of: (all) => all.map((worker) => [{ queue: worker.options.taskQueue }, worker.getState() === 'RUNNING' ? 1 : 0]),
  },
]);
const health = healthOf(() => outside);
const port = sdk
  ? await openPort({
      host: config.WORKER_HOST,
      port: config.WORKER_PORT,
      version,
      token: config.METRICS_TOKEN,
      async ready() {
        const resting = workers.filter((worker) => worker.getState() !== 'RUNNING').map((worker) => worker.options.taskQueue);
        const taking = resting.length === 0 ? { up: true } : { up: false, detail: `no tasks are taken from ${resting.join(', ')}` };
        return { ...(await health()), workers: taking };
      },
      metrics: async () => ({
        text: [await metrics.text({ names: true }), await sdk.text()].join('\n'),
        contentType: metrics.contentType,
      }),
    }).catch((error: unknown) => cannotStart(log, error))
  : null;

/**
 * At a shutdown, the SDK waits for everything that it has taken, on a starved machine for minutes. What has not ended by then is
 * left to other workers, which is sooner; whoever restarts a worker kills it after 15 s. In ms.
 */
const endsWithin = 8_000;
/** Then connections that are still in use are not waited for either. */
const closesWithin = 3_000;

let stopping = false;
const overtime = Promise.withResolvers<'overtime'>();
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  setTimeout(() => overtime.resolve('overtime'), endsWithin).unref();
  port?.drain();
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
const unwatch = link.keep(workers);
services.events.waker.start();
services.governance.linking.start();
if (deployment && config.TEMPORAL_DEPLOYMENT_PROMOTE) {
  void promote(outside.temporal, deployment.name, deployment.buildId, { waitMs: 120_000, onlyNew: true })
    .then(({ version, changed }) => log.info({ ...deployment, status: version.status, changed }, 'version of these workers'))
    .catch((error: unknown) =>
      log.error({ err: error, ...deployment }, 'this version could not be made current: `signalbox temporal promote`'),
    );
}

const ended = Promise.race([running, overtime.promise]);
exitWithParent(async () => {
  stop();
  await ended.catch(() => {});
});
log.info({ queues: workers.map((worker) => worker.options.taskQueue), address: port?.address }, 'workers are running');
reportReady();
const late = await ended
  .then((outcome) => outcome === 'overtime')
  .catch((error: unknown) => {
    log.error({ err: error }, 'a worker failed');
    process.exitCode = 1;
    stop();
    return false;
  });
if (late) {
  running.catch(() => {});
  log.warn({ seconds: endsWithin / 1000 }, 'some of what these workers had begun has not ended: it is left to other workers');
}
const closed = closeAll();
await (late ? Promise.race([closed, sleep(closesWithin)]) : closed);
process.exit();

async function closeAll(): Promise<void> {
  await port?.close();
  await services.governance.linking.close().catch(() => {});
  unwatch();
  await services.events.close().catch(() => {});
  await parser.close().catch(() => {});
  await services.knowledge.trajectories.close().catch(() => {});
  await services.agents.close().catch(() => {});
  await services.schemas.close().catch(() => {});
  await services.governance.keys.close().catch(() => {});
  await services.governance.ledger.close().catch(() => {});
  await outside.close().catch(() => {});
  await telemetry.stop().catch(() => {});
  await link.close().catch(() => {});
}

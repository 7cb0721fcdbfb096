/** The api process: every HTTP front end. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileVectorMemory } from '../adapters/models/memory.ts';
import { openOutside, type Outside } from '../adapters/open.ts';
import { untilReachable } from '../adapters/reachable.ts';
import type { Caller } from '../contracts/caller.ts';
import { AppError } from '../contracts/errors.ts';
import { newCallId } from '../contracts/ids.ts';
import { childEnvironment, readConfig } from '../platform/config.ts';
import { exitWithParent, reportReady } from '../platform/embedded/child.ts';
import { cannotStart, createLogger } from '../platform/logger.ts';
import { startTelemetry } from '../platform/telemetry.ts';
import { readSeedFile } from '../services/feeds/seed-file.ts';
import { createServices } from '../services/index.ts';
import { lastSweep } from '../services/kernel/sweep-report.ts';
import { failureOf } from '../tools/catalogue/answers.ts';
import { Catalogue } from '../tools/catalogue/catalogue.ts';
import { ToolDirectory } from '../tools/catalogue/directory.ts';
import { exposedTools } from '../tools/catalogue/exposed.ts';
import { tools } from '../tools/index.ts';
import { Metrics } from '../tools/catalogue/metrics.ts';
import { Pipeline, type CallRequest } from '../tools/catalogue/pipeline.ts';
import { toolVersions } from '../tools/catalogue/registry.ts';
import { version } from '../platform/version.ts';
import { showGauges } from './gauges.ts';
import { healthOf } from './health.ts';
import { createFixtures } from './mcp/fixtures.ts';
import { sessionStore } from './mcp/session-store.ts';
import { selfCapabilities } from './self.ts';
import { buildServer } from './server.ts';

/** How long this process waits for the database after its start; then it reports ready without it. */
const patienceMs = 5_000;

/** At least this long, answers end their connections before idle ones are cut, in ms: a busy client may be about to reuse one. */
const farewellMs = 250;

const config = readConfig();
const log = createLogger('api', config.LOG_LEVEL);
const telemetry = await startTelemetry('api', { enabled: config.TELEMETRY_ENABLED, endpoint: config.TELEMETRY_EXPORT_ENDPOINT });

const catalogue = new Catalogue(exposedTools(tools, config));
const metrics = new Metrics({ maxTenants: config.METRICS_TENANTS });
/** Null until Postgres was reached once. After that the pool and Temporal's client reconnect by themselves. */
let opened: { deps: Outside; directory: ToolDirectory; pipeline: Pipeline } | null = null;
showGauges(metrics, config, 'api', () => opened?.pipeline.services ?? null);
metrics.showSweep(async () => (opened ? await lastSweep(opened.deps.db) : null));

async function open(): Promise<void> {
  const deps = await openOutside(config, log);
  const versions = await toolVersions(deps.db.query, tools).catch(async (error: unknown) => {
    await deps.close();
    throw error;
  });
  const services = createServices(deps);
  const directory = new ToolDirectory(
    catalogue,
    versions,
    deps.localEmbedder,
    fileVectorMemory(join(resolve(config.SIGNALBOX_DATA_DIR), 'cache')),
  );
  opened = { deps, directory, pipeline: new Pipeline({ tools: directory, services, metrics, log, logRequests: config.MCP_LOG_REQUESTS }) };
}

const notYet = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'Signalbox is starting: the record store (Postgres) has not been reached yet.', {
    hint: 'Try again in a few seconds.',
    retryAfterSeconds: 2,
  });

const opening = untilReachable('Postgres', log, open).catch((error: unknown) => cannotStart(log, error));
// Registers this platform in the list of agents. Not awaited: everything else works without it.
void opening.then(async () => {
  if (!config.A2A_ENABLED) return;
  const capabilities = selfCapabilities(catalogue);
  await opened?.pipeline.services.agents.registry
    .registerSelf(capabilities)
    .then(() =>
      log.info(
        { event: 'a2a_protocol_initialized', agent_id: config.A2A_AGENT_ID, capabilities: capabilities.length },
        'registered itself',
      ),
    )
    .catch((error: unknown) => log.error({ err: error }, 'this platform could not register itself among agents'));
});
void opening.then(async () => {
  if (!config.FEED_SOURCES_FILE) return;
  try {
    const file = readSeedFile(readFileSync(config.FEED_SOURCES_FILE, 'utf8'), childEnvironment({}));
    const { made, changed, left, refused } = await opened!.pipeline.services.feeds.seed(file);
    log.info({ made: made.length, changed: changed.length, left: left.length }, 'took over feed sources');
    for (const each of refused) log.warn(each, 'a feed source was refused');
  } catch (error) {
    log.error({ err: error }, 'FEED_SOURCES_FILE could not be imported');
  }
});
void opening.then(() => opened?.pipeline.services.health.watch.start());
const patience = sleep(patienceMs);

const app = buildServer({
  pipeline: {
    catalogue,
    metrics,
    list: async (caller, profile, listing) =>
      opened ? await opened.pipeline.list(caller, profile, listing) : catalogue.list(caller, profile, listing),
    async call(request: CallRequest) {
      if (opened) return await opened.pipeline.call(request);
      const error = notYet();
      const envelope = failureOf(error, newCallId(), 0, undefined);
      return { envelope, data: null, text: JSON.stringify(envelope), error };
    },
  },
  config,
  async authenticate(secret): Promise<Caller | null> {
    await Promise.race([opening, patience]);
    if (!opened) throw notYet();
    const { keys, tokens } = opened.pipeline.services.governance;
    return (await keys.authenticate(secret)) ?? (await tokens.authenticate(secret));
  },
  health: healthOf(
    () => opened?.deps,
    () => opened!.pipeline.services.projections.graphSync(),
  ),
  services() {
    if (!opened) throw notYet();
    return opened.pipeline.services;
  },
  notices: () => opened?.deps.notices,
  sessions: sessionStore(() => opened?.deps.db),
  log,
  version,
  consoleFolder: join(import.meta.dirname, '../console/dist'),
  ...(config.SIGNALBOX_CONFORMANCE ? { fixtures: createFixtures() } : {}),
});

let stopping: Promise<void> | undefined;
const stop = (): Promise<void> =>
  (stopping ??= (async () => {
    log.info('api is stopping');
    app.drain();
    await sleep(Math.max(config.SHUTDOWN_DELAY_SECONDS * 1_000, farewellMs));
    await app.close();
    await opened?.pipeline.services.health.watch.close().catch(() => {});
    await opened?.pipeline.services.knowledge.trajectories
      .close()
      .catch((error: unknown) => log.error({ err: error }, 'trajectories could not be flushed'));
    await opened?.pipeline.services.agents.close().catch((error: unknown) => log.error({ err: error }, 'heartbeats could not be flushed'));
    await opened?.pipeline.services.events.close();
    await opened?.pipeline.services.schemas.close();
    await opened?.pipeline.services.governance.keys.close();
    await opened?.pipeline.services.governance.ledger
      .close()
      .catch((error: unknown) => log.error({ err: error }, 'ledger could not be flushed'));
    await Promise.allSettled([opened?.deps.close(), telemetry.stop()]);
    process.exit(0);
  })());

process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
exitWithParent();

const address = await app.listen({ host: config.MCP_SERVER_HOST, port: config.MCP_SERVER_PORT });
await Promise.race([opening, patience]);
log.info({ address, version }, 'api is listening');
reportReady();
// Otherwise the first search for tools would start it. Without vectors, search matches words only.
void opening.then(() => opened?.directory.warmUp()).catch(() => {});

/** Starts the real Postgres and Temporal once per run; each stack makes a database and a namespace of its own. */
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '../../deploy/database.ts';
import { readConfig } from '../../platform/config.ts';
import { removeFolder, tempFolder } from '../../platform/embedded/fixtures/help.ts';
import { acquireEmbeddingModel, acquireNeo4j, acquirePostgres, acquireTemporal, cacheFolder } from '../../platform/embedded/parts.ts';
import { onFreePorts } from '../../platform/embedded/ports.ts';
import { startPostgres } from '../../platform/embedded/postgres.ts';
import { startTemporal } from '../../platform/embedded/temporal.ts';
import { acquireTemporalServer, lowPort, startTemporalServer } from '../../platform/embedded/temporal-server.ts';

export interface TestServers {
  /** Folder of this run. */
  folder: string;
  /** Of the maintenance database `signalbox`, as its owner and as the application. */
  ownerUrl: string;
  appUrl: string;
  template: string;
  temporalAddress: string;
  /** Null when the embedding model is not available. */
  modelDir: string | null;
}

declare module 'vitest' {
  interface ProvidedContext {
    servers: TestServers;
  }
}

const template = 'signalbox_template';

/** The projects `stack` and `console` use the same servers; each loads this file by itself. */
const shared = globalThis as { testServers?: { started: Promise<{ servers: TestServers; stop(): Promise<void> }>; users: number } };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = (shared.testServers ??= { started: start(), users: 0 });
  run.users += 1;
  project.provide('servers', (await run.started).servers);
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete shared.testServers;
    await (await run.started).stop();
  };
}

async function start(): Promise<{ servers: TestServers; stop(): Promise<void> }> {
  const folder = await tempFolder();
  // Temporal's server with its records in Postgres, instead of the development server.
  const realTemporal = process.env['TEMPORAL_TEST_SERVER'] === 'real';
  const cacheDir = cacheFolder(readConfig());
  const onProgress = (line: string): void => console.log(line);
  const [binDir, binary, model, , programs] = await Promise.all([
    acquirePostgres({ cacheDir, onProgress }),
    acquireTemporal({ cacheDir, onProgress }),
    acquireEmbeddingModel({ cacheDir, onProgress }),
    // Downloads it once for the test files that start one; they report the reason when it is missing.
    acquireNeo4j({ cacheDir, onProgress }).catch(() => null),
    realTemporal ? acquireTemporalServer(cacheDir, onProgress) : '',
  ]);
  if (model.dir === null) console.warn(`No embedding model (${model.reason}): tests of vectors are skipped.`);
  const taken = new Set<number>();
  const ofPostgres = onFreePorts([{ port: 0 }], { taken }, ([port]) =>
    startPostgres({ binDir, dir: join(folder, 'postgres'), port: port!, log: join(folder, 'postgres.log') }),
  )();
  const log = join(folder, 'temporal.log');
  const dir = join(folder, 'temporal');
  const ofTemporal = realTemporal
    ? ofPostgres.then(async ({ ownerUrl }) =>
        startTemporalServer({ programs, dir, databaseUrl: ownerUrl, port: await lowPort(taken), log }),
      )
    : onFreePorts([{ port: 0 }], { taken }, ([port]) =>
        startTemporal({ binary, dir, port: port!, uiPort: null, log, namespace: 'default' }),
      )();
  const [postgres, temporal] = await Promise.all([ofPostgres, ofTemporal]);
  const { withDatabase, onServer } = await import('./databases.ts');
  await onServer(postgres.ownerUrl, `create database ${template}`);
  await prepareDatabase(withDatabase(postgres.ownerUrl, template));
  const servers = {
    folder,
    ownerUrl: postgres.ownerUrl,
    appUrl: postgres.appUrl,
    template,
    temporalAddress: temporal.address,
    modelDir: model.dir,
  };
  return {
    servers,
    async stop() {
      await temporal.stop();
      await postgres.stop();
      await removeFolder(folder);
    },
  };
}

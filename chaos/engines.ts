/** Engines of a larger installation: Temporal's real server with a Postgres of its own, and an S3 store. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openTemporal } from '../adapters/temporal/client.ts';
import { temporalTarget } from '../adapters/temporal/connection.ts';
import { setUpNamespace } from '../adapters/temporal/setup.ts';
import { readConfig } from '../platform/config.ts';
import { acquirePostgres, cacheFolder } from '../platform/embedded/parts.ts';
import { freePort } from '../platform/embedded/ports.ts';
import { startPostgres } from '../platform/embedded/postgres.ts';
import { createSupervisor } from '../platform/embedded/supervisor.ts';
import { acquireTemporalServer, lowPort, startTemporalServer } from '../platform/embedded/temporal-server.ts';
import { s3Server, startS3 } from '../test/setup/s3.ts';

export interface Engines {
  /** Settings that lead to them. */
  env: Record<string, string>;
  /** Of Temporal's server; undefined: it is not running, or the stack's own is used. */
  temporal(): number | undefined;
  stop(): Promise<void>;
}

export async function startEngines(
  folder: string,
  { temporal, s3 }: { temporal: boolean; s3: boolean },
  onEvent: (line: string) => void,
): Promise<Engines> {
  if (s3 && s3Server === null) throw new Error('--s3 needs versitygw, or Go to build it.');
  const supervisor = createSupervisor({ stopOrder: ['temporal', 'temporal-postgres'], onEvent });
  const store = s3 ? await startS3(folder) : null;
  const address = temporal ? await startServer() : null;

  async function startServer(): Promise<string> {
    const cacheDir = cacheFolder(readConfig());
    const [programs, binDir] = await Promise.all([
      acquireTemporalServer(cacheDir, onEvent),
      acquirePostgres({ cacheDir, onProgress: onEvent }),
    ]);
    const logs = join(folder, 'logs');
    mkdirSync(logs, { recursive: true });
    const own = { log: join(logs, 'temporal-postgres.log'), dir: join(folder, 'temporal-postgres') };
    const postgresPort = await freePort(0);
    const { ownerUrl: databaseUrl } = await supervisor.start({
      name: 'temporal-postgres',
      log: own.log,
      start: () => startPostgres({ binDir, dir: own.dir, port: postgresPort, log: own.log }),
    });
    const log = join(logs, 'temporal.log');
    const port = await lowPort();
    const started = await supervisor.start({
      name: 'temporal',
      log,
      start: () => startTemporalServer({ programs, dir: join(folder, 'temporal-server'), databaseUrl, port, log }),
    });
    const connection = openTemporal({ ...temporalTarget(readConfig(), started.address), secrets: null });
    try {
      await setUpNamespace(connection, 1);
    } finally {
      await connection.close();
    }
    return started.address;
  }

  return {
    env: { ...store?.env, ...(address === null ? {} : { TEMPORAL_ADDRESS: address }) },
    temporal: () => supervisor.pids()['temporal'],
    async stop() {
      await supervisor.stop();
      await store?.kill();
    },
  };
}

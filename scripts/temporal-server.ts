/**
 * Temporal's real server on this machine, with its records in a Postgres of its own: to try Signalbox as in a cluster.
 *   npm run temporal-server
 *   npm run temporal-server -- --port 7300
 *   npm run temporal-server -- --database-url postgresql://postgres:secret@localhost:5432/postgres
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../contracts/errors.ts';
import { readConfig } from '../platform/config.ts';
import { acquirePostgres, cacheFolder } from '../platform/embedded/parts.ts';
import { freePort } from '../platform/embedded/ports.ts';
import { startPostgres } from '../platform/embedded/postgres.ts';
import { acquireTemporalServer, startTemporalServer } from '../platform/embedded/temporal-server.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '7233' }, 'database-url': { type: 'string' } } });
const say = (line: string): void => console.error(`  ${line}`);
const config = readConfig();
const cacheDir = cacheFolder(config);
const folder = resolve(config.SIGNALBOX_DATA_DIR);
const log = join(folder, 'logs', 'temporal-server.log');

try {
  const [programs, binDir] = await Promise.all([
    acquireTemporalServer(cacheDir, say),
    values['database-url'] === undefined ? acquirePostgres({ cacheDir, onProgress: say }) : null,
  ]);
  const postgres =
    binDir === null
      ? null
      : await startPostgres({
          binDir,
          dir: join(folder, 'temporal-server', 'postgres'),
          port: await freePort(0),
          log: join(folder, 'logs', 'temporal-server-postgres.log'),
        });
  const port = await freePort(Number(values.port), { name: 'Temporal', onMoved: say });
  const began = performance.now();
  const server = await startTemporalServer({
    programs,
    dir: join(folder, 'temporal-server'),
    databaseUrl: values['database-url'] ?? postgres!.ownerUrl,
    port,
    log,
  }).catch(async (error: unknown) => {
    await postgres?.stop();
    throw error;
  });
  say(
    `Temporal answers after ${((performance.now() - began) / 1000).toFixed(1)} s; Ctrl-C stops it. Prepare it and give it to \`npm start\`:`,
  );
  console.log(`export TEMPORAL_ADDRESS=${server.address}`);
  console.log('npm run signalbox -- temporal setup');
  let stopping = false;
  const stop = (): void => {
    stopping = true;
    void server.stop();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { code } = await server.exited;
  await postgres?.stop();
  if (!stopping) {
    console.error(`Temporal ended by itself (code ${code}). Its log: ${log}`);
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.error([error.message, error.hint].filter(Boolean).join('\n'));
  process.exitCode = 1;
}

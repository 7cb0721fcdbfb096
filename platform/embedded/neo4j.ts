/**
 * A Neo4j Community on loopback with little memory. It holds only a copy, so its folder may be deleted. Folder
 * layout: `<dir>/data`, `<dir>/conf`, `<dir>/password` (mode 0600).
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Driver } from 'neo4j-driver';
import { keptPassword } from './postgres-cluster.ts';
import { commandLine, fileSize, isAlive, logSince, messageOf, type Running, spawnServer, stackError, stopPid, until } from './process.ts';

export interface Neo4jServerOptions {
  /** Folder with its jars; see `acquireNeo4j`. */
  jars: string;
  /** Folder of its data; created when missing. */
  dir: string;
  /** A free port. */
  port: number;
  /** File that receives its output. */
  log: string;
  /** Default 512. */
  heapMb?: number;
  /** Default 64. */
  pageCacheMb?: number;
  /** Starts in half the time, but runs slower: for tests. */
  shortLived?: boolean;
}

export interface RunningNeo4j extends Running {
  uri: string;
  user: string;
  password: string;
  /** File with the password. */
  passwordFile: string;
}

const user = 'neo4j';
/** The initial password of a new server, which must be changed. */
const firstPassword = 'neo4j';
const stopSteps: [NodeJS.Signals, number][] = [
  ['SIGTERM', 20_000],
  ['SIGKILL', 5_000],
];

/** Packages that the server opens, as its own start script does. */
const openPackages = ['java.nio', 'java.io', 'sun.nio.ch', 'java.util.concurrent', 'java.lang', 'java.lang.invoke', 'java.util'];

const pidFile = (dir: string): string => join(resolve(dir), 'neo4j.pid');

/**
 * Starts Neo4j on a folder and waits until it answers. One that still runs on the folder is stopped first.
 * @throws AppError with its last output when it does not start
 */
export async function startNeo4j(options: Neo4jServerOptions): Promise<RunningNeo4j> {
  const dir = resolve(options.dir);
  await mkdir(join(dir, 'conf'), { recursive: true, mode: 0o700 });
  await stopLeftoverNeo4j(dir);
  const passwordFile = join(dir, 'password');
  const password = await keptPassword(passwordFile, true);
  const settings = {
    'server.bolt.listen_address': `127.0.0.1:${options.port}`,
    'server.http.enabled': 'false',
    'server.https.enabled': 'false',
    'server.memory.pagecache.size': `${options.pageCacheMb ?? 64}m`,
    // Otherwise each of its two databases uses half a gigabyte of disk before the first write.
    'db.tx_log.preallocate': 'false',
    'db.tx_log.rotation.retention_policy': '1 files',
    'dbms.usage_report.enabled': 'false',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(dir, 'conf', 'neo4j.conf'), lines.join(''), { mode: 0o600 });

  const offset = fileSize(options.log);
  const server = await spawnServer({
    command: 'java',
    args: [
      `-Xms${Math.min(256, options.heapMb ?? 512)}m`,
      `-Xmx${options.heapMb ?? 512}m`,
      '-XX:+UseSerialGC',
      '-XX:-UsePerfData',
      ...(options.shortLived ? ['-XX:TieredStopAtLevel=1'] : []),
      ...openPackages.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
      '-cp',
      join(resolve(options.jars), '*'),
      'org.neo4j.server.CommunityEntryPoint',
      '--console-mode',
      `--home-dir=${dir}`,
      `--config-dir=${join(dir, 'conf')}`,
    ],
    log: options.log,
    cwd: dir,
    stopSignal: 'TERM',
    stopSteps,
  });
  await writeFile(pidFile(dir), `${server.pid}\n`, { mode: 0o600 });
  const uri = `bolt://127.0.0.1:${options.port}`;
  const problem = await untilItAnswers(server, uri, password, 180_000);
  if (problem !== null) {
    await server.stop();
    const tail = logSince(options.log, offset).trim().split('\n').slice(-8).join('\n');
    throw stackError(`Neo4j did not start: ${problem}.${tail ? `\n${tail}` : ''}`, `Its logs: ${options.log} and ${join(dir, 'logs')}.`);
  }
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(pidFile(dir), { force: true });
  };
  return { ...server, stop, uri, user, password, passwordFile };
}

/** @returns null when it accepts the password, else why not */
async function untilItAnswers(server: Running, uri: string, password: string, timeoutMs: number): Promise<string | null> {
  let gone = false;
  void server.exited.then(() => (gone = true));
  const { default: neo4j } = await import('neo4j-driver');
  const driver = (secret: string): Driver => neo4j.driver(uri, neo4j.auth.basic(user, secret), { connectionTimeout: 2_000 });
  let problem: string | null = 'it did not answer in time';
  await until(
    async () => {
      if (gone) problem = 'it ended at once';
      if (gone) return true;
      const known = driver(password);
      try {
        await known.executeQuery('RETURN 1', {}, { database: 'neo4j' });
        problem = null;
      } catch (error) {
        problem = `it did not answer in time (${messageOf(error)})`;
        if ((error as { code?: string }).code === 'Neo.ClientError.Security.Unauthorized')
          await setPassword(driver(firstPassword), password);
      } finally {
        await known.close();
      }
      return problem === null;
    },
    timeoutMs,
    100,
  );
  return problem;
}

async function setPassword(driver: Driver, password: string): Promise<void> {
  const change = 'ALTER CURRENT USER SET PASSWORD FROM $old TO $new';
  try {
    await driver.executeQuery(change, { old: firstPassword, new: password }, { database: 'system' });
  } catch {
    // Not ready yet, or another password is set: the next try shows which.
  } finally {
    await driver.close();
  }
}

async function stopLeftoverNeo4j(dir: string): Promise<void> {
  const file = pidFile(dir);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').trim());
  const ours = pid > 1 && isAlive(pid) && (commandLine(pid) ?? '').includes(`--home-dir=${dir}`);
  if (ours && !(await stopPid(pid, stopSteps))) {
    throw stackError(`A Neo4j of ${dir} still runs (pid ${pid}) and cannot be stopped.`, `Stop it with kill -9 ${pid}.`);
  }
  await rm(file, { force: true });
}

/** The embedded Temporal: the vendor's development server with a database file, tuned. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { searchAttributes } from '../../contracts/temporal.ts';
import { textIfThere } from '../read-file.ts';
import { portTaken } from './ports.ts';
import { runStep } from './step.ts';
import type { TemporalQuestion } from './temporal-answers.ts';
import { portsOutOfBrowsers, startUiFront } from './temporal-ui.ts';
import { commandLine, fileSize, isAlive, logSince, type Running, spawnServer, stackError, stopPid } from './process.ts';

export interface TemporalOptions {
  /** The `temporal` command; see `acquireTemporal`. */
  binary: string;
  /** Folder of its database file; created when missing. */
  dir: string;
  /** A free port for gRPC. */
  port: number;
  /** A free port for the UI proxy; null: no UI. */
  uiPort: number | null;
  /** File that receives the server's log. */
  log: string;
  namespace: string;
}

export interface RunningTemporal extends Running {
  port: number;
  /** host:port of gRPC. */
  address: string;
  /** Base URL of the web UI; empty when there is none. */
  uiUrl: string;
}

/**
 * Without the first four a no-op workflow takes 140 ms instead of 15, and ten updates in flight stall a workflow. The
 * next two dispatch a queue's tasks tenant by tenant: fairness works within one partition only, so tasks are written
 * to one. All partitions are still read, for tasks from before. The last: after three lost attempts a workflow task may
 * otherwise wait minutes for its next one.
 */
const dynamicConfig: Record<string, number | boolean | string> = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 100,
  'history.maxInFlightUpdates': 1000,
  'matching.enableFairness': true,
  'matching.numTaskqueueWritePartitions': 1,
  'history.workflowTaskRetryMaxInterval': '5s',
};

const databaseFile = (dir: string): string => join(resolve(dir), 'temporal.db');
const pidFile = (dir: string): string => join(resolve(dir), 'temporal.pid');

/**
 * Starts Temporal on a folder and waits until the namespace answers. One that still runs on the folder (its
 * supervisor was killed) is stopped first.
 * @throws AppError when its database is damaged or it does not start; nothing is deleted
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  await stopLeftoverTemporal(options.dir);
  const offset = fileSize(options.log);
  const hidden = options.uiPort === null ? [] : await portsOutOfBrowsers(3);
  const server = await spawnServer({
    command: options.binary,
    args: temporalArguments(options, hidden),
    log: options.log,
    cwd: options.dir,
    stopSignal: 'TERM',
    stopSteps: [
      ['SIGTERM', 8000],
      ['SIGKILL', 5000],
    ],
  });
  await writeFile(pidFile(options.dir), `${server.pid}\n`, { mode: 0o600 });
  const address = `127.0.0.1:${options.port}`;
  const problem = await waitForNamespace(server, { address, namespace: options.namespace, timeoutMs: 60_000 });
  if (problem !== null) {
    await server.stop();
    throw startFailure(options, logSince(options.log, offset), problem);
  }
  const [uiPort] = hidden;
  const front =
    options.uiPort === null || uiPort === undefined
      ? null
      : await startUiFront(options.uiPort, uiPort).catch(async (error: unknown) => {
          await server.stop();
          throw error;
        });
  // A restarted server gets a new proxy.
  void server.exited.then(() => front?.stop());
  const stop = async (): Promise<void> => {
    await front?.stop();
    await server.stop();
    await rm(pidFile(options.dir), { force: true });
  };
  return { ...server, stop, port: options.port, address, uiUrl: front ? `http://127.0.0.1:${options.uiPort}` : '' };
}

/** @param hidden ports that browsers refuse, for the UI, the HTTP API and the metrics */
function temporalArguments(options: TemporalOptions, [uiPort, httpPort, metricsPort]: number[]): string[] {
  return [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(options.port),
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-disable-news-fetch']),
    ...(httpPort === undefined ? [] : ['--http-port', String(httpPort)]),
    ...(metricsPort === undefined ? [] : ['--metrics-port', String(metricsPort)]),
    '--db-filename',
    databaseFile(options.dir),
    '--sqlite-pragma',
    'journal_mode=WAL',
    '--sqlite-pragma',
    'synchronous=NORMAL',
    '--log-level',
    'warn',
    '--log-format',
    'json',
    ...(options.namespace === 'default' ? [] : ['--namespace', options.namespace]),
    ...Object.values(searchAttributes).flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    // Nothing here uses its HTTP API. It answers only under this name, which a web page cannot know.
    '--dynamic-config-value',
    `frontend.httpAllowedHosts=["${randomBytes(16).toString('hex')}.invalid"]`,
    ...Object.entries(dynamicConfig).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${JSON.stringify(value)}`]),
  ];
}

/** @returns null when the namespace answers, else why it does not. */
async function waitForNamespace(server: Running, question: TemporalQuestion): Promise<string | null> {
  const ended = new AbortController();
  const asked = runStep<string | null>(new URL('./temporal-answers.ts', import.meta.url), question, ended.signal).then(
    (problem) => problem && `it did not answer in time (${problem})`,
  );
  // Given up when the server has ended.
  asked.catch(() => {});
  try {
    return await Promise.race([asked, server.exited.then(() => 'it ended at once')]);
  } finally {
    ended.abort();
  }
}

function startFailure(options: TemporalOptions, output: string, problem: string): Error {
  const file = databaseFile(options.dir);
  if (/file is not a database|disk image is malformed|database corruption|file is encrypted|SQLITE_(CORRUPT|NOTADB)/i.test(output)) {
    return stackError(
      `Temporal's database ${file} is damaged.`,
      `Nothing was deleted. Restore the file from a backup, or move it away (mv ${file} ${file}.damaged, also its -wal and -shm) and start again: running processes are lost then, records in Postgres are not.`,
    );
  }
  if (/address already in use/i.test(output)) {
    return portTaken(
      `Temporal cannot listen on port ${options.port} or ${options.uiPort}, or on one that it chose itself: the port is taken.`,
      'Set TEMPORAL_PORT and TEMPORAL_UI_PORT to other ports.',
    );
  }
  const line =
    output
      .trim()
      .split('\n')
      .findLast((text) => text.startsWith('Error:')) ?? problem;
  return stackError(`Temporal did not start: ${line.slice(0, 400)}.`, `Its log: ${options.log}`);
}

/**
 * Stops a Temporal that still runs on this folder.
 * @returns its pid, or null when none ran
 * @throws AppError when it cannot be stopped
 */
export async function stopLeftoverTemporal(dir: string): Promise<number | null> {
  const file = pidFile(dir);
  const text = textIfThere(file);
  if (text === null) return null;
  const pid = Number(text.trim());
  const ours = pid > 1 && isAlive(pid) && (commandLine(pid) ?? '').includes(databaseFile(dir));
  if (
    ours &&
    !(await stopPid(pid, [
      ['SIGTERM', 8000],
      ['SIGKILL', 5000],
    ]))
  ) {
    throw stackError(`A Temporal of ${dir} still runs (pid ${pid}) and cannot be stopped.`, `Stop it with kill -9 ${pid}.`);
  }
  await rm(file, { force: true });
  return ours ? pid : null;
}

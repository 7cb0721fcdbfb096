/** The product's own processes (api, worker) as children of the supervisor, and their side of the contract. */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { childEnvironment } from '../config.ts';
import { type Exit, fileSize, logSince, openLog, type Running, stackError, stopPid } from './process.ts';

export interface NodeChildOptions {
  /** For messages: "api". */
  name: string;
  /** The .ts file to run. */
  file: string;
  /** The Node to run it with; default: the one that runs this. */
  node?: string;
  /** Folder of its stack; part of the command line, by which leftovers are recognized. */
  dataDir: string;
  /** Environment values on top of the inherited ones. */
  env: Record<string, string>;
  /** File that receives stdout and stderr. */
  log: string;
  /** Timeout for the ready message; default 60,000 ms. */
  readyTimeoutMs?: number;
  /** Aborts the wait and stops the child. */
  signal?: AbortSignal;
}

/** glibc keeps freed memory per arena, and has eight arenas a core unless it is told otherwise. */
const allocator = { MALLOC_ARENA_MAX: '2' };

/** What follows the node program in the child's command line. */
export const nodeChildArguments = (child: { file: string; dataDir: string }): string[] => [
  '--disable-warning=ExperimentalWarning',
  // V8 would let the young generation of each isolate grow to 96 MB and more; with 16 the api keeps its speed.
  '--max-semi-space-size=16',
  child.file,
  `--data-dir=${child.dataDir}`,
];

/**
 * Starts a Node process and waits until it calls `reportReady()`.
 * @throws AppError when it ends first or times out, with the last lines of its log
 */
export async function startNodeChild(options: NodeChildOptions): Promise<Running> {
  const offset = fileSize(options.log);
  const out = openLog(options.log);
  const child = spawn(options.node ?? process.execPath, nodeChildArguments(options), {
    stdio: ['ignore', out, out, 'ipc'],
    env: childEnvironment({ ...allocator, ...options.env }),
    // Its own process group: a Ctrl-C in the terminal reaches the supervisor only, which stops all in order.
    detached: true,
  });
  closeSync(out);
  const exited = new Promise<Exit>((done) => {
    child.on('exit', (code, signal) => done({ code, signal }));
    child.on('error', () => done({ code: 127, signal: null }));
  });
  const pid = child.pid;
  if (pid === undefined) throw stackError(`Cannot start ${options.name}.`);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopping ??= stopPid(pid, [
      ['SIGTERM', 10_000],
      ['SIGKILL', 5000],
    ]).then(async () => {
      await exited;
    }));

  const timeoutMs = options.readyTimeoutMs ?? 60_000;
  const outcome = await new Promise<'ready' | 'ended' | 'late' | 'aborted'>((done) => {
    const timer = setTimeout(() => done('late'), timeoutMs);
    child.on('message', (message) => {
      if ((message as { type?: string } | null)?.type === 'ready') done('ready');
    });
    void exited.then(() => {
      clearTimeout(timer);
      done('ended');
    });
    options.signal?.addEventListener('abort', () => done('aborted'), { once: true });
    if (options.signal?.aborted) done('aborted');
  });
  if (outcome === 'ready') return { pid, exited, stop };
  await stop();
  const tail = logSince(options.log, offset).trim().split('\n').slice(-12).join('\n');
  const reason = { ended: 'ended before it was ready', late: `was not ready after ${timeoutMs / 1000} s`, aborted: 'was stopped' }[outcome];
  throw stackError(`${options.name} ${reason}.${tail ? `\n${tail}` : ''}`, `Its log: ${options.log}`);
}

/** Called by a child when it is ready. Does nothing without a supervisor. */
export function reportReady(): void {
  process.send?.({ type: 'ready' });
}

/**
 * Called by a child early on: when the supervisor is gone, however it died, the child shuts down as on SIGTERM, and
 * is killed after `deadlineMs`. Does nothing without a supervisor.
 */
export function exitWithParent(shutdown?: () => Promise<void>, deadlineMs = 10_000): void {
  if (process.channel === undefined || process.channel === null) return;
  const leave = (): void => {
    setTimeout(() => process.exit(1), deadlineMs).unref();
    if (shutdown === undefined) process.kill(process.pid, 'SIGTERM');
    else void shutdown().finally(() => process.exit(0));
  };
  process.once('disconnect', leave);
  if (!process.connected) leave();
  // The channel alone must not keep a finished child alive.
  process.channel.unref();
}

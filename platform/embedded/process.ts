/** Helpers for operating-system processes, shared by this folder. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../contracts/errors.ts';

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A started server, for the supervisor. */
export interface Running {
  pid: number;
  /** Resolves (never rejects) when the process has ended, for whatever reason. */
  exited: Promise<Exit>;
  /** Stops it gracefully, then by force after a deadline. Safe to call twice. */
  stop(): Promise<void>;
}

/** Postgres refuses to run as root, so root starts it as "nobody". */
export const NOBODY = 65534;
export const isRoot = (): boolean => process.getuid?.() === 0;

/** An error of the embedded stack; `hint` says what to do next. */
export const stackError = (message: string, hint?: string, cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', message, {
    ...(hint === undefined ? {} : { hint }),
    ...(cause === undefined ? {} : { cause }),
  });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Polls until `condition` holds. @returns false when `timeoutMs` passed first. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs: number, everyMs = 20): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= deadline) return false;
    await sleep(everyMs);
  }
}

/** The fields of /proc/PID/stat after the command name (state is the first), or null without /proc. */
export function procStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Whether the process runs. A zombie does not: in a container it may never be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const state = procStat(pid)?.[0];
  return state !== 'Z' && state !== 'X';
}

function ps(pid: number, column: string): string | null {
  const result = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : null;
}

/** The command line, arguments separated by spaces; null when the process is gone. */
export function commandLine(pid: number): string | null {
  if (!existsSync('/proc/self/stat')) return ps(pid, 'command');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  } catch {
    return null;
  }
}

/** Distinguishes a process from a later one with the same pid: its start time in the system's notation. */
export function startMark(pid: number): string | null {
  if (!existsSync('/proc/self/stat')) return ps(pid, 'lstart');
  const ticks = procStat(pid)?.[19];
  if (ticks === undefined) return null;
  // Ticks count from boot, so the boot id is needed as well.
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
}

/**
 * Sends signals in order, and waits the given milliseconds after each.
 * @returns whether the process is gone.
 */
export async function stopPid(pid: number, steps: [NodeJS.Signals, number][]): Promise<boolean> {
  for (const [signal, waitMs] of steps) {
    if (!isAlive(pid)) return true;
    try {
      process.kill(pid, signal);
    } catch {
      return !isAlive(pid);
    }
    if (await until(() => !isAlive(pid), waitMs)) return true;
  }
  return !isAlive(pid);
}

export interface RunResult {
  /** Exit code; 127 when the command does not exist, null when a signal ended it or it took too long. */
  code: number | null;
  /** The signal that ended it: SIGKILL when it took too long. */
  signal: NodeJS.Signals | null;
  /** stdout and stderr in order of arrival. */
  output: string;
}

/** Runs a command to its end. Never rejects. `timeoutMs` kills it; `input` is its stdin. */
export function run(
  command: string,
  args: string[],
  options: { timeoutMs?: number; onLine?: (line: string) => void; uid?: number; cwd?: string; input?: string } = {},
): Promise<RunResult> {
  return new Promise((settle) => {
    const child = spawn(command, args, {
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    // Not spawn's own timeout: its timer survives a command that does not exist, and keeps this process alive.
    const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), options.timeoutMs);
    const done = (result: RunResult): void => {
      clearTimeout(timer);
      settle(result);
    };
    let output = '';
    const take = (chunk: Buffer): void => {
      const text = chunk.toString();
      output += text;
      if (options.onLine) for (const line of text.split('\n')) if (line.trim()) options.onLine(line.trim());
    };
    child.stdout!.on('data', take);
    child.stderr!.on('data', take);
    child.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      done({ code: code === 'ENOENT' ? 127 : 126, signal: null, output: message }),
    );
    child.on('close', (code, signal) => done({ code, signal, output }));
    // A command that exits before it has read all input is not an error.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input);
  });
}

let deathSignalWorks: boolean | undefined;
/** `setpriv` can ask the Linux kernel to signal a child when its parent dies, even by kill -9. */
function diesWithParent(signal: string): string[] {
  deathSignalWorks ??=
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0;
  return deathSignalWorks ? ['setpriv', '--pdeathsig', signal, '--'] : [];
}

export interface ServerCommand {
  command: string;
  args: string[];
  /** File that receives stdout and stderr, appended. */
  log: string;
  uid?: number;
  cwd?: string;
  /** Signal that ends it gracefully, also when this process is killed; without "SIG". */
  stopSignal: 'INT' | 'TERM';
  /** Signals after the first one, each with the wait in milliseconds before it. */
  stopSteps: [NodeJS.Signals, number][];
}

/** Starts a long-running server in its own process group: a Ctrl-C in the terminal must reach only the supervisor. */
export async function spawnServer(server: ServerCommand): Promise<Running> {
  const [command, ...args] = [...diesWithParent(server.stopSignal), server.command, ...server.args];
  const out = openLog(server.log);
  const child = spawn(command as string, args, {
    stdio: ['ignore', out, out],
    detached: true,
    ...(server.uid === undefined ? {} : { uid: server.uid, gid: server.uid }),
    ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
  });
  closeSync(out);
  const exited = new Promise<Exit>((done) => {
    child.on('exit', (code, signal) => done({ code, signal }));
    child.on('error', () => done({ code: 127, signal: null }));
  });
  const pid = child.pid;
  if (pid === undefined) throw stackError(`Cannot start ${server.command}.`);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopping ??= stopPid(pid, server.stopSteps).then(async () => {
      await exited;
    }));
  return { pid, exited, stop };
}

/** Opens a log for appending and creates its folder. The caller closes it. */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, 'a', 0o600);
}

export const fileSize = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

/** The log after `offset` bytes, at most the last 8 KB. */
export function logSince(file: string, offset: number): string {
  const size = fileSize(file);
  const from = Math.max(offset, size - 8192, 0);
  if (size <= from) return '';
  const buffer = Buffer.alloc(size - from);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, buffer, 0, buffer.length, from);
  } finally {
    closeSync(descriptor);
  }
  return buffer.toString();
}

/** The agent's processes: started so that they outlive the runner, found again, and ended to the last one. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, procStat, startMark } from '../../platform/embedded/process.ts';
import type { End } from './agents/agent.ts';

/** In the environment of everything that a run starts, however often it forks or changes its group. */
export const marker = 'SIGNALBOX_RUN_ID';

export interface Started {
  pid: number;
  mark: string | null;
}

interface Program {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Null: empty. */
  stdin: string | null;
  files: { input: string; out: string; err: string; exit: string };
}

/** The shell stays the parent and notes the exit code, because a runner that takes over later is nobody's parent. */
const noting = '"$@"; code=$?; printf %s "$code" >"$0.new" && mv -f "$0.new" "$0"; exit "$code"';

/**
 * Starts a program in a group of its own, with files as its input and output: pipes would end with the runner.
 * @throws Error when it cannot be started
 */
export async function start({ command, args, cwd, env, stdin, files }: Program): Promise<Started> {
  if (stdin !== null) writeFileSync(files.input, stdin, { mode: 0o600 });
  const handles = [
    openSync(stdin === null ? '/dev/null' : files.input, 'r'),
    openSync(files.out, 'a', 0o600),
    openSync(files.err, 'a', 0o600),
  ];
  try {
    const child = spawn('/bin/sh', ['-c', noting, files.exit, command, ...args], {
      cwd,
      env,
      detached: true,
      stdio: handles,
    });
    await new Promise<void>((done, fail) => {
      child.once('spawn', done);
      child.once('error', fail);
    });
    child.unref();
    return { pid: child.pid!, mark: startMark(child.pid!) };
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

export const runs = ({ pid, mark }: Started): boolean => isAlive(pid) && (mark === null || startMark(pid) === mark);

/** How the program ended, from the note of its shell. */
export function endOf(files: { exit: string; err: string }): End {
  const text = existsSync(files.exit) ? readFileSync(files.exit, 'utf8') : '';
  const code = /^\d+$/.test(text) ? Number(text) : null;
  const signal =
    code !== null && code > 128 ? (Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null) : null;
  return { exitCode: code, signal, errors: '' };
}

const hasProc = existsSync('/proc/self/environ');

/** Processes that carry the run's marker, and what they have started without it. */
export function marked(run: string): number[] {
  if (!hasProc) return [];
  const wanted = `${marker}=${run}`;
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  const found = new Set(pids.filter((pid) => pid !== process.pid && environmentOf(pid).includes(wanted)));
  const parents = new Map(pids.map((pid) => [pid, Number(procStat(pid)?.[1] ?? 0)]));
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found].filter(isAlive);
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // Of another user, or gone.
    return [];
  }
}

/** CPU time of the run's processes so far, in clock ticks; 0 where it cannot be read. */
export const cpuOf = (run: string): number =>
  marked(run).reduce((sum, pid) => {
    const stat = procStat(pid);
    return sum + Number(stat?.[11] ?? 0) + Number(stat?.[12] ?? 0);
  }, 0);

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Ends all processes of a run: TERM, a grace, KILL, again until none is left.
 * @param top the started program, if it may still run
 * @returns how many had to be ended
 */
export async function endAll(run: string, top: Started | null, graceMs: number): Promise<number> {
  const own = top !== null && runs(top) ? top : null;
  const left = (): number[] => [...new Set([...marked(run), ...(own && runs(own) ? [own.pid] : [])])];
  const all = (signal: NodeJS.Signals): void => {
    // The group as well: where there is no /proc, it is all that is known.
    if (own && runs(own)) send(-own.pid, signal);
    for (const pid of left()) send(pid, signal);
  };
  const count = left().length;
  if (count === 0) return 0;
  all('SIGTERM');
  for (const until = Date.now() + graceMs; left().length > 0 && Date.now() < until;) await sleep(Math.min(50, graceMs));
  for (let round = 0; left().length > 0 && round < 100; round += 1) {
    all('SIGKILL');
    await sleep(20);
  }
  return count;
}

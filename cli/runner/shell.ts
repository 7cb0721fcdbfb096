/** Commands of the phase and of the flags: setup and checks. They run in the worktree, with the run's marker and a time limit. */
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunCheck } from '../../contracts/work/runs.ts';
import { endAll, endOf, runs, start } from './process.ts';

const longest = 4_000;

export interface Shell {
  run: string;
  cwd: string;
  env: Record<string, string>;
  /** Begins the names of the files for output. */
  file: string;
  timeoutMs: number;
  tickMs: number;
  graceMs: number;
  signal: AbortSignal;
}

/** Runs one command to its end, then ends what it has left behind. @throws the signal's reason when it is stopped */
export async function runCommand(command: string, { run, cwd, env, file, timeoutMs, tickMs, graceMs, signal }: Shell): Promise<RunCheck> {
  const files = { input: `${file}.in`, out: `${file}.out`, err: `${file}.out`, exit: `${file}.exit` };
  for (const path of Object.values(files)) rmSync(path, { force: true });
  const began = performance.now();
  const top = await start({ command: '/bin/sh', args: ['-c', command], cwd, env, stdin: null, files });
  while (runs(top) && !signal.aborted && performance.now() - began < timeoutMs) await sleep(Math.min(tickMs, 50));
  const timedOut = runs(top);
  await endAll(run, top, timedOut ? graceMs : 0);
  signal.throwIfAborted();
  return {
    command: command.slice(0, 1_000),
    exit_code: timedOut ? null : (endOf(files).exitCode ?? 1),
    seconds: Math.round((performance.now() - began) / 100) / 10,
    output: lastLines(files.out),
  };
}

export const lastLines = (path: string, most = longest): string => {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text.length > most ? `…${text.slice(1 - most)}` : text;
  } catch {
    return '';
  }
};

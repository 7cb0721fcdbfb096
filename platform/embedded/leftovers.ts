/** Processes that a killed supervisor left running. */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, readRuntime, runtimeFile } from '../config.ts';
import { stopLeftoverPostgres } from './postgres-leftover.ts';
import { commandLine, isAlive, stopPid } from './process.ts';
import { stopLeftoverTemporal } from './temporal.ts';

/**
 * Stops all processes of this data folder that run without a supervisor, after checking that they are ours, and
 * removes their runtime.json. The caller holds the folder's lock.
 * @returns the names of the stopped processes
 * @throws AppError when one cannot be stopped
 */
export async function stopLeftovers(config: Config, progress: (line: string) => void = () => {}): Promise<string[]> {
  const dir = resolve(config.SIGNALBOX_DATA_DIR);
  const stopped: string[] = [];
  for (const [name, pid] of Object.entries(recordedPids(config))) {
    if (!['api', 'worker'].includes(name) || !isAlive(pid) || !isNodeChild(pid, dir)) continue;
    await stopPid(pid, [
      ['SIGTERM', 10_000],
      ['SIGKILL', 5000],
    ]);
    stopped.push(name);
  }
  const [temporal, postgres] = await Promise.all([
    stopLeftoverTemporal(join(dir, 'temporal')),
    stopLeftoverPostgres(join(dir, 'postgres')),
  ]);
  if (temporal !== null) stopped.push('temporal');
  if (postgres !== null) stopped.push('postgres');
  if (stopped.length > 0) progress(`Stopped what an earlier start left running: ${stopped.join(', ')}`);
  await rm(runtimeFile(config), { force: true });
  return stopped;
}

/** A pid may belong to another program by now, even to another stack; our command line contains the data folder. */
function isNodeChild(pid: number, dir: string): boolean {
  return (commandLine(pid) ?? '').endsWith(` --data-dir=${dir}`);
}

/** The pids in runtime.json, or none when there is no readable one. */
export function recordedPids(config: Config): Record<string, number> {
  try {
    return readRuntime(config)?.pids ?? {};
  } catch {
    return {};
  }
}

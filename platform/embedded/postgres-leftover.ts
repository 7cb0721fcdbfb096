/** A Postgres that survived its supervisor, and its leftovers. */
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { textIfThere } from '../read-file.ts';
import { commandLine, isAlive, stackError, stopPid, until } from './process.ts';

/**
 * Stops a Postgres that still runs on `<dir>/data`, and removes a lock file with a foreign pid.
 * @returns its pid, or null when none ran
 * @throws AppError when it cannot be stopped
 */
export async function stopLeftoverPostgres(dir: string): Promise<number | null> {
  const data = join(resolve(dir), 'data');
  const lock = join(data, 'postmaster.pid');
  const text = textIfThere(lock);
  if (text === null) return null;
  const [first, , , , , , memory] = text.split('\n');
  const pid = Number(first);
  if (!Number.isInteger(pid) || pid <= 1 || !processExists(pid)) return null;
  if (isAlive(pid) && isPostgresOf(pid, data)) {
    if (
      await stopPid(pid, [
        ['SIGINT', 15_000],
        ['SIGQUIT', 5000],
        ['SIGKILL', 5000],
      ])
    )
      return pid;
    throw stackError(`A Postgres of ${data} still runs (pid ${pid}) and cannot be stopped.`, `Stop it with kill -QUIT ${pid}.`);
  }
  // The pid now belongs to another process or a zombie, because of which Postgres would refuse to start. The lock
  // must stay while an orphaned backend is attached to the old shared memory.
  await until(() => attached(memory) === 0, 10_000, 50);
  if (attached(memory) === 0) await rm(lock, { force: true });
  return null;
}

/** Unlike `isAlive` true for zombies too, as Postgres checks it. */
function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isPostgresOf(pid: number, data: string): boolean {
  const command = commandLine(pid);
  return command !== null && /postgres/.test(command) && `${command} `.includes(` ${data} `);
}

/** Number of processes attached to the shared memory in the lock file ("key id"); 0 where the system does not show it. */
function attached(line: string | undefined): number {
  const id = line?.trim().split(/\s+/)[1];
  const table = '/proc/sysvipc/shm';
  if (id === undefined || !existsSync(table)) return 0;
  const row = readFileSync(table, 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find((fields) => fields[1] === id);
  return Number(row?.[6] ?? 0);
}

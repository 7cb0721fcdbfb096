/** Locks that are files: one process holds each. The data folder's lock admits one supervisor. */
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { textIfThere } from '../read-file.ts';
import { isAlive, stackError, startMark } from './process.ts';

/** The holder of a lock. `mark` distinguishes the process from a later one with the same pid. */
export interface Holder {
  pid: number;
  mark: string | null;
  /** ISO time. */
  since: string;
}

const lockFile = (dir: string): string => join(resolve(dir), 'supervisor.lock');

function parse(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) ? holder : null;
  } catch {
    return null;
  }
}

const holds = (holder: Holder | null): holder is Holder =>
  holder !== null && isAlive(holder.pid) && (holder.mark === null || holder.mark === startMark(holder.pid));

/** The running supervisor of the folder, or null. */
export function lockHolder(dir: string): { pid: number; since: string } | null {
  const holder = parse(textIfThere(lockFile(dir)) ?? '');
  return holds(holder) ? { pid: holder.pid, since: holder.since } : null;
}

/**
 * Locks the folder for this process.
 * @returns a function that releases it
 * @throws AppError naming the pid when another supervisor holds it
 */
export async function takeLock(dir: string): Promise<() => Promise<void>> {
  const taken = await tryLock(lockFile(dir));
  if (taken === null) throw stackError(`Cannot lock ${dir}.`, `Remove ${lockFile(dir)} when no other "signalbox up" runs there.`);
  if (typeof taken === 'function') return taken;
  throw heldBy(taken, dir);
}

let tries = 0;

/**
 * Locks a file for this process, once: a second try of the same process finds it held.
 * @returns a function that releases it; the holder, when it is held; null when neither came about
 */
export async function tryLock(file: string): Promise<(() => Promise<void>) | Holder | null> {
  tries += 1;
  const mine = `${file}.${process.pid}-${tries}`;
  const content: Holder = { pid: process.pid, mark: startMark(process.pid), since: new Date().toISOString() };
  await writeFile(mine, JSON.stringify(content), { mode: 0o600, flush: true });
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      if (await linked(mine, file)) return () => release(file);
      const text = await readFile(file, 'utf8').catch(() => null);
      if (text === null) continue;
      const holder = parse(text);
      if (holds(holder)) return holder;
      await removeStale(file, text);
    }
    return null;
  } finally {
    await rm(mine, { force: true });
  }
}

/** A hard link is created atomically, and never over an existing file. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moved aside and read again: another process may have locked the folder between reading and moving. */
async function removeStale(file: string, seen: string): Promise<void> {
  tries += 1;
  const aside = `${file}.stale-${process.pid}-${tries}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== seen) await linked(aside, file);
  await rm(aside, { force: true });
}

async function release(file: string): Promise<void> {
  const holder = parse(await readFile(file, 'utf8').catch(() => ''));
  if (holder?.pid === process.pid) await rm(file, { force: true });
}

const heldBy = (holder: Holder, dir: string): Error =>
  stackError(
    `Signalbox already runs on ${resolve(dir)} (pid ${holder.pid}, since ${holder.since}).`,
    'See it with "signalbox status", stop it with "signalbox down", or set SIGNALBOX_DATA_DIR to another folder.',
  );

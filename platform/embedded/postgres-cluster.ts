/** The files of the embedded Postgres: created once, checked at each start, never repaired or deleted. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRoot, NOBODY, run, stackError } from './process.ts';

export const OWNER_ROLE = 'signalbox_owner';

/** For root, Postgres and its tools run as "nobody". */
export const uidOption = (): { uid: number } | Record<never, never> => (isRoot() ? { uid: NOBODY } : {});

/** The version that created a data folder, or undefined when it is new. */
export function clusterMajor(dir: string): number | undefined {
  const file = join(dir, 'data', 'PG_VERSION');
  const major = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN;
  return Number.isNaN(major) ? undefined : major;
}

/** Whether the folder exists and holds anything. */
export async function isFilled(data: string): Promise<boolean> {
  return existsSync(data) && (await readdir(data)).length > 0;
}

/** A random password in a file that only its owner can read. Hexadecimal: safe in SQL and in a URL. */
export async function keptPassword(file: string, mayMake: boolean): Promise<string> {
  if (existsSync(file)) {
    const kept = (await readFile(file, 'utf8')).trim();
    if (kept) return kept;
  }
  if (!mayMake) {
    throw stackError(
      `The password of the existing database is missing: ${file}.`,
      `Put the file back from a backup of this folder. Nothing was deleted.`,
    );
  }
  const password = randomBytes(24).toString('hex');
  const temp = `${file}.${process.pid}`;
  await writeFile(temp, `${password}\n`, { mode: 0o600, flush: true });
  await rename(temp, file);
  return password;
}

/** The error for a folder that Postgres cannot start on. */
export function damaged(data: string, problem: string): Error {
  return stackError(
    `The database folder ${data} is damaged: ${problem}.`,
    `Nothing was deleted. Restore the folder from a backup, or move it away (mv ${data} ${data}.damaged) and start again with an empty database.`,
  );
}

/** @throws AppError when another version created the folder, or it is incomplete. */
export async function checkCluster(data: string, binDir: string): Promise<void> {
  const made = clusterMajor(dirname(data));
  if (made === undefined) throw damaged(data, 'PG_VERSION is missing or unreadable');
  const { output } = await run(join(binDir, 'postgres'), ['--version']);
  const major = Number(/(\d+)(\.|devel|beta|rc)/.exec(output)?.[1]);
  if (made !== major) {
    throw stackError(
      `The database folder ${data} was made by Postgres ${made}, but Postgres ${major} is used now.`,
      `Nothing was changed. Put Postgres ${made} with pgvector on PATH, or dump with the old version and restore into a new SIGNALBOX_DATA_DIR.`,
    );
  }
  if (!existsSync(join(data, 'global', 'pg_control'))) throw damaged(data, 'global/pg_control is missing');
}

/** Created beside the target and renamed: an interrupted cluster is never used. */
export async function makeCluster(dir: string, data: string, binDir: string, password: string): Promise<void> {
  for (const name of await readdir(dir)) if (name.startsWith('data.new-')) await rm(join(dir, name), { recursive: true, force: true });
  const fresh = join(dir, `data.new-${process.pid}`);
  const passwordFile = join(dir, `.password-${process.pid}`);
  await mkdir(fresh, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (isRoot()) for (const path of [fresh, passwordFile]) await chown(path, NOBODY, NOBODY);
  try {
    const { output } = await run(join(binDir, 'postgres'), ['--version']);
    const major = Number(/(\d+)\./.exec(output)?.[1]);
    // From 17 on Postgres has the locale built in; before, the system must provide it.
    const locale = major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C.UTF-8'];
    const result = await run(
      join(binDir, 'initdb'),
      ['-D', fresh, '-U', OWNER_ROLE, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '--encoding=UTF8', ...locale],
      { ...uidOption(), cwd: fresh, timeoutMs: 120_000 },
    );
    if (result.code !== 0) throw stackError(`Cannot make the database in ${dir}: ${result.output.trim().slice(-600)}`);
    await tryVectors(fresh, binDir);
    await rename(fresh, data);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Long enough to use the CPU instructions that pgvector was built with. */
const somewhere = '(select array_agg(n)::real[]::vector(384) from generate_series(1, 384) n)';
const probe = `create extension vector; select 'distance', ${somewhere} <-> ${somewhere}, ${somewhere}::halfvec <=> ${somewhere}::halfvec; drop extension vector;\n`;

/**
 * Computes a distance once in a Postgres without clients: on a processor without the required instructions, the
 * server would otherwise crash during a search.
 */
async function tryVectors(data: string, binDir: string): Promise<void> {
  const { code, signal, output } = await run(join(binDir, 'postgres'), ['--single', '-D', data, 'postgres'], {
    ...uidOption(),
    cwd: data,
    timeoutMs: 120_000,
    input: probe,
  });
  if (code === 0 && output.includes('distance')) return;
  if (signal === 'SIGILL') {
    throw stackError(
      `pgvector in ${binDir} was built for another processor: computing a distance ended with an illegal instruction.`,
      'Use a Postgres with pgvector built for this machine, on PATH or from the packages of the system, or set DATABASE_URL.',
    );
  }
  const reason =
    /(?:ERROR|FATAL|PANIC):\s*(.*)/.exec(output)?.[1] ?? (output.trim().slice(-300) || `ended with ${signal ?? `code ${code}`}`);
  throw stackError(
    `pgvector in ${binDir} does not work: ${reason}.`,
    'Reinstall pgvector for this Postgres, or set DATABASE_URL (a Postgres with pgvector you run).',
  );
}

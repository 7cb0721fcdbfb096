/** pg_dump and pg_restore: those on PATH if they are of the server's major version, otherwise those of the embedded Postgres. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../contracts/errors.ts';
import { childEnvironment, type Config } from '../../platform/config.ts';
import { acquirePostgres, cacheFolder } from '../../platform/embedded/parts.ts';
import { messageOf, run } from '../../platform/embedded/process.ts';

export interface PostgresTools {
  dump: string;
  restore: string;
}

/** @param major of the server */
export async function postgresTools(config: Config, major: number, onProgress: (line: string) => void): Promise<PostgresTools> {
  const onPath = await majorOf('pg_dump');
  if (onPath === major) return { dump: 'pg_dump', restore: 'pg_restore' };
  const bin = await acquirePostgres({ cacheDir: cacheFolder(config), onProgress, partsUrl: config.SIGNALBOX_PARTS_URL }).catch(messageOf);
  const tools = { dump: join(bin, 'pg_dump'), restore: join(bin, 'pg_restore') };
  const ours = await majorOf(tools.dump);
  // A newer pg_dump reads older servers, but what it writes may use settings that they do not know.
  if (ours === major) return tools;
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    `No pg_dump of Postgres ${major} was found (PATH: ${onPath ?? 'none'}, embedded: ${ours ?? bin}).`,
    {
      hint: `Put the client programs of Postgres ${major} on PATH, e.g. apt-get install postgresql-client-${major}.`,
      retryable: false,
    },
  );
}

async function majorOf(command: string): Promise<number | null> {
  const { code, output } = await run(command, ['--version'], { timeoutMs: 10_000 });
  return code === 0 ? Number(/(\d+)(\.|devel|beta|rc)/.exec(output)?.[1]) : null;
}

/** The password stays out of the arguments, which every user of the machine can read. */
function connection(url: string): { url: string; env: NodeJS.ProcessEnv } {
  const bare = new URL(url);
  const password = decodeURIComponent(bare.password);
  bare.password = '';
  return { url: bare.href, env: childEnvironment(password === '' ? {} : { PGPASSWORD: password }) };
}

/** Runs a tool that connects to nothing. @returns what it prints */
export async function readTool(command: string, args: string[]): Promise<string> {
  const { code, output } = await run(command, args);
  if (code !== 0) throw toolFailure(command, output, code);
  return output;
}

/** @param signal ends the program */
export function startTool(
  command: string,
  args: string[],
  databaseUrl: string,
  signal?: AbortSignal,
): { out: Readable; ended: Promise<void> } {
  const { url, env } = connection(databaseUrl);
  const child = spawn(command, [...args, `--dbname=${url}`], { env, stdio: ['ignore', 'pipe', 'pipe'], ...(signal ? { signal } : {}) });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  const ended = new Promise<void>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => (code === 0 ? done() : fail(toolFailure(command, said, code))));
  });
  ended.catch(() => {});
  return { out: child.stdout, ended };
}

function toolFailure(command: string, said: string, code: number | null): AppError {
  const held = /row-level security/.test(said);
  const reason = /(?:error|ERROR|FATAL): *(.*)/.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
  return new AppError('SERVICE_UNAVAILABLE', `${command.split('/').at(-1)} ended with ${code}: ${reason}`, {
    hint: held
      ? 'Row security holds the owner, too: give DATABASE_OWNER_URL a superuser, or a role with BYPASSRLS.'
      : 'Check that DATABASE_OWNER_URL is the owner of the tables, and that the disk has room.',
    retryable: false,
  });
}

/** Python programs with their packages, for tests of the clients and examples. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { readConfig } from '../../platform/config.ts';
import { cacheFolder } from '../../platform/embedded/parts.ts';
import { run } from '../../platform/embedded/process.ts';

export interface Python {
  command: string;
  /** Finds the installed packages and the client of this repository. */
  env: Record<string, string>;
}

const commands = ['python3', 'python3.11', 'python3.12', 'python3.13', 'python'];
const client = resolve(import.meta.dirname, '../../clients/python/src');

/**
 * Packages in a folder of their own outside of the repository, installed by pip and kept between runs.
 * @param requirements a file with exact versions
 * @returns null, with a message, where Python 3.11 or pip is missing or the packages cannot be had
 */
export async function pythonWith(requirements: string): Promise<Python | null> {
  for (const command of commands) {
    const tag = await run(command, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2], sys.implementation.cache_tag)'], {
      timeoutMs: 30_000,
    });
    const [, minor = 0] = /^3\.(\d+) /.exec(tag.output) ?? [];
    if (tag.code !== 0 || Number(minor) < 11) continue;
    try {
      const packages = await installed(command, tag.output.trim(), requirements);
      return {
        command,
        env: { PYTHONPATH: [client, packages].join(':'), PYTHONPYCACHEPREFIX: `${packages}-compiled`, PYTHONNOUSERSITE: '1' },
      };
    } catch (error) {
      console.warn(`The packages of ${requirements} could not be installed: ${(error as Error).message}`);
      return null;
    }
  }
  console.warn('Python 3.11 or newer is not installed');
  return null;
}

async function installed(command: string, tag: string, requirements: string): Promise<string> {
  const wanted = createHash('sha256')
    .update(`${tag} ${process.platform} ${process.arch}\n`)
    .update(readFileSync(requirements))
    .digest('hex');
  const cache = cacheFolder(readConfig());
  const target = join(cache, `python-${wanted.slice(0, 16)}`);
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  const temp = mkdtempSync(join(cache, '.tmp-python-'));
  try {
    const options = [
      '--disable-pip-version-check',
      '--no-input',
      '--quiet',
      '--no-compile',
      '--only-binary',
      ':all:',
      '--target',
      join(temp, 'packages'),
    ];
    const { code, output } = await run(command, ['-m', 'pip', 'install', ...options, '--no-deps', '--requirement', requirements], {
      timeoutMs: 600_000,
    });
    if (code !== 0) throw new Error(output.trim().split('\n').at(-1));
    // Another test process may have been first; its copy is as good.
    if (!existsSync(target)) renameSync(join(temp, 'packages'), target);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
  return target;
}

/**
 * Runs a program that prints one JSON object a line. For a line with `step` it waits until that step has been done here, and
 * gets the answer as a line on stdin.
 * @returns its last line
 * @throws Error with what it printed to stderr
 */
export async function runSteps<T = Record<string, any>>(
  python: Python,
  args: string[],
  { env = {}, steps = {} }: { env?: Record<string, string>; steps?: Record<string, (said: Record<string, any>) => unknown> },
): Promise<T> {
  const child = spawn(python.command, args, { env: { ...process.env, ...python.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  // It may end without reading an answer.
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((done) => child.on('close', done));
  let last: unknown = null;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      last = JSON.parse(line);
      const said = last as { step?: string };
      if (said.step === undefined) continue;
      const step = steps[said.step];
      if (!step) throw new Error(`The program asks for the unknown step ${said.step}`);
      child.stdin.write(`${JSON.stringify((await step(said)) ?? null)}\n`);
    }
    if ((await ended) !== 0) throw new Error(complaint);
  } finally {
    child.kill();
  }
  return last as T;
}

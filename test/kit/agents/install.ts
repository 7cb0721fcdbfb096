/** Installs a real command line once, in a folder of this user's cache. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfig } from '../../../platform/config.ts';
import { cacheFolder } from '../../../platform/embedded/parts.ts';
import { packages } from './versions.ts';

/** npm could not fetch it. */
export class NoRegistry extends Error {}

/** @returns the folder that holds the program, to put first on PATH. @throws NoRegistry when the package cannot be fetched */
export async function installAgent(agent: string): Promise<string> {
  const { name, version, after } = packages[agent]!;
  const folder = join(cacheFolder(readConfig()), 'agents', `${agent}-${version}`);
  const programs = (root: string): string => join(root, 'node_modules', '.bin');
  if (existsSync(folder)) return programs(folder);
  mkdirSync(dirname(folder), { recursive: true });
  // In a folder of its own, then moved: a second install at the same time, or one that is killed, leaves nothing half done.
  const made = mkdtempSync(`${folder}.`);
  try {
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];
    await run('npm', ['install', '--prefix', made, ...options, `${name}@${version}`], made);
    if (after) await run(process.execPath, [after], join(made, 'node_modules', name));
    try {
      renameSync(made, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return programs(folder);
}

async function run(command: string, args: string[], cwd: string): Promise<void> {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said = `${said}${data}`.slice(-2_000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  const message = `${command} ${args.join(' ')} ended with ${code}: ${said.trim()}`;
  throw /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|network/.test(said) ? new NoRegistry(message) : new Error(message);
}

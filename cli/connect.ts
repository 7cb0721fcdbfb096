/** Configurations of MCP clients. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { homedir, hostname, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  NotAnObject,
  describeClient,
  isObject,
  tomlMerged,
  tomlTable,
  type Client,
  type ClientName,
  type Json,
} from '../tools/system/clients.shared.ts';
import type { Connection } from './commands/stack.ts';
import { CliError, exits, usage } from './exit.ts';
import { note, paint, say, sayJson } from './output.ts';
import { applySkills, tellSkills } from './skill-files.ts';
import { skillClients, skillFiles, type SkillFile } from './skills.ts';
import { cliConfig, target } from './target.ts';

/** Folder of this user's application settings. */
const applicationFolder = (): string =>
  ({ darwin: join(homedir(), 'Library', 'Application Support'), win32: join(homedir(), 'AppData', 'Roaming') })[platform() as string] ??
  join(homedir(), '.config');

/** Major version of OpenCode on this machine: its configuration format depends on it. */
function openCodeVersion(): number | undefined {
  const { stdout } = spawnSync('opencode', ['--version'], { encoding: 'utf8', timeout: 3_000, stdio: ['ignore', 'pipe', 'ignore'] });
  const major = /(\d+)\.\d+/.exec(stdout ?? '')?.[1];
  return major === undefined ? undefined : Number(major);
}

export function connectCommand({ client: name, json, ...options }: Connection): void {
  const files = filesFor(name, options);
  if (options.remove) {
    const skills = applySkills(files, 'remove', options.force);
    return json ? sayJson({ client: name, skills }) : tellSkills(skills, true);
  }
  const config = cliConfig();
  const { url, key } = target(config);
  const agentId = options.agentId ?? workerName(name, options.user === true);
  const client = describeClient(name, {
    home: homedir(),
    applications: applicationFolder(),
    opencode: name === 'opencode' ? openCodeVersion() : undefined,
    mcp: `${url}/mcp${options.profile ? `/p/${options.profile}` : ''}`,
    headers: { ...(key === undefined ? {} : { 'X-API-Key': key }), 'X-Agent-Id': agentId },
    bridge: {
      command: process.execPath,
      args: [
        join(import.meta.dirname, 'signalbox.js'),
        'mcp',
        '--agent-id',
        agentId,
        ...(options.profile ? ['--profile', options.profile] : []),
      ],
      env: {
        SIGNALBOX_DATA_DIR: config.SIGNALBOX_DATA_DIR,
        ...(config.SIGNALBOX_URL ? { SIGNALBOX_URL: url, ...(key ? { SIGNALBOX_API_KEY: key } : {}) } : {}),
      },
    },
  });
  const file = options.user || client.projectFile === undefined ? client.userFile : join(process.cwd(), client.projectFile);
  const content = client.format === 'toml' ? tomlTable(client.shown) : client.shown;
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  if (options.write) {
    const backup = write(file, client);
    const skills = applySkills(files, 'write', options.force);
    if (json) return sayJson({ client: name, file, backup, content, ...(options.skills ? { skills } : {}) });
    say(`Wrote "signalbox" into ${file}${backup ? ` (the former version: ${backup})` : ''}.`);
    if (text.includes(key ?? '\0')) note('The file holds a key: keep it out of version control.');
    tellSkills(skills, false);
    return say(client.after);
  }
  const skills = applySkills(files, 'show').map((skill, n) => ({ ...skill, content: files[n]!.content }));
  if (json)
    return sayJson({
      client: name,
      file,
      content,
      ...(client.command ? { command: client.command } : {}),
      ...(options.skills ? { skills } : {}),
    });
  if (client.command) {
    say(paint('dim', `${client.title}: run`));
    say(client.command);
    say();
  }
  say(paint('dim', `${client.title}${client.command ? ': or' : ':'} put this into ${file} (--write does it)`));
  say(text);
  tellSkills(skills, false);
}

/** @throws CliError when these flags do not go together */
function filesFor(name: ClientName, { skills, remove, force, write: writing, user }: Omit<Connection, 'client' | 'json'>): SkillFile[] {
  if (!skills && (remove || force)) throw usage(`${remove ? '--remove' : '--force'} is about skills.`, 'Give --skills, too.');
  if (remove && writing) throw usage('Either --write or --remove.');
  if (!skills) return [];
  const client = skillClients.find((each) => each === name);
  if (client === undefined) throw usage(`There are no skills for ${name}.`, `There are for ${skillClients.join(', ')}.`);
  return skillFiles(client, user ? homedir() : process.cwd(), user === true);
}

/** All clients share this machine's key. Each gets its own worker name, which holds its leases. */
export const workerName = (client: ClientName, user: boolean, host = hostname(), folder = process.cwd()): string => {
  const words = [`${client}@${host.split('.', 1)[0]}`, ...(user || client === 'claude-desktop' ? [] : [basename(folder)])];
  return words
    .map((word) => word.replaceAll(/[^A-Za-z0-9._@-]+/g, '-').slice(0, 60))
    .filter(Boolean)
    .join('/');
};

/**
 * Writes our entry into the file and leaves the rest unchanged.
 * @returns the backup's path; null when there was no file or nothing changed. @throws CliError when the file cannot be rewritten safely
 */
function write(given: string, client: Client): string | null {
  const exists = existsSync(given);
  // Follows a symlink (dotfile managers create them), so that the link is kept.
  const file = exists ? realpathSync(given) : given;
  const text = exists ? readFileSync(file, 'utf8') : '';
  const content = client.format === 'toml' ? asToml(text, file, client) : asJson(text, file, client);
  if (content === text) return null;
  const backup = exists ? `${file}.backup-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (backup) copyFileSync(file, backup);
    // The file may now hold a key.
    writeFileSync(`${file}.new`, content, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new CliError(exits.failed, 'INTERNAL', `Cannot write ${file}: ${(error as Error).message}`);
  }
  return backup;
}

function asToml(text: string, file: string, { shown }: Client): string {
  const merged = tomlMerged(text, shown);
  if (merged !== null) return merged;
  throw new CliError(exits.failed, 'CONFLICT', `${file} lists its servers in a form that cannot be rewritten automatically.`, {
    hint: 'Run the same command without --write and add the table by hand.',
  });
}

function asJson(text: string, file: string, { merged }: Client): string {
  try {
    return `${JSON.stringify(merged(text.trim() === '' ? {} : parse(text, file)), null, 2)}\n`;
  } catch (error) {
    if (!(error instanceof NotAnObject)) throw error;
    throw new CliError(exits.failed, 'CONFLICT', `${file}: "${error.message}" is not an object.`, { hint: 'Nothing was changed.' });
  }
}

function parse(text: string, file: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CliError(exits.failed, 'CONFLICT', `${file} is not plain JSON (it may have comments), so it is not rewritten.`, {
      hint: 'Run the same command without --write and add the entry by hand.',
    });
  }
  if (!isObject(value)) throw new CliError(exits.failed, 'CONFLICT', `${file} does not contain a JSON object.`);
  return value;
}

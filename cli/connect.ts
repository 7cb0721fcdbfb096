/** Configurations of MCP clients. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { homedir, hostname, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ClientName, ConnectOptions } from './commands/connect.ts';
import { CliError, exits } from './exit.ts';
import { note, paint, say, sayJson } from './output.ts';
import { cliConfig, target } from './target.ts';

type Json = Record<string, unknown>;

/** How a client is told: the key under which its file lists servers, and the entry itself. */
interface Client {
  title: string;
  under: string;
  /** Absent: it has no such file. */
  projectFile?: string;
  userFile: string;
  entry: Json;
  /** Instead of editing a file. */
  command?: string;
  after: string;
}

/** Folder of an application's settings for this user. */
const applicationFolder = (): string =>
  ({ darwin: join(homedir(), 'Library', 'Application Support'), win32: join(homedir(), 'AppData', 'Roaming') })[platform() as string] ??
  join(homedir(), '.config');

interface Where {
  mcp: string;
  headers: Record<string, string>;
  /** Starts the stdio bridge; needs no key in the file. */
  bridge: { command: string; args: string[]; env: Record<string, string> };
}

function describe(name: ClientName, { mcp, headers, bridge }: Where): Client {
  const restart = 'Restart the client, or reload its MCP servers.';
  const clients: Record<ClientName, Client> = {
    'claude-code': {
      title: 'Claude Code',
      under: 'mcpServers',
      projectFile: '.mcp.json',
      userFile: join(homedir(), '.claude.json'),
      entry: { type: 'http', url: mcp, headers },
      command: [
        'claude mcp add --transport http signalbox',
        mcp,
        ...Object.entries(headers).map(([header, value]) => `--header "${header}: ${value}"`),
      ].join(' '),
      after: 'Start claude in this folder; /mcp shows the server.',
    },
    'claude-desktop': {
      title: 'Claude Desktop',
      under: 'mcpServers',
      userFile: join(applicationFolder(), 'Claude', 'claude_desktop_config.json'),
      entry: { ...bridge },
      after: 'Quit Claude Desktop and start it again.',
    },
    cursor: {
      title: 'Cursor',
      under: 'mcpServers',
      projectFile: join('.cursor', 'mcp.json'),
      userFile: join(homedir(), '.cursor', 'mcp.json'),
      entry: { url: mcp, headers },
      after: restart,
    },
    vscode: {
      title: 'VS Code',
      under: 'servers',
      projectFile: join('.vscode', 'mcp.json'),
      userFile: join(applicationFolder(), 'Code', 'User', 'mcp.json'),
      entry: { type: 'http', url: mcp, headers },
      after: 'Start the server from the file, or with "MCP: List Servers".',
    },
    windsurf: {
      title: 'Windsurf',
      under: 'mcpServers',
      userFile: join(homedir(), '.codeium', 'windsurf', 'mcp_config.json'),
      entry: { serverUrl: mcp, headers },
      after: restart,
    },
    opencode: {
      title: 'opencode',
      under: 'mcp',
      projectFile: 'opencode.json',
      userFile: join(homedir(), '.config', 'opencode', 'opencode.json'),
      entry: { type: 'remote', url: mcp, enabled: true, headers },
      after: restart,
    },
  };
  return clients[name];
}

export function connectCommand(name: ClientName, options: ConnectOptions, json: boolean): void {
  const config = cliConfig();
  const { url, key } = target(config);
  const agentId = options.agentId ?? workerName(name, options.user === true);
  const client = describe(name, {
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
  const content = { [client.under]: { signalbox: client.entry } };
  if (options.write) {
    const backup = merge(file, client.under, client.entry);
    if (json) return sayJson({ client: name, file, backup, content });
    say(`Wrote "signalbox" into ${file}${backup ? ` (the former version: ${backup})` : ''}.`);
    if (JSON.stringify(client.entry).includes(key ?? '\0')) note('The file holds a key: keep it out of version control.');
    return say(client.after);
  }
  if (json) return sayJson({ client: name, file, content, ...(client.command ? { command: client.command } : {}) });
  if (client.command) {
    say(paint('dim', `${client.title}: run`));
    say(client.command);
    say();
  }
  say(paint('dim', `${client.title}${client.command ? ': or' : ':'} put this into ${file} (--write does it)`));
  say(JSON.stringify(content, null, 2));
}

/** Clients share the key of this machine; each works under a name of its own, by which tasks are held. */
export const workerName = (client: ClientName, user: boolean, host = hostname(), folder = process.cwd()): string => {
  const words = [`${client}@${host.split('.', 1)[0]}`, ...(user || client === 'claude-desktop' ? [] : [basename(folder)])];
  return words
    .map((word) => word.replaceAll(/[^A-Za-z0-9._@-]+/g, '-').slice(0, 60))
    .filter(Boolean)
    .join('/');
};

/**
 * Sets `under.signalbox` and leaves everything else as it is.
 * @returns the backup's path, or null when there was no file. @throws CliError when the file is not plain JSON
 */
function merge(given: string, under: string, entry: Json): string | null {
  const exists = existsSync(given);
  // A link to the real file, as dotfile managers make them, stays a link.
  const file = exists ? realpathSync(given) : given;
  const text = exists ? readFileSync(file, 'utf8') : '';
  const before = text.trim() === '' ? {} : parse(text, file);
  const servers = before[under] ?? {};
  if (!isObject(servers))
    throw new CliError(exits.failed, 'CONFLICT', `${file}: "${under}" is no object.`, { hint: 'Nothing was changed.' });
  const content = `${JSON.stringify({ ...before, [under]: { ...servers, signalbox: entry } }, null, 2)}\n`;
  if (content === text) return null;
  const backup = exists ? `${file}.backup-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (backup) copyFileSync(file, backup);
    // It may hold a key from now on.
    writeFileSync(`${file}.new`, content, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new CliError(exits.failed, 'INTERNAL', `Cannot write ${file}: ${(error as Error).message}`);
  }
  return backup;
}

const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value);

function parse(text: string, file: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CliError(exits.failed, 'CONFLICT', `${file} is not plain JSON (it may have comments), so it is not rewritten.`, {
      hint: 'Run the same command without --write and add the entry by hand.',
    });
  }
  if (!isObject(value)) throw new CliError(exits.failed, 'CONFLICT', `${file} holds no JSON object.`);
  return value;
}

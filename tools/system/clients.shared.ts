/**
 * The configuration format of each MCP client, for `signalbox connect`, the console, `/about` and docs/clients.md. Pure:
 * cli/connect.ts reads and writes the files.
 */
import { join } from 'node:path';

export const clients = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'windsurf', 'opencode', 'codex', 'gemini', 'qwen'] as const;
export type ClientName = (typeof clients)[number];

export type Json = Record<string, unknown>;

/** Paths on this machine, and the values to write into a configuration. */
export interface Where {
  home: string;
  /** Folder of this user's application settings. */
  applications: string;
  mcp: string;
  headers: Record<string, string>;
  /** Starts the stdio bridge, which reads the key itself, so the file holds none. */
  bridge: { command: string; args: string[]; env: Record<string, string> };
  /** Major version of OpenCode on this machine, if known. */
  opencode?: number | undefined;
}

/** How to configure one client. */
export interface Client {
  title: string;
  /** Absent: the client has no project file. */
  projectFile?: string;
  userFile: string;
  format: 'json' | 'toml';
  /** The file's content with our entry added; the rest is unchanged. */
  merged(before: Json): Json;
  /** Our entry, for people who edit the file by hand. */
  shown: Json;
  /** A command that replaces editing the file. */
  command?: string;
  after: string;
}

/** The server's entry under the keys that lead to it. */
const under =
  (path: readonly string[], entry: Json) =>
  (before: Json): Json => {
    const [key, ...rest] = path as [string, ...string[]];
    const inner = before[key] ?? {};
    if (!isObject(inner)) throw new NotAnObject(path.join('.'));
    return { ...before, [key]: rest.length === 0 ? { ...inner, signalbox: entry } : under(rest, entry)(inner) };
  };

/** The place for the list of servers holds a value that is not an object. */
export class NotAnObject extends Error {}

export const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The client asks for the key when it starts the server, and keeps it in its own store. */
const promptedKey = { type: 'promptString', id: 'signalbox-key', description: 'Key of Signalbox', password: true };

function withPrompt(before: Json): Json {
  const inputs = Array.isArray(before['inputs']) ? (before['inputs'] as Json[]) : [];
  return { ...before, inputs: [...inputs.filter(({ id }) => id !== promptedKey.id), promptedKey] };
}

export function describeClient(name: ClientName, { home, applications, mcp, headers, bridge, opencode }: Where): Client {
  const restart = 'Restart the client, or reload its MCP servers.';
  const keyed = Object.keys(headers).length > 0 ? { headers } : {};
  const json = (path: string[], entry: Json): Pick<Client, 'format' | 'merged' | 'shown'> => ({
    format: 'json',
    merged: under(path, entry),
    shown: under(path, entry)({}),
  });
  switch (name) {
    case 'claude-code':
      return {
        ...json(['mcpServers'], { type: 'http', url: mcp, ...keyed }),
        title: 'Claude Code',
        projectFile: '.mcp.json',
        userFile: join(home, '.claude.json'),
        command: [
          'claude mcp add --transport http signalbox',
          mcp,
          ...Object.entries(headers).map(([header, value]) => `--header "${header}: ${value}"`),
        ].join(' '),
        after: "Start claude in this folder; /mcp shows the server. `claude -p` calls its tools with --allowedTools 'mcp__signalbox__*'.",
      };
    case 'claude-desktop':
      return {
        ...json(['mcpServers'], { ...bridge }),
        title: 'Claude Desktop',
        userFile: join(applications, 'Claude', 'claude_desktop_config.json'),
        after: 'Quit Claude Desktop and start it again.',
      };
    case 'cursor':
      return {
        ...json(['mcpServers'], { url: mcp, ...keyed }),
        title: 'Cursor',
        projectFile: join('.cursor', 'mcp.json'),
        userFile: join(home, '.cursor', 'mcp.json'),
        after: restart,
      };
    case 'vscode': {
      const prompted = headers['X-API-Key'] === undefined ? headers : { ...headers, 'X-API-Key': `\${input:${promptedKey.id}}` };
      const entry = { type: 'http', url: mcp, ...(Object.keys(prompted).length > 0 ? { headers: prompted } : {}) };
      const add = under(['servers'], entry);
      const merged = headers['X-API-Key'] === undefined ? add : (before: Json): Json => withPrompt(add(before));
      return {
        format: 'json',
        merged,
        shown: merged({}),
        title: 'VS Code',
        projectFile: join('.vscode', 'mcp.json'),
        userFile: join(applications, 'Code', 'User', 'mcp.json'),
        after: 'Start the server from the file, or with "MCP: List Servers"; it asks for the key (`signalbox keys create` makes one).',
      };
    }
    case 'windsurf':
      return {
        ...json(['mcpServers'], { serverUrl: mcp, ...keyed }),
        title: 'Windsurf',
        userFile: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
        after: restart,
      };
    case 'opencode':
      return {
        format: 'json',
        merged: (before) => openCode(before, { mcp, keyed, version: opencode }),
        shown: openCode({}, { mcp, keyed, version: opencode }),
        title: 'OpenCode',
        projectFile: 'opencode.json',
        userFile: join(home, '.config', 'opencode', 'opencode.json'),
        after: restart,
      };
    case 'codex':
      return {
        format: 'toml',
        merged: under(['mcp_servers'], { url: mcp, ...(Object.keys(headers).length > 0 ? { http_headers: headers } : {}) }),
        shown: { url: mcp, ...(Object.keys(headers).length > 0 ? { http_headers: headers } : {}) },
        title: 'Codex',
        projectFile: join('.codex', 'config.toml'),
        userFile: join(home, '.codex', 'config.toml'),
        after: 'Start codex again; it reads a project’s file once the project is trusted.',
      };
    case 'gemini':
    case 'qwen':
      return {
        ...json(['mcpServers'], { httpUrl: mcp, ...keyed }),
        title: name === 'gemini' ? 'Gemini CLI' : 'Qwen Code',
        projectFile: join(`.${name}`, 'settings.json'),
        userFile: join(home, `.${name}`, 'settings.json'),
        after:
          'Start it again; it reads a project’s file once the folder is trusted. "trust": true in the entry calls tools without asking.',
      };
  }
}

interface OpenCode {
  mcp: string;
  keyed: Json;
  version: number | undefined;
}

/**
 * Version 2 lists servers under `mcp.servers`, version 1 under `mcp`; an existing file keeps its form, because version 2 also reads version
 * 1.
 */
function openCode(before: Json, { mcp, keyed, version }: OpenCode): Json {
  const listed = before['mcp'];
  const servers = isObject(listed) ? listed['servers'] : undefined;
  const isNew = isObject(servers) && typeof servers['type'] !== 'string';
  const isOld = isObject(listed) && !isNew && Object.values(listed).some((entry) => isObject(entry) && typeof entry['type'] === 'string');
  const remote = { type: 'remote', url: mcp };
  const schema = Object.keys(before).length === 0 ? { $schema: 'https://opencode.ai/config.json' } : {};
  return isOld || (!isNew && version === 1)
    ? under(['mcp'], { ...remote, enabled: true, ...keyed })({ ...schema, ...before })
    : under(['mcp', 'servers'], { ...remote, ...keyed })({ ...schema, ...before });
}

const header = '[mcp_servers.signalbox]';

/** Codex's table, as TOML. */
export function tomlTable(entry: Json): string {
  const value = (inner: unknown): string =>
    isObject(inner)
      ? `{ ${Object.entries(inner)
          .map(([key, each]) => `${JSON.stringify(key)} = ${value(each)}`)
          .join(', ')} }`
      : JSON.stringify(inner);
  return [header, ...Object.entries(entry).map(([key, inner]) => `${key} = ${value(inner)}`), ''].join('\n');
}

/** Replaces our table in a TOML file, or appends it. Null: the file writes servers in another form, which only a person should rewrite. */
export function tomlMerged(before: string, entry: Json): string | null {
  const lines = before.split('\n');
  const isOurs = (line: string): boolean => /^\s*\[\s*mcp_servers\s*\.\s*"?signalbox"?\s*[.\]]/.test(line);
  const others: string[] = [];
  let within = false;
  for (const line of lines) {
    if (/^\s*\[/.test(line)) within = isOurs(line);
    if (!within) others.push(line);
  }
  const rest = others.join('\n').trimEnd();
  if (/^\s*mcp_servers\s*[.=]/m.test(rest) || /^\s*\[\s*mcp_servers\s*\]/m.test(rest)) return null;
  return `${rest === '' ? '' : `${rest}\n\n`}${tomlTable(entry)}`;
}

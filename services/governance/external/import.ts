/** Parses the server files of other MCP clients: `mcpServers` (Claude, Cursor and others) or `servers` (VS Code). */
import { AppError } from '../../../contracts/errors.ts';
import type { ServerTransport } from '../../../contracts/governance/external.ts';
import { serverSlug } from './rules.ts';

/** Input of `external.server.add`. */
export interface ImportedServer {
  name: string;
  transport: ServerTransport;
  command?: string;
  args?: string[];
  cwd?: string;
  url?: string;
  enabled: boolean;
  credentials: { env?: Record<string, string>; headers?: Record<string, string>; variables?: Record<string, string> };
}

/** `${NAME}`, `${env:NAME}` (VS Code) and `${NAME:-default}`. */
const placeholder = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Parses such a file. Values of `${…}` are read from `env` and returned separately, to be sealed; the text keeps the
 * placeholders.
 * @throws AppError VALIDATION_ERROR naming invalid parts, and every variable without a value
 */
export function readServers(content: string, env: Readonly<Record<string, string | undefined>>): ImportedServer[] {
  const given = serversIn(content);
  const missing = new Set<string>();
  const seen = new Map<string, string>();
  const servers = Object.entries(given).map(([title, entry]) => {
    const name = serverSlug(title);
    const other = seen.get(name);
    if (other !== undefined) throw bad(`"${other}" and "${title}" would both be called "${name}".`, 'Rename one of them.');
    seen.set(name, title);
    const server = serverOf(name, title, entry);
    const variables: Record<string, string> = {};
    for (const text of textsOf(server)) {
      for (const [, key = '', fallback] of text.matchAll(placeholder)) {
        const value = env[key] ?? fallback;
        if (value === undefined) missing.add(key);
        else variables[key] = value;
      }
      const unknown = /\$\{(?!(?:env:)?[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\})[^}]*\}/.exec(text);
      if (unknown)
        throw bad(
          `"${title}" asks for ${unknown[0]}, which only its own client can fill in.`,
          'Put its value, or ${A_VARIABLE}, in its place.',
        );
    }
    if (Object.keys(variables).length > 0) server.credentials.variables = variables;
    return server;
  });
  if (missing.size > 0) {
    throw bad(`No value for ${[...missing].sort().join(', ')}.`, 'Set them in the environment, then import again.', {
      missing: [...missing].sort(),
    });
  }
  return servers;
}

/** Fills `${…}` with the server's stored values; unknown placeholders stay. */
export const filled = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(placeholder, (whole, key: string, fallback: string | undefined) => variables[key] ?? fallback ?? whole);

function serversIn(content: string): Record<string, unknown> {
  let file: unknown;
  try {
    file = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    throw bad('The file is not JSON.', 'It should look like {"mcpServers": {"name": {"command": "…"}}}.');
  }
  const top = record(file);
  const mcp = record(top?.['mcp']);
  // VS Code's settings nest them one level deeper.
  const found = record(top?.['mcpServers']) ?? record(top?.['servers']) ?? record(mcp?.['servers']) ?? record(mcp?.['mcpServers']);
  if (found) return found;
  const plain = top && Object.values(top).every((each) => record(each)?.['command'] !== undefined || record(each)?.['url'] !== undefined);
  if (top && plain && Object.keys(top).length > 0) return top;
  throw bad('The file names no servers.', 'It should have "mcpServers" (or "servers"), with an entry for each.');
}

function serverOf(name: string, title: string, given: unknown): ImportedServer {
  const entry = record(given);
  if (!entry) throw bad(`"${title}" is not an object.`, 'An entry has a "command" or a "url".');
  const command = string(entry['command']);
  const url = string(entry['url']) ?? string(entry['serverUrl']) ?? string(entry['httpUrl']);
  if ((command === undefined) === (url === undefined)) throw bad(`"${title}" needs a "command" or a "url".`, 'Give one of the two.');
  const args = entry['args'] ?? [];
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    throw bad(`"args" of "${title}" must be a list of texts.`, 'Put numbers in quotes.');
  const [env, headers] = [strings(entry['env'], 'env', title), strings(entry['headers'], 'headers', title)];
  const cwd = string(entry['cwd']);
  return {
    name,
    transport: command !== undefined ? 'stdio' : entry['type'] === 'sse' || entry['transport'] === 'sse' ? 'sse' : 'http',
    ...(command === undefined ? {} : { command, args, ...(cwd === undefined ? {} : { cwd }) }),
    ...(url === undefined ? {} : { url }),
    enabled: entry['disabled'] !== true && entry['enabled'] !== false,
    credentials: { ...(env ? { env } : {}), ...(headers ? { headers } : {}) },
  };
}

const record = (value: unknown): Record<string, unknown> | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
const string = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function strings(value: unknown, field: string, title: string): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  const entries = Object.entries(record(value) ?? { '': null });
  if (!entries.every(([, inner]) => ['string', 'number', 'boolean'].includes(typeof inner))) {
    throw bad(`"${field}" of "${title}" must be an object of texts.`, 'For example {"NAME": "value"}.');
  }
  return Object.fromEntries(entries.map(([key, inner]) => [key, String(inner)]));
}

function textsOf({ command, args, cwd, url, credentials }: ImportedServer): string[] {
  return [command, cwd, url, ...(args ?? []), ...Object.values(credentials.env ?? {}), ...Object.values(credentials.headers ?? {})].filter(
    (text) => text !== undefined,
  );
}

const bad = (message: string, hint: string, details?: Record<string, unknown>): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint, ...(details ? { details } : {}) });

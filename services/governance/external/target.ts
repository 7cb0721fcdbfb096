import { isPerson, type Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { GivenCredentials, ServerCredentials, ServerTransport } from '../../../contracts/governance/external.ts';
import { checkHeaders } from '../../../contracts/headers.ts';
import { filled } from './import.ts';

export interface ServerTarget {
  transport?: ServerTransport | undefined;
  command?: string | undefined;
  args?: string[] | undefined;
  cwd?: string | undefined;
  url?: string | undefined;
}

export function transportOf({ transport, command, url }: ServerTarget): ServerTransport {
  if (command !== undefined && url !== undefined) throw badTarget('Give a command or a url, not both.');
  if (transport !== undefined) {
    if ((transport === 'stdio') === (url !== undefined)) throw badTarget(`The transport ${transport} does not go with that.`);
    return transport;
  }
  if (command !== undefined) return 'stdio';
  if (url !== undefined) return 'http';
  throw badTarget('A server needs a command or a url.');
}

/** A command runs on our host with our rights, so only an administrator may set it. */
export function allowed(caller: Caller, transport: ServerTransport): void {
  if (transport !== 'stdio' || (isPerson(caller) && caller.role === 'admin')) return;
  throw new AppError('FORBIDDEN', 'A stdio server runs a command on the host of Signalbox; only administrators in person may say which.', {
    hint: 'Let a person with the role admin do it (`signalbox servers add`), or use a server with a url.',
    details: { reason: 'stdio_needs_admin' },
  });
}

export const complete = (given: GivenCredentials = {}): ServerCredentials => ({
  env: given.env ?? {},
  headers: given.headers ?? {},
  variables: given.variables ?? {},
});

/** Whether credentials for one address may be sent to the other: scheme, host and port are equal. */
export function sameOrigin(before: string, now: string): boolean {
  if (before === now) return true;
  return URL.canParse(before) && URL.canParse(now) && new URL(before).origin === new URL(now).origin;
}

export const badTarget = (message: string): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint: 'Either command and args (stdio), or url (http, sse).' });

export const unknownServer = (name: string): AppError =>
  new AppError('NOT_FOUND', `No external server "${name}".`, { hint: 'external.server.list shows those there are.' });

/** Headers that MCP sets itself. */
const ofMcp = /^(content-type|accept|mcp-.*)$/i;

/** @throws AppError VALIDATION_ERROR; never contains a value */
export const checkServerHeaders = (headers: Record<string, string>, variables: Record<string, string>): void =>
  checkHeaders(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, variables)])), ofMcp);

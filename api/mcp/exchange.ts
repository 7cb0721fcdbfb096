import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Caller, Front } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { LimitState } from '../../services/governance/limits.ts';
import type { NameStyle } from '../../contracts/tool-names.ts';
import { profiles, type Listing } from '../../tools/catalogue/catalogue.ts';
import type { ServerParts } from '../parts.ts';
import { idempotencyKeyOf, publicUrl } from '../plugins/auth.ts';

/** One HTTP request during its processing; the SDK passes it as `authInfo.extra`, so no globals are needed. */
export interface Exchange {
  caller: Caller;
  front: Front;
  profile: string;
  /** The client's name, from its handshake or the request itself. */
  client?: string | undefined;
  idempotencyKey?: string | undefined;
  /** The public address of this server. */
  base?: () => string;
  /** Set by the call, for response headers. */
  limit?: LimitState;
  refusal?: AppError;
}

export function exchangeOf(request: FastifyRequest, parts: ServerParts, front: Front = 'mcp'): Exchange {
  return {
    caller: request.caller,
    front,
    profile: profileOf(request, parts),
    base: () => publicUrl(request, parts.config),
    idempotencyKey: idempotencyKeyOf(request),
  };
}

/**
 * The caller in an MCP session. If the call names no worker, the session does: clients that share a key are
 * distinguished, also after a restart of this process.
 */
export function inMcpSession(caller: Caller, sessionId: string, clientName: string | undefined): Caller {
  const mcpSession = hashOf(sessionId).slice(0, 16);
  if (caller.worker !== undefined) return { ...caller, mcpSession };
  const client =
    (clientName ?? '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 24)
      .replaceAll(/^-|-$/g, '') || 'client';
  return { ...caller, mcpSession, worker: `${caller.principal.slice(0, 80)}/${client}-${mcpSession.slice(0, 8)}` };
}

/**
 * From the URL, else a parameter or header, else the key, else the server.
 * @throws AppError NOT_FOUND
 */
export function profileOf(request: FastifyRequest, parts: Pick<ServerParts, 'config'>): string {
  const { profile: inPath } = request.params as { profile?: string };
  const { profile: inQuery } = request.query as { profile?: unknown };
  const inHeader = request.headers['x-mcp-profile'];
  const asked = inPath ?? [inQuery, inHeader].find((value) => typeof value === 'string' && value !== '');
  if (asked === undefined) return request.caller.profile ?? parts.config.MCP_PROFILE;
  if ((profiles as readonly unknown[]).includes(asked)) return asked as string;
  throw new AppError('NOT_FOUND', `Unknown profile "${String(asked).slice(0, 64)}".`, {
    hint: `Profiles: ${profiles.join(', ')}.`,
    alternatives: [...profiles],
  });
}

export const authInfoOf = (exchange: Exchange): AuthInfo => ({
  token: '',
  clientId: exchange.caller.keyId,
  scopes: exchange.caller.scopes,
  extra: { exchange },
});

export function exchangeIn(authInfo: AuthInfo | undefined): Exchange {
  const exchange = authInfo?.extra?.exchange;
  if (!exchange) throw new Error('An MCP message arrived without its exchange.');
  return exchange as Exchange;
}

/** Some clients append their transport to the name: `Cursor (via mcp-remote 0.1)`. */
const isOne = (name: string, known: readonly string[]): boolean =>
  known.some((each) => name === each.toLowerCase() || name.startsWith(`${each.toLowerCase()} `));

/** Spelling of names for this client: hyphens, unless it is known to need another one. */
export function nameStyle({ config }: Pick<ServerParts, 'config'>, clientName: string | undefined): NameStyle {
  if (config.MCP_NAME_STYLE !== 'auto') return config.MCP_NAME_STYLE;
  const name = clientName?.toLowerCase();
  if (name === undefined || isOne(name, config.MCP_HYPHEN_CLIENTS)) return 'hyphen';
  if (isOne(name, config.MCP_UNDERSCORE_CLIENTS)) return 'underscore';
  return isOne(name, config.MCP_DOT_CLIENTS) ? 'dotted' : 'hyphen';
}

/** Options for the tool list of the requesting client. */
export const listingFor = (parts: Pick<ServerParts, 'config'>, { profile, client }: Pick<Exchange, 'profile' | 'client'>): Listing => ({
  style: nameStyle(parts, client),
  outputs: parts.config.MCP_OUTPUT_SCHEMAS === 'all' || parts.config.MCP_OUTPUT_SCHEMAS === profile,
});

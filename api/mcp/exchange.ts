import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Caller, Front } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { LimitState } from '../../services/governance/limits.ts';
import { profiles, type NameStyle } from '../../tools/catalogue.ts';
import type { ServerParts } from '../parts.ts';
import { idempotencyKeyOf } from '../plugins/auth.ts';

/** One HTTP request on its way through the SDK, which carries it as `authInfo.extra`: no globals. */
export interface Exchange {
  caller: Caller;
  front: Front;
  profile: string;
  idempotencyKey?: string | undefined;
  /** Set by the call, for the headers of the answer. */
  limit?: LimitState;
  refusal?: AppError;
}

export function exchangeOf(request: FastifyRequest, parts: ServerParts, front: Front = 'mcp'): Exchange {
  return {
    caller: request.caller,
    front,
    profile: profileOf(request, parts),
    idempotencyKey: idempotencyKeyOf(request),
  };
}

/**
 * The caller in an MCP session. Where the call names no worker, the session does: clients that share a key are told apart, also
 * after a restart of this process.
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

/** URL, then parameter or header, then the key's own, then the server's. @throws AppError NOT_FOUND */
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

/**
 * Clients whose model or own validation refuses dots in tool names, by the name in their handshake.
 * Hyphens cost a client nothing, so a doubtful one is listed here.
 */
export const dotIntolerant: readonly string[] = [
  'claude-ai',
  'claude-code',
  'claude-desktop',
  'cursor',
  'cursor-vscode',
  'windsurf',
  'windsurf-client',
  'visual studio code',
  'cline',
  'openai-mcp',
  'openai-agents-mcp',
  'opencode',
  'codex-mcp-client',
  'mcp-remote',
];

/** How names are spelled for this client (SPEC 6.4, rule 6). */
export function nameStyle(parts: Pick<ServerParts, 'config' | 'hyphenClients'>, clientName: string | undefined): NameStyle {
  const style = parts.config.MCP_NAME_STYLE;
  if (style !== 'auto') return style;
  const name = clientName?.toLowerCase();
  return name !== undefined && (parts.hyphenClients ?? dotIntolerant).some((known) => name === known || name.startsWith(`${known} `))
    ? 'hyphen'
    : 'dotted';
}

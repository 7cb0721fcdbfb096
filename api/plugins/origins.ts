import type { FastifyInstance } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import type { ServerConfig } from '../parts.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** The console's own name on this machine: its cookie does not reach other services of localhost. Browsers resolve it to loopback. */
export const consoleHost = 'signalbox.localhost';
const ownNames = new Set([...loopbackNames, consoleHost]);

export const isLoopback = (host: string): boolean => loopbackNames.has(host) || host.startsWith('127.');

const corsHeaders = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers':
    'content-type, authorization, x-api-key, x-agent-id, idempotency-key, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id',
  'access-control-expose-headers':
    'mcp-session-id, www-authenticate, retry-after, link, deprecation, sunset, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-connection-id',
  'access-control-max-age': '600',
};

/**
 * Against DNS rebinding: Host *and* Origin must be ours (SDKs that check only one let the other through). A server
 * bound to all addresses cannot know all its names, so there Host is checked for browsers only.
 */
export function installOriginChecks(app: FastifyInstance, config: ServerConfig): void {
  // A page that people open at the public address sends its form from there.
  const own = URL.parse(config.PUBLIC_URL ?? '');
  const hosts = new Set([...ownNames, ...config.MCP_ALLOWED_HOSTS.map((host) => host.toLowerCase()), ...(own ? [own.hostname] : [])]);
  const origins = new Set([
    ...config.MCP_ALLOWED_ORIGINS.map((origin) => origin.toLowerCase().replace(/\/$/, '')),
    ...(own ? [own.origin] : []),
  ]);
  const everyHost = isLoopback(config.MCP_SERVER_HOST);

  const temporalUi = URL.parse(config.TEMPORAL_UI_URL ?? '')?.origin;

  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if ((everyHost || origin !== undefined) && !hosts.has(hostname(request.headers.host))) {
      throw new AppError('FORBIDDEN', `Host "${(request.headers.host ?? '').slice(0, 100)}" is not served here.`, {
        hint: 'Add its name to MCP_ALLOWED_HOSTS.',
      });
    }
    if (origin === undefined) return;
    const decodes = origin === temporalUi && request.url.startsWith('/temporal/codec/');
    if (!decodes && !originAllowed(origin.toLowerCase())) {
      throw new AppError('FORBIDDEN', `Origin "${origin.slice(0, 100)}" may not call this server.`, {
        hint: 'Add it to MCP_ALLOWED_ORIGINS, for example https://app.example.com.',
      });
    }
    reply.headers({ 'access-control-allow-origin': origin, vary: 'Origin', ...corsHeaders });
    // Temporal's UI sends the console's cookie, or its own user's access token.
    if (decodes)
      reply.headers({
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'content-type, authorization, x-namespace, caller-type',
      });
    if (request.method === 'OPTIONS') return reply.code(204).send();
  });
  // On some Fastify versions a hook alone does not see the preflight of a path without an OPTIONS route.
  app.options('/*', async (_request, reply) => reply.code(204).send());

  function originAllowed(origin: string): boolean {
    if (origins.has(origin)) return true;
    const url = URL.parse(origin);
    return url !== null && /^https?:$/.test(url.protocol) && (ownNames.has(url.hostname) || origins.has(url.hostname));
  }
}

/** The host name without port. */
const hostname = (host: string | undefined): string => URL.parse(`http://${host ?? ''}`)?.hostname.toLowerCase() ?? '';

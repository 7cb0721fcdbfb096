import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { localCaller, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { resourceMetadataPath } from '../../contracts/governance/oidc.ts';
import { browserCaller, sessionsOf } from '../console/browser.ts';
import { isMcpPath } from '../mcp/jsonrpc.ts';
import type { ServerConfig, ServerParts } from '../parts.ts';
import { isLoopback } from './origins.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that needs a key. */
    caller: Caller;
    /** The fault of the access token, for `WWW-Authenticate`. */
    challenge?: string;
  }
}

/** Failed attempts per minute and address that get 401; further ones are rate limited. */
const failuresPerMinute = 60;

/** Counts failed authentications by address. Only failures are counted and refused: a stranger behind the same address must not lock out valid keys. */
export class Failures {
  private readonly window = new RateLimiterMemory({ points: failuresPerMinute, duration: 60 });

  /** @throws AppError RATE_LIMIT_EXCEEDED */
  async count({ ip }: FastifyRequest): Promise<void> {
    try {
      await this.window.consume(ip);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many failed authentications from this address.', {
        retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)),
        details: { limit: failuresPerMinute },
      });
    }
  }

  /** Counts an attempt if it ends with UNAUTHORIZED. */
  async counting<T>(request: FastifyRequest, attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') await this.count(request);
      throw error;
    }
  }
}

/**
 * A hook that puts the caller on the request: `X-API-Key` or `Authorization: Bearer` with the same keys; `Bearer`
 * also accepts an access token, if an issuer is configured. With AUTH_MODE=local, which works on loopback only, no
 * key is needed. The console's routes also accept its cookie, if no key is sent.
 * @throws Error when AUTH_MODE=local would be open to other machines.
 */
export function callerHook(app: FastifyInstance, parts: Pick<ServerParts, 'config' | 'authenticate' | 'services'>, failures: Failures) {
  const open = parts.config.AUTH_MODE === 'local';
  if (open && !isLoopback(parts.config.MCP_SERVER_HOST)) {
    throw new Error(
      `AUTH_MODE=local needs a loopback MCP_SERVER_HOST, not ${parts.config.MCP_SERVER_HOST}: anybody could call every tool.`,
    );
  }
  const temporalUi = URL.parse(parts.config.TEMPORAL_UI_URL ?? '')?.origin;
  if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', null as unknown as Caller);

  return async (request: FastifyRequest): Promise<void> => {
    const who = request.routeOptions.config?.access;
    const byCookie = (who === 'console' || who === 'decoder') && secretOf(request) === undefined;
    const caller = byCookie
      ? await browserCaller(parts, request, who === 'decoder' ? temporalUi : undefined)
      : open
        ? localCaller
        : await authenticated(request);
    const named = withWorker(caller, one(request.headers['x-agent-id']));
    const session = one(request.headers['x-session-id']);
    const access = await parts.services?.().governance.policies.accessOf(named, session === '' ? undefined : session);
    request.caller = access ? { ...named, access } : named;
  };

  async function authenticated(request: FastifyRequest): Promise<Caller> {
    const secret = secretOf(request);
    let refusal: AppError | undefined;
    try {
      const caller = secret === undefined ? null : await parts.authenticate(secret);
      if (caller) return caller;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'UNAUTHORIZED') throw error;
      refusal = error;
    }
    await failures.count(request);
    if (refusal) {
      request.challenge = `error="invalid_token", error_description="${refusal.message.replaceAll(/["\\\r\n]/g, '')}"`;
      throw refusal;
    }
    throw new AppError('UNAUTHORIZED', secret === undefined ? 'Invalid API key: none was sent.' : 'Invalid API key', {
      hint: 'Send a key as "X-API-Key: KEY" or "Authorization: Bearer KEY". `signalbox keys create` makes one; the local stack\'s is in runtime.json.',
    });
  }
}

const rightsOf = ({ tenant, role, scopes, team, capabilities }: Caller): string =>
  JSON.stringify([tenant, role, scopes, team, capabilities]);

/**
 * The current caller of an open stream.
 * @throws AppError UNAUTHORIZED when the key is no longer valid, or has changed
 */
export async function callerNow(
  parts: Pick<ServerParts, 'authenticate' | 'config' | 'services'>,
  request: FastifyRequest,
): Promise<Caller> {
  const { caller, cookie } = request;
  const now =
    cookie !== undefined
      ? (await sessionsOf(parts).known(cookie))?.caller
      : // No key is needed there.
        parts.config.AUTH_MODE === 'local'
        ? caller
        : await parts.authenticate(secretOf(request) ?? '');
  if (now && rightsOf(now) === rightsOf(caller)) return { ...now, principal: caller.principal };
  throw new AppError('UNAUTHORIZED', 'The key has ended, was revoked or has other rights now.');
}

/** Errors that mean that a key or session has permanently ended. */
const final: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'GONE']);
export const isFinal = (error: unknown): error is AppError => error instanceof AppError && final.has(error.code);

/** Tells refused clients where to get tokens, in the header that OAuth clients read (RFC 9728, RFC 6750). */
export function installChallenges(
  app: FastifyInstance,
  config: Pick<ServerConfig, 'OIDC_ISSUER' | 'OIDC_RESOURCE_URL' | 'OIDC_SCOPES_SUPPORTED'>,
): void {
  if (config.OIDC_ISSUER === undefined) return;
  const scopes =
    config.OIDC_SCOPES_SUPPORTED.length > 0 ? `scope="${config.OIDC_SCOPES_SUPPORTED.join(' ').replaceAll(/["\\]/g, '')}"` : '';
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 401 || request.challenge !== undefined) {
      const metadata = `resource_metadata="${publicUrl(request, config)}${resourceMetadataPath}${isMcpPath(request.url) ? '/mcp' : ''}"`;
      reply.header(
        'www-authenticate',
        ['Bearer', [request.challenge, reply.statusCode === 401 && scopes, metadata].filter(Boolean).join(', ')].join(' '),
      );
    }
    return payload;
  });
}

/** Public address of this server; without configuration the address of the request. No trailing slash. */
export const publicUrl = (request: FastifyRequest, { OIDC_RESOURCE_URL: given }: Pick<ServerConfig, 'OIDC_RESOURCE_URL'>): string =>
  given?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host.replaceAll(/[^\w.:[\]-]/g, '')}`;

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);

/** The key or token as it was sent. */
export function secretOf(request: FastifyRequest): string | undefined {
  const key = one(request.headers['x-api-key']);
  if (key) return key.trim();
  return /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1];
}

const workerShape = /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/;

/** The caller acting for a named worker. @throws AppError VALIDATION_ERROR for a name that could confuse a log or a page. */
export function withWorker(caller: Caller, worker: unknown): Caller {
  if (worker === undefined || worker === '') return caller;
  if (typeof worker !== 'string' || !workerShape.test(worker)) {
    throw new AppError('VALIDATION_ERROR', 'Bad agent id.', {
      hint: 'X-Agent-Id (or _meta["signalbox/agent_id"]): 1 to 128 of letters, digits and . _ : @ / -, starting with a letter or digit.',
    });
  }
  return { ...caller, principal: worker, worker };
}

/** `Idempotency-Key` as sent. @throws AppError VALIDATION_ERROR when it is too long. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  return checkIdempotencyKey(one(request.headers['idempotency-key']));
}

export function checkIdempotencyKey(key: unknown): string | undefined {
  if (key === undefined || key === '') return undefined;
  if (typeof key === 'string' && key.length <= 256) return key;
  throw new AppError('VALIDATION_ERROR', 'Bad idempotency key.', { hint: 'A string of at most 256 characters.' });
}

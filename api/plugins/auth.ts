import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { ServerParts } from '../parts.ts';
import { isLoopback } from './origins.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that asks for a key. */
    caller: Caller;
  }
}

const local: Caller = {
  tenant: 'default',
  keyId: 'local',
  keyName: 'local',
  principal: 'local',
  principalKind: 'human',
  role: 'admin',
  scopes: [],
  profile: null,
  policy: 'standard',
  rateRpm: null,
  rateBurst: null,
};

/** Failed attempts per minute and address that are still answered 401. */
const failuresPerMinute = 60;

/**
 * A hook that puts the caller on the request: `X-API-Key` or `Authorization: Bearer`, both the same keys.
 * With AUTH_MODE=local, which works on loopback only, nobody needs a key.
 * @throws Error when AUTH_MODE=local would be open to other machines.
 */
export function callerHook(app: FastifyInstance, parts: Pick<ServerParts, 'config' | 'authenticate'>) {
  const open = parts.config.AUTH_MODE === 'local';
  if (open && !isLoopback(parts.config.MCP_SERVER_HOST)) {
    throw new Error(
      `AUTH_MODE=local needs a loopback MCP_SERVER_HOST, not ${parts.config.MCP_SERVER_HOST}: anybody could call every tool.`,
    );
  }
  if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', null as unknown as Caller);
  const failures = new RateLimiterMemory({ points: failuresPerMinute, duration: 60 });

  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const caller = open ? local : await authenticated(request);
    request.caller = withWorker(caller, one(request.headers['x-agent-id']));
  };

  async function authenticated(request: FastifyRequest): Promise<Caller> {
    const secret = secretOf(request);
    const caller = secret === undefined ? null : await parts.authenticate(secret);
    if (caller) return caller;
    // Only failures are counted and refused: behind one address a stranger must not lock out good keys.
    try {
      await failures.consume(request.ip);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many failed authentications from this address.', {
        retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)),
        details: { limit: failuresPerMinute },
      });
    }
    throw new AppError('UNAUTHORIZED', secret === undefined ? 'Invalid API key: none was sent.' : 'Invalid API key', {
      hint: 'Send a key as "X-API-Key: KEY" or "Authorization: Bearer KEY". `signalbox keys create` makes one; the local stack\'s is in runtime.json.',
    });
  }
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);

function secretOf(request: FastifyRequest): string | undefined {
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
  return { ...caller, principal: worker };
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

/** Checks of requests that a browser makes with the console's cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../contracts/caller.ts';
import { localCaller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { idleSeconds, type ConsoleSessions } from '../../services/governance/console-sessions.ts';
import type { ServerParts } from '../parts.ts';
import { isLoopback } from '../plugins/origins.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The console's cookie, if the caller is known by it. */
    cookie?: string;
  }
}

/**
 * Refuses what a page of another origin sends, because a browser adds the cookie to it: cookies ignore ports, and
 * SameSite ignores them, too.
 * @param also another origin whose pages may send it
 * @throws AppError FORBIDDEN; VALIDATION_ERROR for a body that is not JSON, which needs no preflight
 */
export function assertOwnPage(request: FastifyRequest, also?: string): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  const own = site === undefined ? origin !== undefined && URL.parse(origin)?.host === host?.toLowerCase() : site === 'same-origin';
  if (!own && (also === undefined || origin !== also)) {
    throw new AppError('FORBIDDEN', "Only the console's own pages may call this without a key.", {
      hint: 'Other programs send a key: X-API-Key or Authorization: Bearer.',
      details: { rule: 'same-origin' },
    });
  }
  if (request.method === 'POST' && !/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new AppError('VALIDATION_ERROR', 'Send a JSON body with Content-Type: application/json.');
  }
}

/** The address of the page that asks, or at least of this server. */
export const pageOf = ({ headers, protocol }: FastifyRequest): string => headers.origin ?? `${protocol}://${headers.host ?? ''}`;

/** Whether a browser keeps a `__Host-` cookie of this address. */
export function keepsCookies(address: string): boolean {
  const page = URL.parse(address);
  return page !== null && (page.protocol === 'https:' || isLoopback(page.hostname) || page.hostname.endsWith('.localhost'));
}

export const setCookie = (reply: FastifyReply, { cookieName }: ConsoleSessions, value: string): FastifyReply =>
  reply.header(
    'set-cookie',
    `${cookieName}=${value}; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=${value === '' ? 0 : idleSeconds}`,
  );

export const cookieOf = (request: FastifyRequest, { cookieName }: ConsoleSessions): string | undefined => cookieNamed(request, cookieName);

export function cookieNamed({ headers }: FastifyRequest, name: string): string | undefined {
  const found = headers.cookie?.split(';').find((one) => one.trim().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1) || undefined;
}

export const sessionsOf = (parts: Pick<ServerParts, 'services'>): ConsoleSessions => {
  const services = parts.services?.();
  if (!services) throw new AppError('SERVICE_UNAVAILABLE', 'The console needs the record store (Postgres).', { retryAfterSeconds: 2 });
  return services.governance.consoleSessions;
};

/** The caller of a request of the console that has no key. @throws AppError UNAUTHORIZED, FORBIDDEN */
export async function browserCaller(
  parts: Pick<ServerParts, 'config' | 'services'>,
  request: FastifyRequest,
  also?: string,
): Promise<Caller> {
  assertOwnPage(request, also);
  if (parts.config.AUTH_MODE === 'local') return { ...localCaller, rateRpm: 600, rateBurst: 200, consoleSession: 'local' };
  const sessions = sessionsOf(parts);
  const cookie = cookieOf(request, sessions);
  const known = cookie === undefined ? null : await sessions.known(cookie);
  if (!known) throw new AppError('UNAUTHORIZED', 'You are not signed in, or your session has ended.', { hint: 'Sign in again.' });
  request.cookie = cookie!;
  return known.caller;
}

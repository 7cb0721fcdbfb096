import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import type { SignInFacts } from '../../contracts/governance/console.ts';
import { flowSeconds, notBegun } from '../../services/governance/people.ts';
import type { ServerParts } from '../parts.ts';
import { publicUrl, type Failures } from '../plugins/auth.ts';
import { assertOwnPage, cookieNamed, cookieOf, keepsCookies, sessionsOf, setCookie } from './browser.ts';

const begin = '/console/sign-in/issuer';
const callback = `${begin}/callback`;

/** Signing in at the issuer, with a browser: OpenID Connect's authorization code flow with PKCE (`docs/signing-in.md`). */
export function installIssuerSignIn(app: FastifyInstance, parts: ServerParts, failures: Failures): void {
  const { config } = parts;
  const governance = () => parts.services!().governance;
  const flowName = (state: string): string => `${sessionsOf(parts).cookieName}-in-${state.replaceAll(/[^\w-]/g, '').slice(0, 12)}`;
  const failureName = (): string => `${sessionsOf(parts).cookieName}-failed`;

  /** What the sign-in page offers, and why the last sign-in failed, once. */
  app.get('/console/api/sign-in', async (request, reply): Promise<SignInFacts> => {
    assertOwnPage(request);
    const name = config.AUTH_MODE === 'local' || !parts.services ? null : governance().people.issuerName;
    const failure = name === null ? undefined : cookieNamed(request, failureName());
    if (failure !== undefined) setShort(reply, failureName(), '', 'Strict');
    return { issuer: name === null ? null : { name, path: begin }, failure: failure === undefined ? null : opened(failure) };
  });

  app.get<{ Querystring: { to?: string; moved?: string } }>(begin, async (request, reply) => {
    const to = ownPage(request.query.to);
    const base = publicUrl(request, config);
    // The issuer sends the browser to the public address, where the cookie must be. Once: a proxy may change the host.
    if (new URL(base).host !== request.host && request.query.moved === undefined)
      return await reply.redirect(`${base}${begin}?moved=1&to=${encodeURIComponent(to)}`, 302);
    return await telling(request, reply, to, async () => {
      assertNavigation(request);
      // TLS ends at a proxy: this request itself says nothing about it.
      if (!keepsCookies(base)) throw insecure();
      const { url, state, flow } = await governance().people.begin(`${base}${callback}`, to);
      setShort(reply, flowName(state), flow, 'Lax');
      return url;
    });
  });

  app.get<{ Querystring: Record<string, string | string[]> }>(callback, async (request, reply) =>
    telling(request, reply, '/', async () => {
      assertNavigation(request);
      const query = new URL(request.url, 'http://signalbox').searchParams;
      const name = flowName(query.get('state') ?? '');
      const flow = cookieNamed(request, name);
      setShort(reply, name, '', 'Lax');
      return await failures.counting(request, async () => {
        if (flow === undefined) throw notBegun();
        const { caller, tokens, to } = await governance().people.finish(query, flow);
        const sessions = sessionsOf(parts);
        const cookie = await sessions.openFor(caller, tokens, request.headers['user-agent']);
        const former = cookieOf(request, sessions);
        if (former !== undefined) await sessions.end(former);
        setCookie(reply, sessions, cookie);
        request.log.info({ event: 'signed_in', key_id: caller.keyId, tenant: caller.tenant }, 'a person signed in at the issuer');
        return to;
      });
    }),
  );

  /** Redirects to what `step` answers. A failure is shown by the console's own page: it goes there in a cookie, not in the address. */
  async function telling(request: FastifyRequest, reply: FastifyReply, page: string, step: () => Promise<string>): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store');
    try {
      return await reply.redirect(await step(), 302);
    } catch (error) {
      if (!(error instanceof AppError) || !parts.services) throw error;
      request.log.warn({ event: 'sign_in_failed', code: error.code, reason: messagesOf(error.cause) }, error.message);
      const { message, hint } = error;
      setShort(reply, failureName(), seal({ message, hint: hint ?? null }), 'Strict');
      return await reply.redirect(page, 302);
    }
  }

  const seal = (failure: Failure): string => sessionsOf(parts).sealed(JSON.stringify(failure));
  const opened = (sealed: string): Failure | null => {
    const text = sessionsOf(parts).opened(sealed);
    return text === null ? null : (JSON.parse(text) as Failure);
  };
}

type Failure = NonNullable<SignInFacts['failure']>;

/** A cookie of this sign-in. `Lax`: the issuer's redirect brings it along. Appended: an answer may set several. */
function setShort(reply: FastifyReply, name: string, value: string, sameSite: 'Lax' | 'Strict'): void {
  reply.header('set-cookie', `${name}=${value}; HttpOnly; Secure; SameSite=${sameSite}; Path=/; Max-Age=${value === '' ? 0 : flowSeconds}`);
}

/** Messages alone: the errors of the library may hold claims and answers of the issuer. */
function messagesOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return [cause.message, messagesOf(cause.cause)].filter(Boolean).join(': ');
}

/** The console's own pages only: an address that leads elsewhere would lend this server's name to others. */
function ownPage(to: unknown): string {
  const url = typeof to === 'string' && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(to) ? URL.parse(to, 'http://signalbox') : null;
  if (url?.host !== 'signalbox' || (url.pathname !== '/' && !/^\/console(\/|$)/.test(url.pathname))) return '/';
  return url.pathname.startsWith('/console/sign-in') ? '/' : url.pathname + url.search + url.hash;
}

/** Whole pages only: no frame of another site, no image. */
function assertNavigation({ headers }: FastifyRequest): void {
  const dest = headers['sec-fetch-dest'];
  if (dest === undefined || dest === 'document') return;
  throw new AppError('FORBIDDEN', 'Sign-in must be opened as a page, not in a frame.', { details: { rule: 'navigation' } });
}

const insecure = (): AppError =>
  new AppError('CONFLICT', 'Browsers keep no session on plain http, except on this machine.', {
    hint: 'Put TLS in front of Signalbox, and its address into OIDC_RESOURCE_URL.',
    details: { reason: 'insecure_origin' },
  });

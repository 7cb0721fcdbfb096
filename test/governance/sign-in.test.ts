/** People sign in at a real OpenID Connect server, over the real api; the browser is made of fetch. */
import type { FastifyInstance } from 'fastify';
import { decodeJwt, SignJWT, generateKeyPair } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { createServices } from '../../services/index.ts';
import { apiOf } from '../setup/api.ts';
import { FetchBrowser, type OidcServer } from '../setup/oidc.ts';
import { signInStack } from '../setup/sign-in.ts';
import { eventually, type TestStack } from '../setup/stack.ts';

let oidc: OidcServer;
let stack: TestStack;
let app: FastifyInstance;
let url: string;

beforeAll(async () => void ({ oidc, stack, app, url } = await signInStack()));
afterAll(async () => {
  await app?.close();
  await stack?.stop();
  await oidc?.close();
});
beforeEach(() => {
  oidc.people.set('ada', { groups: ['eng'] });
  oidc.people.set('bea', { groups: ['bosses'] });
  oidc.people.set('nobody', { groups: ['other'] });
});

const own = { 'sec-fetch-site': 'same-origin' };
const ask = async (path: string, cookie: string, method = 'GET', body?: object) => {
  const answer = await fetch(url + path, {
    method,
    headers: { ...own, cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
};
const facts = (browser: FetchBrowser) => ask('/console/api/session', browser.cookie);
const failure = async (browser: FetchBrowser) => (await ask('/console/api/sign-in', browser.cookie)).body.failure;
const signedIn = async (login: string, path = '/console/inbox') => {
  const browser = new FetchBrowser(oidc.url);
  const { url: at } = await browser.open(`${url}/console/sign-in/issuer?to=${encodeURIComponent(path)}`, login);
  return { browser, at };
};
const rows = <T extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asTenant('acme', () => stack.db.query<T>(text, ['acme', ...values]));
/** As if the time for the next question had come. */
const due = (principal: string, checked = 'checked_at') =>
  rows(`update console_sessions set check_at = now(), checked_at = ${checked} where tenant_id = $1 and principal = $2`, [principal]);
/** Calls in this process trust a lookup for two seconds. */
const forget = () => stack.services.governance.consoleSessions.forget();

describe('signing in at the issuer', () => {
  it('is offered, and leads back to the page that was asked for, with the rights of the groups', async () => {
    expect((await ask('/console/api/sign-in', '')).body).toEqual({
      issuer: { name: 'Acme', path: '/console/sign-in/issuer' },
      failure: null,
    });
    const { browser, at } = await signedIn('ada', '/console/work?tag=a');
    expect(at.href).toBe(`${url}/console/work?tag=a`);
    expect((await facts(browser)).body).toMatchObject({ tenant: 'acme', principal: 'ada', kind: 'human', role: 'operator' });
    const asked = browser.visited.find(({ pathname }) => pathname === '/auth')!;
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: 'console',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.searchParams.get(name)!.length).toBeGreaterThan(20);
    // The browser keeps the session's cookie, and nothing of the flow.
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('__Host-'))).toEqual([
      stack.services.governance.consoleSessions.cookieName,
    ]);
    const [row] = await rows<{ row: string; browser: string }>(
      `select row_to_json(s)::text as row, browser from console_sessions s where tenant_id = $1 and principal = 'ada'`,
    );
    expect(row!.browser).toBe('Firefox on Linux');
    for (const value of browser.cookies.values()) expect(row!.row).not.toContain(value);
    expect(row!.row).not.toMatch(/eyJ/);
  });

  it.each(['signalbox.example.com', '127.0.0.1:8080'])('begins behind a proxy that ends TLS and passes on the host %s', async (host) => {
    const base = 'https://signalbox.example.com';
    const behind = apiOf(stack, { config: { ...stack.config, OIDC_RESOURCE_URL: base, MCP_ALLOWED_HOSTS: ['signalbox.example.com'] } });
    const step = async (path: string) => (await behind.inject({ url: path, headers: { host } })).headers.location!;
    let at = await step('/console/sign-in/issuer?to=/console/work');
    if (host.startsWith('127.')) {
      expect(at).toBe(`${base}/console/sign-in/issuer?moved=1&to=%2Fconsole%2Fwork`);
      at = await step(at.slice(base.length));
    }
    expect(at.startsWith(`${oidc.url}/auth?`)).toBe(true);
    expect(new URL(at).searchParams.get('redirect_uri')).toBe(`${base}/console/sign-in/issuer/callback`);
    await behind.close();
  });

  it('sets a strict cookie for the session, and a lax one for the way to the issuer', async () => {
    const begun = await fetch(`${url}/console/sign-in/issuer`, { redirect: 'manual' });
    expect(begun.headers.get('set-cookie')).toMatch(
      /^__Host-sb-[0-9a-f]{8}-in-[\w-]{12}=v2\.[0-9a-f]{8}\.[\w-]+; HttpOnly; Secure; SameSite=Lax; Path=\/; Max-Age=600$/,
    );
    expect(begun.headers.get('cache-control')).toBe('no-store');
    // What is in it, nobody reads: neither verifier nor nonce.
    expect(begun.headers.get('set-cookie')).not.toContain(new URL(begun.headers.get('location')!).searchParams.get('nonce')!);
  });

  it.each([
    '//evil.test/',
    'https://evil.test/',
    '/\\evil.test',
    '/console/../evil',
    '/a2a',
    'javascript:alert(1)',
    '/console/sign-in/issuer',
  ])('never leads to %s', async (to) => {
    const { browser, at } = await signedIn('ada', to);
    expect(at.href).toBe(`${url}/`);
    expect((await facts(browser)).status).toBe(200);
  });

  it('without a role is refused, and the page says so once', async () => {
    const { browser, at } = await signedIn('nobody');
    expect(at.href).toBe(`${url}/`);
    expect((await facts(browser)).status).toBe(401);
    expect(await failure(browser)).toMatchObject({
      message: 'nobody has signed in, but has no role here.',
      hint: expect.stringContaining('OIDC_GROUP_ROLES'),
    });
    const read = await ask('/console/api/sign-in', browser.cookie);
    expect(read.headers.get('set-cookie')).toMatch(/-failed=; .*Max-Age=0$/);
    // Of another page, nobody learns it.
    expect(
      (await fetch(`${url}/console/api/sign-in`, { headers: { cookie: browser.cookie, 'sec-fetch-site': 'cross-site' } })).status,
    ).toBe(403);
  });

  it('that the person breaks off says so', async () => {
    const browser = new FetchBrowser(oidc.url);
    const at = await browser.open(`${url}/console/sign-in/issuer`, 'ada', ({ pathname }) => pathname.startsWith('/interaction/'));
    await browser.open(`${at.url.href}/abort`, 'ada');
    expect((await failure(browser)).message).toContain('The issuer did not confirm the sign-in');
  });

  it('works in two tabs at once', async () => {
    const browser = new FetchBrowser(oidc.url);
    const stop = ({ pathname }: URL) => pathname.endsWith('/callback');
    const first = await browser.open(`${url}/console/sign-in/issuer?to=/console/jobs`, 'ada', stop);
    const second = await browser.open(`${url}/console/sign-in/issuer?to=/console/work`, 'ada', stop);
    expect((await browser.open(first.url.href, '')).url.pathname).toBe('/console/jobs');
    expect((await browser.open(second.url.href, '')).url.pathname).toBe('/console/work');
    expect((await facts(browser)).status).toBe(200);
  });
});

describe('an answer that does not belong to the sign-in', () => {
  const stopped = async (login = 'ada') => {
    const browser = new FetchBrowser(oidc.url);
    const { url: answer } = await browser.open(`${url}/console/sign-in/issuer`, login, ({ pathname }) => pathname.endsWith('/callback'));
    return { browser, answer };
  };
  const refused = async (browser: FetchBrowser, answer: URL, why: string) => {
    await browser.open(answer.href, '');
    expect((await failure(browser))?.message).toContain(why);
    expect((await facts(browser)).status).toBe(401);
  };

  it('comes to another browser: refused', async () => {
    const { answer } = await stopped();
    await refused(new FetchBrowser(oidc.url), answer, 'was not begun in this browser');
  });

  it('has another state, no code, another issuer, or was used already: refused', async () => {
    const one = await stopped();
    one.answer.searchParams.set('state', 'x'.repeat(43));
    await refused(one.browser, one.answer, 'was not begun in this browser');
    const two = await stopped();
    // As long as the beginning of the state fits, its cookie is found; the whole state is compared.
    two.answer.searchParams.set('state', `${two.answer.searchParams.get('state')!.slice(0, 20)}${'x'.repeat(23)}`);
    await refused(two.browser, two.answer, 'does not belong to this sign-in');
    const three = await stopped();
    three.answer.searchParams.set('iss', 'https://evil.test');
    await refused(three.browser, three.answer, 'does not belong to this sign-in');
    const four = await stopped();
    const copy = new FetchBrowser(oidc.url);
    for (const [name, value] of four.browser.cookies) copy.cookies.set(name, value);
    await four.browser.open(four.answer.href, '');
    expect((await facts(four.browser)).status).toBe(200);
    // The flow's cookie was copied; the code works once.
    await refused(copy, four.answer, 'The issuer did not confirm the sign-in');
  });

  const otherClaims = async (change: (claims: Record<string, unknown>) => Record<string, unknown>, header?: object) => {
    const { privateKey } = await generateKeyPair('RS256');
    return async (body: Record<string, unknown>) => ({
      ...body,
      id_token: await new SignJWT(change({ ...decodeJwt(body['id_token'] as string) }))
        .setProtectedHeader({ alg: 'RS256', kid: 'key-1', ...header })
        .sign(privateKey),
    });
  };
  it.each([
    ['another nonce', (claims: object) => ({ ...claims, nonce: 'another' })],
    ['another audience', (claims: object) => ({ ...claims, aud: 'another' })],
    ['an end that has passed', (claims: object) => ({ ...claims, exp: 1_000_000_000 })],
    ['another issuer', (claims: object) => ({ ...claims, iss: 'https://evil.test' })],
  ])('has an ID token with %s: refused', async (_what, change) => {
    const { browser, answer } = await stopped();
    oidc.tamper = await otherClaims(change);
    await refused(browser, answer, 'does not belong to this sign-in');
  });

  it('has an ID token that the issuer did not sign: refused', async () => {
    const { browser, answer } = await stopped();
    oidc.tamper = await otherClaims((claims) => claims);
    await refused(browser, answer, 'its ID token is not valid');
  });

  it('is asked for in a frame: refused', async () => {
    const answer = await fetch(`${url}/console/sign-in/issuer`, { redirect: 'manual', headers: { 'sec-fetch-dest': 'iframe' } });
    expect(answer.headers.get('location')).toBe('/');
    expect(answer.headers.get('set-cookie')).toContain('-failed=');
  });
});

describe('a session of somebody who signed in', () => {
  it('is asked about again, by one request only, and goes on', async () => {
    const { browser } = await signedIn('ada');
    await due('ada');
    forget();
    const before = oidc.asked.filter((path) => path === '/token').length;
    const answers = await Promise.all(Array.from({ length: 8 }, () => facts(browser)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    // Several sessions of ada may be due: this one asked once.
    expect(oidc.asked.filter((path) => path === '/token').length - before).toBe(1);
    await due('ada');
    forget();
    expect((await facts(browser)).status).toBe(200);
  });

  it('is asked about by one of two processes, and the other waits for the answer', async () => {
    const { browser } = await signedIn('ada');
    const other = createServices(stack);
    const cookie = browser.cookies.get(stack.services.governance.consoleSessions.cookieName)!;
    await due('ada');
    forget();
    const before = oidc.asked.filter((path) => path === '/token').length;
    const known = await Promise.all([stack.services, other].map(({ governance }) => governance.consoleSessions.known(cookie)));
    expect(known.map((one) => one?.caller.principal)).toEqual(['ada', 'ada']);
    expect(oidc.asked.filter((path) => path === '/token').length - before).toBe(1);
  });

  it('has the rights that the groups give now', async () => {
    oidc.people.set('cid', { groups: ['bosses'] });
    const { browser } = await signedIn('cid');
    expect((await facts(browser)).body.role).toBe('admin');
    oidc.people.set('cid', { groups: ['eng'] });
    await due('cid');
    forget();
    expect((await facts(browser)).body.role).toBe('operator');
  });

  it('ends when the person has been removed, or has no role any more', async () => {
    oidc.people.set('dan', { groups: ['eng'] });
    oidc.people.set('eve', { groups: ['eng'] });
    const [dan, eve] = [(await signedIn('dan')).browser, (await signedIn('eve')).browser];
    oidc.people.delete('dan');
    oidc.people.set('eve', { groups: [] });
    for (const [name, browser] of [
      ['dan', dan],
      ['eve', eve],
    ] as const) {
      await due(name);
      forget();
      expect([name, (await facts(browser)).status]).toEqual([name, 401]);
    }
    expect(await rows(`select 1 from console_sessions where tenant_id = $1 and principal in ('dan', 'eve')`)).toEqual([]);
  });

  it('goes on while the issuer is away, for an hour; signing in with a key works', async () => {
    const { browser } = await signedIn('ada');
    oidc.down = true;
    try {
      await due('ada');
      forget();
      expect((await facts(browser)).status).toBe(200);
      await due('ada', `now() - interval '2 hours'`);
      forget();
      const refused = await facts(browser);
      expect([refused.status, refused.body.error.message]).toEqual([
        503,
        'The issuer with which people sign in does not answer as it should.',
      ]);
      // Nor does the next request pass, or one at another api.
      expect((await facts(browser)).status).toBe(503);
      const cookie = browser.cookies.get(stack.services.governance.consoleSessions.cookieName)!;
      await expect(createServices(stack).governance.consoleSessions.known(cookie)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      const ann = await stack.caller({ name: 'ann' });
      expect((await ask('/console/api/session', '', 'POST', { key: ann.apiKey })).status).toBe(200);
    } finally {
      oidc.down = false;
    }
    await due('ada');
    forget();
    expect((await facts(browser)).status).toBe(200);
  });

  it.each([
    { status: 401, error: 'invalid_client', headers: { 'www-authenticate': 'Basic realm="issuer"' } },
    { status: 429, error: 'too_many_requests' },
  ])('goes on when the issuer refuses this application ($error), and not the person', async (refusal) => {
    const { browser } = await signedIn('ada');
    await due('ada');
    forget();
    oidc.refusal = refusal;
    try {
      expect((await facts(browser)).status).toBe(200);
    } finally {
      oidc.refusal = null;
    }
    await due('ada');
    forget();
    expect((await facts(browser)).status).toBe(200);
  });

  it('is signed out here and at the issuer', async () => {
    const { browser } = await signedIn('ada');
    const { status, body } = await ask('/console/api/session', browser.cookie, 'DELETE');
    expect(status).toBe(200);
    const at = new URL(body.sign_out);
    expect(at.href.startsWith(`${oidc.url}/session/end?`)).toBe(true);
    expect(at.searchParams.get('post_logout_redirect_uri')).toBe(`${url}/`);
    expect((await facts(browser)).status).toBe(401);
    expect((await fetch(at, { headers: { cookie: browser.cookie } })).status).toBe(200);
  });

  it('ends when its person is revoked here, with the keys that she made; a new sign-in is refused', async () => {
    oidc.people.set('fay', { groups: ['bosses'] });
    const { browser } = await signedIn('fay');
    const { body } = await facts(browser);
    const made = await ask('/console/api/tools/access.key.create', browser.cookie, 'POST', { name: 'bot-of-fay' });
    expect(made.body.data).toMatchObject({ made_by: 'fay', api_key: expect.stringMatching(/^sb_/) });
    await stack.services.governance.keys.revoke('acme', body.key.id);
    forget();
    expect((await facts(browser)).status).toBe(401);
    expect(await stack.services.governance.keys.authenticate(made.body.data.api_key)).toBeNull();
    const again = await signedIn('fay');
    expect((await failure(again.browser)).message).toBe('The access of this identity has been revoked here.');
  });

  it('takes the keys that its person made with it, when she is no admin any more', async () => {
    oidc.people.set('gil', { groups: ['bosses'] });
    const { browser } = await signedIn('gil');
    const { api_key } = (await ask('/console/api/tools/access.key.create', browser.cookie, 'POST', { name: 'bot-of-gil' })).body.data;
    const { keys } = stack.services.governance;
    const maker = (await keys.authenticate(api_key))!;
    expect(maker.role).toBe('agent');
    oidc.people.set('gil', { groups: ['eng'] });
    await due('gil');
    forget();
    keys.forget();
    expect((await facts(browser)).body.role).toBe('operator');
    expect(await keys.authenticate(api_key)).toBeNull();
  });

  it('made by a code of a token lasts an hour at most, because the issuer is not asked about it', async () => {
    const { browser } = await signedIn('ada');
    const caller = (await stack.services.governance.consoleSessions.known(
      browser.cookies.get(stack.services.governance.consoleSessions.cookieName)!,
    ))!.caller;
    const { code } = await stack.services.governance.consoleSessions.code(caller);
    const cookie = await stack.services.governance.consoleSessions.redeem(code);
    const known = (await stack.services.governance.consoleSessions.known(cookie))!;
    expect(known.endsAt.getTime() - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(known.endsAt.getTime() - Date.now()).toBeGreaterThan(3_500_000);
  });

  it('is made after the issuer has changed its keys', async () => {
    await signedIn('ada');
    await oidc.rotate();
    // Unknown keys are looked up at most every ten seconds.
    await eventually('the new key is known', async () => (await facts((await signedIn('ada')).browser)).status === 200, 20_000);
  });
});

it('without an issuer, nothing is offered, and nothing begins', async () => {
  const plain = apiOf(stack, {
    config: { ...stack.config, AUTH_MODE: 'local' },
  });
  expect((await plain.inject({ url: '/console/api/sign-in', headers: { host: 'localhost', ...own } })).json()).toEqual({
    issuer: null,
    failure: null,
  });
  await plain.close();
});

/** Access tokens of a test issuer, over HTTP, beside keys. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { UnsecuredJWT, SignJWT, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../api/server.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { testIssuer, type TestIssuer } from '../setup/issuer.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const resource = 'https://signalbox.test';
let issuer: TestIssuer;
let stack: TestStack;
let app: FastifyInstance;
let url: string;
let apiKey: string;

beforeAll(async () => {
  issuer = await testIssuer(`${resource}/mcp`);
  stack = await testStack({
    model: false,
    workers: false,
    env: { OIDC_ISSUER: issuer.url, OIDC_RESOURCE_URL: resource, ALLOW_PRIVATE_NETWORK: 'true' },
  });
  ({ apiKey } = await stack.caller({ name: 'ann' }));
  const { keys, tokens } = stack.services.governance;
  app = buildServer({
    pipeline: stack.pipeline,
    config: stack.config,
    authenticate: async (secret) => (await keys.authenticate(secret)) ?? (await tokens.authenticate(secret)),
    health: async () => ({ postgres: { up: true } }),
    services: () => stack.services,
    log: stack.log,
    version: 'test',
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await stack.stop();
  await issuer.close();
});

const call = async (name: string, args: object, authorization?: string) => {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization ? { authorization: `Bearer ${authorization}` } : {}) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return { status: answer.status, challenge: answer.headers.get('www-authenticate'), body: (await answer.json()) as any };
};
const seconds = (more: number): number => Math.floor(Date.now() / 1000) + more;

describe('metadata', () => {
  it('says which issuer to go to, for the server and for MCP', async () => {
    for (const path of ['', '/mcp']) {
      const metadata = (await (await fetch(`${url}/.well-known/oauth-protected-resource${path}`)).json()) as Record<string, unknown>;
      expect(metadata).toMatchObject({
        resource: `${resource}${path}`,
        authorization_servers: [issuer.url],
        bearer_methods_supported: ['header'],
      });
      expect(metadata['scopes_supported']).toContain('work:read');
    }
  });

  it('is where a refusal points to', async () => {
    expect(await call('work.phase.list', {})).toMatchObject({
      status: 401,
      challenge: `Bearer resource_metadata="${resource}/.well-known/oauth-protected-resource/mcp"`,
    });
    const rest = await fetch(`${url}/mcp/tools`);
    expect([rest.status, rest.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${resource}/.well-known/oauth-protected-resource"`,
    ]);
  });

  it('is found by the official client', async () => {
    const token = await issuer.token();
    const client = new Client({ name: 'oauth', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    );
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    await client.close();
  });
});

describe('a token', () => {
  it('is taken beside keys, and its claims say who calls', async () => {
    const { status, body } = await call('work.phase.list', {}, await issuer.token({ capabilities: ['cap:work'] }));
    expect([status, body.result.isError]).toEqual([200, undefined]);
    const token = await issuer.token({ preferred_username: 'bea', team: 'sales', capabilities: ['cap:work'] });
    // A stakeholder team sees what somebody has said that it may.
    expect((await call('work.phase.list', {}, token)).body.result.structuredContent.error).toMatchObject({
      code: 'FORBIDDEN',
      details: { rule: 'team' },
    });
    expect((await call('work.phase.list', {}, apiKey)).status).toBe(200);
    const caller = await stack.services.governance.tokens.authenticate(token);
    expect(caller).toMatchObject({
      tenant: 'acme',
      principal: 'bea',
      role: 'admin',
      principalKind: 'agent',
      scopes: [],
      team: 'sales',
      capabilities: ['cap:work'],
    });
    expect(await stack.services.governance.tokens.authenticate(apiKey)).toBeNull();
    expect(await stack.services.governance.tokens.authenticate('a.b')).toBeNull();
  });

  it.each([
    ['expired', { exp: seconds(-40) }, 'it has expired'],
    ['without an end', { exp: undefined }, 'it has no "exp"'],
    ['without a subject', { sub: undefined }, 'it has no "sub"'],
    ['for somebody else', { aud: 'https://other.test' }, 'it is meant for another resource (aud)'],
    ['for nobody', { aud: undefined }, 'it has no "aud"'],
    ['of another issuer', { iss: 'https://evil.test' }, 'it is of another issuer (iss)'],
    ['for later', { nbf: seconds(3_600) }, 'it is not valid yet (nbf)'],
  ])('%s is refused with 401', async (_what, claims, reason) => {
    const { status, challenge, body } = await call('work.phase.list', {}, await issuer.token(claims));
    expect([status, body.error.message]).toEqual([401, `The access token is refused: ${reason}.`]);
    expect(challenge).toMatch(/^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="[^"]+"$/);
  });

  it('may be late or early by what clocks differ', async () => {
    expect((await call('work.phase.list', {}, await issuer.token({ exp: seconds(-20) }))).status).toBe(200);
    expect((await call('work.phase.list', {}, await issuer.token({ nbf: seconds(20) }))).status).toBe(200);
  });

  it('that is unsigned, signed with a secret, forged, or of another kind is refused with 401', async () => {
    const good = await issuer.token();
    const claims = decodeJwt(good);
    const [header, payload, signature] = good.split('.') as [string, string, string];
    const forged = `${header}.${Buffer.from(JSON.stringify({ ...claims, tenant: 'globex' })).toString('base64url')}.${signature}`;
    const wrong = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(Buffer.from('a secret of thirty-two characters')),
      forged,
      `${header}.${payload}.AAAA`,
      await issuer.token({}, { typ: 'logout+jwt' }),
      await issuer.token({}, { kid: 'made-up' }),
      'not.a.token',
    ];
    for (const token of wrong)
      expect([token.slice(0, 20), (await call('work.phase.list', {}, token)).status]).toEqual([token.slice(0, 20), 401]);
  });

  it('for a tenant that nobody knows is refused with 403, and makes none', async () => {
    const { status, body } = await call('work.phase.list', {}, await issuer.token({ tenant: 'unknown' }));
    expect([status, body.error.message]).toEqual([403, 'The tenant "unknown" is not served here.']);
    expect((await call('work.phase.list', {}, await issuer.token({ tenant: undefined }))).status).toBe(403);
    expect((await call('work.phase.list', {}, await issuer.token({ tenant: 'system' }))).status).toBe(403);
    expect(await stack.db.query(`select 1 from list_tenants() as t where t = 'unknown'`)).toEqual([]);
  });

  it('without the scope is refused with 403 and the scope that is missing, and the ledger has it', async () => {
    const token = await issuer.token({ sub: 'narrow', scope: 'openid work:read' });
    expect((await call('work.phase.list', {}, token)).body.result.isError).toBeUndefined();
    const { status, challenge, body } = await call('work.task.create', { description: 'x', phase_id: 1 }, token);
    expect([status, body.error.data.code]).toEqual([403, 'FORBIDDEN']);
    expect(challenge).toMatch(/^Bearer error="insufficient_scope", scope="work:read work:write", .*resource_metadata="/);
    await eventually(
      'the refusal stands in the ledger',
      async () =>
        (
          await asTenant('acme', () =>
            stack.db.query(`select 1 from ledger_events where type = 'tool.call.failed' and tool = 'work.task.create'`),
          )
        )[0],
    );
    // The answer does not ask for scopes if no scope would help.
    const reader = await issuer.token({ sub: 'reader', role: 'readonly', scope: 'work:read' });
    expect((await call('work.task.create', { description: 'x', phase_id: 1 }, reader)).status).toBe(200);
  });

  it('stands among the keys, where its holder is seen and can be revoked, and processes go on for it', async () => {
    const { keys, tokens } = stack.services.governance;
    const token = await issuer.token({ sub: 'seen', preferred_username: 'seen' });
    const caller = (await tokens.authenticate(token))!;
    expect(await keys.callerOf('acme', caller.keyId, 'worker')).toMatchObject({ principal: 'worker', role: 'admin' });
    await keys.close();
    const [listed] = (await keys.list('acme')).filter((key) => key.key_id === caller.keyId);
    expect(listed).toMatchObject({ name: 'seen', revoked_at: null, last_used_at: expect.any(String) });
    expect(await tokens.authenticate(await issuer.token({ sub: 'seen', preferred_username: 'seen', role: 'pm' }))).toMatchObject({
      role: 'pm',
      keyId: caller.keyId,
    });
    await keys.revoke('acme', caller.keyId);
    await eventually('the revoked holder is refused', async () => (await call('work.phase.list', {}, token)).status === 401);
  });

  it('is neither accepted nor refused while its issuer cannot be asked', async () => {
    const { Tokens } = await import('../../services/governance/tokens.ts');
    const fresh = new Tokens({ ...stack, keys: stack.services.governance.keys });
    issuer.down = true;
    await expect(fresh.authenticate(await issuer.token())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    issuer.down = false;
    // The one that knows its keys goes on.
    expect((await call('work.phase.list', {}, await issuer.token())).status).toBe(200);
  });

  it('makes its tenant where that is allowed, and is verified with the keys that its issuer has now', async () => {
    const { Tokens } = await import('../../services/governance/tokens.ts');
    await issuer.rotate();
    const fresh = new Tokens({ ...stack, oidc: { ...stack.oidc!, createTenants: true }, keys: stack.services.governance.keys });
    const caller = await fresh.authenticate(await issuer.token({ tenant: 'brand-new' }));
    expect(caller).toMatchObject({ tenant: 'brand-new' });
    expect((await stack.ok(caller!, 'work.phase.list')).phases.length).toBeGreaterThan(0);
  });
});

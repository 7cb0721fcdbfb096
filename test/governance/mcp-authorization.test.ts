/** MCP clients sign in by themselves: the official client's OAuth against a real issuer. */
import { Client, StreamableHTTPClientTransport, UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientDocuments, FetchBrowser } from '../setup/oidc.ts';
import { signInStack, type SignInStack } from '../setup/sign-in.ts';

const redirect = 'http://127.0.0.1:3334/callback';
let set: SignInStack;
beforeAll(async () => {
  set = await signInStack({ env: { OIDC_SCOPES_SUPPORTED: 'work:read' } });
  set.oidc.people.set('ada', { role: 'pm' });
});
afterAll(async () => {
  await set?.app.close();
  await set?.stack.stop();
  await set?.oidc.close();
});

/** What a client keeps, and a browser in which its user is asked. */
function userAgent(document?: string) {
  const browser = new FetchBrowser(set.oidc.url);
  const kept: { client?: any; tokens?: any; verifier?: string; answer?: URLSearchParams; asked: URL[] } = { asked: [] };
  const provider: OAuthClientProvider = {
    redirectUrl: redirect,
    ...(document === undefined ? {} : { clientMetadataUrl: document }),
    clientMetadata: {
      client_name: 'A test',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
    async redirectToAuthorization(url) {
      kept.asked.push(url);
      const { url: at } = await browser.open(url.href, 'ada', (next) => next.href.startsWith(redirect));
      kept.answer = at.searchParams;
    },
  };
  return { provider, kept };
}

/** Without the client's own wish for a refresh token. */
const apiScopes = (text: unknown): string[] =>
  String(text)
    .split(' ')
    .filter((scope) => scope !== 'offline_access')
    .toSorted();

/** Connects as a client does: refused, signed in, connected. */
async function connected({ provider, kept }: ReturnType<typeof userAgent>) {
  const endpoint = new URL(`${set.url}/mcp`);
  const first = new StreamableHTTPClientTransport(endpoint, { authProvider: provider });
  await expect(new Client({ name: 'a test', version: '1' }).connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
  await first.finishAuth(kept.answer!);
  const transport = new StreamableHTTPClientTransport(endpoint, { authProvider: provider });
  const client = new Client({ name: 'a test', version: '1' });
  await client.connect(transport);
  return { client, transport };
}

it('by dynamic registration', async () => {
  const agent = userAgent();
  const { client } = await connected(agent);
  const { kept } = agent;
  expect(kept.client.client_id).toEqual(expect.any(String));
  expect(kept.asked[0]!.searchParams.get('resource')).toBe(`${set.url}/mcp`);
  expect(apiScopes(kept.asked[0]!.searchParams.get('scope'))).toEqual(['work:read']);
  expect(decodeJwt(kept.tokens.access_token)).toMatchObject({ aud: `${set.url}/mcp`, role: 'pm' });
  expect(apiScopes(decodeJwt(kept.tokens.access_token)['scope'])).toEqual(['work:read']);
  const phases = await client.callTool({ name: 'work-phase-list', arguments: {} });
  expect(phases.isError).toBeFalsy();
  await client.close();
});

it('under an address that names it, where the issuer reads such documents; and gets more scopes when a tool needs them', async () => {
  const document = 'https://client.test/signalbox.json';
  const agent = userAgent(document);
  clientDocuments.set(document, { ...agent.provider.clientMetadata, client_id: document, client_uri: 'https://client.test' });
  const { client, transport } = await connected(agent);
  const { kept } = agent;
  expect(kept.asked[0]!.searchParams.get('client_id')).toBe(document);

  const create = () => client.callTool({ name: 'work-task-create', arguments: { description: 'stepped up', phase_id: 'x' } });
  await expect(create()).rejects.toBeInstanceOf(UnauthorizedError);
  expect(apiScopes(kept.asked[1]!.searchParams.get('scope'))).toEqual(['work:read', 'work:write']);
  await transport.finishAuth(kept.answer!);
  expect(apiScopes(decodeJwt(kept.tokens.access_token)['scope'])).toEqual(['work:read', 'work:write']);
  // Not the scope is missing now: the phase does not exist.
  const created = await create();
  expect(JSON.stringify(created)).not.toContain('scope');
  expect((await client.callTool({ name: 'work-phase-list', arguments: {} })).isError).toBeFalsy();
  await client.close();
});

it('a token for another resource is refused, and an expired one is refreshed by the client', async () => {
  const agent = userAgent();
  set.oidc.tokenSeconds = 1;
  const { client } = await connected(agent).finally(() => (set.oidc.tokenSeconds = 300));
  const before = agent.kept.tokens.access_token;
  const until = decodeJwt(before).exp!;
  // The clock may differ by 30 seconds, so a token is good for that long after its end: one that has surely ended is made up here.
  agent.kept.tokens = { ...agent.kept.tokens, access_token: `${before.slice(0, -4)}AAAA` };
  expect((await client.callTool({ name: 'work-phase-list', arguments: {} })).isError).toBeFalsy();
  expect(agent.kept.tokens.access_token).not.toBe(before);
  expect(decodeJwt(agent.kept.tokens.access_token).exp!).toBeGreaterThan(until);
  await client.close();
  const elsewhere = await fetch(`${set.oidc.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: agent.kept.client.client_id,
      refresh_token: agent.kept.tokens.refresh_token,
      resource: 'https://other.test/mcp',
    }),
  });
  // The issuer gives none for a resource that nobody granted.
  expect(((await elsewhere.json()) as { error: string }).error).toBe('invalid_target');
});

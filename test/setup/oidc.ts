/** A real OpenID Connect server (oidc-provider), and a browser made of fetch that signs in at its pages. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider from 'oidc-provider';

interface Person {
  tenant?: string;
  groups?: string[];
  role?: string;
  team?: string;
}

export interface OidcServer {
  url: string;
  /** By their login. A person who is removed cannot sign in, and refreshes of their tokens are refused. */
  people: Map<string, Person>;
  /** Answers 503 to everything. */
  down: boolean;
  /** The token endpoint answers so to everything. */
  refusal: { status: number; error: string; headers?: Record<string, string> } | null;
  /** Answers of the token endpoint are changed on their way. */
  tamper: ((body: Record<string, unknown>) => Promise<Record<string, unknown>>) | null;
  /** Requests by path. */
  asked: string[];
  /** Lifetime of the access tokens it gives from now on. */
  tokenSeconds: number;
  /** Signs with a new key from now on; the old one is published no more. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

export const consoleClient = { client_id: 'console', client_secret: 'the-secret-of-the-console-0123456789' };
const apiScopes = ['work:read', 'work:write', 'agent:read', 'index:read', 'event:read', 'knowledge:read', 'memory:read'];

/** @param redirects addresses to which browsers may return @param refreshes false: it gives no refresh tokens */
export async function oidcServer({ redirects, refreshes = true }: { redirects: string[]; refreshes?: boolean }): Promise<OidcServer> {
  let handle: ReturnType<Provider['callback']>;
  let generation = 0;
  const server = createServer((request, response) => {
    oidc.asked.push(new URL(request.url!, oidc.url).pathname);
    if (oidc.down) return void response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"temporarily_unavailable"}');
    if (oidc.refusal && request.url === '/token') {
      const { status, error, headers } = oidc.refusal;
      return void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
    }
    if (oidc.tamper && request.url === '/token') return void tampered(request, response);
    handle(request, response);
  });
  /** Sends the request on to itself, and changes the answer. */
  const tampered: Parameters<typeof createServer>[1] & object = (request, response) =>
    void (async () => {
      const { tamper } = oidc;
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      oidc.tamper = null;
      const answer = await fetch(`${oidc.url}/token`, {
        method: 'POST',
        headers: {
          'content-type': request.headers['content-type'] ?? '',
          ...(request.headers.authorization ? { authorization: request.headers.authorization } : {}),
        },
        body: Buffer.concat(chunks).toString(),
      });
      const body = (await answer.json()) as Record<string, unknown>;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(await tamper!(body)));
    })();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rotate = async (): Promise<void> => {
    generation += 1;
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key: JWK = { ...(await exportJWK(privateKey)), kid: `key-${generation}`, alg: 'RS256', use: 'sig' };
    handle = new Provider(url, configuration(key)).callback();
  };
  const claimsOf = (login: string): object => {
    const { tenant = 'acme', ...others } = oidc.people.get(login) ?? {};
    return { preferred_username: login, tenant, ...others };
  };
  const configuration = (key: JWK): Record<string, unknown> => ({
    jwks: { keys: [key] },
    cookies: { keys: ['a key of the tests'] },
    clients: [
      {
        ...consoleClient,
        redirect_uris: redirects.map((base) => `${base}/console/sign-in/issuer/callback`),
        post_logout_redirect_uris: redirects.map((base) => `${base}/`),
        grant_types: ['authorization_code', ...(refreshes ? ['refresh_token'] : [])],
      },
      {
        client_id: 'cli',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [],
        response_types: [],
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', ...(refreshes ? ['refresh_token'] : [])],
      },
    ],
    scopes: ['openid', 'offline_access', 'profile', 'email', ...apiScopes],
    claims: { openid: ['sub'], profile: ['preferred_username', 'tenant', 'groups', 'role', 'team'], email: ['email'] },
    findAccount: async (_context: unknown, login: string) =>
      oidc.people.has(login) ? { accountId: login, claims: async () => ({ sub: login, ...claimsOf(login) }) } : undefined,
    extraTokenClaims: async (_context: unknown, { accountId }: { accountId: string }) => claimsOf(accountId),
    issueRefreshToken: async (_context: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: {
      AccessToken: () => oidc.tokenSeconds,
      Interaction: 600,
      Session: 3_600,
      Grant: 3_600,
      IdToken: 600,
      RefreshToken: 3_600,
      DeviceCode: 600,
    },
    // The document of a client that names itself by its address stands in the tests, not on the web.
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const address = input instanceof Request ? input.url : String(input);
      const document = clientDocuments.get(address);
      return document === undefined
        ? await fetch(input, init)
        : new Response(JSON.stringify(document), { headers: { 'content-type': 'application/json' } });
    },
    features: {
      devInteractions: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      registration: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => undefined,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_context: unknown, resource: string) => ({
          scope: apiScopes.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: oidc.tokenSeconds,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  const oidc: OidcServer = {
    url,
    people: new Map(),
    down: false,
    refusal: null,
    tamper: null,
    asked: [],
    tokenSeconds: 300,
    rotate,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  await rotate();
  return oidc;
}

/** Documents of clients whose id is an address. */
export const clientDocuments = new Map<string, object>();

/** A browser made of fetch: cookies, redirects, and the forms of the issuer's pages. */
export class FetchBrowser {
  readonly cookies = new Map<string, string>();
  /** Every address it was sent to. */
  readonly visited: URL[] = [];
  private readonly issuer: string;

  constructor(issuer: string) {
    this.issuer = issuer;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /**
   * Opens a page and goes on, until a page is neither a redirect nor a form of the issuer.
   * @param login typed into the issuer's form
   * @param stop before it goes to such an address
   */
  async open(start: string, login: string, stop: (url: URL) => boolean = () => false): Promise<{ url: URL; status: number; text: string }> {
    let url = new URL(start);
    let form: URLSearchParams | null = null;
    for (let hops = 0; hops < 30; hops += 1) {
      this.visited.push(url);
      if (stop(url)) return { url, status: 0, text: '' };
      const answer: Response = await fetch(url, {
        method: form ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie: this.cookie, 'sec-fetch-dest': 'document', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
        ...(form ? { body: form } : {}),
      });
      for (const line of answer.headers.getSetCookie()) this.keep(line);
      const text = await answer.text();
      form = null;
      const to = answer.headers.get('location');
      if (to !== null) {
        url = new URL(to, url);
        continue;
      }
      const action = url.href.startsWith(this.issuer) ? /<form[^>]*action="([^"]+)"/.exec(text)?.[1] : undefined;
      if (action === undefined) return { url, status: answer.status, text };
      form = filled(text, login);
      url = new URL(action.replaceAll('&amp;', '&'), url);
    }
    throw new Error(`Too many steps: ${this.visited.map(({ pathname }) => pathname).join(' ')}`);
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

function filled(html: string, login: string): URLSearchParams {
  const values = new URLSearchParams();
  for (const [tag] of html.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]+)"/.exec(tag)?.[1];
    if (name !== undefined)
      values.set(name, name === 'login' ? login : name === 'password' ? 'x' : (/value="([^"]*)"/.exec(tag)?.[1] ?? ''));
  }
  return values;
}

/** The api on a stack, with a real issuer at which people sign in. */
import { createServer, type AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ServerParts } from '../../api/parts.ts';
import { apiOf } from './api.ts';
import { consoleClient, oidcServer, type OidcServer } from './oidc.ts';
import { testStack, type TestStack } from './stack.ts';

export interface SignInStack {
  oidc: OidcServer;
  stack: TestStack;
  app: FastifyInstance;
  url: string;
}

/** The tenant acme exists, as after its first key. */
export async function signInStack({
  env = {},
  parts,
}: { env?: Record<string, string>; parts?: (stack: TestStack) => Partial<ServerParts> } = {}): Promise<SignInStack> {
  // The issuer must know the address before the api listens.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const oidc = await oidcServer({ redirects: [url] });
  const stack = await testStack({
    model: false,
    workers: false,
    env: {
      OIDC_ISSUER: oidc.url,
      OIDC_RESOURCE_URL: url,
      OIDC_CLIENT_ID: consoleClient.client_id,
      OIDC_CLIENT_SECRET: consoleClient.client_secret,
      OIDC_CLI_CLIENT_ID: 'cli',
      OIDC_SIGN_IN_NAME: 'Acme',
      OIDC_GROUP_ROLES: 'eng=operator,bosses=admin',
      OIDC_GROUP_TEAMS: 'sellers=sales',
      ALLOW_PRIVATE_NETWORK: 'true',
      ...env,
    },
  });
  await stack.caller({ name: 'first' });
  const { keys, tokens } = stack.services.governance;
  const app = apiOf(stack, {
    authenticate: async (secret) => (await keys.authenticate(secret)) ?? (await tokens.authenticate(secret)),
    notices: () => stack.notices,
    ...parts?.(stack),
  });
  await app.listen({ host: '127.0.0.1', port });
  return { oidc, stack, app, url };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

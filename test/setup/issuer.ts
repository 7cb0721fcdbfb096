/** An OAuth issuer: publishes its metadata and keys, and signs what it is asked to. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';

export interface TestIssuer {
  url: string;
  /** Requests for its keys. */
  asked: number;
  /** Answers 500 to everything. */
  down: boolean;
  /** Where its metadata stands. */
  place: 'openid-configuration' | 'oauth-authorization-server';
  /** A new key to sign with; the old one is published no more. */
  rotate(): Promise<void>;
  /** Valid for five minutes and for `audience`, unless claims say otherwise; `undefined` leaves a claim out. */
  token(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function testIssuer(audience: string): Promise<TestIssuer> {
  let key: { kid: string; privateKey: CryptoKey; jwk: JWK };
  let generation = 0;
  const rotate = async (): Promise<void> => {
    generation += 1;
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const kid = `key-${generation}`;
    key = { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
  };
  await rotate();
  const server = createServer((request, reply) => {
    const send = (status: number, body: unknown): void =>
      void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (issuer.down) return send(500, {});
    if (request.url === `/.well-known/${issuer.place}`) return send(200, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    if (request.url !== '/keys') return send(404, {});
    issuer.asked += 1;
    send(200, { keys: [key.jwk] });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: 0,
    down: false,
    place: 'openid-configuration',
    rotate,
    async token(claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const all = {
        iss: issuer.url,
        aud: audience,
        sub: 'user-1',
        client_id: 'app',
        tenant: 'acme',
        role: 'admin',
        iat: now,
        exp: now + 300,
        ...claims,
      };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      return await new SignJWT(given).setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt', ...header }).sign(key.privateKey);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return issuer;
}

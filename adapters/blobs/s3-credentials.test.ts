import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../platform/config.ts';
import { credentialSource } from './s3-credentials.ts';

const none = { AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials', AWS_EC2_METADATA_DISABLED: 'true' };
const source = (env: Record<string, string>, profile?: string) => credentialSource(readConfig(env), 'eu-west-1', profile);

describe('credentials of the blob store', () => {
  let folder: string;
  let server: Server;
  let base: string;
  let asked: { method: string; url: string; body: string; headers: NodeJS.Dict<string | string[]> }[];
  let answer: (url: string) => { status?: number; body: string };
  const lasting = (minutes: number, name = 'role-key') => ({
    AccessKeyId: name,
    SecretAccessKey: 'role-secret',
    Token: 'role-token',
    Expiration: new Date(Date.now() + minutes * 60_000).toISOString(),
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credentials-'));
    asked = [];
    answer = () => ({ status: 404, body: '' });
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked.push({ method: request.method!, url: request.url!, body, headers: request.headers });
        const given = answer(request.url!);
        response.writeHead(given.status ?? 200).end(given.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  it('come from the environment first', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
    expect(await source({ ...none, ...env }).get()).toEqual({ accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: 'token' });
  });

  it('come from a section of the shared file', async () => {
    const file = join(folder, 'credentials');
    await writeFile(
      file,
      '[default]\naws_access_key_id = a\naws_secret_access_key = b\n\n[other]\naws_access_key_id=c\naws_secret_access_key=d=\n',
    );
    const env = { ...none, AWS_SHARED_CREDENTIALS_FILE: file };
    expect(await source(env).get()).toEqual({ accessKeyId: 'a', secretAccessKey: 'b' });
    expect(await source({ ...env, AWS_PROFILE: 'other' }).get()).toEqual({ accessKeyId: 'c', secretAccessKey: 'd=' });
    // A profile that is named wins over keys of the environment.
    const named = source({ ...env, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }, 'other');
    expect(await named.get()).toEqual({ accessKeyId: 'c', secretAccessKey: 'd=' });
    await expect(source(env, 'missing').get()).rejects.toThrow('"missing"');
  });

  it('come from a web identity, and are renewed before they end', async () => {
    const file = join(folder, 'token');
    await writeFile(file, 'identity-1\n');
    let minutes = 60;
    answer = () => {
      const { Token, ...keys } = lasting(minutes, `key-${asked.length}`);
      const tags = Object.entries({ ...keys, SessionToken: Token }).map(([name, value]) => `<${name}>${value}</${name}>`);
      const result = `<AssumeRoleWithWebIdentityResult><Credentials>${tags.join('')}</Credentials></AssumeRoleWithWebIdentityResult>`;
      return { body: `<AssumeRoleWithWebIdentityResponse>${result}</AssumeRoleWithWebIdentityResponse>` };
    };
    const env = { ...none, AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: 'arn:aws:iam::1:role/x', AWS_ENDPOINT_URL_STS: base };
    const held = source(env);
    const [first, second] = await Promise.all([held.get(), held.get()]);
    expect(first).toEqual({ accessKeyId: 'key-1', secretAccessKey: 'role-secret', sessionToken: 'role-token' });
    expect([second, await held.get(), asked.length]).toEqual([first, first, 1]);
    expect(Object.fromEntries(new URLSearchParams(asked[0]!.body))).toMatchObject({
      RoleArn: 'arn:aws:iam::1:role/x',
      WebIdentityToken: 'identity-1',
    });
    expect(asked[0]!.url).toBe('/');

    // They end within the margin: each use asks, and a failed renewal does not end their use.
    minutes = 1;
    held.renew();
    expect((await held.get()).accessKeyId).toBe('key-2');
    answer = () => ({ status: 500, body: '<ErrorResponse><Error><Code>InternalFailure</Code></Error></ErrorResponse>' });
    expect((await held.get()).accessKeyId).toBe('key-2');
    held.renew();
    await expect(held.get()).rejects.toThrow('InternalFailure');
  });

  it("come from the container's endpoint", async () => {
    const token = join(folder, 'token');
    await writeFile(token, 'pod-token');
    answer = () => ({ body: JSON.stringify(lasting(60)) });
    const env = { ...none, AWS_CONTAINER_CREDENTIALS_FULL_URI: `${base}/v1/credentials`, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: token };
    expect(await source(env).get()).toEqual({ accessKeyId: 'role-key', secretAccessKey: 'role-secret', sessionToken: 'role-token' });
    expect(asked[0]!.headers['authorization']).toBe('pod-token');
  });

  it("come from the machine's endpoint", async () => {
    answer = (url) => {
      if (url.endsWith('/api/token')) return { body: 'session' };
      return { body: url.endsWith('/security-credentials/') ? 'the-role' : JSON.stringify(lasting(60)) };
    };
    const env = { AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials', AWS_EC2_METADATA_SERVICE_ENDPOINT: base };
    expect((await source(env).get()).accessKeyId).toBe('role-key');
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'PUT /latest/api/token',
      'GET /latest/meta-data/iam/security-credentials/',
      'GET /latest/meta-data/iam/security-credentials/the-role',
    ]);
    expect(asked[2]!.headers['x-aws-ec2-metadata-token']).toBe('session');
  });

  it('that are nowhere are an error that says what to do', async () => {
    await expect(source(none).get()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      hint: expect.stringContaining('AWS_ACCESS_KEY_ID'),
    });
  });
});

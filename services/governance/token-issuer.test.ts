import { exportJWK, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import { Issuer } from './token-issuer.ts';

const url = 'https://login.acme.test/realm';

/** An issuer with a fake clock and network. */
async function setUp({ issuerName = url, place = 'openid' }: { issuerName?: string; place?: 'openid' | 'oauth' } = {}) {
  const publish = async (kid: string) => ({ ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kid, alg: 'ES256' });
  const net = { keys: [await publish('one')], asked: [] as string[], down: false };
  const clock = { now: 1_000_000 };
  const metadata =
    place === 'openid' ? `${url}/.well-known/openid-configuration` : 'https://login.acme.test/.well-known/oauth-authorization-server/realm';
  const fetch = async (asked: string): Promise<any> => {
    net.asked.push(asked);
    if (net.down) throw new AppError('SERVICE_UNAVAILABLE', 'away');
    const body = asked === metadata ? { issuer: issuerName, jwks_uri: `${url}/keys` } : asked === `${url}/keys` ? { keys: net.keys } : null;
    if (!body) throw new AppError('NOT_FOUND', 'no');
    return { bytes: Buffer.from(JSON.stringify(body)) };
  };
  const issuer = new Issuer({ fetch }, `${url}/`, () => clock.now);
  const key = (kid: string): Promise<unknown> => issuer.keyOf({ alg: 'ES256', kid }, { payload: '', signature: '' });
  return { net, clock, issuer, key, publish };
}

it('is discovered once for many, in either place', async () => {
  for (const place of ['openid', 'oauth'] as const) {
    const { net, issuer, key } = await setUp({ place });
    await Promise.all([key('one'), key('one'), issuer.name(), key('one')]);
    expect(net.asked.filter((asked) => asked.endsWith('/keys'))).toHaveLength(1);
    expect(await issuer.name()).toBe(url);
  }
});

it('must be who it is said to be', async () => {
  const { key } = await setUp({ issuerName: 'https://evil.test' });
  await expect(key('one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

it('is asked again for a key that it did not have, but not for each made-up one', async () => {
  const { net, clock, key, publish } = await setUp();
  await key('one');
  net.keys.push(await publish('two'));
  await expect(key('two')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  clock.now += 11_000;
  await key('two');
  const before = net.asked.length;
  for (let i = 0; i < 50; i += 1) await expect(key(`made-up-${i}`)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  expect(net.asked.length).toBe(before);
});

it('forgets keys that are published no more', async () => {
  const { net, clock, key, publish } = await setUp();
  await key('one');
  net.keys = [await publish('two')];
  clock.now += 601_000;
  await key('two');
  await expect(key('one')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

it('that is down leaves known keys usable, and says so for unknown ones', async () => {
  const { net, clock, key } = await setUp();
  await key('one');
  net.down = true;
  clock.now += 700_000;
  await key('one');
  await expect(key('two')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  const before = net.asked.length;
  await expect(key('two')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(net.asked.length).toBe(before);
  clock.now += 86_400_000;
  await expect(key('one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  net.down = false;
  clock.now += 3_000;
  await key('one');
});

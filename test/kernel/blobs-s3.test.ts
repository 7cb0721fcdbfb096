/** Blobs in a real S3 server: what the port promises, while the server is throttled, cut off and killed. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { fileBlobs } from '../../adapters/blobs/files.ts';
import { movingBlobs } from '../../adapters/blobs/moving.ts';
import { asideName, blobName } from '../../adapters/blobs/names.ts';
import { blobsAt, openCheckedBlobs, s3Settings } from '../../adapters/blobs/open.ts';
import { s3Client } from '../../adapters/blobs/s3-client.ts';
import { setUpBucket } from '../../adapters/blobs/s3-setup.ts';
import { s3Writer } from '../../adapters/blobs/s3-write.ts';
import { blobPlace, type BlobPlace } from '../../adapters/blobs/settings.ts';
import type { Blobs } from '../../adapters/blobs/types.ts';
import type { AppError } from '../../contracts/errors.ts';
import { readConfig } from '../../platform/config.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { copyBlobs } from '../../services/kernel/blobs-copy.ts';
import { buildTimeout, collected, s3Server, startProxy, startS3, type Proxy, type S3 } from '../setup/s3.ts';
import { eventually, testStack } from '../setup/stack.ts';

if (s3Server === null) console.warn('Neither versitygw nor Go on this machine: the tests of blobs in S3 are skipped.');

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const no = async (): Promise<Set<string>> => new Set();
const never = async (): Promise<void> => {};
const megabyte = 2 ** 20;
setFlagsFromString('--expose-gc');
/** What is no longer used must not count as used. */
const collectGarbage = runInNewContext('gc') as () => void;

// A store that stays away is waited for, and much is written.
describe.skipIf(s3Server === null)('blobs in S3', { timeout: 60_000 }, () => {
  let s3: S3;
  let proxy: Proxy;
  let blobs: Blobs;
  let tenant: string;
  const opened: Blobs[] = [];
  const open = (env: Record<string, string> = {}): Blobs => {
    const config = readConfig({ ...s3.env, S3_ENDPOINT: proxy.endpoint, ...env });
    const made = blobsAt(config, config.BLOB_STORE_URL);
    opened.push(made);
    return made;
  };
  beforeAll(async () => {
    s3 = await startS3(inject('servers').folder);
  }, buildTimeout);
  beforeEach(async () => {
    proxy = await startProxy(s3.endpoint);
    tenant = `t${randomBytes(6).toString('hex')}`;
    blobs = open();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await proxy.stop();
  });
  afterAll(() => s3?.kill());

  const place = (url: string): Extract<BlobPlace, { kind: 's3' }> => {
    const found = blobPlace(readConfig(s3.env), url, 'BLOB_STORE_URL');
    if (found.kind !== 's3') throw new Error(`${url} is a folder`);
    return found;
  };
  /** Objects of this test's tenant. */
  const objects = (): string[] => {
    const folder = join(s3.folder, 'blobs', 'signalbox', tenant);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  };
  /** Uploads in parts that were not ended, of all tenants. */
  const uploads = (): number => {
    const folder = join(s3.folder, 'blobs', '.sgwtmp', 'multipart');
    return existsSync(folder) ? readdirSync(folder).reduce((sum, each) => sum + readdirSync(join(folder, each)).length, 0) : 0;
  };
  const pieces = (bytes: Uint8Array, size = 300_000) =>
    (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
    })();

  it('are kept per tenant under their hash, small or in parts', async () => {
    const small = Buffer.from(`small ${tenant}`);
    const large = randomBytes(40 * megabyte);
    for (const bytes of [small, large, Buffer.alloc(0)]) {
      const sha256 = hashOf(bytes);
      expect(await blobs.has(tenant, sha256)).toBe(false);
      expect(await blobs.put(tenant, bytes)).toBe(sha256);
      expect(await blobs.has(tenant, sha256)).toBe(true);
      expect(hashOf(await blobs.get(tenant, sha256))).toBe(sha256);
      expect(await blobs.has('globex', sha256)).toBe(false);
      await expect(blobs.get('globex', sha256)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(proxy.seen.filter((line) => line.includes('partNumber='))).toHaveLength(5);
    expect(objects().sort()).toEqual([small, large, Buffer.alloc(0)].map(hashOf).sort());
    expect(uploads()).toBe(0);
    await expect(blobs.get(tenant, '../../etc/passwd')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are streamed in bounded memory, noted before they stand, and leave nothing when they fail', async () => {
    const size = 128 * megabyte;
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    const source = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < size; at += megabyte) {
        if (at % (8 * megabyte) === 0) {
          collectGarbage();
          peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
        }
        yield Buffer.alloc(megabyte, at / megabyte);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    let stood: boolean | undefined;
    const kept = await blobs.putStream(tenant, 'job_1', source(), async ({ sha256 }) => void (stood = await blobs.has(tenant, sha256)));
    expect([stood, kept.size, objects(), uploads()]).toEqual([false, size, [kept.sha256], 0]);
    expect(peak).toBeLessThan(80 * megabyte);
    const { stream, size: told } = await blobs.openStream(tenant, kept.sha256);
    const hash = createHash('sha256');
    for await (const piece of stream as AsyncIterable<Uint8Array>) hash.update(piece);
    expect([told, hash.digest('hex')]).toEqual([size, kept.sha256]);

    const small = Buffer.from(`streamed ${tenant}`);
    expect(await blobs.putStream(tenant, 'job_1', pieces(small, 3), never)).toEqual({ sha256: hashOf(small), size: small.length });
    const breaking = async function* (after: number): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < after; at += 1) yield await Promise.resolve(randomBytes(megabyte));
      throw new Error('broken off');
    };
    for (const after of [1, 40]) await expect(blobs.putStream(tenant, 'job_2', breaking(after), never)).rejects.toThrow('broken off');
    const refused = (): Promise<void> => Promise.reject(new Error('no row'));
    await expect(blobs.putStream(tenant, 'job_3', pieces(randomBytes(40 * megabyte)), refused)).rejects.toThrow('no row');
    expect([objects().sort(), uploads()]).toEqual([[kept.sha256, hashOf(small)].sort(), 0]);
  }, 120_000);

  it('are copied in parts when they are too large for one copy', async () => {
    const client = s3Client(s3Settings(readConfig(s3.env), place('s3://blobs/signalbox')));
    const bytes = randomBytes(11 * megabyte);
    await blobs.put(tenant, bytes);
    const name = blobName(tenant, hashOf(bytes));
    const writer = s3Writer(client, { copyBytes: 5 * megabyte, copyPartBytes: 5 * megabyte });
    expect(await writer.copy(`signalbox/${name}`, `signalbox/${asideName(name)}`)).toBe(true);
    expect(await writer.copy('signalbox/nothing', 'signalbox/other')).toBe(false);
    await client.close();
    for await (const { aside } of blobs.list(tenant)) {
      if (aside) expect(hashOf(readFileSync(join(s3.folder, 'blobs', 'signalbox', aside.name)))).toBe(hashOf(bytes));
    }
    expect(objects()).toHaveLength(2);
  });

  it('wait for a store that asks for patience, and go on where a download broke off', async () => {
    let slow = 3;
    proxy.turn = () => (slow-- > 0 ? 'slow' : 'pass');
    const bytes = randomBytes(3 * megabyte);
    const sha256 = await blobs.put(tenant, bytes);
    expect(proxy.seen).toHaveLength(4);
    let cuts = 2;
    proxy.turn = (method) => (method === 'GET' && cuts-- > 0 ? { cutAfter: megabyte } : 'pass');
    proxy.seen.length = 0;
    expect(hashOf(await blobs.get(tenant, sha256))).toBe(sha256);
    expect(proxy.seen).toHaveLength(3);
    proxy.turn = () => 'slow';
    await expect(open().check()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('SlowDown') });
  });

  it('survive a server that is killed during an upload, and are whole or not there', async () => {
    const large = randomBytes(48 * megabyte);
    const parts = (): number => proxy.seen.filter((line) => line.includes('partNumber=')).length;
    const killed = new Promise<void>((resolve) => {
      proxy.turn = () => {
        if (parts() === 2) void s3.kill().then(resolve);
        return 'pass';
      };
    });
    const upload = blobs.put(tenant, large);
    await killed;
    proxy.turn = () => 'pass';
    await s3.start();
    expect(hashOf(await blobs.get(tenant, await upload))).toBe(hashOf(large));

    // This time it stays away for longer than anybody waits.
    const other = randomBytes(48 * megabyte);
    proxy.seen.length = 0;
    const gone = new Promise<void>((resolve) => {
      proxy.turn = () => {
        if (parts() === 2) void s3.kill().then(resolve);
        return 'pass';
      };
    });
    await expect(blobs.put(tenant, other)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await gone;
    await s3.start();
    proxy.turn = () => 'pass';
    expect(await blobs.has(tenant, hashOf(other))).toBe(false);
    expect(uploads()).toBe(1);
    await blobs.dropUnfinished(tenant, { before: new Date(Date.now() - 60_000) });
    expect(uploads()).toBe(1);
    await blobs.dropUnfinished(tenant, { before: new Date(Date.now() + 60_000) });
    expect(uploads()).toBe(0);
  }, 90_000);

  it('are told apart from what somebody has changed in the store', async () => {
    const sha256 = await blobs.put(tenant, Buffer.from(`to be damaged ${tenant}`));
    const file = join(s3.folder, 'blobs', 'signalbox', blobName(tenant, sha256));
    const bytes = readFileSync(file);
    bytes[0] = bytes[0]! ^ 1;
    writeFileSync(file, bytes);
    await expect(blobs.get(tenant, sha256)).rejects.toThrow('is damaged');
    await blobs.put(tenant, Buffer.from(`to be damaged ${tenant}`));
    expect(hashOf(await blobs.get(tenant, sha256))).toBe(sha256);
  });

  it('deleted and referred to at once are never lost', async () => {
    const bytes = Buffer.from(`shared ${tenant}`);
    const sha256 = hashOf(bytes);
    for (let round = 0; round < 12; round += 1) {
      let committed = false;
      await blobs.put(tenant, bytes);
      const referenced = async (hashes: string[]): Promise<Set<string>> => {
        const seen = committed;
        await new Promise((done) => setImmediate(done));
        return new Set(seen ? hashes : []);
      };
      const submit = async (): Promise<void> => {
        await blobs.put(tenant, bytes);
        if (round % 2) await new Promise((done) => setImmediate(done));
        committed = true;
        if (!(await blobs.has(tenant, sha256))) await blobs.put(tenant, bytes);
      };
      await Promise.all([blobs.delete(tenant, [sha256], referenced), submit(), blobs.delete(tenant, [sha256], referenced)]);
      expect(hashOf(await blobs.get(tenant, sha256)), `round ${round}`).toBe(sha256);
    }
    expect(await blobs.delete(tenant, [sha256], no)).toBe(1);
    expect(objects()).toEqual([]);
    await expect(blobs.get(tenant, sha256)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('can be read while a deleter decides, and after it has died', async () => {
    const bytes = Buffer.from(`set aside ${tenant}`);
    const sha256 = await blobs.put(tenant, bytes);
    let asked = 0;
    const dies = async (): Promise<Set<string>> => {
      if ((asked += 1) === 1) return new Set();
      expect(await blobs.has(tenant, sha256)).toBe(false);
      expect(hashOf(await blobs.get(tenant, sha256))).toBe(sha256);
      return await new Promise(() => {});
    };
    void blobs.delete(tenant, [sha256], dies);
    await eventually('it has set the blob aside', () => Promise.resolve(asked === 2));
    expect(hashOf(await blobs.get(tenant, sha256))).toBe(sha256);
    const [entry] = await collected(blobs.list(tenant));
    expect(entry).toMatchObject({ sha256, size: bytes.length, aside: { since: expect.any(Date) } });
    await blobs.settle(entry!, true);
    expect([await blobs.has(tenant, sha256), objects()]).toEqual([true, [sha256]]);
    const referenced = (): Promise<Set<string>> => Promise.resolve(new Set([sha256]));
    expect(await blobs.delete(tenant, [sha256], referenced)).toBe(0);
  });

  it('are listed in order, page by page', async () => {
    const folder = join(s3.folder, 'blobs', 'signalbox', tenant);
    const hashes = Array.from({ length: 1_100 }, (_, n) => hashOf(Buffer.from(String(n)))).sort();
    for (const sha256 of hashes) {
      mkdirSync(join(folder, sha256.slice(0, 2)), { recursive: true });
      writeFileSync(join(folder, sha256.slice(0, 2), sha256), 'x');
    }
    expect((await collected(blobs.list(tenant))).map((entry) => entry.sha256)).toEqual(hashes);
    expect(proxy.seen).toHaveLength(2);
    const later = (await collected(blobs.list(tenant, '80'))).map((entry) => entry.sha256);
    expect(later).toEqual(hashes.filter((sha256) => sha256 >= '80'));
  });

  it('refuse a store that cannot be used, and say why', async () => {
    const refusal = async (env: Record<string, string>): Promise<{ message: string; hint?: string | undefined; retryable: boolean }> =>
      await openCheckedBlobs(readConfig({ ...s3.env, ...env })).then(
        () => expect.fail('it was opened'),
        (error: unknown) => error as AppError,
      );
    expect(await refusal({ AWS_SECRET_ACCESS_KEY: 'wrong' })).toMatchObject({
      message: expect.stringContaining('SignatureDoesNotMatch'),
      hint: expect.stringContaining('AWS_SECRET_ACCESS_KEY'),
      retryable: false,
    });
    expect((await refusal({ AWS_ACCESS_KEY_ID: 'nobody' })).hint).toContain('AWS_ACCESS_KEY_ID');
    expect(await refusal({ BLOB_STORE_URL: 's3://elsewhere' })).toMatchObject({
      message: expect.stringContaining('NoSuchBucket'),
      hint: expect.stringContaining('signalbox blobs setup --create'),
    });
    const nowhere = await freePort(0);
    expect((await refusal({ S3_ENDPOINT: `http://127.0.0.1:${nowhere}` })).message).toContain('ECONNREFUSED');
    expect((await refusal({ BLOB_STORE_URL: 's3://Bad_Name' })).message).toContain('BLOB_STORE_URL');
    expect((await refusal({ S3_KMS_KEY_ID: 'alias/x' })).message).toContain('S3_KMS_KEY_ID');
    await expect(testStack({ workers: false, model: false, env: { ...s3.env, BLOB_STORE_URL: 's3://elsewhere' } })).rejects.toThrow(
      'NoSuchBucket',
    );
    expect(JSON.stringify(await refusal({ AWS_SECRET_ACCESS_KEY: 'wrong-secret-value' }))).not.toContain('wrong-secret-value');
  });

  it('ask for the encryption that is set, with everything that is written', async () => {
    const asked: (string | string[] | undefined)[] = [];
    proxy.turn = (method, url, headers) => {
      if (method === 'PUT' && !url.includes('partNumber')) asked.push(headers['x-amz-server-side-encryption-aws-kms-key-id']);
      if (method === 'POST' && url.includes('uploads')) asked.push(headers['x-amz-server-side-encryption']);
      return 'pass';
    };
    const sealed = open({ S3_ENCRYPTION: 'aws:kms', S3_KMS_KEY_ID: 'alias/signalbox' });
    await sealed.put(tenant, Buffer.from(`sealed ${tenant}`)).catch(() => {});
    await sealed.put(tenant, randomBytes(40 * megabyte)).catch(() => {});
    expect(asked).toEqual(['alias/signalbox', 'aws:kms']);
  });

  it('get a bucket', async () => {
    const config = readConfig({ ...s3.env, BLOB_STORE_URL: `s3://made-${tenant}/p` });
    const settings = s3Settings(config, place(config.BLOB_STORE_URL));
    // This server has no lifecycle rules; adapters/blobs/s3-setup.test.ts has a scripted one.
    expect(await setUpBucket(settings, { create: true, days: 7 })).toMatchObject({ created: true, rule: 'not supported' });
    expect(await setUpBucket(settings, { create: true, days: 7 })).toMatchObject({ created: false });
    await (await openCheckedBlobs(config)).close();
  });

  it('move from the folder and back, however often that is broken off', async () => {
    const folder = fileBlobs(join(s3.folder, `folder-${tenant}`));
    const hashes: string[] = [];
    for (const name of [tenant, `${tenant}-2`])
      for (let n = 0; n < 30; n += 1) hashes.push(await folder.put(name, Buffer.from(`${n % 20} ${name}`)));
    const large = randomBytes(20 * megabyte);
    hashes.push(await folder.put(tenant, large));
    const target = open({ BLOB_STORE_URL: `s3://blobs/moved-${tenant}` });

    // Stopped by a person.
    const stop = new AbortController();
    const stopped = await copyBlobs(folder, target, {
      atOnce: 2,
      signal: stop.signal,
      onProgress: ({ copied }) => copied === 5 && stop.abort(),
    });
    expect(stopped.stopped).toBe(true);
    expect(stopped.copied).toBeLessThan(10);
    // Ended by a store that is killed, and comes back later than anybody waits.
    let gone: Promise<void> | undefined;
    const attempt = copyBlobs(folder, target, { atOnce: 2, onProgress: ({ copied }) => void (copied === 5 && (gone = s3.kill())) });
    await expect(attempt).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await gone;
    await s3.start();
    // Written meanwhile.
    const late = await folder.put(tenant, Buffer.from(`late ${tenant}`));
    const rest = await copyBlobs(folder, target);
    expect(rest).toMatchObject({ found: 42, failed: [], gone: 0 });
    expect(rest.present).toBeGreaterThanOrEqual(stopped.copied + 5);
    expect(rest.copied + rest.present).toBe(42);
    expect(await copyBlobs(folder, target, { verify: true })).toMatchObject({ copied: 0, present: 42, failed: [] });
    expect(hashOf(await target.get(tenant, late))).toBe(late);
    expect(hashOf(await target.get(tenant, hashOf(large)))).toBe(hashOf(large));

    const back = fileBlobs(join(s3.folder, `back-${tenant}`));
    expect(await copyBlobs(target, back)).toMatchObject({ copied: 42, failed: [] });
    const names = async (of: Blobs): Promise<string[]> => (await collected(of.list())).map((entry) => `${entry.tenant}/${entry.sha256}`);
    expect(await names(back)).toEqual(await names(folder));
    // A damaged blob is not copied, and the others are.
    const path = join(s3.folder, `folder-${tenant}`, blobName(tenant, hashes[0]!));
    writeFileSync(path, 'other bytes');
    const strict = await copyBlobs(folder, open({ BLOB_STORE_URL: `s3://blobs/strict-${tenant}` }));
    expect(strict).toMatchObject({ copied: 41, failed: [{ tenant, sha256: hashes[0], error: expect.stringContaining('damaged') }] });
  }, 120_000);

  it('are read from the former place until they have been moved, and deleted in both', async () => {
    const former = fileBlobs(join(s3.folder, `former-${tenant}`));
    const both = movingBlobs(blobs, former);
    const old = await former.put(tenant, Buffer.from(`old ${tenant}`));
    expect(Buffer.from(await both.get(tenant, old)).toString()).toBe(`old ${tenant}`);
    expect([await both.has(tenant, old), await blobs.has(tenant, old)]).toEqual([true, false]);
    const fresh = await both.put(tenant, Buffer.from(`fresh ${tenant}`));
    expect([await blobs.has(tenant, fresh), await former.has(tenant, fresh)]).toEqual([true, false]);
    await copyBlobs(former, blobs);
    expect(await both.delete(tenant, [old], no)).toBe(1);
    expect([await blobs.has(tenant, old), await former.has(tenant, old)]).toEqual([false, false]);
    await expect(both.get(tenant, old)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

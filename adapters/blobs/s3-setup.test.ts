import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../platform/config.ts';
import { s3Settings } from './open.ts';
import { setUpBucket, type BucketSetup } from './s3-setup.ts';
import { blobPlace } from './settings.ts';

let server: Server;
/** The rules that the bucket has; null: none were ever set. */
let rules: string | null;
let puts: number;
/** Hashes of what was sent: told and real. */
let sums: [string, string][];
beforeEach(async () => {
  [rules, puts, sums] = [null, 0, []];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'PUT') {
        puts += 1;
        sums.push([String(request.headers['content-md5']), createHash('md5').update(body).digest('base64')]);
        rules = body;
        response.end();
      } else if (rules === null) response.writeHead(404).end('<Error><Code>NoSuchLifecycleConfiguration</Code></Error>');
      else response.end(rules);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const setUp = (days: number): Promise<BucketSetup> => {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = readConfig({ S3_ENDPOINT: endpoint, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  const place = blobPlace(config, 's3://bucket/p', 'BLOB_STORE_URL');
  if (place.kind === 'folder') throw new Error('not a bucket');
  return setUpBucket(s3Settings(config, place), { create: false, days });
};

it('a rule for unfinished uploads is added, changed, or left as it is', async () => {
  expect((await setUp(7)).rule).toBe('added');
  expect(rules).toContain('<Prefix>p/</Prefix>');
  expect(rules).toContain('<DaysAfterInitiation>7</DaysAfterInitiation>');
  expect([(await setUp(7)).rule, puts]).toEqual(['kept', 1]);
  expect((await setUp(3)).rule).toBe('changed');
  expect(rules!.match(/<Rule>/g)).toHaveLength(1);
  for (const [told, real] of sums) expect(told).toBe(real);
});

it('rules of others stay to the letter', async () => {
  const other = '<Rule><ID>theirs</ID><Filter><And><Prefix>x</Prefix><Tag><Key>a</Key><Value>b &amp; c</Value></Tag></And></Filter></Rule>';
  rules = `<?xml version="1.0"?>\n<LifecycleConfiguration>${other}</LifecycleConfiguration>`;
  expect((await setUp(7)).rule).toBe('added');
  expect(rules).toContain(other);
  expect((await setUp(7)).rule).toBe('kept');
});

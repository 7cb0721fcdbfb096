/** A real S3 server (versitygw), and a proxy before it that throttles and breaks connections. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../../platform/config.ts';
import { cacheFolder } from '../../platform/embedded/parts.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { eventually } from '../../bench/context.ts';

const version = '1.8.0';

/** Null: this machine has neither it nor Go. */
export const s3Server = findServer();

function findServer(): { binary(): Promise<string> } | null {
  const folder = join(cacheFolder(readConfig()), `versitygw-${version}`);
  const cached = join(folder, 'versitygw');
  if (existsSync(cached)) return { binary: () => Promise.resolve(cached) };
  if (spawnSync('versitygw', ['--version']).status === 0) return { binary: () => Promise.resolve('versitygw') };
  if (spawnSync('go', ['version']).status !== 0) return null;
  return {
    async binary() {
      mkdirSync(folder, { recursive: true });
      const made = mkdtempSync(join(folder, '.made-'));
      const module = `github.com/versity/versitygw/cmd/versitygw@v${version}`;
      await promisify(execFile)('go', ['install', module], { env: { ...process.env, GOBIN: made }, maxBuffer: 2 ** 26 });
      // Another test file may have been as fast.
      renameSync(join(made, 'versitygw'), cached);
      rmSync(made, { recursive: true });
      return cached;
    },
  };
}

/** Building it takes minutes, once on a machine. */
export const buildTimeout = 600_000;

export interface S3 {
  endpoint: string;
  /** Its objects stand there as files. */
  folder: string;
  /** Settings that lead to a bucket of it. */
  env: Record<string, string>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function startS3(folder: string): Promise<S3> {
  const port = await freePort(0);
  const endpoint = `http://127.0.0.1:${port}`;
  const root = join(folder, `s3-${port}`);
  mkdirSync(join(root, 'blobs'), { recursive: true });
  const binary = await s3Server!.binary();
  const env = { AWS_ACCESS_KEY_ID: 'tester', AWS_SECRET_ACCESS_KEY: 'tester-secret', AWS_EC2_METADATA_DISABLED: 'true' };
  let end = async (): Promise<void> => {};
  const s3: S3 = {
    endpoint,
    folder: root,
    env: { ...env, S3_ENDPOINT: endpoint, BLOB_STORE_URL: 's3://blobs/signalbox' },
    kill: () => end(),
    async start() {
      const args = [
        '--port',
        `127.0.0.1:${port}`,
        '--quiet',
        '--keep-alive',
        '--access',
        env.AWS_ACCESS_KEY_ID,
        '--secret',
        env.AWS_SECRET_ACCESS_KEY,
      ];
      const child = spawn(binary, [...args, 'posix', root], { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      end = async () => {
        child.kill('SIGKILL');
        await exited;
      };
      await eventually('the S3 server answers', async () => {
        if (child.exitCode !== null) throw new Error(`versitygw ended: ${said}`);
        return await fetch(endpoint).then(
          () => true,
          () => false,
        );
      });
    },
  };
  await s3.start();
  return s3;
}

/** What the proxy does with a request: pass it on; answer 503 SlowDown; pass it on and cut the answer after some bytes. */
export type Turn = 'pass' | 'slow' | { cutAfter: number } | { hold: Promise<void> };

export interface Proxy {
  endpoint: string;
  seen: string[];
  /** Decides about each request. */
  turn: (method: string, url: string, headers: IncomingHttpHeaders) => Turn;
  stop(): Promise<void>;
}

export async function startProxy(to: string): Promise<Proxy> {
  const target = new URL(to);
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, cutAfter: number): void => {
    const { method, url, headers } = incoming;
    const onward = request({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      let left = cutAfter;
      answer.on('data', (chunk: Buffer) => {
        if (left <= 0) return;
        outgoing.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) setImmediate(() => outgoing.destroy());
      });
      answer.on('end', () => left > 0 && outgoing.end());
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  };
  const server = createServer((incoming, outgoing) => {
    proxy.seen.push(`${incoming.method} ${incoming.url}`);
    const turn = proxy.turn(incoming.method!, incoming.url!, incoming.headers);
    if (turn === 'slow') {
      incoming.resume();
      outgoing.writeHead(503, { 'content-type': 'application/xml' });
      outgoing.end('<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>');
    } else if (typeof turn === 'object' && 'hold' in turn) void turn.hold.then(() => forward(incoming, outgoing, Infinity));
    else forward(incoming, outgoing, turn === 'pass' ? Infinity : turn.cutAfter);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    turn: () => 'pass',
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

/** All of a listing. */
export async function collected<T>(listing: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of listing) all.push(each);
  return all;
}

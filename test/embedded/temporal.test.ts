import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { commandLine, until } from '../../platform/embedded/process.ts';
import { removeFolder, tempFolder, temporalBinary } from '../../platform/embedded/fixtures/help.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { searchAttributes } from '../../contracts/temporal.ts';
import { type RunningTemporal, startTemporal } from '../../platform/embedded/temporal.ts';

let binary: string;
let folder: string;
let server: RunningTemporal | undefined;

async function start(dir: string, namespace = 'default'): Promise<RunningTemporal> {
  const taken = new Set<number>();
  const [port, uiPort] = [await freePort(0, { taken }), await freePort(0, { taken })];
  server = await startTemporal({ binary, dir, port, uiPort, log: join(folder, 'temporal.log'), namespace });
  return server;
}

async function withClient<T>(running: RunningTemporal, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: running.address });
  try {
    return await work(new Client({ connection, namespace: 'default' }));
  } finally {
    await connection.close();
  }
}

beforeAll(async () => {
  binary = await temporalBinary();
  folder = await tempFolder();
}, 300_000);
afterEach(async () => {
  await server?.stop();
});
afterAll(() => removeFolder(folder));

test('serves its namespace with the search attributes, and its UI on loopback', { timeout: 90_000 }, async () => {
  const running = await start(join(folder, 'fresh'), 'elsewhere');
  for (const namespace of ['default', 'elsewhere']) {
    const known = await withClient(running, (client) => client.connection.operatorService.listSearchAttributes({ namespace }));
    expect(Object.keys(known.customAttributes ?? {}).sort()).toEqual(Object.values(searchAttributes).sort());
  }
  expect((await fetch(running.uiUrl)).status).toBe(200);
});

/** A request like a browser's, with any host name. */
const asks = (url: string, method = 'GET', headers: Record<string, string> = {}): Promise<{ status: number; body: string }> =>
  new Promise((done, fail) => {
    const asked = request(url, { method, headers }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (body += chunk));
      answer.on('end', () => done({ status: answer.statusCode ?? 0, body }));
    });
    asked.on('error', fail);
    asked.end();
  });

test(
  "lets pages of other names read nothing, and nobody act through the UI; Temporal's own HTTP API answers nobody",
  { timeout: 90_000 },
  async () => {
    const { uiUrl, pid } = await start(join(folder, 'front'));
    const { port, host } = new URL(uiUrl);
    const list = `${uiUrl}/api/v1/namespaces/default/workflows`;
    // The UI connects to its server a moment after the server answers us.
    await until(async () => (await asks(list)).status === 200, 30_000);
    expect((await asks(list, 'GET', { host: `localhost:${port}`, origin: `http://localhost:${port}` })).status).toBe(200);
    for (const headers of [
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: '127.0.0.1.evil.example' },
      { host: '10.0.0.1' },
    ]) {
      expect((await asks(list, 'GET', headers)).status, headers.host).toBe(403);
    }
    for (const origin of ['http://evil.example', 'http://localhost:3000', 'null']) {
      expect((await asks(list, 'GET', { host, origin })).status, origin).toBe(403);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect((await asks(`${list}/x/update/decide`, method, { host })).status, method).toBe(405);
    }
    expect(JSON.parse((await asks(`${uiUrl}/api/v1/settings`)).body)).toMatchObject({ DisableWriteActions: true });

    const portOf = (option: string): number => Number(new RegExp(`${option}[ \0]+(\\d+)`).exec(commandLine(pid) ?? '')?.[1]);
    const [http, ui] = [portOf('--http-port'), portOf('--ui-port')];
    for (const name of ['evil.example', `localhost:${http}`, `127.0.0.1:${http}`]) {
      expect((await asks(`http://127.0.0.1:${http}/api/v1/namespaces`, 'GET', { host: name })).status, name).toBe(403);
    }
    // Node's fetch refuses the ports that browsers refuse.
    await expect(fetch(`http://127.0.0.1:${ui}/`)).rejects.toMatchObject({ cause: { message: 'bad port' } });
  },
);

test('keeps workflows over kill -9 and a second start; an orphan is stopped first', { timeout: 90_000 }, async () => {
  const dir = join(folder, 'killed');
  const first = await start(dir);
  await withClient(first, (client) => client.workflow.start('anything', { taskQueue: 'nobody', workflowId: 'kept' }));
  process.kill(first.pid, 'SIGKILL');
  expect((await first.exited).signal).toBe('SIGKILL');

  const second = await start(dir);
  const described = await withClient(second, (client) => client.workflow.getHandle('kept').describe());
  expect(described.status.name).toBe('RUNNING');

  const third = await start(dir);
  expect((await second.exited).code).toBe(0);
  expect(third.pid).not.toBe(second.pid);
});

test('names a damaged database file and what to do about it', { timeout: 90_000 }, async () => {
  const dir = join(folder, 'damaged');
  await mkdir(dir);
  await writeFile(join(dir, 'temporal.db'), Buffer.alloc(20_000, 7));
  await expect(start(dir)).rejects.toMatchObject({
    message: `Temporal's database ${join(dir, 'temporal.db')} is damaged.`,
    hint: expect.stringContaining('Nothing was deleted') as string,
  });
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { removeFolder, tempFolder, temporalBinary } from './fixtures/help.ts';
import { freePort } from './ports.ts';
import { searchAttributes } from '../../contracts/temporal.ts';
import { type RunningTemporal, startTemporal } from './temporal.ts';

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

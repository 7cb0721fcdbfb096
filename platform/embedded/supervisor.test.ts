import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startNodeChild } from './child.ts';
import { eventually, fakeRunning, removeFolder, tempFolder } from './fixtures/help.ts';
import { isAlive, type Running } from './process.ts';
import { createSupervisor, rotateLog } from './supervisor.ts';

const fixture = fileURLToPath(new URL('./fixtures/child.ts', import.meta.url));
let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(async () => {
  vi.useRealTimers();
  await removeFolder(folder);
});

test('starts a crashing child again at once, then ever slower, and forgets after a healthy while', async () => {
  vi.useFakeTimers();
  const starts: number[] = [];
  let current = fakeRunning(0);
  const begun = Date.now();
  const supervisor = createSupervisor({ stopOrder: [], backoffMs: [0, 500, 1000], healthyMs: 30_000 });
  const start = async (): Promise<Running> => {
    starts.push(Date.now() - begun);
    current = fakeRunning(starts.length);
    return current;
  };
  await supervisor.start({ name: 'api', start });
  for (const wait of [0, 500, 1000, 1000]) {
    current.crash();
    await vi.advanceTimersByTimeAsync(wait);
  }
  expect(starts).toEqual([0, 0, 500, 1500, 2500]);
  await vi.advanceTimersByTimeAsync(30_000);
  current.crash();
  await vi.advanceTimersByTimeAsync(0);
  expect(starts.at(-1)).toBe(32_500);
  await supervisor.stop();
});

test('keeps trying when a start fails, and says so', async () => {
  const lines: string[] = [];
  let current = fakeRunning(1);
  let failures = 2;
  const supervisor = createSupervisor({ stopOrder: [], backoffMs: [0, 1], onEvent: (line) => lines.push(line) });
  let starts = 0;
  await supervisor.start({
    name: 'worker',
    start: async () => {
      starts += 1;
      if (starts > 1 && failures-- > 0) throw new Error('port taken');
      current = fakeRunning(starts);
      return current;
    },
  });
  current.crash();
  await eventually('the child is back', () => supervisor.pids()['worker'] === 4);
  expect(lines).toEqual([
    'worker ended (exit code 1); starting it again',
    'worker does not start: port taken',
    'worker does not start: port taken',
    'worker is back (pid 4)',
  ]);
  await supervisor.stop();
});

test("a first start that fails is the caller's to handle", async () => {
  const supervisor = createSupervisor({ stopOrder: [] });
  await expect(supervisor.start({ name: 'api', start: () => Promise.reject(new Error('no')) })).rejects.toThrow('no');
  await supervisor.stop();
});

test('stops in the given order, once, and starts nothing afterwards', async () => {
  const stopped: string[] = [];
  const supervisor = createSupervisor({ stopOrder: ['api', 'worker', 'postgres'] });
  for (const name of ['postgres', 'api', 'worker']) {
    await supervisor.start({ name, start: async () => fakeRunning(1, () => stopped.push(name)) });
  }
  await Promise.all([supervisor.stop(), supervisor.stop()]);
  expect(stopped).toEqual(['api', 'worker', 'postgres']);
  expect(supervisor.pids()).toEqual({});
  await expect(supervisor.start({ name: 'late', start: async () => fakeRunning(2) })).rejects.toThrow('stopping');
});

test('a real child killed with -9 comes back, and is stopped with the rest', async () => {
  const restarts: number[] = [];
  const supervisor = createSupervisor({ stopOrder: [], onRestart: (_name, pid) => restarts.push(pid) });
  const child = await supervisor.start({
    name: 'api',
    start: (signal) => startNodeChild({ name: 'api', file: fixture, dataDir: folder, env: {}, log: join(folder, 'api.log'), signal }),
  });
  process.kill(child.pid, 'SIGKILL');
  await eventually('the child is back', () => restarts.length === 1);
  expect(supervisor.pids()['api']).toBe(restarts[0]);
  await supervisor.stop();
  expect(isAlive(restarts[0] as number)).toBe(false);
});

test('a child that ends before it is ready is reported with the end of its log', async () => {
  const file = join(folder, 'broken.ts');
  await writeFile(file, "throw new Error('the reason');\n");
  const start = startNodeChild({ name: 'api', file, dataDir: folder, env: {}, log: join(folder, 'api.log') });
  await expect(start).rejects.toThrow(/api ended before it was ready[\s\S]*the reason/);
});

test('a child that never reports ready is stopped', async () => {
  const file = join(folder, 'silent.ts');
  await writeFile(file, 'setInterval(() => {}, 1000);\n');
  const start = startNodeChild({ name: 'api', file, dataDir: folder, env: {}, log: join(folder, 'api.log'), readyTimeoutMs: 300 });
  await expect(start).rejects.toThrow('api was not ready after 0.3 s');
});

test('a log that grew too big is moved aside and emptied', async () => {
  const file = join(folder, 'x.log');
  await writeFile(file, 'x'.repeat(100));
  rotateLog(file, 100);
  expect((await stat(file)).size).toBe(100);
  rotateLog(file, 99);
  expect((await stat(file)).size).toBe(0);
  expect(await readFile(`${file}.1`, 'utf8')).toHaveLength(100);
});

import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { freePort, isPortFree, onFreePorts, portTaken } from './ports.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function occupy(host: string): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, host, () => done((server.address() as { port: number }).port));
    servers.push(server);
  });
}

for (const host of ['127.0.0.1', '0.0.0.0']) {
  test(`moves aside when the port is taken on ${host}, and says so`, async () => {
    const port = await occupy(host);
    const lines: string[] = [];
    const found = await freePort(port, { name: 'Postgres', onMoved: (line) => lines.push(line) });
    expect(found).toBeGreaterThan(port);
    expect(await isPortFree(port)).toBe(false);
    expect(lines).toEqual([`Port ${port} is taken; Postgres moves to ${found}`]);
  });
}

test('takes the wanted port when it is free, without a line', async () => {
  const wanted = await freePort(0);
  const lines: string[] = [];
  expect(await freePort(wanted, { onMoved: (line) => lines.push(line) })).toBe(wanted);
  expect(lines).toEqual([]);
});

test('never gives the same port twice to those who share a list', async () => {
  const taken = new Set<number>();
  const wanted = await freePort(0);
  const first = await freePort(wanted, { taken });
  const second = await freePort(wanted, { taken });
  expect(second).toBeGreaterThan(first);
  expect(taken).toEqual(new Set([first, second]));
});

test('a server whose port was taken meanwhile starts on others, and keeps those it has run on', async () => {
  const tried: number[][] = [];
  const start = onFreePorts([{ port: 0 }, { port: 0 }], { taken: new Set() }, async (ports) => {
    tried.push(ports);
    if (tried.length < 3) throw portTaken('taken', 'others');
    return ports;
  });
  const ran = await start();
  expect(tried).toHaveLength(3);
  expect(new Set(tried[2]).size).toBe(2);
  expect(await start()).toEqual(ran);
});

test('a server that always finds its port taken says so, and another failure is not tried again', async () => {
  let tries = 0;
  const failing = (error: Error) =>
    onFreePorts([{ port: 0 }], { taken: new Set() }, async () => {
      tries += 1;
      throw error;
    })();
  await expect(failing(portTaken('taken', 'others'))).rejects.toMatchObject({ details: { reason: 'port_taken' } });
  expect(tries).toBe(3);
  await expect(failing(new Error('no disk'))).rejects.toThrow('no disk');
  expect(tries).toBe(4);
});

/** The connections of a process to Postgres. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';

let db: Database;
beforeAll(async () => {
  db = await openDatabase(inject('servers').appUrl, { max: 2 });
});
afterAll(() => db?.close());

it('counts as waiting only those for whom no connection is idle', async () => {
  await Promise.all([db.query('select 1'), db.query('select 1')]);
  expect(db.pool()).toEqual({ size: 2, open: 2, idle: 2, waiting: 0 });
  // Until a third connection lets go, no statement ends.
  const holder = new pg.Client({ connectionString: inject('servers').appUrl });
  await holder.connect();
  await holder.query('select pg_advisory_lock(20261129)');
  const held = (): Promise<unknown> => db.query('select pg_advisory_xact_lock_shared(20261129)');
  // Both get a connection in the next tick.
  const running = [held(), held()];
  expect(db.pool().waiting).toBe(0);
  running.push(held());
  expect(db.pool().waiting).toBe(1);
  await new Promise((soon) => setTimeout(soon, 50));
  expect(db.pool()).toEqual({ size: 2, open: 2, idle: 0, waiting: 1 });
  await holder.end();
  await Promise.all(running);
  expect(db.pool()).toEqual({ size: 2, open: 2, idle: 2, waiting: 0 });
});

interface Wire {
  url: string;
  /** Whether its connections, and new ones, are dead without a word. */
  mute: (silent: boolean) => void;
  /** The connections of now are dead from here on; new ones live. */
  cut: () => void;
  /** How many dead connections were asked something. */
  askedInVain: () => number;
  close: () => void;
}

/** Passes everything on between a client and a Postgres. */
async function wire(to: URL): Promise<Wire> {
  let silent = false;
  const open = new Set<Socket>();
  const cut = new Set<Socket>();
  const inVain = new Set<Socket>();
  /** Postgres's message of a client that leaves. */
  const terminate = 0x58;
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    const born = silent;
    const dead = (): boolean => born || silent || cut.has(near);
    for (const socket of [near, far]) open.add(socket.on('error', () => {}));
    near.on('data', (bytes) => {
      if (!dead()) far.write(bytes);
      else if (bytes[0] !== terminate) inVain.add(near);
    });
    near.on('close', () => far.destroy());
    far.on('data', (bytes) => (dead() ? undefined : near.write(bytes))).on('close', () => near.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    mute: (from) => (silent = from),
    cut: () => open.forEach((socket) => cut.add(socket)),
    askedInVain: () => inVain.size,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

it('a connection that dies without a word fails its statement and transaction in time, and is not used again', async () => {
  const line = await wire(new URL(inject('servers').appUrl));
  const hasty = await openDatabase(line.url, { max: 1, answerWithinMs: 500 });
  const failed = async (work: Promise<unknown>): Promise<void> => {
    await expect(work).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    line.mute(false);
    expect(hasty.pool()).toMatchObject({ open: 0, waiting: 0 });
    expect(await hasty.query('select 3 as n')).toEqual([{ n: 3 }]);
  };
  try {
    await hasty.query('select 1');
    line.mute(true);
    await failed(hasty.query('select 1'));
    await failed(
      hasty.transaction(async (query) => {
        await query('select 1');
        line.mute(true);
        await query('select 2');
      }),
    );
  } finally {
    await hasty.close();
    line.close();
  }
});

it('of connections that died while they were idle only one is waited for, and the call is answered', async () => {
  const line = await wire(new URL(inject('servers').appUrl));
  const many = await openDatabase(line.url, { max: 4, answerWithinMs: 500 });
  try {
    await Promise.all(Array.from({ length: 4 }, () => many.query('select pg_sleep(0.05)')));
    expect(many.pool()).toMatchObject({ open: 4, idle: 4 });
    line.cut();
    for (let n = 0; n < 4; n += 1) expect(await many.query('select 4 as n')).toEqual([{ n: 4 }]);
    expect(line.askedInVain()).toBe(1);
  } finally {
    await many.close();
    line.close();
  }
});

it('only an unhurried transaction gives its statements hours', async () => {
  const timeout = async (options: { unhurried?: boolean }): Promise<unknown> =>
    (await db.transaction((query) => query<{ statement_timeout: string }>('show statement_timeout'), options))[0]!.statement_timeout;
  expect([await timeout({}), await timeout({ unhurried: true }), await timeout({})]).toEqual(['30s', '6h', '30s']);
});

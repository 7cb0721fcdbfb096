/** What a process tells of its connections to Postgres. */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';

let db: Database;
beforeAll(async () => {
  db = await openDatabase(inject('servers').appUrl, { max: 2 });
});
afterAll(() => db?.close());

const sleeping = (): Promise<unknown> => db.query('select pg_sleep(0.2)');

it('counts as waiting only those for whom no connection is idle', async () => {
  await Promise.all([sleeping(), sleeping()]);
  expect(db.pool()).toEqual({ size: 2, open: 2, idle: 2, waiting: 0 });
  // Both get a connection in the next tick.
  const running = [sleeping(), sleeping()];
  expect(db.pool().waiting).toBe(0);
  running.push(sleeping());
  expect(db.pool().waiting).toBe(1);
  await new Promise((soon) => setTimeout(soon, 50));
  expect(db.pool()).toEqual({ size: 2, open: 2, idle: 0, waiting: 1 });
  await Promise.all(running);
  expect(db.pool()).toEqual({ size: 2, open: 2, idle: 2, waiting: 0 });
});

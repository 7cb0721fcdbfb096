/** What a process tells of its connections to Postgres. */
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

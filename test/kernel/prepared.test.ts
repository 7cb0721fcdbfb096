/** Statements that connections keep prepared, while a migration adds a column to what they return. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { onServer, withDatabase } from '../setup/databases.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  ann = await stack.caller({ name: 'ann' });
}, 120_000);
afterAll(() => stack?.stop());

/** As a migration, which runs as the owner of the tables. */
const addColumn = async (): Promise<string> => {
  const name = `added_${randomUUID().slice(0, 8)}`;
  const database = new URL(stack.databaseUrl).pathname.slice(1);
  await onServer(withDatabase(inject('servers').ownerUrl, database), `alter table work_tasks add column ${name} int`);
  return name;
};

/** How many of these statements one connection has prepared. */
const kept = async (db: Database): Promise<number> =>
  (
    await db.query<{ n: number }>(`select count(*)::int as n from pg_prepared_statements where statement like '%from work_tasks t where%'`)
  )[0]!.n;

it('are prepared once, and anew after a migration', async () => {
  const { task } = await stack.ok<{ task: { id: string } }>(ann, 'work.task.create', { description: 'Tidy the shelf', phase_id: 1 });
  const read = () => asTenant(ann.tenant, () => stack.services.work.queries.row(ann.tenant, task.id));
  // More than the executions after which Postgres considers a plan for all values, on all connections at once.
  await Promise.all(Array.from({ length: 60 }, read));
  expect(await kept(stack.db)).toBe(1);
  const added = await addColumn();
  const rows = await Promise.all(Array.from({ length: 60 }, read));
  expect(rows.map((row) => row.id)).toEqual(Array(60).fill(task.id));
  expect(rows.every((row) => added in row)).toBe(true);
});

it('in a transaction say that nothing was changed, and work in the next one', async () => {
  const db = await openDatabase(stack.databaseUrl, { max: 1 });
  const blocker = await stack.ok<{ task: { id: string } }>(ann, 'work.task.create', { description: 'First', phase_id: 1 });
  const { insertTask } = await import('../../services/work/records.ts');
  const task = {
    description: 'Second',
    phaseId: 1,
    priority: 'medium' as const,
    blockedBy: [blocker.task.id],
    tags: [],
    metadata: {},
    leaseSeconds: 60,
    maxAttempts: 3,
    needsReview: false,
  };
  const insert = (id: string) => asTenant(ann.tenant, () => insertTask(db, ann, id, task));
  try {
    expect((await insert('task_one')).status).toBe('blocked');
    await addColumn();
    await expect(insert('task_two')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', hint: 'Nothing was changed; try again.' });
    expect(await asTenant(ann.tenant, () => db.query(`select id from work_tasks where id = 'task_two'`))).toEqual([]);
    expect((await insert('task_two')).status).toBe('blocked');
  } finally {
    await db.close();
  }
});

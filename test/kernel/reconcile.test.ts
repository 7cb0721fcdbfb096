/** One of the stores was restored: the rows are the truth, and processes follow them. */
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { lostProcesses } from '../../cli/lost.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Task } from '../../contracts/work/work.ts';
import { snapshotOf, taskColumns, type TaskRow } from '../../services/work/rows.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { findDiffering } from '../../services/reconcile.ts';
import { withDatabase } from '../setup/databases.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let owner: pg.Client;
beforeAll(async () => {
  stack = await testStack({ model: false });
  owner = new pg.Client({ connectionString: withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)) });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await stack?.stop();
});

const tables = ['work_tasks', 'work_task_events', 'work_task_dependencies', 'approvals', 'jobs'];

/** Keeps the records as they are now. @returns puts them back, as a restored database would have them */
async function keepRecords(): Promise<() => Promise<void>> {
  await owner.query('drop schema if exists kept cascade; create schema kept');
  for (const table of tables) await owner.query(`create table kept.${table} as table public.${table}`);
  return async () => {
    await owner.query('begin; set local session_replication_role = replica');
    for (const table of tables) {
      await owner.query(`delete from public.${table}`);
      const { rows } = await owner.query<{ names: string }>(
        `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
         where attrelid = 'public.${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      );
      const names = rows[0]!.names;
      await owner.query(`insert into public.${table} (${names}) overriding system value select ${names} from kept.${table}`);
    }
    // A restore takes longer than the minute for which young rows are left alone.
    await owner.query(
      `update work_tasks set updated_at = now() - interval '5 minutes'; update approvals set updated_at = now() - interval '5 minutes'`,
    );
    await owner.query('commit');
  };
}

const doctor = async (fix: boolean) => await lostProcesses(stack.config, fix);
const create = async (pm: Awaited<ReturnType<TestStack['caller']>>, phase_id: number, description: string) =>
  (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description, phase_id, lease_seconds: 600 })).task;
const statusOf = async (workflowId: string) => (await stack.temporal.handle(workflowId).describe()).status.name;

it(
  'follows records that are older than Temporal: lost acts are undone, kept ones stand, and agents work on',
  { timeout: 120_000 },
  async () => {
    const phase_id = 3;
    const pm = await stack.caller({ role: 'pm', name: 'pm' });
    const [holder, other, asker] = [
      await stack.caller({ role: 'agent', name: 'holder' }),
      await stack.caller({ role: 'agent', name: 'other' }),
      await stack.caller({ role: 'agent', name: 'asker' }),
    ];
    await stack.ok(pm, 'work.phase.set', { phase_id });
    const held = await create(pm, phase_id, 'Held at the backup, completed after it');
    const finished = await create(pm, phase_id, 'Ready at the backup, completed after it');
    const taken = await create(pm, phase_id, 'Ready at the backup, claimed after it');
    const before = await create(pm, phase_id, 'Completed before the backup');
    await stack.ok(other, 'work.task.claim', { task_id: before.id });
    await stack.ok(other, 'work.task.complete', { task_id: before.id, fencing_token: 1 });
    await stack.ok(holder, 'work.task.claim', { task_id: held.id });
    const waiting = await stack.call(asker, 'schema.definition.register', {
      name: 'asked',
      version: '1.0.0',
      json_schema: { type: 'object' },
    });
    const { approval_id } = waiting.data as { approval_id: string };

    const restore = await keepRecords();
    await stack.ok(holder, 'work.task.complete', { task_id: held.id, fencing_token: 1 });
    await stack.ok(other, 'work.task.claim', { task_id: finished.id });
    await stack.ok(other, 'work.task.complete', { task_id: finished.id, fencing_token: 1 });
    await stack.ok(other, 'work.task.claim', { task_id: taken.id });
    const made = await create(pm, phase_id, 'Created after the backup');
    await stack.ok(pm, 'approval.request.approve', { approval_id, wait_seconds: 20 });
    await eventually('the approved call is over', async () => (await statusOf(workflowIds.toolCall('acme', approval_id))) === 'COMPLETED');
    await restore();

    const [lost, differing] = await doctor(false);
    expect([lost?.state, differing?.state]).toEqual(['fail', 'fail']);
    const fixed = await doctor(true);
    expect(fixed.map(({ name, state }) => [name, state])).toEqual([
      ['lost processes', 'ok'],
      ['process states', 'ok'],
    ]);
    const changed = fixed.flatMap((check) => check.changed ?? []);
    expect(changed.map(({ did, id }) => `${did} ${id}`).sort()).toEqual(
      [
        `started ${held.id}`,
        `started ${finished.id}`,
        `started ${approval_id}`,
        `ended and started ${taken.id}`,
        `ended ${made.id}`,
      ].sort(),
    );
    expect(await statusOf(workflowIds.task('acme', made.id))).toBe('TERMINATED');

    // Acknowledged before the backup: stands. The lease goes on, under its token.
    const completed = await stack.ok<{ task: Task }>(holder, 'work.task.complete', { task_id: held.id, fencing_token: 1 });
    expect(completed.task.status).toBe('done');
    expect((await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: before.id })).task.status).toBe('done');
    // Claims find what the board shows.
    for (const expected of [finished.id, taken.id]) {
      const { task } = await stack.ok<{ task: Task }>(holder, 'work.task.claim', { phase_id });
      expect(task.id).toBe(expected);
      await stack.ok(holder, 'work.task.complete', { task_id: task.id, fencing_token: task.fencing_token });
    }
    // Its process says that the call was made, its row does not: a person looks, nothing is called twice.
    const { approvals } = await eventually('the call is in doubt', async () => {
      const found = await stack.ok<{ approvals: { approval_id: string; status: string }[] }>(pm, 'approval.request.list', {
        status: 'ambiguous',
      });
      return found.approvals.length > 0 && found;
    });
    expect(approvals).toMatchObject([{ approval_id, status: 'ambiguous' }]);

    const after = await doctor(false);
    expect(after.map(({ state, detail }) => [state, detail])).toEqual([
      ['ok', 'none'],
      ['ok', 'agree'],
    ]);
  },
);

it('follows records that are newer than Temporal', { timeout: 120_000 }, async () => {
  const phase_id = 4;
  const pm = await stack.caller({ role: 'pm', name: 'pm' });
  const agent = await stack.caller({ role: 'agent', name: 'late' });
  await stack.ok(pm, 'work.phase.set', { phase_id });
  const claimed = await create(pm, phase_id, 'Claimed');
  const done = await create(pm, phase_id, 'Done');
  const rowOf = async (id: string): Promise<TaskRow> => {
    const rows = await asTenant('acme', () =>
      stack.db.query<TaskRow>(`select ${taskColumns} from work_tasks t where tenant_id = 'acme' and id = $1`, [id]),
    );
    return rows[0]!;
  };
  const former = await Promise.all([claimed, done].map(({ id }) => rowOf(id)));
  await stack.ok(agent, 'work.task.claim', { task_id: done.id });
  await stack.ok(agent, 'work.task.complete', { task_id: done.id, fencing_token: 1 });
  await stack.ok(agent, 'work.task.claim', { task_id: claimed.id });
  // What a restored Temporal has: processes in their former state.
  for (const row of former) {
    const workflowId = workflowIds.task('acme', row.id);
    if ((await statusOf(workflowId)) === 'RUNNING') await stack.temporal.handle(workflowId).terminate('test');
    await stack.services.kernel.processes.start({
      workflow: 'task',
      id: workflowId,
      queue: 'interactive',
      args: [{ ref: { tenant: 'acme', id: row.id }, task: snapshotOf(row) }],
      tenant: 'acme',
      kind: 'task',
      status: 'open',
      summary: 'former state',
    });
  }
  await eventually('both are listed as running', async () => (await findDiffering(stack, undefined, 0)).length === 2);
  const [, fixed] = await doctor(true);
  expect(fixed?.changed?.map(({ did, id }) => `${did} ${id}`).sort()).toEqual(
    [`ended ${done.id}`, `ended and started ${claimed.id}`].sort(),
  );
  const { task } = await stack.ok<{ task: Task }>(agent, 'work.task.complete', { task_id: claimed.id, fencing_token: 1 });
  expect(task.status).toBe('done');
  expect((await rowOf(done.id)).status).toBe('done');
});

it('starts nothing under another key than that of the workers', async () => {
  const [refused] = await lostProcesses({ ...stack.config, SIGNALBOX_SECRET_KEY: 'another key, of forty-three characters at least' }, true);
  expect(refused).toMatchObject({ state: 'fail', next: expect.stringContaining('SIGNALBOX_SECRET_KEY') as string });
});

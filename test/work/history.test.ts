/** work.task.history and events of tasks: what happened, once each, whatever is repeated or killed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { TaskSnapshot } from '../../contracts/activities/work/work.ts';
import type { HistoryEntry, RunningLease } from '../../contracts/work/history.ts';
import type { Task } from '../../contracts/work/work.ts';
import { writeTask } from '../../services/work/records.ts';
import { snapshotOf } from '../../services/work/rows.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

interface History {
  entries: HistoryEntry[];
  lease: RunningLease | null;
}
interface Told {
  subject: string;
  data: { status: string; agent: string | null; token: number | null; rev: number; phase_id: number };
}

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
});
afterAll(() => stack?.stop());

const agent = (name: string) => stack.caller({ role: 'agent', name });
const create = async (fields: object = {}): Promise<Task> =>
  (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Do it', phase_id: 2, ...fields })).task;
const history = (id: string, who = pm, args: object = {}): Promise<History> =>
  stack.ok<History>(who, 'work.task.history', { task_id: id, oldest_first: true, ...args });
const claim = async (who: Caller, id: string, lease_seconds?: number): Promise<Task> =>
  (await stack.ok<{ task: Task }>(who, 'work.task.claim', { task_id: id, ...(lease_seconds ? { lease_seconds } : {}) })).task;
const told = (id: string) =>
  asTenant('acme', () =>
    stack.db.query<Told & Record<string, unknown>>(
      `select subject, data from outbox where tenant_id = 'acme' and type = 'work.task_changed' and subject = $1 order by id`,
      [id],
    ),
  );
const names = ({ entries }: History) => entries.map(({ change, refused }) => change ?? `refused ${refused!.fencing_token}`);

describe('the history of a task', () => {
  it('has each lease with its token, why it went over, and what was refused', async () => {
    const [a, b] = [await agent('a'), await agent('b')];
    const { id } = await create();
    await claim(a, id, 3);
    await eventually('the lease lapses', async () => (await history(id)).entries.some(({ change }) => change === 'lapsed'));
    await claim(b, id, 60);
    for (const _time of [1, 2])
      expect((await stack.call(a, 'work.task.complete', { task_id: id, fencing_token: 1, result: 'late' })).error?.code).toBe('CONFLICT');
    await stack.ok(b, 'work.task.complete', { task_id: id, fencing_token: 2, result: 'mine' });
    expect((await stack.call(a, 'work.task.heartbeat', { task_id: id, fencing_token: 1 })).error?.code).toBe('CONFLICT');

    const now = await history(id);
    expect(names(now)).toEqual(['created', 'claimed', 'lapsed', 'claimed', 'refused 1', 'completed', 'refused 1']);
    const [created, first, lapsed, second, refused, completed, after] = now.entries as [HistoryEntry, ...HistoryEntry[]] & HistoryEntry[];
    expect(created).toMatchObject({ by: 'pm', fencing_token: null, status: 'ready' });
    expect(first).toMatchObject({ agent: 'a', fencing_token: 1, attempt: 1 });
    expect(lapsed).toMatchObject({ fencing_token: 1, status: 'ready', reason: expect.stringContaining('without a sign of life') });
    expect(second).toMatchObject({ agent: 'b', fencing_token: 2, attempt: 2 });
    expect(refused).toMatchObject({ agent: 'b', fencing_token: 2, refused: { fencing_token: 1, agent: 'a', write: 'complete', times: 2 } });
    expect(completed).toMatchObject({ status: 'done', fencing_token: 2, by: 'b', as: 'holder' });
    expect(after).toMatchObject({ refused: { fencing_token: 1, agent: 'a', write: 'heartbeat' } });
    expect(now.lease).toBeNull();
    expect(now.entries.map(({ at }) => at)).toEqual(now.entries.map(({ at }) => at).toSorted());
  });

  it('folds heartbeats into their lease, and tells at most one in ten seconds', async () => {
    const worker = await agent('beating');
    const { id } = await create();
    await claim(worker, id);
    const before = await told(id);
    for (let n = 0; n < 5; n += 1) await stack.ok(worker, 'work.task.heartbeat', { task_id: id, fencing_token: 1 });
    const now = await history(id);
    expect(names(now)).toEqual(['created', 'claimed']);
    expect(now.lease).toMatchObject({ agent: 'beating', fencing_token: 1, heartbeats: { count: 5 } });
    expect(Date.parse(now.lease!.heartbeats!.last_at)).toBeGreaterThanOrEqual(Date.parse(now.lease!.heartbeats!.first_at));
    expect(now.lease!.heartbeats!.longest_gap_seconds).toBeGreaterThan(0);
    expect(await told(id)).toHaveLength(before.length);
    await asTenant('acme', () => stack.db.query(`update work_tasks set told_at = now() - interval '11 seconds' where id = $1`, [id]));
    for (let n = 0; n < 3; n += 1) await stack.ok(worker, 'work.task.heartbeat', { task_id: id, fencing_token: 1 });
    expect(await told(id)).toHaveLength(before.length + 1);
    await stack.ok(worker, 'work.task.release', { task_id: id, fencing_token: 1 });
    const { entries, lease } = await history(id);
    expect(lease).toBeNull();
    expect(entries.at(-1)).toMatchObject({ change: 'released', heartbeats: { count: 8 } });
  });

  it('is told with the row: status, holder, revision; and the number of a lease that has ended', async () => {
    const worker = await agent('told');
    const { id } = await create();
    await claim(worker, id);
    await stack.ok(worker, 'work.task.fail', { task_id: id, fencing_token: 1, reason: 'no luck' });
    const events = await told(id);
    expect(events.map(({ data }) => [data.status, data.agent, data.token])).toEqual([
      ['ready', null, null],
      ['in_progress', 'told', null],
      ['failed', 'told', 1],
    ]);
    const revs = events.map(({ data }) => data.rev);
    expect(revs).toEqual([...new Set(revs)].toSorted((a, b) => a - b));
    expect(events.at(-1)!.data.rev).toBe((await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: id })).task.rev);
    await stack.ok(pm, 'work.task.comment', { task_id: id, body: 'Why?' });
    expect(await told(id)).toHaveLength(4);
  });

  it('has a change once, although its write is repeated or another takes its place', async () => {
    const worker = await agent('repeating');
    const { id } = await create();
    await claim(worker, id);
    const row = await asTenant('acme', () => stack.services.work.queries.row('acme', id));
    const snapshot = snapshotOf(row);
    const write = (changes: Partial<TaskSnapshot>) => writeTask(stack.db, { tenant: 'acme', id }, { ...snapshot, ...changes });
    const before = (await told(id)).length;
    await write({});
    await write({});
    expect(names(await history(id))).toEqual(['created', 'claimed']);
    expect(await told(id)).toHaveLength(before);
    // A worker died before its claim was answered, and the workflow decided otherwise with the same revision.
    await write({ status: 'ready', agent: null, leaseExpiresAt: null, attempts: 0, endedBy: 'pm', endedAs: 'person' });
    expect((await history(id)).entries.map(({ rev, status }) => [rev, status])).toEqual([
      [0, 'ready'],
      [1, 'ready'],
    ]);
    // An older one changes nothing.
    await write({ rev: 0, status: 'failed' });
    expect((await history(id)).entries).toHaveLength(2);
  });

  it('is not gone back on by a worker that comes too late, and a task that is done stays done', async () => {
    const worker = await agent('stalled');
    const { id } = await create();
    await claim(worker, id);
    const ref = { tenant: 'acme', id };
    const held = snapshotOf(await asTenant('acme', () => stack.services.work.queries.row('acme', id)));
    // Its workflow task has been given to another worker meanwhile, which has come further.
    const late = { ...held, rev: held.rev + 5, progress: 'of a stalled worker' };
    await expect(writeTask(stack.db, ref, late, Date.now() - 1)).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'late' } });
    const get = async (): Promise<Task> => (await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: id })).task;
    expect((await writeTask(stack.db, ref, { ...held, progress: 'in time' }, Date.now() + 60_000)).rev).toBe(held.rev);
    expect((await get()).progress).toBe('in time');
    await stack.ok(worker, 'work.task.complete', { task_id: id, fencing_token: 1 });
    for (const until of [undefined, Date.now() + 60_000])
      await expect(writeTask(stack.db, ref, late, until)).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'done' } });
    expect(await get()).toMatchObject({ status: 'done', progress: null });
    expect(names(await history(id))).toEqual(['created', 'claimed', 'completed']);
  });

  it('comes page by page, either way', async () => {
    const worker = await agent('paged');
    const { id } = await create();
    for (let n = 1; n <= 4; n += 1) {
      await claim(worker, id);
      await stack.ok(worker, 'work.task.release', { task_id: id, fencing_token: n });
    }
    const all = (await history(id)).entries.map((entry) => entry.id);
    expect(all).toHaveLength(9);
    for (const oldest_first of [true, false]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { envelope } = await stack.call(pm, 'work.task.history', {
          task_id: id,
          oldest_first,
          limit: 2,
          ...(cursor ? { cursor } : {}),
        });
        seen.push(...(envelope.data as History).entries.map((entry) => entry.id));
        cursor = envelope.metadata.next_cursor;
      } while (cursor);
      expect(seen).toEqual(oldest_first ? all : all.toReversed());
    }
    expect((await stack.call(pm, 'work.task.history', { task_id: id, cursor: 'nonsense' })).error?.code).toBe('VALIDATION_ERROR');
  });

  it('is not that of another tenant, and tells other workers no valid token', async () => {
    const worker = await agent('keeping');
    const { id } = await create();
    await claim(worker, id);
    expect((await stack.call(await stack.caller({ tenant: 'globex' }), 'work.task.history', { task_id: id })).error?.code).toBe(
      'NOT_FOUND',
    );
    expect((await history(id, await agent('curious'))).entries.at(-1)).toMatchObject({ change: 'claimed', fencing_token: null });
    expect((await history(id, await agent('curious'))).lease!.fencing_token).toBeNull();
    expect((await history(id, worker)).lease!.fencing_token).toBe(1);
    expect((await history(id, pm)).lease!.fencing_token).toBe(1);
  });
});

it('a phase that changes is told', async () => {
  await stack.ok(pm, 'work.phase.set', { phase_id: 77, name: 'Ship', needs_review: true });
  const rows = await asTenant('acme', () =>
    stack.db.query(`select subject, data from outbox where tenant_id = 'acme' and type = 'work.phase_changed'`),
  );
  expect(rows).toEqual([{ subject: '77', data: { name: 'Ship', needs_review: true } }]);
});

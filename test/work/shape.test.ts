/** Tasks that people shape: titles, edits, moves, reservations, archive, cancel, delete. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { HistoryEntry } from '../../contracts/work/history.ts';
import type { Comment, ListedTask, Task } from '../../contracts/work/work.ts';
import { replayCourses } from '../setup/replay.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
});
afterAll(() => stack?.stop());

let phases = 30;
/** A phase of its own for a test, so that claims do not meet other tests' tasks. */
const newPhase = async (): Promise<number> => {
  const phase_id = (phases += 1);
  await stack.ok(pm, 'work.phase.set', { phase_id });
  return phase_id;
};
const agent = (name: string) => stack.caller({ role: 'agent', kind: 'agent', name });
const create = async (fields: object = {}, who = pm): Promise<Task> =>
  (await stack.ok<{ task: Task }>(who, 'work.task.create', { description: 'Do it', phase_id: 2, ...fields })).task;
const get = async (id: string, who = pm) =>
  (await stack.ok<{ task: Task & { comments: Comment[] } }>(who, 'work.task.get', { task_id: id })).task;
/** Takes a task up again; a worker of its own, because each holds one task. */
const resume = async (id: string): Promise<Caller> => {
  const who = await stack.caller({ name: `resumer-${id}` });
  await act(who, 'update_status', id, { status: 'in_progress' });
  return who;
};
const act = async (who: Caller, tool: string, id: string, fields: object = {}): Promise<Task> =>
  (await stack.ok<{ task: Task }>(who, `work.task.${tool}`, { task_id: id, ...fields })).task;
const refused = async (who: Caller, tool: string, id: string, fields: object = {}) =>
  (await stack.call(who, `work.task.${tool}`, { task_id: id, ...fields })).error;
const claim = async (who: Caller, phase_id: number): Promise<Task | null> =>
  (await stack.ok<{ task: Task | null }>(who, 'work.task.claim', { phase_id })).task;
const history = async (id: string): Promise<HistoryEntry[]> =>
  (await stack.ok<{ entries: HistoryEntry[] }>(pm, 'work.task.history', { task_id: id, oldest_first: true })).entries;
const listed = async (args: object): Promise<string[]> =>
  (await stack.ok<{ tasks: ListedTask[] }>(pm, 'work.task.list', args)).tasks.map(({ id }) => id);
const edits = async (id: string) => (await history(id)).filter(({ kind }) => kind === 'edit');

describe('a title', () => {
  it('alone is the description, too; beside one it is its first line, also after an edit', async () => {
    const { task } = await stack.ok<{ task: Task }>(pm, 'work.task.create', { title: 'Fix the login', phase_id: 2 });
    expect(task).toMatchObject({ title: 'Fix the login', description: 'Fix the login' });
    const both = await create({ title: 'Login', description: 'It fails.' });
    expect(both).toMatchObject({ title: 'Login', description: 'Login\n\nIt fails.' });
    expect(await act(pm, 'edit', both.id, { title: 'Sign-in' })).toMatchObject({ title: 'Sign-in', description: 'Sign-in\n\nIt fails.' });
    expect((await stack.call(pm, 'work.task.create', { phase_id: 2 })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await listed({ search: 'sign-in' })).toEqual([both.id]);
  });
});

describe('an edit', () => {
  it('changes labels and settings, and the history shows who changed what', async () => {
    const { id } = await create({ tags: ['a'], metadata: { keep: 1, drop: 2 } });
    const edited = await act(pm, 'edit', id, {
      description: 'Do it well',
      tags: ['b'],
      metadata: { drop: null, add: 3 },
      due_at: '2027-03-01T12:00:00+02:00',
      max_attempts: 7,
      needs_review: true,
      lease_seconds: 60,
    });
    expect(edited).toMatchObject({
      description: 'Do it well',
      tags: ['b'],
      metadata: { keep: 1, add: 3 },
      due_at: '2027-03-01T10:00:00.000Z',
      max_attempts: 7,
      needs_review: true,
      lease_seconds: 60,
      edit_rev: 1,
      status: 'ready',
    });
    expect(await get(id)).toMatchObject({ max_attempts: 7, needs_review: true, lease_seconds: 60, tags: ['b'] });
    expect(await listed({ tags: ['b'] })).toContain(id);
    const entries = await history(id);
    expect(entries.map(({ kind }) => kind)).toEqual(['change', 'edit']);
    expect(entries[1]).toMatchObject({ by: 'pm', as: 'person', change: null });
    expect(Object.fromEntries(entries[1]!.edited!.map(({ field, from, to }) => [field, [from, to]]))).toEqual({
      description: ['Do it', 'Do it well'],
      tags: ['["a"]', '["b"]'],
      metadata: ['{"drop":2,"keep":1}', '{"add":3,"keep":1}'],
      due_at: [null, '2027-03-01T10:00:00.000Z'],
      max_attempts: ['3', '7'],
      needs_review: ['false', 'true'],
      lease_seconds: ['300', '60'],
    });
  });

  it('of two editors who have read the same is accepted once, and the other is told the current', async () => {
    const { id, edit_rev } = await create();
    const both = await Promise.all(
      ['one', 'two'].map((title) => stack.call(pm, 'work.task.edit', { task_id: id, title, expected_rev: edit_rev })),
    );
    const errors = both.flatMap(({ error }) => (error ? [error] : []));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: 'CONFLICT', details: { reason: 'edited', current: { edit_rev: 1 } } });
    const { title } = await get(id);
    expect(errors[0]!.details!['current']).toMatchObject({ title });
    expect(await edits(id)).toHaveLength(1);
  });

  it('that is repeated acts once, and not over a later edit', async () => {
    const { id } = await create();
    const first = () => stack.services.work.shaping.edit(pm, id, { title: 'first', priority: 'high', expected: 0 }, 'same-key');
    await asTenant('acme', first);
    await act(pm, 'edit', id, { title: 'later' });
    await asTenant('acme', first);
    expect(await get(id)).toMatchObject({ title: 'later', priority: 'high', edit_rev: 2 });
    expect(await edits(id)).toHaveLength(2);
  });

  it('is refused to other agents, and the creator may', async () => {
    const [maker, other] = [await agent('maker'), await agent('other')];
    const { id } = await create({}, maker);
    expect(await refused(other, 'edit', id, { title: 'mine' })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refused(other, 'cancel', id)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await act(maker, 'edit', id, { title: 'better' })).toMatchObject({ title: 'better' });
    const stranger = await stack.caller({ tenant: 'other', name: 'pm' });
    for (const tool of ['edit', 'cancel', 'delete', 'archive'])
      expect(await refused(stranger, tool, id)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of the settings of a running task leaves its lease and its heartbeats', async () => {
    const phase_id = await newPhase();
    const worker = await agent('running');
    const { id } = await create({ phase_id });
    const held = (await claim(worker, phase_id))!;
    await act(worker, 'heartbeat', id, { fencing_token: held.fencing_token });
    await act(pm, 'move', id, { priority: 'low' });
    await act(worker, 'heartbeat', id, { fencing_token: held.fencing_token });
    expect(await get(id)).toMatchObject({ status: 'in_progress', priority: 'low', assigned_agent_id: 'running' });
    const { lease } = await stack.ok<{ lease: { heartbeats: { count: number } } }>(pm, 'work.task.history', { task_id: id });
    expect(lease.heartbeats.count).toBe(2);
    expect((await history(id)).map(({ change, kind }) => change ?? kind)).toEqual(['created', 'claimed', 'edit']);
  });

  it('of a done task reaches its labels, and its settings are refused without a trace', async () => {
    const { id } = await create();
    await act(pm, 'complete', id);
    expect(await act(pm, 'edit', id, { title: 'Done well' })).toMatchObject({ title: 'Done well', status: 'done' });
    expect(await refused(pm, 'edit', id, { title: 'x', max_attempts: 9 })).toMatchObject({ code: 'CONFLICT', details: { reason: 'done' } });
    expect((await get(id)).title).toBe('Done well');
  });
});

describe('a move', () => {
  it('changes what a claim gives next', async () => {
    const [from, to] = [await newPhase(), await newPhase()];
    const worker = await agent('mover');
    await create({ phase_id: to, priority: 'medium' });
    const moved = await create({ phase_id: from, priority: 'low' });
    expect(await act(pm, 'move', moved.id, { phase_id: to, priority: 'high' })).toMatchObject({ phase_id: to, priority: 'high' });
    expect(await claim(worker, from)).toBeNull();
    expect((await claim(worker, to))?.id).toBe(moved.id);
    expect(await refused(pm, 'move', moved.id, { phase_id: 999 })).toMatchObject({ code: 'NOT_FOUND' });
    expect((await edits(moved.id))[0]!.edited).toEqual([
      { field: 'phase_id', from: String(from), to: String(to) },
      { field: 'priority', from: 'low', to: 'high' },
    ]);
  });
});

describe('a reservation', () => {
  it('gives the task to its worker alone, until it is lifted', async () => {
    const phase_id = await newPhase();
    const [mine, yours] = [await agent('mine'), await agent('yours')];
    const { id } = await create({ phase_id, priority: 'high' });
    const free = await create({ phase_id });
    expect(await act(pm, 'assign', id, { worker: 'mine' })).toMatchObject({ reserved_for: 'mine' });
    expect((await claim(yours, phase_id))?.id).toBe(free.id);
    expect(await refused(yours, 'claim', id)).toMatchObject({ code: 'CONFLICT' });
    await act(yours, 'release', free.id, { fencing_token: 1 });
    expect(await refused(yours, 'claim', id)).toMatchObject({ code: 'CONFLICT', details: { reason: 'reserved' } });
    expect((await claim(mine, phase_id))?.id).toBe(id);
    await act(mine, 'release', id, { fencing_token: 1 });
    await act(pm, 'assign', id, { worker: null });
    expect((await claim(yours, phase_id))?.id).toBe(id);
  });

  it('comes with a new task, and holds however many claim at once', async () => {
    const phase_id = await newPhase();
    const { id } = await create({ phase_id, assign_to: 'w-3' });
    const workers = await Promise.all([1, 2, 3, 4, 5].map((n) => agent(`w-${n}`)));
    const given = await Promise.all(workers.map((worker) => claim(worker, phase_id)));
    expect(given.map((task) => task?.id ?? null)).toEqual([null, null, id, null, null]);
    expect(await listed({ reserved_for: 'w-3' })).toEqual([id]);
  });
});

describe('a due date', () => {
  it('is a filter for what is overdue', async () => {
    const late = await create({ due_at: '2020-01-01T00:00:00Z', tags: ['due'] });
    const soon = await create({ due_at: '2090-01-01T00:00:00Z', tags: ['due'] });
    expect(await listed({ tags: ['due'], overdue: true })).toEqual([late.id]);
    await act(pm, 'complete', late.id);
    expect(await listed({ tags: ['due'], overdue: true })).toEqual([]);
    expect(soon.due_at).toBe('2090-01-01T00:00:00.000Z');
  });
});

describe('an archived task', () => {
  it('leaves lists and boards and comes back', async () => {
    const tags = ['archive'];
    const { id } = await create({ tags });
    expect(await refused(pm, 'archive', id)).toMatchObject({ code: 'CONFLICT', details: { reason: 'ready' } });
    await act(pm, 'complete', id);
    expect((await act(pm, 'archive', id)).archived_at).not.toBeNull();
    const board = () => stack.ok<{ stats: { total_tasks: number } }>(pm, 'work.board.get', { tags });
    expect([await listed({ tags }), await listed({ tags, archived: true })]).toEqual([[], [id]]);
    expect((await board()).stats.total_tasks).toBe(0);
    expect((await get(id)).status).toBe('done');
    expect((await act(pm, 'archive', id, { archived: false })).archived_at).toBeNull();
    expect((await board()).stats.total_tasks).toBe(1);
  });

  it('that failed returns by itself when it is taken up again', async () => {
    const { id } = await create();
    await act(pm, 'fail', id, { reason: 'no' });
    await act(pm, 'archive', id);
    await resume(id);
    expect(await get(id)).toMatchObject({ status: 'in_progress', archived_at: null });
  });
});

describe('a cancel', () => {
  it('ends a running task at once: its holder is refused, and the history tells it from a failure', async () => {
    const phase_id = await newPhase();
    const worker = await agent('cancelled');
    const { id } = await create({ phase_id });
    const { fencing_token } = (await claim(worker, phase_id))!;
    expect(await act(pm, 'cancel', id, { reason: 'Not needed' })).toMatchObject({
      status: 'failed',
      cancelled: true,
      failure: 'Not needed',
    });
    for (const tool of ['heartbeat', 'complete', 'release'])
      expect(await refused(worker, tool, id, { fencing_token })).toMatchObject({ code: 'CONFLICT', details: { reason: 'cancelled' } });
    expect((await history(id)).map(({ change, by, as }) => [change, by, as])).toContainEqual(['cancelled', 'pm', 'person']);
    expect(await listed({ phase_id })).toEqual([]);
    expect((await get(id)).archived_at).not.toBeNull();
    expect(await refused(worker, 'claim', id)).toMatchObject({ details: { reason: 'cancelled' } });
    // A repeat changes nothing.
    const { rev } = await get(id);
    expect((await act(pm, 'cancel', id)).rev).toBe(rev);
    // A person takes it up again.
    await resume(id);
    expect(await get(id)).toMatchObject({ status: 'in_progress', cancelled: false, archived_at: null });
  });

  it('and a complete at once: one of them wins', async () => {
    const phase_id = await newPhase();
    const worker = await agent('racing');
    const { id } = await create({ phase_id });
    await claim(worker, phase_id);
    const [completed, cancelled] = await Promise.all([
      stack.call(worker, 'work.task.complete', { task_id: id, fencing_token: 1 }),
      stack.call(pm, 'work.task.cancel', { task_id: id }),
    ]);
    expect([completed.error?.code, cancelled.error?.code].filter(Boolean)).toEqual(['CONFLICT']);
    expect(await get(id)).toMatchObject(cancelled.error ? { status: 'done', cancelled: false } : { status: 'failed', cancelled: true });
  });

  it('is refused while others wait, or frees them and tells them', async () => {
    const { id } = await create();
    const [one, two] = [await create({ blocked_by: [id] }), await create({ blocked_by: [id] })];
    const blocker = await create();
    await act(pm, 'block', two.id, { blocked_by: [blocker.id] });
    const error = await refused(pm, 'cancel', id);
    expect(error).toMatchObject({ code: 'CONFLICT', details: { reason: 'awaited' } });
    expect((error!.details!['dependants'] as string[]).toSorted()).toEqual([one.id, two.id].toSorted());
    const { unblocked_tasks } = await stack.ok<{ unblocked_tasks: string[] }>(pm, 'work.task.cancel', {
      task_id: id,
      dependants: 'free',
      reason: 'Out of scope',
    });
    expect(unblocked_tasks).toEqual([one.id]);
    expect(await get(one.id)).toMatchObject({ status: 'ready', blocked_by: [] });
    expect(await get(two.id)).toMatchObject({ status: 'blocked', blocked_by: [blocker.id] });
    for (const { id: freed } of [one, two])
      expect((await get(freed)).comments.map(({ body }) => body)).toEqual([
        `${id}, which this task waited for, was cancelled: Out of scope`,
      ]);
  });

  it('of a blocked task keeps it ended when its blocker is done', async () => {
    const blocker = await create();
    const { id } = await create({ blocked_by: [blocker.id] });
    await act(pm, 'cancel', id);
    await act(pm, 'complete', blocker.id);
    expect(await get(id)).toMatchObject({ status: 'failed', cancelled: true });
  });
});

describe('a deletion', () => {
  const isOver = async (id: string): Promise<string> => (await stack.temporal.handle(workflowIds.task('acme', id)).describe()).status.name;

  it('is for people: it ends the process and leaves nothing', async () => {
    const phase_id = await newPhase();
    const worker = await agent('deleting');
    const { id } = await create({ phase_id, tags: ['gone'] }, worker);
    const part = await create({ parent_id: id });
    await act(worker, 'edit', id, { title: 'x' });
    await stack.ok(pm, 'work.task.comment', { task_id: id, body: 'Hm' });
    const { fencing_token } = (await claim(worker, phase_id))!;
    expect(await refused(worker, 'delete', id)).toMatchObject({ code: 'FORBIDDEN' });
    await stack.ok(pm, 'work.task.delete', { task_id: id });
    expect(await refused(worker, 'heartbeat', id, { fencing_token })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(pm, 'get', id)).toMatchObject({ code: 'NOT_FOUND' });
    await stack.temporal.handle(workflowIds.task('acme', id)).result();
    expect(await isOver(id)).toBe('COMPLETED');
    expect((await get(part.id)).parent_id).toBeNull();
    for (const table of ['work_comments', 'work_task_events', 'work_task_tags'])
      expect(
        await asTenant('acme', () => stack.db.query(`select 1 from ${table} where tenant_id = 'acme' and task_id = $1`, [id])),
      ).toEqual([]);
  });

  it('of a task that others wait for is refused, or frees them; of a done one it needs no process', async () => {
    const { id } = await create();
    const waiting = await create({ blocked_by: [id] });
    expect(await refused(pm, 'delete', id)).toMatchObject({ code: 'CONFLICT', details: { reason: 'awaited' } });
    expect(await stack.ok(pm, 'work.task.delete', { task_id: id, dependants: 'free', reason: 'Filed twice' })).toMatchObject({
      unblocked_tasks: [waiting.id],
    });
    expect(await get(waiting.id)).toMatchObject({ status: 'ready', comments: [{ body: expect.stringContaining('deleted: Filed twice') }] });
    await act(pm, 'complete', waiting.id);
    await stack.ok(pm, 'work.task.delete', { task_id: waiting.id });
    expect(await refused(pm, 'get', waiting.id)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of two at once deletes once, and both are answered', async () => {
    const { id } = await create();
    const both = await Promise.all([1, 2].map(() => stack.call(pm, 'work.task.delete', { task_id: id })));
    const codes = both.map(({ error }) => error?.code);
    expect(codes).toContain(undefined);
    for (const code of codes) expect([undefined, 'CONFLICT', 'NOT_FOUND']).toContain(code);
    expect(await refused(pm, 'get', id)).toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('replays', async () => {
  // Done: an edited task and one that was cancelled and taken up again; deleted ones above.
  const { id } = await create();
  await act(pm, 'move', id, { priority: 'high' });
  await act(pm, 'cancel', id);
  const who = await resume(id);
  await act(who, 'complete', id, { fencing_token: (await get(id, who)).fencing_token });
  await stack.temporal.handle(workflowIds.task('acme', id)).result();
  expect(await replayCourses(stack.temporal.client, 'task')).toBeGreaterThan(1);
});

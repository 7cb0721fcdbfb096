/** Parts, templates, recurring tasks, plans, attachments, graphs and saved boards. */
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Attachment } from '../../contracts/work/attachments.ts';
import type { TaskGraph } from '../../contracts/work/graph.ts';
import type { Plan } from '../../contracts/work/plans.ts';
import type { Recurrence, Template } from '../../contracts/work/templates.ts';
import type { ListedTask, PartsCount, Task, TaskLink } from '../../contracts/work/work.ts';
import { replayCourses } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let stranger: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
  stranger = await stack.caller({ tenant: 'other', name: 'pm' });
});
afterAll(() => stack?.stop());

const create = async (fields: object = {}): Promise<Task> =>
  (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Do it', phase_id: 2, ...fields })).task;
const get = async (id: string) =>
  (
    await stack.ok<{ task: Task & { parts: PartsCount & { tasks: TaskLink[] }; attachments: Attachment[] } }>(pm, 'work.task.get', {
      task_id: id,
    })
  ).task;
const list = async (args: object): Promise<ListedTask[]> => (await stack.ok<{ tasks: ListedTask[] }>(pm, 'work.task.list', args)).tasks;
const errorOf = async (tool: string, args: object, who = pm) => (await stack.call(who, tool, args)).error;

describe('parts', () => {
  it('are counted on their whole, which is never a part of itself', async () => {
    const whole = await create();
    const [one, two, three] = [await create({ parent_id: whole.id }), await create({ parent_id: whole.id }), await create()];
    await stack.ok(pm, 'work.task.edit', { task_id: three.id, parent_id: one.id });
    await stack.ok(pm, 'work.task.complete', { task_id: one.id });
    await stack.ok(pm, 'work.task.cancel', { task_id: two.id });
    expect((await get(whole.id)).parts).toMatchObject({ total: 2, done: 1, cancelled: 1 });
    expect((await get(whole.id)).parts.tasks.map(({ id }) => id)).toEqual([two.id, one.id]);
    const [listed] = (await list({ details: true, limit: 100, newest_first: true })).filter(({ id }) => id === whole.id);
    expect(listed!.parts).toEqual({ total: 2, done: 1 });
    expect((await list({ parent_id: whole.id })).map(({ id }) => id)).toEqual([one.id]);
    for (const parent_id of [whole.id, three.id, one.id])
      expect(await errorOf('work.task.edit', { task_id: whole.id, parent_id })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf('work.task.create', { title: 'x', phase_id: 2, parent_id: 'task_no' })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of each other are refused also when both are set at once', async () => {
    const [a, b] = [await create(), await create()];
    const both = await Promise.all([
      errorOf('work.task.edit', { task_id: a.id, parent_id: b.id }),
      errorOf('work.task.edit', { task_id: b.id, parent_id: a.id }),
    ]);
    expect(both.filter(Boolean)).toHaveLength(1);
  });
});

const template = (name: string, task: object = {}) =>
  stack.ok<{ template: Template }>(pm, 'work.template.save', {
    name,
    task: {
      title: 'Release {{version}}',
      description: 'Tag {{version}}, tell {{who}}.',
      phase_id: 3,
      priority: 'high',
      tags: ['v-{{version}}'],
      ...task,
    },
  });

describe('a template', () => {
  it('makes tasks with its variables, once for a call', async () => {
    expect((await template('release')).template.variables).toEqual(['version', 'who']);
    const args = { template: 'release', variables: { version: '1.2', who: 'ops' }, due_at: '2090-01-01T00:00:00Z' };
    const once = await stack.call(pm, 'work.task.create_from_template', args, { idempotencyKey: 'k' });
    const again = await stack.call(pm, 'work.task.create_from_template', args, { idempotencyKey: 'k' });
    expect(once.envelope.data).toEqual(again.envelope.data);
    expect((once.envelope.data as { task: Task }).task).toMatchObject({
      title: 'Release 1.2',
      description: 'Release 1.2\n\nTag 1.2, tell ops.',
      phase_id: 3,
      priority: 'high',
      tags: ['v-1.2'],
      metadata: { template: 'release' },
      due_at: '2090-01-01T00:00:00.000Z',
    });
    expect(await errorOf('work.task.create_from_template', { template: 'release', variables: { version: '1' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { missing: ['who'] },
    });
    expect(await errorOf('work.task.create_from_template', { template: 'release' }, stranger)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is listed, replaced and removed, and not while a recurring task needs it', async () => {
    await template('mine', { title: 'Old', description: undefined, tags: [] });
    await template('mine', { title: 'New', description: undefined, tags: [] });
    const { templates } = await stack.ok<{ templates: Template[] }>(pm, 'work.template.list');
    expect(templates.filter(({ name }) => name === 'mine').map(({ task }) => task.title)).toEqual(['New']);
    expect(await stack.ok(stranger, 'work.template.list')).toEqual({ templates: [] });
    const { recurrence } = await stack.ok<{ recurrence: Recurrence }>(pm, 'work.recurrence.save', {
      name: 'weekly',
      template: 'mine',
      every: 'week',
      weekday: 'monday',
      at: '08:00',
      paused: true,
    });
    expect(await errorOf('work.template.remove', { name: 'mine' })).toMatchObject({ code: 'CONFLICT', details: { reason: 'in_use' } });
    expect(await stack.ok(pm, 'work.recurrence.remove', { recurrence_id: recurrence.recurrence_id })).toEqual({ removed: true });
    expect(await stack.ok(pm, 'work.template.remove', { name: 'mine' })).toEqual({ removed: true });
    expect(await stack.ok(pm, 'work.template.remove', { name: 'mine' })).toEqual({ removed: false });
  });
});

describe('a recurring task', () => {
  const clock = (id: string) => stack.temporal.client.schedule.getHandle(workflowIds.recurrence('acme', id));
  const made = (tag: string) => list({ tags: [tag] });
  const save = async (name: string, tag: string, fields: object = {}) => {
    await template(`t-${name}`, { title: `Chore ${name}`, description: undefined, tags: [tag] });
    const saved = await stack.ok<{ recurrence: Recurrence; next: string[] }>(pm, 'work.recurrence.save', {
      name,
      template: `t-${name}`,
      cron: '0 8 * * *',
      timezone: 'Europe/Berlin',
      ...fields,
    });
    return { id: saved.recurrence.recurrence_id, ...saved };
  };
  const read = async (id: string) =>
    (await stack.ok<{ recurrences: Recurrence[] }>(pm, 'work.recurrence.list')).recurrences.find((one) => one.recurrence_id === id)!;
  const fire = (id: string, firedAt: string) =>
    asTenant('acme', () => stack.services.work.recurrences.fire({ tenant: 'acme', id, firedAt }));

  it('makes its task by the clock; runs that were missed together make one', async () => {
    const { id, next } = await save('daily', 'daily');
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' });
    expect(next.map((at) => local.format(new Date(at)))).toEqual(['08:00', '08:00', '08:00']);
    // Five days in which nobody was there, caught up at once.
    const day = 86_400_000;
    await clock(id).backfill([
      { start: new Date(Date.now() - 5 * day), end: new Date(Date.now() - 1_000), overlap: ScheduleOverlapPolicy.BUFFER_ALL },
    ]);
    await eventually(
      'all five went through',
      async () => {
        const ended: string[] = [];
        for await (const { workflowId, status } of stack.temporal.client.workflow.list({ query: `WorkflowType = 'recurrence'` }))
          if (workflowId.startsWith(workflowIds.recurrence('acme', id)) && status.name === 'COMPLETED') ended.push(workflowId);
        return ended.length >= 5;
      },
      60_000,
    );
    const tasks = await made('daily');
    expect(tasks.map(({ title }) => title)).toEqual(['Chore daily']);
    expect((await read(id)).last).toMatchObject({ task_id: tasks[0]!.id, error: null });
    // The next time is a task of its own. Triggered times are whole seconds, so the last run is put back by more.
    await asTenant('acme', () =>
      stack.db.query(`update work_recurrences set last_ran_at = now() - interval '1 hour' where tenant_id = 'acme' and id = $1`, [id]),
    );
    await clock(id).trigger();
    await eventually('another task', async () => (await made('daily')).length === 2, 60_000);
  }, 150_000);

  it('makes one task of a run that is repeated, also at once, and none when paused or removed', async () => {
    const { id } = await save('repeated', 'repeated');
    const at = new Date(Date.now() + 1_000).toISOString();
    const ids = await Promise.all([fire(id, at), fire(id, at), fire(id, at)]);
    expect(new Set(ids).size).toBe(1);
    expect(await made('repeated')).toHaveLength(1);
    await stack.ok(pm, 'work.recurrence.save', {
      recurrence_id: id,
      name: 'repeated',
      template: 't-repeated',
      cron: '0 9 * * *',
      paused: true,
    });
    expect(await fire(id, new Date(Date.now() + 86_400_000).toISOString())).toBeNull();
    expect((await clock(id).describe()).state.paused).toBe(true);
    await stack.ok(pm, 'work.recurrence.remove', { recurrence_id: id });
    await expect(clock(id).describe()).rejects.toThrow(/not found/i);
    expect(
      await errorOf('work.recurrence.save', { recurrence_id: id, name: 'x', template: 't-repeated', cron: '0 9 * * *' }),
    ).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('gets back its schedule when Temporal has lost it, and refuses what cannot run', async () => {
    const { id } = await save('lost', 'lost');
    await clock(id).delete();
    await asTenant('acme', () => stack.services.work.recurrences.clocks.tend('acme', 0));
    expect((await clock(id).describe()).state.paused).toBe(false);
    const wanted = { name: 'other', template: 't-lost', cron: '0 8 * * *' };
    expect(await errorOf('work.recurrence.save', { ...wanted, cron: '* * * * *' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf('work.recurrence.save', { ...wanted, template: 'none' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await errorOf('work.recurrence.save', { ...wanted, variables: { x: '1' } })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf('work.recurrence.save', { ...wanted, name: 'LOST' })).toMatchObject({ code: 'CONFLICT' });
    expect(await stack.ok(stranger, 'work.recurrence.remove', { recurrence_id: id })).toEqual({ removed: false });
    expect((await read(id)).status).toBe('active');
  });

  it('replays', async () => {
    expect(await replayCourses(stack.temporal.client, 'recurrence')).toBeGreaterThan(0);
  });
});

describe('a plan', () => {
  const text = `# Passkeys
## Investigate
- Compare libraries
## Implement
- [ ] Store keys (after Compare libraries) [high]
  - [ ] Table
  - [ ] Rotation (after Table)
## Verify
- [ ] Try it, after Store keys
`;
  const propose = async (args: object = { text }) =>
    (await stack.ok<{ plan: Plan; by: string }>(pm, 'work.plan.propose', { by_rules: true, ...args })).plan;
  const accept = async (plan: Plan) =>
    (await stack.ok<{ tasks: { ref: string; task_id: string; status: string }[] }>(pm, 'work.plan.accept', { plan })).tasks;
  const ofPlan = async ({ plan_id }: Plan): Promise<number> =>
    (
      await asTenant('acme', () =>
        stack.db.query(`select 1 from work_tasks where tenant_id = 'acme' and metadata->>'plan_id' = $1`, [plan_id]),
      )
    ).length;

  it('is proposed, stored nowhere, and filed whole with its order', async () => {
    const plan = await propose({ text: text.replace('- Compare', '- [ ] Compare') });
    expect(plan.title).toBe('Passkeys');
    expect(await ofPlan(plan)).toBe(0);
    const filed = await accept(plan);
    expect(filed.map(({ ref, status }) => [ref, status])).toEqual([
      ['T1', 'ready'],
      ['T2', 'blocked'],
      ['T3', 'blocked'],
      ['T4', 'blocked'],
      ['T5', 'blocked'],
    ]);
    const id = Object.fromEntries(filed.map(({ ref, task_id }) => [ref, task_id])) as Record<string, string>;
    expect(await get(id['T2']!)).toMatchObject({ title: 'Store keys', priority: 'high', phase_id: 2, parts: { total: 2 } });
    const complete = (ref: string) => stack.ok<{ unblocked_tasks: string[] }>(pm, 'work.task.complete', { task_id: id[ref] });
    expect((await complete('T1')).unblocked_tasks).toEqual([id['T3']]);
    expect((await complete('T3')).unblocked_tasks).toEqual([id['T4']]);
    expect((await complete('T4')).unblocked_tasks).toEqual([id['T2']]);
    expect((await complete('T2')).unblocked_tasks).toEqual([id['T5']]);
    // Accepted again, late: the same tasks.
    expect((await accept(plan)).map(({ task_id }) => task_id)).toEqual(filed.map(({ task_id }) => task_id));
    expect(await ofPlan(plan)).toBe(5);
  });

  it('is filed once by two callers at once, and anew when it was changed', async () => {
    const plan = await propose({ text: '- A\n- B (after A)' });
    const [one, two] = await Promise.all([accept(plan), accept(plan)]);
    expect(one).toEqual(two);
    expect(await ofPlan(plan)).toBe(2);
    await accept({ ...plan, tasks: plan.tasks.slice(0, 1) });
    expect(await ofPlan(plan)).toBe(3);
  });

  it('files all or nothing', async () => {
    const plan = await propose({ text: '- A\n- B' });
    const broken = (tasks: object[]) => errorOf('work.plan.accept', { plan: { ...plan, tasks } });
    const [a, b] = plan.tasks as [Plan['tasks'][0], Plan['tasks'][0]];
    expect(await broken([a, { ...b, after: ['task_00000000000000000000'] }])).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await broken([a, { ...b, phase_id: 999 }])).toMatchObject({ code: 'NOT_FOUND' });
    expect(
      await broken([
        { ...a, after: [b.ref] },
        { ...b, after: [a.ref] },
      ]),
    ).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'cycle' } });
    expect(await broken([])).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await ofPlan(plan)).toBe(0);
  });

  it('of a task becomes its parts, and waits for existing tasks', async () => {
    const before = await create();
    const big = await create({ description: `- [ ] One (after ${before.id})\n- [ ] Two` });
    const filed = await accept(await propose({ task_id: big.id }));
    expect(filed.map(({ status }) => status)).toEqual(['blocked', 'ready']);
    expect((await get(big.id)).parts.total).toBe(2);
    expect((await stack.ok<{ unblocked_tasks: string[] }>(pm, 'work.task.complete', { task_id: before.id })).unblocked_tasks).toEqual([
      filed[0]!.task_id,
    ]);
    expect(await errorOf('work.plan.propose', { task_id: big.id }, stranger)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await errorOf('work.plan.propose', {})).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf('work.plan.propose', { text: 'Nothing to do here.' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'empty' },
    });
  });

  it('of 500 items is filed, and of 501 refused', async () => {
    const items = (count: number) => Array.from({ length: count }, (_, i) => `- Item number ${i + 1}.`).join('\n');
    expect(await errorOf('work.plan.propose', { text: items(501) })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'too_many' },
    });
    const plan = await propose({ text: items(500) });
    expect(await accept(plan)).toHaveLength(500);
    expect(await ofPlan(plan)).toBe(500);
  }, 120_000);
});

describe('attachments', () => {
  it('are artifacts that a task shows, each once, until they are detached', async () => {
    const { id } = await create();
    const artifact = await stack.ok<{ sha256: string }>(pm, 'substrate.artifact.upload', {
      content: 'a log',
      media_type: 'text/plain',
      filename: 'run.log',
    });
    const args = { task_id: id, artifact_sha256: artifact.sha256 };
    await Promise.all([stack.ok(pm, 'work.task.attach', args), stack.ok(pm, 'work.task.attach', args)]);
    expect((await get(id)).attachments).toMatchObject([{ artifact_sha256: artifact.sha256, name: 'run.log', attached_by: 'pm' }]);
    expect(await errorOf('work.task.attach', { ...args, artifact_sha256: '0'.repeat(64) })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await errorOf('work.task.attach', args, stranger)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await stack.ok(pm, 'work.task.detach', args)).toEqual({ detached: true });
    expect(await stack.ok(pm, 'work.task.detach', args)).toEqual({ detached: false });
    await stack.ok(pm, 'work.task.attach', args);
    await stack.ok(pm, 'work.task.delete', { task_id: id });
    expect(await stack.ok(pm, 'substrate.artifact.get', { sha256: artifact.sha256 })).toMatchObject({
      artifact: { sha256: artifact.sha256 },
    });
  });
});

describe('a graph', () => {
  it('shows blockers and dependants to a depth, each task once', async () => {
    const a = await create({ title: 'a' });
    const [b, c] = [await create({ title: 'b', blocked_by: [a.id] }), await create({ title: 'c', blocked_by: [a.id] })];
    const d = await create({ title: 'd', blocked_by: [b.id, c.id] });
    const e = await create({ title: 'e', blocked_by: [d.id] });
    await stack.ok(pm, 'work.task.complete', { task_id: a.id });
    const graph = (id: string, depth: number, who = pm) => stack.ok<TaskGraph>(who, 'work.task.graph', { task_id: id, depth });
    const { tasks, edges, more } = await graph(d.id, 5);
    expect(tasks.map(({ title, distance, status }) => [title, distance, status])).toEqual([
      ['d', 0, 'blocked'],
      ...[b, c].toSorted((one, two) => (one.id < two.id ? -1 : 1)).map(({ title }) => [title, -1, 'ready']),
      ['e', 1, 'blocked'],
      ['a', -2, 'done'],
    ]);
    expect(edges).toHaveLength(5);
    expect(edges.filter(({ waits }) => waits)).toHaveLength(3);
    expect(more).toBe(false);
    const near = await graph(e.id, 1);
    expect([near.tasks.map(({ title }) => title), near.more]).toEqual([['e', 'd'], true]);
    expect(await errorOf('work.task.graph', { task_id: d.id }, stranger)).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a saved board', () => {
  it('filters by its name, narrowed by what is given', async () => {
    const [low, high] = [await create({ tags: ['saved'], priority: 'low' }), await create({ tags: ['saved'], priority: 'high' })];
    await create();
    await stack.ok(pm, 'work.board.save', { name: 'Saved', filter: { tags: ['saved'] } });
    const ids = async (args: object) =>
      (await stack.ok<{ columns: { ready: ListedTask[] } }>(pm, 'work.board.get', { board: 'Saved', ...args })).columns.ready.map(
        ({ id }) => id,
      );
    expect(await ids({})).toEqual([high.id, low.id]);
    expect(await ids({ priority: 'low' })).toEqual([low.id]);
    await stack.ok(pm, 'work.board.save', { name: 'Saved', filter: { tags: ['saved'], priority: 'high' } });
    expect(await ids({})).toEqual([high.id]);
    expect(await stack.ok(pm, 'work.board.list')).toMatchObject({
      boards: [{ name: 'Saved', filter: { priority: 'high' }, created_by: 'pm' }],
    });
    expect(await errorOf('work.board.get', { board: 'Saved' }, stranger)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await stack.ok(stranger, 'work.board.remove', { name: 'Saved' })).toEqual({ removed: false });
    expect(await stack.ok(pm, 'work.board.remove', { name: 'Saved' })).toEqual({ removed: true });
    expect(await errorOf('work.board.get', { board: 'Saved' })).toMatchObject({ code: 'NOT_FOUND' });
  });
});

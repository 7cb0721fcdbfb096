import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Task } from '../../contracts/work/work.ts';
import { TaskChanges } from '../../services/work/changes.ts';
import { TaskCommands, TaskProcesses } from '../../services/work/commands.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
});
afterAll(() => stack?.stop());

const agent = (name: string, tenant = 'acme') => stack.caller({ role: 'agent', name, tenant });
const create = async (fields: Record<string, unknown> = {}): Promise<Task> =>
  (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Do it', phase_id: 2, ...fields })).task;
const get = async (id: string): Promise<Task> => (await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: id })).task;
const reason = (answer: { error?: { details?: Record<string, unknown> | undefined } | undefined }) => answer.error?.details?.['reason'];

/** A new phase for each test, so that claims get only the test's tasks. */
let phases = 10;
async function freshPhase(fields: Record<string, unknown> = {}): Promise<number> {
  phases += 1;
  await stack.ok(pm, 'work.phase.set', { phase_id: phases, name: `phase ${phases}`, ...fields });
  return phases;
}

describe('the life of a task', () => {
  it('is created, claimed, kept, completed, and lets its dependants go exactly once', async () => {
    const phase_id = await freshPhase();
    const first = await create({ phase_id });
    const second = await create({ phase_id, blocked_by: [first.id] });
    expect(second).toMatchObject({ status: 'blocked', kanban_column: 'backlog', blocked_by: [first.id] });
    const worker = await agent('life-1');

    const { task: claimed } = await stack.ok<{ task: Task }>(worker, 'work.task.claim', { phase_id });
    expect(claimed).toMatchObject({ id: first.id, status: 'in_progress', assigned_agent_id: 'life-1', fencing_token: 1, attempts: 1 });
    expect((await stack.ok<{ task: Task }>(worker, 'work.task.get_current')).task.id).toBe(first.id);

    const kept = await stack.ok(worker, 'work.task.heartbeat', { task_id: first.id, fencing_token: 1, progress: 'half way' });
    expect(Date.parse(kept['lease_expires_at'])).toBeGreaterThanOrEqual(Date.parse(claimed.lease_expires_at!));
    expect((await get(first.id)).progress).toBe('half way');

    const done = await stack.ok(worker, 'work.task.complete', { task_id: first.id, fencing_token: 1, result: 'built' });
    expect(done).toMatchObject({ unblocked_tasks: [second.id], task: { status: 'done', result: 'built' } });
    expect(await get(second.id)).toMatchObject({ status: 'ready', blocked_by: [] });
    expect((await stack.ok<{ task: Task }>(worker, 'work.task.claim', { phase_id })).task.id).toBe(second.id);
  });

  it('refuses a second answer for one in hand, and says so', async () => {
    const phase_id = await freshPhase();
    await create({ phase_id });
    await create({ phase_id });
    const worker = await agent('holder-1');
    const first = await stack.ok<{ task: Task }>(worker, 'work.task.claim', { phase_id });
    const again = await stack.call(worker, 'work.task.claim', { phase_id });
    expect((again.data as { task: Task }).task).toMatchObject({ id: first.task.id, fencing_token: first.task.fencing_token });
    expect(again.envelope.warnings[0]).toContain('already hold');
  });

  it('claims high priority first, then the oldest', async () => {
    const phase_id = await freshPhase();
    const ids = [];
    for (const priority of ['low', 'medium', 'high', 'medium']) ids.push((await create({ phase_id, priority })).id);
    const order = [];
    for (let i = 0; i < 4; i += 1) {
      const { task } = await stack.ok<{ task: Task }>(await agent(`order-${i}`), 'work.task.claim', { phase_id });
      order.push(ids.indexOf(task.id));
    }
    expect(order).toEqual([2, 1, 3, 0]);
  });

  it('gives nothing of what others have in hand, and leaves them in possession of it', async () => {
    const phase_id = await freshPhase();
    const { id } = await create({ phase_id });
    await create({ phase_id: await freshPhase() });
    const [holder, other] = [await agent('holds-1'), await agent('holds-2')];
    await stack.ok(holder, 'work.task.claim', { phase_id, lease_seconds: 30 });
    expect((await stack.ok<{ task: Task | null }>(other, 'work.task.claim', { phase_id })).task).toBeNull();
    const rows = await asTenant('acme', () => stack.db.query<{ holder: string }>('select holder from work_tasks where id = $1', [id]));
    expect(rows[0]!.holder).toContain('holds-1');
    expect((await stack.ok<{ task: Task }>(holder, 'work.task.get_current')).task.id).toBe(id);
    expect(reason(await stack.call(holder, 'work.task.claim', { phase_id }))).toBeUndefined();
    expect((await get(id)).assigned_agent_id).toBe('holds-1');
  });

  it('gives back a reservation that was refused, and never the one of another', async () => {
    const phase_id = await freshPhase();
    const { id } = await create({ phase_id });
    const row = async () =>
      (await asTenant('acme', () => stack.db.query<{ holder: string | null }>('select holder from work_tasks where id = $1', [id])))[0]!;
    const refusing = (meanwhile: () => Promise<unknown>) => ({
      ask: async () => {
        await meanwhile();
        throw new AppError('CONFLICT', 'Somebody was faster.');
      },
    });
    const claim = async (name: string, meanwhile: () => Promise<unknown>) => {
      const caller = await agent(name);
      const commands = new TaskCommands({ db: stack.db, tasks: refusing(meanwhile) as never, queries: stack.services.work.queries });
      return await asTenant('acme', () => commands.claim(caller, phase_id, undefined, name));
    };
    expect(await claim('refused-1', () => Promise.resolve())).toBeNull();
    expect(await row()).toEqual({ holder: null });
    await asTenant('acme', () => stack.db.query('update work_tasks set hold_until = null where id = $1', [id]));
    const taken = () =>
      stack.db.query(`update work_tasks set holder = 'another', hold_until = now() + interval '1 hour' where id = $1`, [id]);
    expect(await claim('refused-2', taken)).toBeNull();
    expect(await row()).toEqual({ holder: 'another' });
  });

  it('gives nothing when nothing is ready', async () => {
    const answer = await stack.call(await agent('idle-1'), 'work.task.claim', { phase_id: await freshPhase() });
    expect(answer.data).toEqual({ task: null });
    expect(answer.envelope.warnings).toHaveLength(1);
  });

  it('waits for approval when its phase asks for a review, and nobody approves their own work', async () => {
    const phase_id = await freshPhase({ needs_review: true });
    const task = await create({ phase_id });
    const dependant = await create({ phase_id, blocked_by: [task.id] });
    const worker = await agent('author-1');
    await stack.ok(worker, 'work.task.claim', { phase_id });
    const handedIn = await stack.ok(worker, 'work.task.complete', { task_id: task.id, fencing_token: 1 });
    expect(handedIn).toMatchObject({ task: { status: 'review', kanban_column: 'review' }, unblocked_tasks: [] });
    expect((await stack.call(worker, 'work.task.complete', { task_id: task.id })).error?.code).toBe('FORBIDDEN');
    // With the token, a completed task can be completed again.
    const again = await stack.ok(worker, 'work.task.complete', { task_id: task.id, fencing_token: 1 });
    expect(again).toMatchObject({ task: { status: 'review' }, unblocked_tasks: [] });
    const approved = await stack.ok(pm, 'work.task.update_status', { task_id: task.id, status: 'done' });
    expect(approved).toMatchObject({ task: { status: 'done' }, unblocked_tasks: [dependant.id] });
  });

  it('fails to triage, keeps its dependants blocked, and can be taken up again', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    const dependant = await create({ phase_id, blocked_by: [task.id] });
    const worker = await agent('failing-1');
    await stack.ok(worker, 'work.task.claim', { phase_id });
    await stack.ok(worker, 'work.task.fail', { task_id: task.id, fencing_token: 1, reason: 'no access' });
    expect(await get(task.id)).toMatchObject({ status: 'failed', kanban_column: 'review', failure: 'no access' });
    expect((await get(dependant.id)).status).toBe('blocked');
    const again = await stack.ok<{ task: Task }>(await agent('failing-2'), 'work.task.update_status', {
      task_id: task.id,
      status: 'in_progress',
    });
    expect(again.task).toMatchObject({ status: 'in_progress', fencing_token: 2 });
  });

  it('is made ready again when it failed, is held or waits for review; the attempt does not count', async () => {
    const phase_id = await freshPhase();
    const { id } = await create({ phase_id, max_attempts: 1, needs_review: true });
    const [one, two] = [await agent('ready-1'), await agent('ready-2')];
    const ready = (who: Caller, more: object = {}) => stack.call(who, 'work.task.update_status', { task_id: id, status: 'ready', ...more });
    const claimed = async (who: Caller): Promise<number> =>
      (await stack.ok<{ task: Task }>(who, 'work.task.claim', { phase_id })).task.fencing_token!;
    const waits = { status: 'ready', attempts: 0, assigned_agent_id: null };

    await stack.ok(one, 'work.task.fail', { task_id: id, fencing_token: await claimed(one), reason: 'no access' });
    expect((await ready(pm)).data).toMatchObject({ task: waits });
    expect((await ready(pm)).error).toMatchObject({ code: 'CONFLICT', message: 'The task is ready already.' });

    const token = await claimed(one);
    expect((await ready(two)).error?.code).toBe('FORBIDDEN');
    expect((await ready(one, { fencing_token: token })).data).toMatchObject({ task: waits });

    await stack.ok(one, 'work.task.complete', { task_id: id, fencing_token: await claimed(one) });
    expect((await ready(one)).error?.details).toMatchObject({ reason: 'own_review' });
    expect((await ready(two)).data).toMatchObject({ task: waits });
    await stack.ok(two, 'work.task.complete', { task_id: id, fencing_token: await claimed(two) });
    await stack.ok(one, 'work.task.update_status', { task_id: id, status: 'done' });
    expect((await ready(pm)).error?.code).toBe('CONFLICT');
    // The tool of devflow has the three values it always had.
    expect((await stack.call(pm, 'update_task_status', { task_id: id, status: 'ready' })).error?.code).toBe('VALIDATION_ERROR');
  });

  it('is found, filed and done in the three calls of devflow, by whoever filed it', async () => {
    const lone = await agent('lone-1');
    await stack.ok(lone, 'search_knowledge', { query: 'login' });
    const { task_id } = await stack.ok(lone, 'create_task', { description: 'Build the login', phase_id: 2 });
    const done = await stack.ok(lone, 'update_task_status', { task_id, status: 'done', result: 'built' });
    expect(done).toMatchObject({ task_id, status: 'done', unblocked_tasks: [] });
    expect(await get(task_id)).toMatchObject({ status: 'done', result: 'built', assigned_agent_id: 'lone-1' });
    const other = await create({ phase_id: await freshPhase() });
    expect((await stack.call(lone, 'update_task_status', { task_id: other.id, status: 'done' })).error?.code).toBe('CONFLICT');
  });

  it('says which of its blockers have failed, until they are taken up again', async () => {
    const phase_id = await freshPhase();
    const [a, b] = [await create({ phase_id }), await create({ phase_id })];
    const waiting = await create({ phase_id, blocked_by: [a.id, b.id], metadata: { area: 'login' } });
    const worker = await agent('flagging-1');
    await stack.ok(worker, 'work.task.claim', { task_id: a.id });
    await stack.ok(worker, 'work.task.fail', { task_id: a.id, fencing_token: 1, reason: 'no access' });
    expect((await get(waiting.id)).metadata).toEqual({ area: 'login', failed_blockers: [a.id] });
    expect((await create({ phase_id, blocked_by: [a.id] })).metadata).toEqual({ failed_blockers: [a.id] });
    await stack.ok(worker, 'work.task.update_status', { task_id: a.id, status: 'in_progress' });
    expect((await get(waiting.id)).metadata).toEqual({ area: 'login' });
  });

  it('is commented in any state', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    const worker = await agent('talker-1');
    await stack.ok(worker, 'work.task.claim', { phase_id });
    await stack.ok(worker, 'work.task.complete', { task_id: task.id, fencing_token: 1 });
    await stack.ok(worker, 'work.task.comment', { task_id: task.id, body: 'one more thing' });
    expect((await get(task.id)) as unknown as { comments: unknown[] }).toMatchObject({
      comments: [{ author: 'talker-1', body: 'one more thing' }],
    });
  });
});

describe('leases', () => {
  it('end without a heartbeat: another agent takes over and the first one is refused', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id, lease_seconds: 3 });
    const [slow, fast] = [await agent('slow-1'), await agent('fast-1')];
    const first = await stack.ok<{ task: Task }>(slow, 'work.task.claim', { phase_id });
    const second = await eventually(
      'the lease ends',
      async () => (await stack.ok<{ task: Task | null }>(fast, 'work.task.claim', { phase_id, lease_seconds: 60 })).task,
    );
    expect(second).toMatchObject({ id: task.id, fencing_token: 2, assigned_agent_id: 'fast-1' });

    for (const tool of ['work.task.heartbeat', 'work.task.complete', 'work.task.release']) {
      const late = await stack.call(slow, tool, { task_id: task.id, fencing_token: first.task.fencing_token });
      expect(late.error?.code, tool).toBe('CONFLICT');
      expect(reason(late)).toBe('stale_fencing_token');
    }
    expect(await get(task.id)).toMatchObject({ status: 'in_progress', assigned_agent_id: 'fast-1' });
  });

  it('are extended by heartbeats, from the moment of the heartbeat', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id, lease_seconds: 6 });
    const worker = await agent('beating-1');
    const claimed = await stack.ok<{ task: Task }>(worker, 'work.task.claim', { phase_id });
    const firstEnd = Date.parse(claimed.task.lease_expires_at!);
    await eventually('the first lease would have ended', async () => {
      const beat = await stack.ok(worker, 'work.task.heartbeat', { task_id: task.id, fencing_token: 1 });
      return Date.parse(beat['lease_expires_at']) > firstEnd && Date.now() > firstEnd + 200;
    });
    expect(await get(task.id)).toMatchObject({ status: 'in_progress', attempts: 1 });
    expect((await stack.ok<{ task: Task }>(worker, 'work.task.get_current')).task.fencing_token).toBe(1);
  });

  it('go to triage after the last attempt', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id, lease_seconds: 3, max_attempts: 1 });
    await stack.ok(await agent('gone-1'), 'work.task.claim', { phase_id });
    const failed = await eventually('it fails', async () => {
      const now = await get(task.id);
      return now.status === 'failed' && now;
    });
    expect(failed.failure).toContain('gone-1');
  });
});

describe('many at once', () => {
  it('twenty agents race for sixty tasks: each is claimed once, none is lost', async () => {
    const phase_id = await freshPhase();
    const ids = await Promise.all(Array.from({ length: 60 }, async () => (await create({ phase_id })).id));
    const agents = await Promise.all(Array.from({ length: 20 }, (_, i) => agent(`racer-${i}`)));
    const claimed: string[] = [];
    await Promise.all(
      agents.map(async (racer) => {
        for (;;) {
          const { task } = await stack.ok<{ task: Task | null }>(racer, 'work.task.claim', { phase_id });
          if (!task) return;
          claimed.push(task.id);
          await stack.ok(racer, 'work.task.complete', { task_id: task.id, fencing_token: task.fencing_token });
        }
      }),
    );
    expect([...claimed].sort()).toEqual([...ids].sort());
  });

  it('one agent claiming ten times at once gets one task', async () => {
    const phase_id = await freshPhase();
    await Promise.all(Array.from({ length: 10 }, () => create({ phase_id })));
    const greedy = await agent('greedy-1');
    const answers = await Promise.all(Array.from({ length: 10 }, () => stack.ok<{ task: Task }>(greedy, 'work.task.claim', { phase_id })));
    expect(new Set(answers.map(({ task }) => task.id)).size).toBe(1);
    expect(new Set(answers.map(({ task }) => task.fencing_token)).size).toBe(1);
  });

  it('blockers done at the same moment release their dependant once', async () => {
    const phase_id = await freshPhase();
    const blockers = await Promise.all(Array.from({ length: 5 }, () => create({ phase_id })));
    const dependant = await create({ phase_id, blocked_by: blockers.map((task) => task.id) });
    const results = await Promise.all(
      blockers.map(async (_, i) => {
        const worker = await agent(`blocker-${i}`);
        const { task } = await stack.ok<{ task: Task }>(worker, 'work.task.claim', { phase_id });
        return await stack.ok<{ unblocked_tasks: string[] }>(worker, 'work.task.complete', { task_id: task.id, fencing_token: 1 });
      }),
    );
    expect(results.flatMap((result) => result.unblocked_tasks)).toEqual([dependant.id]);
  });

  it('a dependant created while its blocker completes is never forgotten', async () => {
    const phase_id = await freshPhase();
    for (let round = 0; round < 10; round += 1) {
      const blocker = await create({ phase_id, priority: 'high' });
      const worker = await agent(`meanwhile-${round}`);
      await stack.ok(worker, 'work.task.claim', { task_id: blocker.id });
      const [dependant] = await Promise.all([
        create({ phase_id, blocked_by: [blocker.id] }),
        stack.ok(worker, 'work.task.complete', { task_id: blocker.id, fencing_token: 1 }),
      ]);
      await eventually('it is let go', async () => (await get(dependant.id)).status === 'ready');
    }
  });
});

describe('bad input', () => {
  it('names what is wrong and leaves nothing behind', async () => {
    const before = (await stack.ok(pm, 'work.board.get'))['stats'].total_tasks;
    const cases: [string, Record<string, unknown>, string][] = [
      ['work.task.create', { description: 'x', phase_id: 99 }, 'NOT_FOUND'],
      ['work.task.create', { description: 'x', phase_id: 2, blocked_by: ['task_nope'] }, 'VALIDATION_ERROR'],
      ['work.task.create', { description: 'x', phase_id: 'two' }, 'VALIDATION_ERROR'],
      ['work.task.create', { description: 'x', phase_id: 2, urgency: 'high' }, 'VALIDATION_ERROR'],
      ['work.task.claim', {}, 'VALIDATION_ERROR'],
      ['work.task.claim', { phase_id: 99 }, 'NOT_FOUND'],
      ['work.task.get', { task_id: 'task_nope' }, 'NOT_FOUND'],
      ['work.task.complete', { task_id: 'task_nope' }, 'NOT_FOUND'],
      ['work.task.complet', { task_id: 'x' }, 'NOT_FOUND'],
    ];
    for (const [tool, args, code] of cases) {
      const answer = await stack.call(pm, tool, args);
      expect(answer.error?.code, `${tool} ${JSON.stringify(args)}`).toBe(code);
      expect(answer.envelope.error?.message.length).toBeGreaterThan(10);
    }
    expect((await stack.ok(pm, 'work.board.get'))['stats'].total_tasks).toBe(before);
    expect((await stack.call(pm, 'work.task.complet', {})).error?.alternatives?.[0]).toBe('work.task.complete');
  });

  it('of NUL leaves a task as it was, and its holder can go on', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    const worker = await agent('nul-1');
    await stack.ok(worker, 'work.task.claim', { phase_id });
    const given: [string, Record<string, unknown>][] = [
      ['work.task.heartbeat', { progress: 'half\0way' }],
      ['work.task.complete', { result: 'a\0b' }],
      ['work.task.fail', { reason: 'a\0b' }],
      ['work.task.update_status', { status: 'done', result: 'a\0b' }],
      ['update_task_status', { status: 'done', result: 'a\0b' }],
    ];
    for (const [tool, args] of given) {
      expect((await stack.call(worker, tool, { task_id: task.id, fencing_token: 1, ...args })).error?.code, tool).toBe('VALIDATION_ERROR');
    }
    await stack.ok(worker, 'work.task.heartbeat', { task_id: task.id, fencing_token: 1, progress: 'half way' });
    await stack.ok(worker, 'work.task.complete', { task_id: task.id, fencing_token: 1, result: 'built' });
    expect(await get(task.id)).toMatchObject({ status: 'done', progress: 'half way', result: 'built' });
  });

  it('that a process has taken already is written without its NULs', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    const worker = await agent('nul-2');
    await stack.ok(worker, 'work.task.claim', { phase_id });
    const actor = { id: 'nul-2', person: false };
    await asTenant('acme', () =>
      stack.services.work.processes.ask('acme', task.id, 'heartbeat', { actor, token: 1, progress: 'half\0way' }, 'nul'),
    );
    expect((await get(task.id)).progress).toBe('halfway');
    await stack.ok(worker, 'work.task.complete', { task_id: task.id, fencing_token: 1 });
  });

  it('with a number that no phase can have is not INTERNAL', async () => {
    for (const [tool, args] of [
      ['work.task.create', { description: 'x' }],
      ['work.task.claim', {}],
      ['claim_task', {}],
      ['work.task.list', {}],
      ['work.board.get', {}],
      ['work.phase.get', {}],
    ] as const) {
      expect((await stack.call(pm, tool, { ...args, phase_id: 2 ** 31 })).error?.code, tool).toBe('VALIDATION_ERROR');
    }
  });

  it('refuses to claim a blocked task and to close a cycle', async () => {
    const phase_id = await freshPhase();
    const [a, b] = [await create({ phase_id }), await create({ phase_id })];
    const c = await create({ phase_id, blocked_by: [b.id] });
    await stack.ok(pm, 'work.task.block', { task_id: b.id, blocked_by: [a.id] });
    const blocked = await stack.call(await agent('eager-1'), 'work.task.claim', { task_id: c.id });
    expect(blocked.error?.code).toBe('CONFLICT');
    expect(reason(blocked)).toBe('blocked');
    const cycle = await stack.call(pm, 'work.task.block', { task_id: a.id, blocked_by: [c.id] });
    expect(cycle.error?.code).toBe('VALIDATION_ERROR');
    expect(cycle.error?.details?.['cycle']).toEqual([a.id, c.id, b.id, a.id]);
    expect((await get(a.id)).blocked_by).toEqual([]);
  });

  it('closes no cycle when two blocks come at once', async () => {
    const phase_id = await freshPhase();
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await create({ phase_id }), await create({ phase_id })];
      const answers = await Promise.all([
        stack.call(pm, 'work.task.block', { task_id: a.id, blocked_by: [b.id] }),
        stack.call(pm, 'work.task.block', { task_id: b.id, blocked_by: [a.id] }),
      ]);
      expect(answers.filter((answer) => answer.error).map((answer) => answer.error?.code)).toEqual(['VALIDATION_ERROR']);
    }
  });

  it("lets nobody but holder, creator and people touch a task, and hides other tenants'", async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    await stack.ok(await agent('owner-1'), 'work.task.claim', { phase_id });
    expect((await stack.call(await agent('stranger-1'), 'work.task.complete', { task_id: task.id })).error?.code).toBe('FORBIDDEN');
    const foreigner = await stack.caller({ tenant: 'globex', name: 'spy' });
    for (const tool of ['work.task.get', 'work.task.complete', 'work.task.comment', 'work.task.claim']) {
      const args = tool === 'work.task.comment' ? { task_id: task.id, body: 'hi' } : { task_id: task.id };
      expect((await stack.call(foreigner, tool, args)).error?.code, tool).toBe('NOT_FOUND');
    }
  });
});

describe('lists', () => {
  it('go through tasks of one moment without leaving one out, either way', async () => {
    const phase_id = await freshPhase();
    const ids = [];
    for (let i = 0; i < 7; i += 1) ids.push((await create({ phase_id, tags: ['listed'] })).id);
    await asTenant('acme', () =>
      stack.db.query(
        // The time stands on a task's tags as well, and never changes.
        `with moved as (
           update work_tasks set created_at = '2026-01-01T00:00:00.123Z'::timestamptz + (ascii(right(id, 1)) % 3) * interval '1 microsecond'
           where tenant_id = $1 and phase_id = $2 returning id, created_at)
         update work_task_tags g set created_at = m.created_at from moved m where g.tenant_id = $1 and g.task_id = m.id`,
        ['acme', phase_id],
      ),
    );
    const walk = async (name: string, args: object): Promise<string[]> => {
      const seen: string[] = [];
      for (let cursor: string | undefined; ;) {
        const answer = await stack.call(pm, name, { phase_id, ...args, ...(cursor ? { cursor } : {}) });
        expect(answer.envelope.metadata.total_count).toBe(7);
        seen.push(...(answer.data as { tasks: { id: string }[] }).tasks.map(({ id }) => id));
        cursor = answer.envelope.metadata.next_cursor;
        if (!cursor) return seen;
      }
    };
    const oldest = await walk('work.task.list', { limit: 2 });
    expect(oldest.toSorted()).toEqual(ids.toSorted());
    expect(await walk('work.task.list', { limit: 3, newest_first: true })).toEqual(oldest.toReversed());
    // What was filed last is what an agent that asks for tasks must not miss.
    expect(await walk('get_tasks', { tags: ['listed'] })).toEqual(oldest.toReversed());
    const both = await create({ phase_id, tags: ['twice', 'twice', 'marked'] });
    const tagged = async (...tags: string[]): Promise<string[]> =>
      (await stack.ok<{ tasks: { id: string }[] }>(pm, 'work.task.list', { tags })).tasks.map(({ id }) => id);
    expect(await tagged('marked', 'twice')).toEqual([both.id]);
    expect(await tagged('listed', 'twice')).toEqual([]);
  });

  it('take no cursor but their own', async () => {
    for (const cursor of [
      'x',
      Buffer.from('2026-13-40T00:00:00Z|x').toString('base64url'),
      Buffer.from('["x","y"]').toString('base64url'),
    ]) {
      expect((await stack.call(pm, 'work.task.list', { cursor })).error?.code).toBe('VALIDATION_ERROR');
      expect((await stack.call(pm, 'get_tasks', { cursor })).error?.code).toBe('VALIDATION_ERROR');
      expect((await stack.call(pm, 'agent.task.list', { cursor })).error?.code).toBe('VALIDATION_ERROR');
    }
  });

  it('of comments have the latest, and say how many there are', async () => {
    const task = await create();
    await asTenant('acme', () =>
      stack.db.query(
        `insert into work_comments (tenant_id, id, task_id, author, body, created_at)
         select $1, $2 || '-' || n, $2, 'pm', 'note ' || n, now() + n * interval '1 second' from generate_series(1, 230) n`,
        ['acme', task.id],
      ),
    );
    const answer = await stack.call(pm, 'work.task.get', { task_id: task.id });
    const { comments } = (answer.data as { task: { comments: { body: string }[] } }).task;
    expect([comments.length, comments[0]?.body, comments.at(-1)?.body]).toEqual([200, 'note 31', 'note 230']);
    expect(answer.envelope.warnings).toEqual(['It has 230 comments; the latest 200 are shown.']);
  });
});

describe('repeats and deaths', () => {
  it('a repeated create under one idempotency key makes one task, at once or later', async () => {
    const phase_id = await freshPhase();
    const args = { description: 'once', phase_id };
    const answers = await Promise.all(Array.from({ length: 5 }, () => stack.call(pm, 'work.task.create', args, { idempotencyKey: 'k-1' })));
    answers.push(await stack.call(pm, 'work.task.create', args, { idempotencyKey: 'k-1' }));
    expect(new Set(answers.map((answer) => (answer.data as { task: Task }).task.id)).size).toBe(1);
    expect((await stack.ok(pm, 'work.task.list', { phase_id }))['tasks']).toHaveLength(1);
    const other = await stack.call(pm, 'work.task.create', { ...args, description: 'twice' }, { idempotencyKey: 'k-1' });
    expect(other.error?.code).toBe('CONFLICT');
  });

  it('a task whose workflow was never started, or was terminated, is claimed from its row', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    await stack.temporal.handle(workflowIds.task('acme', task.id)).terminate('test');
    const { task: claimed } = await stack.ok<{ task: Task }>(await agent('reviver-1'), 'work.task.claim', { phase_id });
    expect(claimed).toMatchObject({ id: task.id, status: 'in_progress', fencing_token: 1 });
  });

  it('a late start with an older row does not restart a done task', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    const worker = await agent('late-1');
    await stack.ok(worker, 'work.task.claim', { phase_id });
    const stale = await asTenant('acme', () => stack.services.work.queries.row('acme', task.id));
    await stack.ok(worker, 'work.task.complete', { task_id: task.id, fencing_token: 1, result: 'built' });
    // Reads the row before the task ends, and asks its process afterwards.
    const { queries } = stack.services.work;
    let reads = 0;
    const rows = { row: async (tenant: string, id: string) => (reads++ === 0 ? stale : await queries.row(tenant, id)) };
    const late = new TaskProcesses({ ...stack.services.kernel, rows });
    const actor = { id: 'late-1', person: false };
    for (const processes of [late, stack.services.work.processes]) {
      const asked = asTenant('acme', () => processes.ask('acme', task.id, 'heartbeat', { actor }, 'late'));
      await expect(asked).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'closed' } });
    }
    await late.start('acme', stale);
    reads = 0;
    await asTenant('acme', () => late.restart('acme', task.id));
    expect(reads).toBe(2);
    expect((await stack.temporal.handle(workflowIds.task('acme', task.id)).describe()).status.name).toBe('COMPLETED');
    expect(await get(task.id)).toMatchObject({ status: 'done', result: 'built' });
  });

  it('a blocker that is done before the blocked task hears of it blocks nothing', async () => {
    const phase_id = await freshPhase();
    const [blocker, waiting] = [await create({ phase_id }), await create({ phase_id })];
    const { processes, queries } = stack.services.work;
    const ask = processes.ask.bind(processes);
    // Its notice comes between the row of the dependency and the update that informs the workflow.
    const slow = Object.assign(Object.create(processes) as TaskProcesses, {
      ask: async (...args: Parameters<TaskProcesses['ask']>) => {
        if (args[2] === 'block') await stack.ok(pm, 'work.task.complete', { task_id: blocker.id });
        return await ask(...args);
      },
    });
    const slowly = new TaskChanges({ db: stack.db, tasks: slow, queries });
    const { task } = await asTenant('acme', () => slowly.block(pm, waiting.id, [blocker.id], 'slow-1'));
    expect(task).toMatchObject({ status: 'ready', blocked_by: [] });
    expect(await get(waiting.id)).toMatchObject({ status: 'ready', blocked_by: [] });
  });

  it('a row that ran ahead of its workflow is caught up with', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    await asTenant('acme', () => stack.db.query('update work_tasks set rev = 7 where tenant_id = $1 and id = $2', ['acme', task.id]));
    const { task: claimed } = await stack.ok<{ task: Task }>(await agent('ahead-1'), 'work.task.claim', { phase_id });
    expect(await get(claimed.id)).toMatchObject({ status: 'in_progress', assigned_agent_id: 'ahead-1' });
    const [row] = await asTenant('acme', () =>
      stack.db.query<{ rev: number }>('select rev from work_tasks where tenant_id = $1 and id = $2', ['acme', task.id]),
    );
    expect(row!.rev).toBeGreaterThan(7);
  });

  it('a stopped worker delays a claim and loses nothing', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    await stack.stopWorkers();
    const worker = await agent('patient-1');
    const claiming = stack.ok<{ task: Task }>(worker, 'work.task.claim', { phase_id });
    await stack.startWorkers();
    expect((await claiming).task.id).toBe(task.id);
  });

  it('goes on after more updates than one run holds', async () => {
    const phase_id = await freshPhase();
    const task = await create({ phase_id });
    const worker = await agent('diligent-1');
    await stack.ok(worker, 'work.task.claim', { phase_id });
    for (let i = 0; i < 230; i += 10) {
      await Promise.all(
        Array.from({ length: 10 }, (_, j) =>
          stack.ok(worker, 'work.task.heartbeat', { task_id: task.id, fencing_token: 1, progress: `${i + j}` }),
        ),
      );
    }
    const description = await stack.temporal.handle(workflowIds.task('acme', task.id)).describe();
    expect(description.historyLength).toBeLessThan(1_200);
    await stack.ok(worker, 'work.task.complete', { task_id: task.id, fencing_token: 1 });
    expect((await get(task.id)).status).toBe('done');
  });
});
